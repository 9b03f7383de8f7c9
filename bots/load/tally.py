"""What is counted and measured while the load runs."""

from __future__ import annotations

import asyncio
from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Latency:
    """Percentiles of a set of durations, in seconds."""

    p50: float
    p95: float
    p99: float


class Tally:
    """One for all seats. ``accepted`` counts from `begin` to `end`, latencies from `begin`, everything else always."""

    def __init__(self) -> None:
        self.acknowledged = 0
        """Acts answered with `ok`."""
        self.errors: Counter[str] = Counter()
        """Answers `error`, by code."""
        self.not_connected: Counter[str] = Counter()
        """Failed attempts to connect, by what was answered."""
        self.cuts: Counter[str] = Counter()
        """Connections lost, by close code; `cut` without one."""
        self.reconnections = 0
        self.to_sender: array[float] = array("d")
        """Seconds from an act's being sent to its sender's being told of its step."""
        self.to_last_seat: array[float] = array("d")
        """The same to the last seat's being told."""
        self._began = 0
        self._ended: int | None = None
        self._goal = 0
        self._reached = asyncio.Event()

    @property
    def accepted(self) -> int:
        """Acts answered with `ok` while it is measured."""
        return (self.acknowledged if self._ended is None else self._ended) - self._began

    def begin(self) -> None:
        """Measure from now on: what came before was warming up."""
        self._began = self.acknowledged
        del self.to_sender[:], self.to_last_seat[:]

    def end(self) -> None:
        """Measure no more."""
        self._ended = self.acknowledged

    def acknowledge(self) -> None:
        """An act was answered with `ok`."""
        self.acknowledged += 1
        if self.acknowledged == self._goal:
            self._reached.set()

    async def more(self, acts: int) -> None:
        """Return when ``acts`` more have been acknowledged; for one waiter at a time."""
        self._reached.clear()
        self._goal = self.acknowledged + acts
        await self._reached.wait()


def latency(seconds: Sequence[float]) -> Latency | None:
    """The percentiles of ``seconds`` by nearest rank; None if there are none."""
    if not seconds:
        return None
    ordered = sorted(seconds)
    return Latency(*(ordered[-(-len(ordered) * percent // 100) - 1] for percent in (50, 95, 99)))
