"""The names of what is kept in Redis. What belongs to one room shares a hash tag, and so a slot of a cluster."""

from __future__ import annotations

FORMAT = "ds:format"
"""STRING: the version of all that is below."""
MOVING = "ds:moving"
"""STRING: there while another store is moved here, and gone when the lease of who does that ends: by whom."""
OPEN_ROOMS = "ds:rooms"
"""ZSET: the codes of the open rooms, by when they were opened. A code may be there whose room is not."""
CLOSED_ROOMS = "ds:closed"
"""LIST: the codes of the rooms that closed last, the newest first. Some may be gone, or be there twice."""
NODES = "ds:nodes"
"""SET: the incarnations of processes, some of which may be gone."""
SEEN = "ds:seen"
"""ZSET: players, by when they were last seen."""
RECORDS = "ds:records"
"""ZSET: ids of records, by when their matches ended."""


LISTED = "ds:listed"
"""HASH: how each public table is listed, as JSON, by its code."""


def owner(room: str) -> str:
    """HASH: ``n``, the incarnation of the process that has the room, empty once it was released; ``e``, its epoch."""
    return f"ds:{{{room}}}:own"


def log(room: str) -> str:
    """STREAM: the steps, each under the id ``<seq>-0``, with the fields that `rooms.fields_of` names."""
    return f"ds:{{{room}}}:log"


def checkpoints(room: str) -> str:
    """ZSET: the numbers of the steps that carry a checkpoint, by themselves."""
    return f"ds:{{{room}}}:checkpoints"


def last_record(room: str) -> str:
    """STRING: the id of the record of the last match of an open room."""
    return f"ds:{{{room}}}:last"


def alive(incarnation: str) -> str:
    """STRING: there while a process is alive, and gone when its lease ends. What it holds, nobody reads."""
    return f"ds:node:{incarnation}:alive"


def token(token_hash: bytes) -> str:
    """STRING: the player who knows the token of that hash."""
    return f"ds:token:{token_hash.hex()}"


def player(player: str) -> str:
    """STRING: the hash of the player's token, in hexadecimal."""
    return f"ds:player:{player}"


def record(record: str) -> str:
    """STRING: the payload of a record."""
    return f"ds:record:{record}"


def inbox(incarnation: str) -> str:
    """STREAM: what other processes tell this one: ``f`` who, ``n`` the number of the batch, ``d`` what."""
    return f"ds:node:{incarnation}:in"


def connected(player: str) -> str:
    """STRING: the incarnation that has the newest connection of a player, and its number there, as JSON."""
    return f"ds:at:{player}"


def seats(player: str) -> str:
    """SET: the codes of the rooms in which a player has a seat or waits for one."""
    return f"ds:seats:{player}"


def made(player: str) -> str:
    """LIST: the room that each of a player's last messages of that kind leads to, as ``CODE ID``, newest first."""
    return f"ds:made:{player}"


def meeting(game: str, seats: int) -> str:
    """STRING: the code of the lobby in which all meet who look for one of that kind just now."""
    return f"ds:meeting:{game}:{seats}"
