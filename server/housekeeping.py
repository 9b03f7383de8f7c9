"""What a server clears away while it runs: rows of closed rooms and of long logs, absent players, old records."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

import structlog

from server.clock import Clock
from server.connected import Connected
from server.limits import Limits
from server.registry import Registry
from server.store.base import CLOCK_ERROR, SEEN_WITHIN, Store, StoreError

Item = TypeVar("Item")

INTERVAL = 60.0
"""Seconds between looks for something to clear away."""
DAY = 24 * 60 * 60.0
"""Seconds between looks for players and records."""
BATCH = 500
"""Rows of one piece of work: plays wait for it."""
RECORD_BATCH = 50
"""Records of one: they are longer."""
PAUSE = 0.05
"""Seconds for plays between two pieces of work."""

logger = structlog.get_logger(__name__)


class Housekeeping:
    """`run` is its one task."""

    def __init__(self, store: Store, registry: Registry, connected: Connected, clock: Clock, limits: Limits) -> None:
        self._store = store
        self._registry = registry
        self._connected = connected
        self._clock = clock
        self._absent = limits.absent_player
        self._kept = limits.records
        self._next_day = clock.monotonic()

    async def run(self) -> None:
        """Clear away again and again until cancelled."""
        while True:
            await self._clock.sleep(INTERVAL)
            try:
                await self.clear()
            except StoreError as error:
                logger.warning("housekeeping.failed", error=str(error))

    async def clear(self) -> None:
        """Clear away what there is.

        Raises:
            StoreError: the store is out of reach. What is left, the next time will find.
        """
        for rooms in _batches(iter(self._registry.needed_steps())):
            await self._store.trim(dict(rooms))
            await self._clock.sleep(PAUSE)
        await _in_batches(self._store.clear, BATCH, self._clock)
        if self._clock.monotonic() >= self._next_day:
            if await self._knows_the_time():
                await self._clear_what_is_old()
            self._next_day = self._clock.monotonic() + DAY

    async def _knows_the_time(self) -> bool:
        """Whether others agree. By a wrong clock, ours or the store's, all that there is may seem old."""
        now = self._clock.time()
        error = now - await self._store.time(now)
        if abs(error) > CLOCK_ERROR:
            logger.error("housekeeping.clock", seconds=round(error))
        return abs(error) <= CLOCK_ERROR

    async def _clear_what_is_old(self) -> None:
        if self._absent:
            await self._forget_players()
        if self._kept:
            await self._forget_records()

    async def _forget_players(self) -> None:
        """Who is connected or has a seat in an open room counts as seen now."""
        now = self._clock.time()
        here = iter({*self._connected.players, *self._registry.players})
        for players in _batches(here):
            await self._store.seen(players, now)
            await self._clock.sleep(PAUSE)
        before = now - self._absent - SEEN_WITHIN
        await _in_batches(lambda limit: self._store.forget_players(before, limit), BATCH, self._clock)

    async def _forget_records(self) -> None:
        before = self._clock.time() - self._kept
        await _in_batches(lambda limit: self._store.forget_records(before, limit), RECORD_BATCH, self._clock)


async def _in_batches(work: Callable[[int], Awaitable[int]], size: int, clock: Clock) -> None:
    """Do ``work`` as long as there is more than one batch of it."""
    while await work(size) == size:
        await clock.sleep(PAUSE)


def _batches(items: Iterator[Item]) -> Iterator[Sequence[Item]]:
    while batch := list(islice(items, BATCH)):
        yield batch
