"""Whose a Redis is while another store is moved into it: that of one migration at a time.

As with rooms, a lease says who may try, and the mark who is right: a migration that stood still for longer than its
lease may have been taken for dead, and finds the mark of another one when it goes on.
"""

from __future__ import annotations

import secrets
from contextlib import suppress

from server.store.base import DatabaseRefused, StoreError
from server.store.redis import keys, requirements, scripts
from server.store.redis.client import Client
from server.store.redis.lease import TTL


class Claim:
    """What one migration holds of the Redis that it fills."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._mark = f"{requirements.UNFINISHED} {secrets.token_hex(16)}"
        """No other migration has the same."""

    async def begin(self) -> None:
        """Keep other migrations from beginning, for the time of a lease.

        Raises:
            DatabaseRefused: another one was faster, or was killed just now.
        """
        if await self._client.call("SET", keys.MOVING, self._mark, "NX", *_lease()) is None:
            raise DatabaseRefused(
                f"another `doublesix migrate` fills this Redis, or was killed less than {TTL:g} seconds ago"
            )

    async def found(self) -> str:
        """What stands in the place of the mark; empty if nothing does."""
        return (await self._client.call("GET", keys.FORMAT) or b"").decode()

    async def put_up(self, found: str) -> None:
        """Set the mark in place of what was ``found`` there.

        Raises:
            DatabaseRefused: it is not there any more.
        """
        await self._swap(found, self._mark)

    async def hold(self) -> None:
        """Have the lease for its whole time from now on: said before each piece that is written.

        Raises:
            DatabaseRefused: another migration has begun since.
        """
        if await self.found() != self._mark:
            raise _overtaken()
        await self._client.call("SET", keys.MOVING, self._mark, *_lease())

    async def finish(self) -> None:
        """Put the version up that servers know.

        Raises:
            DatabaseRefused: another migration has begun since.
        """
        await self._swap(self._mark, str(requirements.FORMAT))

    async def _swap(self, old: str, new: str) -> None:
        if not await self._client.call(*scripts.SWAP.call((keys.FORMAT,), old, new)):
            raise _overtaken()

    async def release(self) -> None:
        """Let another migration begin at once, if that is possible; else it can when the lease has ended."""
        with suppress(StoreError):
            if await self._client.call("GET", keys.MOVING) == self._mark.encode():
                await self._client.call("DEL", keys.MOVING)


def _lease() -> tuple[str | int, ...]:
    return "PX", round(TTL * 1000)


def _overtaken() -> DatabaseRefused:
    return DatabaseRefused("another `doublesix migrate`, or a server, has begun on this Redis meanwhile")
