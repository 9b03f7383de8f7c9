"""An event loop without sockets, threads and real time. It does one turn when it is told to, and nothing by itself."""

from __future__ import annotations

import asyncio
import heapq
from collections import deque
from collections.abc import Callable, Coroutine
from contextvars import Context
from itertools import count
from typing import Any


class VirtualLoop(asyncio.AbstractEventLoop):
    """Enough of an event loop for tasks, futures and timers. Whatever asks it for more gets NotImplementedError."""

    def __init__(self, now: float) -> None:
        self.now = now
        self.faults: list[dict[str, Any]] = []
        """What was raised in callbacks, and by tasks that nobody waited for, as the exception handler gets it."""
        self._ready: deque[asyncio.Handle] = deque()
        self._timers: list[tuple[float, int, asyncio.TimerHandle]] = []
        self._numbers = count()
        self._tasks: dict[asyncio.Task[Any], None] = {}

    # Driving it.

    @property
    def is_idle(self) -> bool:
        """Nothing would happen in a turn."""
        return not self._ready and not self._is_due()

    @property
    def next_due(self) -> float | None:
        """When the earliest timer is due."""
        while self._timers and self._timers[0][2].cancelled():
            heapq.heappop(self._timers)
        return self._timers[0][0] if self._timers else None

    @property
    def dues(self) -> list[float]:
        """When each timer is due that was not cancelled, in no order."""
        return [due for due, _, handle in self._timers if not handle.cancelled()]

    @property
    def tasks(self) -> list[asyncio.Task[Any]]:
        """The tasks that have not ended, oldest first."""
        return list(self._tasks)

    def turn(self) -> None:
        """Run what is ready and what is due, but not yet what that brings about."""
        self.enter()
        while self._is_due():
            self._ready.append(heapq.heappop(self._timers)[2])
        for _ in range(len(self._ready)):
            handle = self._ready.popleft()
            if not handle.cancelled():
                handle._run()

    def enter(self) -> None:
        """What happens from now on happens in this loop."""
        asyncio.events._set_running_loop(self)

    def stop_all(self) -> None:
        """End every task, so that none is left behind; timers never fire."""
        while self._tasks:
            for task in self.tasks:
                task.cancel()
            self.turn()
        self._ready.clear()
        self._timers.clear()

    def _is_due(self) -> bool:
        due = self.next_due
        return due is not None and due <= self.now

    # What asyncio asks of a loop.

    def time(self) -> float:
        return self.now

    def call_soon(  # type: ignore[override]  # typed with variadic generics there
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        handle = asyncio.Handle(callback, args, self, context)
        self._ready.append(handle)
        return handle

    def call_later(  # type: ignore[override]
        self, delay: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        return self.call_at(self.now + delay, callback, *args, context=context)

    def call_at(  # type: ignore[override]
        self, when: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        handle = asyncio.TimerHandle(when, callback, args, self, context)
        heapq.heappush(self._timers, (when, next(self._numbers), handle))
        return handle

    def create_future(self) -> asyncio.Future[Any]:
        return asyncio.Future(loop=self)

    def create_task(  # type: ignore[override]
        self, coro: Coroutine[Any, Any, Any], *, name: str | None = None, context: Context | None = None
    ) -> asyncio.Task[Any]:
        task = asyncio.Task(coro, loop=self, name=name, context=context)
        self._tasks[task] = None
        task.add_done_callback(self._tasks.pop)
        return task

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        self.faults.append(context)

    def get_debug(self) -> bool:
        return False

    def is_running(self) -> bool:
        return True

    def is_closed(self) -> bool:
        return False

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        """A cancelled timer is passed over when its time comes."""


class VirtualClock:
    """The server's clock on a `VirtualLoop`; one a process."""

    def __init__(self, loop: VirtualLoop, unix: float) -> None:
        self._loop = loop
        self._ahead = unix - loop.now

    def monotonic(self) -> float:
        return self._loop.now

    def time(self) -> float:
        return self._loop.now + self._ahead

    def go_on_from(self, unix: float) -> None:
        self._ahead = max(self._ahead, unix - self._loop.now)

    def call_at(self, when: float, callback: Callable[[], object]) -> asyncio.TimerHandle:
        return self._loop.call_at(when, callback)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
