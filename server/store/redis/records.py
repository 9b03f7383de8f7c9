"""Records of finished matches in Redis."""

from __future__ import annotations

from server.store.redis import keys, scripts
from server.store.redis.client import Client


class Records:
    """`keys.RECORDS` knows all that there are: a record is listed there before it is written."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def add(self, record: str, room: str, payload: bytes, at: float) -> None:
        """Keep a record, unless it is there. Broken off, it is completed by being added again."""
        if await self._client.call("EXISTS", keys.record(record)):
            return
        await self._client.call(*scripts.NOTE_LAST.call((keys.log(room), keys.last_record(room)), record))
        await self._client.call("ZADD", keys.RECORDS, "NX", at, record)
        await self._client.call("SET", keys.record(record), payload, "NX")

    async def find(self, record: str) -> bytes | None:
        """The payload of a record."""
        payload: bytes | None = await self._client.call("GET", keys.record(record))
        return payload

    async def last_of(self, room: str) -> bytes | None:
        """The payload of an open room's last record."""
        record = await self._client.call("GET", keys.last_record(room))
        return None if record is None else await self.find(record.decode())

    async def forget(self, before: float, limit: int) -> int:
        """Remove up to ``limit`` records of matches that ended before that; returns how many."""
        command = ("ZRANGEBYSCORE", keys.RECORDS, "-inf", f"({before!r}", "LIMIT", 0, limit)
        records = [record.decode() for record in await self._client.call(*command)]
        if records:
            await self._client.call_all([("DEL", keys.record(record)) for record in records])
            await self._client.call("ZREM", keys.RECORDS, *records)
        return len(records)
