"""What is kept in Redis, moved from it or to it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from itertools import chain

import structlog

from server.migrate.base import AT_ONCE, RECORDS_AT_ONCE, Counts, Player, Record
from server.migrate.claim import Claim
from server.records.build import folded
from server.store.base import DatabaseRefused, Step
from server.store.redis import keys, requirements
from server.store.redis.client import Client, Command
from server.store.redis.lease import TTL, living
from server.store.redis.rooms import Rooms, fields_of
from server.table.state import PlayerId, Table

OWN_KEYS = "ds:*"
NOT_KEPT = {keys.FORMAT.encode(), keys.NODES.encode(), keys.MOVING.encode()}
"""These a server leaves behind that has kept nothing, and a migration that has begun."""

logger = structlog.get_logger(__name__)


class RedisSource:
    """What servers have left there that run no more."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._rooms = Rooms(client, client, "")

    @classmethod
    async def open(cls, url: str) -> RedisSource:
        """Look at what is there.

        Raises:
            DatabaseRefused: there is nothing of ours, or a server runs on it.
            StoreError: out of reach.
        """
        client = await Client.connect(url)
        source = cls(client)
        try:
            await requirements.check_format(client)
            await source.check_stopped()
        except BaseException:
            await client.close()
            raise
        return source

    async def count(self) -> Counts:
        """See `Source`."""
        sets = (keys.OPEN_ROOMS, keys.SEEN, keys.RECORDS)
        return Counts(*(await self._client.call_all([("ZCARD", key) for key in sets])))

    async def rooms(self) -> AsyncIterator[Sequence[Step]]:
        """See `Source`. A code may be in the list whose room is not there, or not any more."""
        for room in await self._rooms.codes():
            log = await self._rooms.history(room, 1, None)
            if log and not log[-1].closes:
                yield log

    async def players(self) -> AsyncIterator[Sequence[Player]]:
        """See `Source`. Who was killed before the token was written has never been told of it."""
        async for listed in self._listed(keys.SEEN, AT_ONCE):
            hashes = await self._client.call_all([("GET", keys.player(name)) for name, _ in listed])
            known = [
                Player(bytes.fromhex(token.decode()), name, at)
                for (name, at), token in zip(listed, hashes, strict=True)
                if token is not None
            ]
            owners = await self._client.call_all([("GET", keys.token(player.token_hash)) for player in known])
            yield [player for player, name in zip(known, owners, strict=True) if name == player.name.encode()]

    async def records(self) -> AsyncIterator[Sequence[Record]]:
        """See `Source`. Which room a record is of is known of the last ones alone, and so many are all that need it."""
        rooms = await self._rooms.codes()
        last = await self._client.call_all([("GET", keys.last_record(room)) for room in rooms])
        room_of = {name.decode(): room for room, name in zip(rooms, last, strict=True) if name is not None}
        async for listed in self._listed(keys.RECORDS, RECORDS_AT_ONCE):
            payloads = await self._client.call_all([("GET", keys.record(name)) for name, _ in listed])
            yield [
                Record(name, room_of.get(name), payload, at)
                for (name, at), payload in zip(listed, payloads, strict=True)
                if payload is not None
            ]

    async def _listed(self, key: str, size: int) -> AsyncIterator[Sequence[tuple[str, float]]]:
        """The members of a sorted set with their scores, up to ``size`` at a time."""
        start = 0
        while flat := await self._client.call("ZRANGE", key, start, start + size - 1, "WITHSCORES"):
            yield [(name.decode(), float(at)) for name, at in zip(flat[::2], flat[1::2], strict=True)]
            start += size

    async def check_stopped(self) -> None:
        """See `Source`."""
        await _check_stopped(self._client)

    async def close(self) -> None:
        """See `Source`."""
        await self._client.close()


class RedisTarget:
    """A Redis whose mark says until `finish` that it is not whole."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._claim = Claim(client)

    @classmethod
    async def open(cls, url: str) -> RedisTarget:
        """Put up the mark, and remove what an attempt before has left.

        Raises:
            DatabaseRefused: it would lose what it is given, holds something, or a server runs on it, or another
                migration.
            StoreError: out of reach.
        """
        client = await Client.connect(url)
        target = cls(client)
        try:
            await requirements.check_servers(client)
            await _check_stopped(client)
            await target._begin()
        except BaseException:
            await target.close()
            raise
        return target

    async def _begin(self) -> None:
        await self._claim.begin()
        found = await self._claim.found()
        if not requirements.is_unfinished(found):
            await self._check_empty()
        await self._claim.put_up(found)
        await self._empty()

    async def _check_empty(self) -> None:
        async for key in self._client.scan(OWN_KEYS):
            if key not in NOT_KEPT:
                raise DatabaseRefused(
                    "this Redis holds something already: name an empty one, or another of its databases"
                )

    async def _empty(self) -> None:
        """Remove all that is ours but what says whose it is."""
        kept = {keys.FORMAT.encode(), keys.MOVING.encode()}
        gone = [key.decode() async for key in self._client.scan(OWN_KEYS) if key not in kept]
        await self._do([("UNLINK", key) for key in gone])

    async def add_room(self, log: Sequence[Step]) -> None:
        """See `Target`. Nobody has the room: the first node that wants it takes it."""
        room = log[0].room
        entries: list[Command] = [("XADD", keys.log(room), f"{step.seq}-0", *fields_of(step)) for step in log]
        beginnings: list[Command] = [
            ("ZADD", keys.checkpoints(room), step.seq, step.seq) for step in log if step.checkpoint is not None
        ]
        seats: list[Command] = [("SADD", keys.seats(player), room) for player in _seated(log)]
        await self._do([*entries, *beginnings, *seats, ("ZADD", keys.OPEN_ROOMS, log[0].epoch, room)])

    async def add_players(self, players: Sequence[Player]) -> None:
        """See `Target`."""
        added = [
            (
                ("ZADD", keys.SEEN, repr(player.last_seen), player.name),
                ("SET", keys.player(player.name), player.token_hash.hex()),
                ("SET", keys.token(player.token_hash), player.name),
            )
            for player in players
        ]
        await self._do(list(chain.from_iterable(added)))

    async def add_records(self, records: Sequence[Record]) -> None:
        """See `Target`."""
        for record in records:
            added: list[Command] = [
                ("ZADD", keys.RECORDS, repr(record.at), record.name),
                ("SET", keys.record(record.name), record.payload),
            ]
            if record.room is not None:
                added.append(("SET", keys.last_record(record.room), record.name))
            await self._do(added)

    async def _do(self, commands: Sequence[Command]) -> None:
        for start in range(0, len(commands), AT_ONCE):
            await self._claim.hold()
            await self._client.call_all(commands[start : start + AT_ONCE])

    async def finish(self) -> None:
        """See `Target`."""
        await _check_stopped(self._client)
        await self._claim.finish()

    async def close(self) -> None:
        """See `Target`."""
        await self._claim.release()
        await self._client.close()


def _seated(log: Sequence[Step]) -> frozenset[PlayerId]:
    """Who has a place in a room, which nodes look up there. They find it out themselves where it cannot be read."""
    last = max((place for place, step in enumerate(log) if step.checkpoint is not None), default=0)
    table: Table | None = None
    try:
        for step in log[last:]:
            table = folded(table, step)
    except Exception:
        logger.exception("room.unreadable", room=log[0].room)
    return frozenset() if table is None else table.seated


async def _check_stopped(client: Client) -> None:
    nodes = await living(client)
    if nodes:
        raise DatabaseRefused(
            f"a server runs on this Redis, or was killed less than {TTL:g} seconds ago: {', '.join(sorted(nodes))}"
        )
