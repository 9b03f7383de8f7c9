"""What says that a process is alive.

It decides who may try to take a room, never who is right: append.lua does that.
"""

from __future__ import annotations

import asyncio
import secrets
import socket
from contextlib import suppress

import structlog

from server.clock import Clock
from server.rates import OnceAMinute
from server.store.base import StoreError
from server.store.redis import keys
from server.store.redis.client import Client

TTL = 5.0
"""Seconds for which a lease holds that is not renewed. A dead process's rooms are free after them."""
RETRY_AFTER = 0.5
"""Seconds after which a renewal that has failed is tried again: until it succeeds this process serves nobody."""
MARGIN = 0.2
"""The part of a lease at its end in which its holder does not count on it: clocks differ, and commands take time."""

logger = structlog.get_logger(__name__)


def new_incarnation() -> str:
    """A name for one life of a process: one that is started again is another."""
    return f"{socket.gethostname()}:{secrets.token_hex(16)}"


class Lease:
    """One for a whole process: renewing one key costs the same for ten rooms and for ten thousand."""

    def __init__(self, client: Client, incarnation: str, clock: Clock, ttl: float = TTL) -> None:
        self.incarnation = incarnation
        self.ttl = ttl
        self.lapses = 0
        """How often it had ended before it was renewed: since then another process may have taken our rooms."""
        self.is_failing = False
        """Whether it could not be renewed when it was tried last: nor can those of others, perhaps."""
        self._client = client
        self._clock = clock
        self._failures = OnceAMinute(clock.monotonic)
        self._holds_until = clock.monotonic()
        self._task: asyncio.Task[None] | None = None

    @property
    def is_valid(self) -> bool:
        """Whether nobody can have taken our rooms because we seemed dead."""
        return self._clock.monotonic() < self._holds_until

    async def start(self) -> None:
        """Take the lease and renew it until `stop`.

        Raises:
            StoreError: out of reach.
        """
        await self.renew()
        self.lapses = 0
        self._task = asyncio.get_running_loop().create_task(self._keep(), name="lease")

    async def renew(self) -> None:
        """Hold the lease for its whole time from now on.

        Raises:
            StoreError: out of reach; what is left of it still counts.
        """
        asked = self._clock.monotonic()
        await self._client.call_all(
            [
                ("SET", keys.alive(self.incarnation), "", "PX", max(1, round(self.ttl * 1000))),
                ("SADD", keys.NODES, self.incarnation),
            ]
        )
        if not self.is_valid:
            self.lapses += 1
        self.is_failing = False
        self._holds_until = asked + self.ttl * (1 - MARGIN)

    async def kept(self) -> None:
        """Wait for ever, as long as the lease is renewed; raises what has ended that, for then all else ends too."""
        if self._task is not None:
            await asyncio.shield(self._task)

    async def _keep(self) -> None:
        pause = self.ttl / 3
        while True:
            await self._clock.sleep(pause)
            try:
                await self.renew()
                pause = self.ttl / 3
            except StoreError as error:
                self.is_failing = True
                if times := self._failures.count("lease"):
                    logger.warning("lease.failed", error=str(error), times=times)
                pause = min(self.ttl / 3, RETRY_AFTER)

    async def stop(self) -> None:
        """End the lease: what this process has is free at once, or when the time is over if Redis is out of reach."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
            self._task = None
        self._holds_until = self._clock.monotonic()
        with suppress(StoreError):
            await self._client.call_all([("DEL", keys.alive(self.incarnation)), ("SREM", keys.NODES, self.incarnation)])


async def living(client: Client) -> frozenset[str]:
    """The incarnations of the processes whose leases hold. Those that are gone are forgotten."""
    incarnations = [name.decode() for name in await client.call("SMEMBERS", keys.NODES)]
    said = await client.call_all([("EXISTS", keys.alive(incarnation)) for incarnation in incarnations])
    found = dict(zip(incarnations, said, strict=True))
    gone = [incarnation for incarnation, is_there in found.items() if not is_there]
    if gone:
        await client.call("SREM", keys.NODES, *gone)
    return frozenset(found.keys() - gone)
