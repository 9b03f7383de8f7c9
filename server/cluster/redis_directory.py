"""The directory of a cluster in Redis."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
from typing import Any, NamedTuple

import structlog

from protocol.convert import Wire
from server.cluster.directory import Arrival, NodeId
from server.cluster.items import Item, Listed
from server.store.redis import keys, scripts
from server.store.redis.client import Client
from server.table.state import PlayerId

CONNECTED_KEPT = 30 * 24 * 60 * 60
"""Seconds for which it is known where a player is connected, should nobody say that the connection is gone."""
MEETING_KEPT = 10
"""Seconds in which a lobby must be listed everywhere that somebody is about to open."""
MADE = 32
"""Messages of one player of which it is known which room they were to open."""
MADE_KEPT = 24 * 60 * 60
"""Seconds for which it is known, from the last of them on."""

logger = structlog.get_logger(__name__)


class _Place(NamedTuple):
    """Where a player is connected."""

    node: NodeId
    number: int
    """Of the connection there."""
    since: int
    """See `Arrival`."""


class RedisDirectory:
    """This node's part of it; see `Directory`.

    ``note`` takes a command that changes something, and does it soon; ``tell_all`` what all other nodes are to hear;
    ``meet`` a node that this one may not know yet.
    """

    def __init__(
        self,
        client: Client,
        me: NodeId,
        note: Callable[..., None],
        tell_all: Callable[[Item], None],
        meet: Callable[[NodeId], Awaitable[None]],
    ) -> None:
        self._client = client
        self._me = me
        self._note = note
        self._tell_all = tell_all
        self._meet = meet
        self._here: dict[PlayerId, _Place] = {}
        """The newest connection of each player that is connected here."""

    # Connections

    async def arrive(self, player: PlayerId, number: int) -> Arrival:
        """See `Directory`."""
        before, since = await self._client.call(
            *scripts.ARRIVE.call((keys.connected(player),), self._shown(number), CONNECTED_KEPT)
        )
        here = self._here.get(player)
        if here is None or here.since < since:
            self._here[player] = _Place(self._me, number, since)
        place = _read_place(before)
        if place is None or place.node == self._me:
            return Arrival(since, None)
        await self._meet(place.node)
        return Arrival(since, place.node)

    def depart(self, player: PlayerId, number: int) -> None:
        """See `Directory`."""
        here = self._here.get(player)
        if here is not None and here.number == number:
            del self._here[player]
        self._note(*scripts.DEPART.call((keys.connected(player),), self._shown(number)))

    def _shown(self, number: int) -> str:
        return f"{self._me} {number}"

    async def replaced(self) -> Sequence[tuple[PlayerId, int]]:
        """The players here who have a newer connection elsewhere, and since when."""
        here = list(self._here)
        noted = await self._client.call_all([("GET", keys.connected(player)) for player in here])
        places = zip(here, map(_read_place, noted), strict=True)
        return [(player, place.since) for player, place in places if place is not None and place.node != self._me]

    # Listed tables

    def note_listed(self, room: str, shown: Wire | None) -> None:
        """See `Directory`."""
        if shown is None:
            self._note("HDEL", keys.LISTED, room)
        else:
            self._note("HSET", keys.LISTED, room, json.dumps(shown))
        self._tell_all(Listed(room, shown))

    async def listing(self) -> dict[str, Wire]:
        """All tables that are listed."""
        listed = {room.decode(): _read(shown) for room, shown in pairs(await self._client.call("HGETALL", keys.LISTED))}
        return {room: shown for room, shown in listed.items() if isinstance(shown, dict)}

    # Seats, and rooms to be opened

    async def rooms_of(self, player: PlayerId) -> Sequence[str]:
        """See `Directory`."""
        return sorted(code.decode() for code in await self._client.call("SMEMBERS", keys.seats(player)))

    def note_seats(self, room: str, left: Collection[PlayerId] = (), seated: Collection[PlayerId] = ()) -> None:
        """See `Directory`."""
        for player in sorted(seated):
            self._note("SADD", keys.seats(player), room)
        for player in sorted(left):
            self._note("SREM", keys.seats(player), room)

    async def room_for(self, player: PlayerId, message_id: str) -> str | None:
        """See `Directory`."""
        made = [entry.decode() for entry in await self._client.call("LRANGE", keys.made(player), 0, -1)]
        return next((code for code, _, said in (entry.partition(" ") for entry in made) if said == message_id), None)

    async def keep_room_for(self, player: PlayerId, message_id: str, code: str, instead_of: str | None = None) -> str:
        """See `Directory`."""
        named = (message_id, code, instead_of or "", MADE, MADE_KEPT)
        kept = await self._client.call(*scripts.KEEP.call((keys.made(player),), *named))
        return str(kept.decode())

    async def meet(self, game: str, seats: int, code: str, instead_of: str = "") -> str:
        """See `Directory`."""
        meet = scripts.MEET.call((keys.meeting(game, seats),), code, instead_of, MEETING_KEPT)
        return str((await self._client.call(*meet)).decode())


def pairs(answer: Any) -> Iterator[tuple[bytes, bytes]]:  # noqa: ANN401 - a dict, or a flat list
    """The fields of a hash or of an entry."""
    yield from answer.items() if isinstance(answer, dict) else zip(answer[::2], answer[1::2], strict=True)


def _read_place(noted: bytes | None) -> _Place | None:
    """What the scripts have noted; nothing where it is none."""
    if noted is None:
        return None
    match noted.decode(errors="replace").rsplit(" ", 2):
        case [node, number, since] if number.isdecimal() and since.isdecimal():
            return _Place(NodeId(node), int(number), int(since))
    logger.warning("directory.unreadable")
    return None


def _read(said: bytes) -> Any:  # noqa: ANN401 - whatever another version has put there
    """What JSON says; nothing where it is none."""
    try:
        return json.loads(said)
    except ValueError:
        logger.warning("directory.unreadable")
        return None
