"""Processes in which levels that search think: beside the event loop, which goes on meanwhile."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool, ProcessPoolExecutor
from multiprocessing import parent_process
from multiprocessing.context import SpawnContext, SpawnProcess
from threading import Thread
from types import ModuleType
from typing import Any, NamedTuple, ParamSpec, TypeVar

from bots.review.advice import advise
from bots.review.past import review
from bots.search.levels import choose
from bots.search.search import Clock
from engine.actions import Action
from engine.outcome import Choice
from engine.view import SeatView
from protocol.hints import Advice, Review

P = ParamSpec("P")
T = TypeVar("T")

QUEUE = 8
"""Questions that may wait for each worker. More would be answered too late: whoever asks then is told so at once."""
NICE = 10
"""How far workers step back behind the process that holds the tables."""
TRIES, REST = 3, 60.0
"""So many times in a row workers may die and be replaced at once; then they are for so many seconds not."""
STUCK = 60.0
"""Seconds after which a worker that still thinks will never answer: no choice takes half of that."""


class Workers:
    """At most ``count`` processes, each started when it is first needed. `close` them.

    A worker is sent what the seat in turn may know, what is legal, a level and a seed, and nothing else (H2).
    """

    def __init__(self, count: int, monotonic: Clock = time.monotonic) -> None:
        self._count = count
        self._monotonic = monotonic
        self._staff: _Staff | None = None
        self._asked: dict[Future[Any], _Asked] = {}
        """What workers think about, or are to."""
        self._deaths = 0
        """In a row."""
        self._rests_until = 0.0
        self._is_closed = False

    @property
    def pids(self) -> Sequence[int]:
        """The workers that are there now."""
        return () if self._staff is None else self._staff.pids

    def ask(self, view: SeatView, legal: Sequence[Choice], level: str, seed: int) -> asyncio.Future[Action] | None:
        """Let a worker choose; to be called in an event loop. None: nobody has the time.

        The answer may be an exception: `BrokenProcessPool` if a worker died. Cancelled, it is not begun any more, or
        not heard of.
        """
        return self._begin(self._count * (1 + QUEUE), choose, view, legal, level, seed)

    def advise(self, view: SeatView, legal: Sequence[Choice]) -> asyncio.Future[Advice] | None:
        """Let a worker find out what can be said of ``legal``, if one is free: bots come first. Else as `ask`."""
        return self._begin(self._count, advise, view, legal)

    def review(self, view: SeatView) -> asyncio.Future[Review] | None:
        """Let a worker judge the plays of the seat of ``view``, as `advise` does."""
        return self._begin(self._count, review, view)

    def _begin(self, most: int, work: Callable[P, T], *asked: P.args, **named: P.kwargs) -> asyncio.Future[T] | None:
        """Let a worker do that, unless ``most`` things are to be done already."""
        self._look_after()
        if self._is_closed or len(self._asked) >= most or self._monotonic() < self._rests_until:
            return None
        try:
            self._staff = self._staff or _Staff(self._count)
            job = self._staff.executor.submit(work, *asked, **named)
        except (BrokenProcessPool, OSError):  # one died while nobody asked, or the system has no place for one
            self._bury()
            return None
        answer = asyncio.wrap_future(job)
        self._asked[job] = _Asked(self._monotonic(), answer)
        return answer

    def close(self) -> None:
        """End all workers at once; answers that are waited for are cancelled."""
        self._is_closed = True
        for asked in self._asked.values():
            asked.answer.cancel()
        self._dismiss()

    def _look_after(self) -> None:
        """Forget what is answered; if workers are dead or stuck, let there be new ones."""
        has_died = False
        for job in [job for job in self._asked if job.done()]:
            del self._asked[job]
            if not job.cancelled():
                is_dead = isinstance(job.exception(), BrokenProcessPool)
                has_died = has_died or is_dead
                self._deaths = self._deaths if is_dead else 0
        if has_died or any(self._monotonic() - asked.since > STUCK for asked in self._asked.values()):
            self._bury()

    def _bury(self) -> None:
        self._dismiss()
        self._deaths += 1
        if self._deaths >= TRIES:
            self._deaths, self._rests_until = 0, self._monotonic() + REST

    def _dismiss(self) -> None:
        if self._staff is not None:
            self._staff.dismiss()
        self._staff = None
        self._asked.clear()


class _Asked(NamedTuple):
    since: float
    answer: asyncio.Future[Any]


class _Staff(SpawnContext):
    """The workers of one executor, which a single death makes useless. It makes them through this context."""

    def __init__(self, count: int) -> None:
        self._workers: list[_Worker] = []
        self.executor = ProcessPoolExecutor(count, mp_context=self, initializer=_begin)

    def Process(self, *args: Any, **kwargs: Any) -> _Worker:  # type: ignore[override]  # noqa: ANN401, N802
        """See `multiprocessing.context.BaseContext`."""
        worker = _Worker(*args, **kwargs)
        self._workers.append(worker)
        return worker

    @property
    def pids(self) -> Sequence[int]:
        """Of those that are alive."""
        return [worker.pid for worker in self._workers if worker.pid is not None and worker.is_alive()]

    def dismiss(self) -> None:
        """End them, whatever they do."""
        self.executor.shutdown(wait=False, cancel_futures=True)
        for worker in self._workers:
            if worker.is_alive():
                worker.kill()


class _Worker(SpawnProcess):
    """A process that knows nothing of the program that starts it."""

    def start(self) -> None:
        """See `multiprocessing.Process`. It would import the program's main module otherwise, the whole server."""
        main = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            super().start()
        finally:
            sys.modules["__main__"] = main


def _begin() -> None:
    """Done by each worker first. Ctrl+C is for the server, which ends its workers; none outlives it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(NICE)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
