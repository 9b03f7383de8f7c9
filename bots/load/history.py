"""What each client of a room was sent, what it asked for and what it was answered: all that the checker needs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, NamedTuple, TypeAlias

Wire: TypeAlias = dict[str, Any]

_PRIVATE = {"deal_started": "hand", "drew": "tile"}
"""The fields that only the holder of a hand is sent (H1), by event."""
_ACTIONS = {"played": "play", "drew": "draw", "knocked": "knock"}
"""What was asked for, by the event that tells of it."""
_DIGEST_BYTES = 8
# Sorted: the order of a map's fields says nothing, and another path through a server may have another one.
_TEXT = json.JSONEncoder(sort_keys=True, separators=(",", ":"))


class Told(NamedTuple):
    """An update."""

    epoch: int
    seq: int
    content: bytes
    """A digest of what all receivers are told alike."""
    deed: str | None
    """What seat did what, as `deed` writes it; None where no seat acted."""


class Shown(NamedTuple):
    """A snapshot: the room as it was at ``seq``."""

    epoch: int
    seq: int
    is_reset: bool = False


class Connected(NamedTuple):
    """A new connection, the ``number``th: a snapshot may stand for the steps that were missed."""

    number: int


class Asked(NamedTuple):
    """An `act` was sent under ``id``, for the first time; sent again it is no new entry."""

    id: str
    deed: str


class Accepted(NamedTuple):
    """The `ok` to the act ``id``: it is step ``seq``."""

    id: str
    seq: int


class Refused(NamedTuple):
    """The act ``id`` changed nothing, says the server."""

    id: str


Entry: TypeAlias = Connected | Told | Shown | Asked | Accepted | Refused


@dataclass(slots=True)
class ClientHistory:
    """The entries of one client in their order, over all its connections. The last one is a look at the room."""

    name: str
    entries: list[Entry] = field(default_factory=list)


@dataclass(slots=True)
class RoomHistory:
    """The clients on all seats of a room: nobody else acts there."""

    room: str
    clients: Sequence[ClientHistory]


def told(epoch: int, seq: int, events: Sequence[Mapping[str, Any]]) -> Told:
    """The update with ``events``, as the wire has them for whatever receiver."""
    return Told(epoch, seq, _digest(events), _deed_in(events))


def deed(seat: int, action: Mapping[str, Any]) -> str:
    """``action`` of ``seat`` in a word: `2 play 1-4 left`."""
    if action["type"] == "play":
        return f"{seat} play {action['tile']} {action['end']}"
    return f"{seat} {action['type']}"


def _deed_in(events: Iterable[Mapping[str, Any]]) -> str | None:
    """One step holds one deed; more of them are told together, and match no action."""
    deeds = [
        deed(event["seat"], {**event, "type": _ACTIONS[event["type"]]}) for event in events if event["type"] in _ACTIONS
    ]
    return ", ".join(deeds) or None


def _digest(events: Iterable[Mapping[str, Any]]) -> bytes:
    text = _TEXT.encode([_public(event) for event in events])
    return blake2b(text.encode(), digest_size=_DIGEST_BYTES).digest()


def _public(event: Mapping[str, Any]) -> Mapping[str, Any]:
    private = _PRIVATE.get(event["type"])
    if private not in event:
        return event
    return {name: value for name, value in event.items() if name != private}
