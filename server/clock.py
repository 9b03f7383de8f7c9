"""Time as the server sees it: passed in, so that tests can hold it still."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Protocol


class Handle(Protocol):
    """A callback that is due at some time."""

    def cancel(self) -> None:
        """Let it not be called. Does nothing once it was."""
        ...


class Clock(Protocol):
    """The only source of time. Seconds everywhere."""

    def monotonic(self) -> float:
        """Seconds since some fixed moment; never goes back."""
        ...

    def time(self) -> float:
        """Unix time in seconds, for what outlives the process. A machine's clock that is set moves no deadline."""
        ...

    def go_on_from(self, unix: float) -> None:
        """Let `time` be ``unix`` at least: time that has been written down does not come again."""
        ...

    def call_at(self, when: float, callback: Callable[[], object]) -> Handle:
        """Call ``callback`` in the event loop once ``monotonic()`` has reached ``when``; if it has already, soon."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Return ``seconds`` later."""
        ...


class SystemClock:
    """The real time, on the running event loop."""

    def __init__(self) -> None:
        self._unix_at_zero = time.time() - time.monotonic()

    def monotonic(self) -> float:
        """See `Clock`."""
        return time.monotonic()

    def time(self) -> float:
        """See `Clock`."""
        return self._unix_at_zero + time.monotonic()

    def go_on_from(self, unix: float) -> None:
        """See `Clock`."""
        self._unix_at_zero = max(self._unix_at_zero, unix - time.monotonic())

    def call_at(self, when: float, callback: Callable[[], object]) -> Handle:
        """See `Clock`."""
        # Not the loop's call_at: each kind of loop counts its own time from a moment of its own.
        return asyncio.get_running_loop().call_later(max(0.0, when - self.monotonic()), callback)

    async def sleep(self, seconds: float) -> None:
        """See `Clock`."""
        await asyncio.sleep(seconds)
