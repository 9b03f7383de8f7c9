"""What survives a crash: one disk for all processes of a run, and each process's way to it, which may fail."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from enum import Enum

from server.store.base import Claimed, Held, Outcome, Step, Store, StoreError
from server.store.memory import MemoryStore


class Weather(Enum):
    """How well the store does its work."""

    FAIR = "well"
    FLAKY = "unreliable"
    """Some work takes long, fails before it is done, or is done and reported as failed."""
    DOWN = "out of reach"


class Disk:
    """The durable state. ``written`` is called with each step in the moment in which it becomes durable."""

    def __init__(self, rng: random.Random, written: Callable[[Step], None]) -> None:
        self.weather = Weather.FAIR
        self.store: Store = MemoryStore()
        self._rng = rng
        self._written = written

    def begin_life(self) -> None:
        """Another process begins on what the one before has left, however it ended."""

    def throw_away(self) -> None:
        """The run is over."""

    async def append(self, steps: Sequence[Step]) -> Sequence[Outcome]:
        """Write at once."""
        outcomes = await self.store.append(steps)
        for step, outcome in zip(steps, outcomes, strict=True):
            if outcome is Outcome.WRITTEN:
                self._written(step)
        return outcomes

    def delay(self) -> float:
        """Seconds that a piece of work takes."""
        if self.weather is Weather.FAIR or self._rng.random() < 0.5:
            return 0.0
        return self._rng.choice((0.001, 0.02, 0.7, 4.0))

    def fails(self) -> bool:
        """Whether a piece of work fails now."""
        match self.weather:
            case Weather.FAIR:
                return False
            case Weather.FLAKY:
                return self._rng.random() < 0.2
            case Weather.DOWN:
                return True


class SimulatedStore:
    """One process's store. Work is done somewhere between its call and its answer, or not at all."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        self._is_cut = False
        self.busy = 0
        """Pieces of work under way."""

    def cut(self) -> None:
        """The process is dead: what has not reached the disk never will."""
        self._is_cut = True

    async def append(self, steps: Sequence[Step]) -> Sequence[Outcome]:
        async with self._work():
            return await self._disk.append(steps)

    async def load(self, room: str) -> Sequence[Step]:
        async with self._work():
            return await self._disk.store.load(room)

    async def history(self, room: str, first: int = 1, limit: int | None = None) -> Sequence[Step]:
        async with self._work():
            return await self._disk.store.history(room, first, limit)

    async def open_rooms(self) -> Sequence[Sequence[Step]]:
        async with self._work():
            return await self._disk.store.open_rooms()

    async def claim(self, room: str, now: float) -> Claimed | Held | None:
        async with self._work():
            return await self._disk.store.claim(room, now)

    async def release(self, room: str) -> None:
        async with self._work():
            await self._disk.store.release(room)

    async def trim(self, needed: Mapping[str, int]) -> None:
        async with self._work():
            await self._disk.store.trim(needed)

    async def clear(self, limit: int) -> int:
        async with self._work():
            return await self._disk.store.clear(limit)

    async def add_player(self, token_hash: bytes, player: str, at: float) -> None:
        async with self._work():
            await self._disk.store.add_player(token_hash, player, at)

    async def find_player(self, token_hash: bytes, at: float) -> str | None:
        async with self._work():
            return await self._disk.store.find_player(token_hash, at)

    async def seen(self, players: Sequence[str], at: float) -> None:
        async with self._work():
            await self._disk.store.seen(players, at)

    async def forget_players(self, before: float, limit: int) -> int:
        async with self._work():
            return await self._disk.store.forget_players(before, limit)

    async def add_record(self, record: str, room: str, payload: bytes, at: float) -> None:
        async with self._work():
            await self._disk.store.add_record(record, room, payload, at)

    async def record(self, record: str) -> bytes | None:
        async with self._work():
            return await self._disk.store.record(record)

    async def last_record(self, room: str) -> bytes | None:
        async with self._work():
            return await self._disk.store.last_record(room)

    async def forget_records(self, before: float, limit: int) -> int:
        async with self._work():
            return await self._disk.store.forget_records(before, limit)

    async def time(self, now: float) -> float:
        return await self._disk.store.time(now)

    async def ping(self) -> None:
        async with self._work():
            pass

    async def close(self) -> None:
        self.cut()

    @asynccontextmanager
    async def _work(self) -> AsyncIterator[None]:
        """Around what touches the disk: a wait and perhaps a failure before it, and again after it."""
        self.busy += 1
        try:
            await self._pause()
            yield
            await self._pause()
        finally:
            self.busy -= 1

    async def _pause(self) -> None:
        delay = self._disk.delay()
        if delay:
            await asyncio.sleep(delay)
        if self._is_cut or self._disk.fails():
            raise StoreError("out of reach")
