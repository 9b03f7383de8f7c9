"""Group commit: the steps of one turn of the event loop become durable together, and only then is anyone told."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import structlog

from server.metrics import Metrics
from server.store.base import Outcome, Step, Store, StoreError

MAX_PENDING = 20_000
"""Steps that may wait for the store; above it rooms answer ``unavailable``."""

logger = structlog.get_logger(__name__)


@dataclass(slots=True, eq=False)
class Entry:
    """A step on its way to the store, and what is said once it is there, or is not."""

    step: Step
    told: Callable[[], None]
    failed: Callable[[], None]
    held: list[tuple[Callable[[], None], Callable[[], None]]] = field(default_factory=list)
    """Answers that wait for this step: what to do when it is durable, and when it is not."""

    def tell(self) -> None:
        """The step is durable."""
        self.told()
        for tell, _ in self.held:
            tell()

    def fail(self) -> None:
        """The step may not have been written."""
        self.failed()
        for _, failed in self.held:
            failed()


class Journal:
    """Writes steps in the order in which they were added, a batch at a time. `run` is its one task."""

    def __init__(self, store: Store, metrics: Metrics | None = None) -> None:
        self._store = store
        self._metrics = metrics or Metrics()
        self._pending: list[Entry] = []
        self._wake = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()
        self._between = asyncio.Event()
        self._between.set()

    def __len__(self) -> int:
        """How many steps wait for the store, those not counted that it is writing."""
        return len(self._pending)

    @property
    def is_full(self) -> bool:
        """The store is so far behind that nothing more is taken."""
        return len(self._pending) >= MAX_PENDING

    def add(self, entry: Entry) -> None:
        """Write ``entry.step`` with this turn's batch."""
        self._pending.append(entry)
        self._idle.clear()
        self._wake.set()

    async def flushed(self) -> None:
        """Return when everything added so far has been written or has failed."""
        await self._idle.wait()

    async def discard(self, room: str) -> None:
        """Let what ``room`` has added and is not yet being written fail; return when nothing of it is on its way."""
        discarded = [entry for entry in self._pending if entry.step.room == room]
        self._pending = [entry for entry in self._pending if entry.step.room != room]
        for entry in discarded:
            _run(entry.fail, entry)
        await self._between.wait()

    async def run(self) -> None:
        """Write batch after batch until cancelled."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            if self._pending:
                await self._write_pending()
            if not self._pending:
                self._idle.set()

    async def _write_pending(self) -> None:
        """A method of its own: `run` keeps nothing of a batch, and so no room that has ended."""
        batch, self._pending = self._pending, []
        self._between.clear()
        await self._write(batch)
        self._between.set()

    async def _write(self, batch: list[Entry]) -> None:
        began = time.perf_counter()
        try:
            outcomes = await self._store.append([entry.step for entry in batch])
        except StoreError as error:
            self._metrics.not_written()
            logger.warning("journal.failed", steps=len(batch), error=str(error))
            self._fail(batch)
            return
        self._metrics.written(sum(outcome.counts for outcome in outcomes), time.perf_counter() - began)
        refused = []
        for entry, outcome in zip(batch, outcomes, strict=True):
            if outcome.counts:
                _run(entry.tell, entry)
                continue
            if outcome is Outcome.FENCED:
                logger.warning("journal.fenced", room=entry.step.room, seq=entry.step.seq)
            else:
                logger.error("journal.conflict", room=entry.step.room, seq=entry.step.seq)
            refused.append(entry)
        if refused:
            self._fail(refused)

    def _fail(self, entries: list[Entry]) -> None:
        """These steps do not count, nor does what the same rooms have added on top of them."""
        rooms = {entry.step.room for entry in entries}
        later = [entry for entry in self._pending if entry.step.room in rooms]
        self._pending = [entry for entry in self._pending if entry.step.room not in rooms]
        for entry in (*entries, *later):
            _run(entry.fail, entry)


def _run(callback: Callable[[], None], entry: Entry) -> None:
    """One room's fault must not keep the others of the batch from being told."""
    try:
        callback()
    except Exception:
        logger.exception("journal.callback", room=entry.step.room, seq=entry.step.seq)
