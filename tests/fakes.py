"""Doubles that several tests share."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import TypeVar

from bots.review.advice import advise
from bots.review.past import review
from bots.search.search import Work
from engine.outcome import Choice
from engine.view import SeatView
from protocol.hints import Advice, Review
from server.store.base import Outcome, Step, StoreError
from server.store.memory import MemoryStore

LITTLE = Work(worlds=6, pool=12, cap=60.0)
"""Of search: enough to have odds."""

T = TypeVar("T")


@dataclass(order=True)
class FakeHandle:
    """A callback of a `FakeClock`, ordered by when it is due and then by when it was made."""

    when: float
    number: int
    callback: Callable[[], object] = field(compare=False)
    is_cancelled: bool = field(default=False, compare=False)

    def cancel(self) -> None:
        self.is_cancelled = True


class FakeClock:
    """A clock that moves only when it is told to."""

    def __init__(self, unix: float = 1_790_000_000.0) -> None:
        self._elapsed = 0.0
        self._unix = unix
        self._due: list[FakeHandle] = []
        self._numbers = count()

    def monotonic(self) -> float:
        return 1000.0 + self._elapsed

    def time(self) -> float:
        return self._unix + self._elapsed

    def go_on_from(self, unix: float) -> None:
        self._unix = max(self._unix, unix - self._elapsed)

    def call_at(self, when: float, callback: Callable[[], object]) -> FakeHandle:
        handle = FakeHandle(when, next(self._numbers), callback)
        heapq.heappush(self._due, handle)
        return handle

    async def sleep(self, seconds: float) -> None:
        due = asyncio.Event()
        self.call_at(self.monotonic() + seconds, due.set)
        await due.wait()

    def advance(self, seconds: float) -> None:
        """Let time pass. What falls due is called in its order, each at its own time, also what that brings about."""
        end = self._elapsed + seconds
        while self._due and self._due[0].when <= 1000.0 + end:
            handle = heapq.heappop(self._due)
            self._elapsed = max(self._elapsed, handle.when - 1000.0)
            if not handle.is_cancelled:
                handle.callback()
        self._elapsed = end


class FailingStore(MemoryStore):
    """A store whose `append` fails or hangs on demand."""

    def __init__(self) -> None:
        super().__init__()
        self.is_failing = False
        """Whether `append` raises."""
        self.writes_before_failing = False
        """Whether the steps are there although `append` raised."""
        self.gate = asyncio.Event()
        """Cleared, it holds every `append` back."""
        self.gate.set()
        self.appended: list[Sequence[Step]] = []
        """The batches that `append` was asked to write."""

    async def append(self, steps: Sequence[Step]) -> Sequence[Outcome]:
        self.appended.append(tuple(steps))
        await self.gate.wait()
        if self.is_failing and not self.writes_before_failing:
            raise StoreError("out of reach")
        outcomes = await super().append(steps)
        if self.is_failing:
            raise StoreError("lost the answer")
        return outcomes


class LostStore(FailingStore):
    """A store that, failing, cannot be read either."""

    async def load(self, room: str) -> Sequence[Step]:
        if self.is_failing:
            raise StoreError("out of reach")
        return await super().load(room)


class InlineSearchers:
    """Searches a little, on the spot; what is found is told in the next turn of the loop, or when it is let go."""

    def __init__(self) -> None:
        self.asked = 0
        self.is_busy = False
        """Nobody has the time."""
        self._held: list[Callable[[], None]] | None = None

    def hold(self) -> None:
        """Tell nothing until `let_go`."""
        self._held = []

    def let_go(self) -> None:
        """Tell all that was found."""
        held, self._held = self._held or [], None
        for tell in held:
            tell()

    def ask(self, view: SeatView, legal: Sequence[Choice], level: str, seed: int) -> None:
        """No bot searches here."""

    def advise(self, view: SeatView, legal: Sequence[Choice]) -> asyncio.Future[Advice] | None:
        return self._found(lambda: advise(view, legal, LITTLE))

    def review(self, view: SeatView) -> asyncio.Future[Review] | None:
        return self._found(lambda: review(view, LITTLE))

    def close(self) -> None: ...

    def _found(self, search: Callable[[], T]) -> asyncio.Future[T] | None:
        if self.is_busy:
            return None
        self.asked += 1
        found: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        result = search()

        def tell() -> None:
            if not found.done():
                found.set_result(result)

        if self._held is None:
            tell()
        else:
            self._held.append(tell)
        return found
