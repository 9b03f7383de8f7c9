"""The store that many processes share."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from server.clock import Clock, SystemClock
from server.store.base import Claimed, Held, Outcome, Step
from server.store.redis import requirements
from server.store.redis.client import Client
from server.store.redis.lease import TTL, Lease, living, new_incarnation
from server.store.redis.players import Players
from server.store.redis.records import Records
from server.store.redis.rooms import Rooms

WRITING = 2
"""Connections that only appends and the lease use: no crowd of readers keeps them waiting."""


class RedisStore:
    """One process's part of what is kept in Redis."""

    def __init__(self, client: Client, writer: Client, lease: Lease) -> None:
        self.lease = lease
        self._client = client
        self._writer = writer
        self._rooms = Rooms(client, writer, lease.incarnation)
        self._players = Players(client)
        self._records = Records(client)
        self._appending = asyncio.Lock()

    @classmethod
    async def open(
        cls, url: str, *, incarnation: str | None = None, clock: Clock | None = None, ttl: float = TTL
    ) -> RedisStore:
        """The store at ``url``, with a lease of ``ttl`` seconds for this process.

        Raises:
            DatabaseRefused: this Redis would lose what it is given, or holds what a newer version wrote.
            StoreError: out of reach.
        """
        client = await Client.connect(url)
        try:
            await requirements.check(client)
            writer = await Client.connect(url, WRITING)
        except BaseException:
            await client.close()
            raise
        store = cls(client, writer, Lease(writer, incarnation or new_incarnation(), clock or SystemClock(), ttl))
        try:
            await store.lease.start()
        except BaseException:
            await store.close()
            raise
        return store

    async def append(self, steps: Sequence[Step]) -> Sequence[Outcome]:
        """See `Store`. Cancelled, it still writes the steps: append them again to know."""
        return await asyncio.shield(self._append(steps))

    async def _append(self, steps: Sequence[Step]) -> Sequence[Outcome]:
        async with self._appending:
            return await self._rooms.append(steps)

    async def load(self, room: str) -> Sequence[Step]:
        """See `Store`."""
        return await self._rooms.load(room)

    async def history(self, room: str, first: int = 1, limit: int | None = None) -> Sequence[Step]:
        """See `Store`."""
        return await self._rooms.history(room, first, limit)

    async def open_rooms(self) -> Sequence[Sequence[Step]]:
        """See `Store`."""
        return await self._rooms.open_rooms()

    async def claim(self, room: str, now: float) -> Claimed | Held | None:
        """See `Store`."""
        return await self._rooms.claim(room, now)

    async def release(self, room: str) -> None:
        """See `Store`."""
        await self._rooms.release(room)

    async def owner(self, room: str) -> str | None:
        """The incarnation of the process that has ``room``, whether it is alive or not; None: nobody."""
        return await self._rooms.owner(room)

    async def owners(self) -> Mapping[str, str]:
        """The incarnation that has each open room, alive or not; empty where nobody has it."""
        return await self._rooms.owners()

    async def is_over(self, room: str) -> bool:
        """Whether there was a room of that code which has ended, not long ago."""
        return await self._rooms.is_over(room)

    async def heads(self, rooms: Sequence[str]) -> Mapping[str, int]:
        """The number of the newest step of each room, 0 where there is no log."""
        return await self._rooms.heads(rooms)

    async def run_ids(self) -> frozenset[str]:
        """One life of each server: others where one may have lost its last moments."""
        return await self._client.run_ids()

    async def is_emptied(self) -> bool:
        """Whether all that was there is gone; said once, for the next servers find what is written since."""
        return await requirements.mark(self._client)

    async def living(self) -> frozenset[str]:
        """The incarnations of the processes that are alive."""
        return await living(self._client)

    async def trim(self, needed: Mapping[str, int]) -> None:
        """See `Store`."""
        await self._rooms.trim(needed)

    async def clear(self, limit: int) -> int:  # noqa: ARG002 - there is nothing to limit
        """See `Store`. What was trimmed is gone already; the rest goes by itself when its time is over."""
        await self._client.call("PING")
        return 0

    async def add_player(self, token_hash: bytes, player: str, at: float) -> None:
        """See `Store`."""
        await self._players.add(token_hash, player, at)

    async def find_player(self, token_hash: bytes, at: float) -> str | None:
        """See `Store`."""
        return await self._players.find(token_hash, at)

    async def seen(self, players: Sequence[str], at: float) -> None:
        """See `Store`."""
        await self._players.seen(players, at)

    async def forget_players(self, before: float, limit: int) -> int:
        """See `Store`."""
        return await self._players.forget(before, limit)

    async def add_record(self, record: str, room: str, payload: bytes, at: float) -> None:
        """See `Store`."""
        await self._records.add(record, room, payload, at)

    async def record(self, record: str) -> bytes | None:
        """See `Store`."""
        return await self._records.find(record)

    async def last_record(self, room: str) -> bytes | None:
        """See `Store`."""
        return await self._records.last_of(room)

    async def forget_records(self, before: float, limit: int) -> int:
        """See `Store`."""
        return await self._records.forget(before, limit)

    async def time(self, now: float) -> float:  # noqa: ARG002 - it is known there
        """See `Store`."""
        return await requirements.time_of(self._client)

    async def ping(self) -> None:
        """See `Store`. It writes: a Redis whose disk is full can still be read."""
        await self.lease.renew()

    async def close(self) -> None:
        """See `Store`. What is on its way is written first, and this process's rooms are free for others."""
        async with self._appending:
            await self.lease.stop()
            await self._writer.close()
            await self._client.close()
