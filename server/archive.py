"""The records of matches that have ended: made from the logs of rooms, off the hot path, kept, and found again.

Whatever is long gives up control after each piece: plays of other tables wait for one piece at most.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

import structlog

from protocol.codecs import Codec
from server.clock import Clock
from server.records import build, packed
from server.records.build import Finder, Finished
from server.store.base import Step, Store, StoreError
from server.table.state import Table

PIECE = 50
"""Steps of a log or a record that are worked on at once."""
RETRY_AFTER = 1.0
"""Seconds between attempts to read a log or to keep a record."""
PATIENCE = 5.0
"""Seconds that a question waits for a record that is being made."""

logger = structlog.get_logger(__name__)


@dataclass(slots=True, eq=False)
class _Job:
    """A room in whose log there may be matches without a record."""

    room: str
    asked: int = 0
    """How often somebody has asked for it."""
    records: set[str] = field(default_factory=set)
    """Those of which it is known that they are missing."""
    waiting: list[asyncio.Event] = field(default_factory=list)
    """Set when the room is done."""


class Archive:
    """Makes and finds records. `run` is its one task; it looks into one room after another."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._jobs: OrderedDict[str, _Job] = OrderedDict()
        """By room, in the order in which they are done. One for each open room at most, and for those just closed."""
        self.done: Callable[[str], None] = _nobody_asks
        """Called with the code of a room when none of its records is missing."""
        self._wake = asyncio.Event()
        self._reading = asyncio.Lock()

    def __len__(self) -> int:
        """How many rooms there are in whose log there may be matches without a record."""
        return len(self._jobs)

    def catch_up(self, room: str) -> None:
        """The room was taken from the store: a process that was killed may have left matches without a record."""
        self._ask_for(room)

    def ended(self, room: str, record: str) -> None:
        """A match of ``room`` has ended, durably; before others, its ``record`` is made."""
        self._ask_for(room).records.add(record)
        self._jobs.move_to_end(room, last=False)

    def _ask_for(self, room: str) -> _Job:
        job = self._jobs.setdefault(room, _Job(room))
        job.asked += 1
        self._wake.set()
        return job

    def is_behind(self, room: str) -> bool:
        """Whether the log of ``room`` may still be needed for a record."""
        return room in self._jobs

    # Making records

    async def run(self) -> None:
        """Make the records that are missing, again and again until cancelled."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._jobs:
                await self._do(next(iter(self._jobs.values())))

    async def _do(self, job: _Job) -> None:
        asked = job.asked
        try:
            await self._make_missing(job.room)
        except StoreError as error:
            logger.warning("archive.failed", room=job.room, error=str(error))
            await self._clock.sleep(RETRY_AFTER)
            return
        except Exception:
            logger.exception("archive.unreadable", room=job.room)
        if job.asked == asked:
            del self._jobs[job.room]
            for done in job.waiting:
                done.set()
            self.done(job.room)

    async def _make_missing(self, room: str) -> None:
        finder = Finder()
        matches = [match async for stored in self._log(room, 1) for match in finder.take(stored)]
        for match in matches:
            if await self._store.record(match.id) is None:
                payload = await self._make(room, match)
                await self._store.add_record(match.id, room, payload, match.last.at)

    async def _make(self, room: str, match: Finished) -> bytes:
        table: Table | None = None
        async for stored in self._log(room, match.base, match.first.seq):
            table = build.folded(table, stored)
        packing = packed.Packing(build.header(table, match))
        async for stored in self._log(room, match.first.seq, match.last.seq):
            packing.add(build.entry(build.unpacked(stored), match))
        return packing.payload()

    async def _log(self, room: str, first: int, last: int | None = None) -> AsyncIterator[Step]:
        """The steps of the log from ``first`` to ``last``, or to its end."""
        while piece := await self._store.history(room, first, PIECE):
            for stored in piece:
                if last is not None and stored.seq > last:
                    return
                yield stored
            first = piece[-1].seq + 1
            await asyncio.sleep(0)

    # Finding records

    async def find(self, record: str) -> bytes | None:
        """The payload of the record of that id; one that is being made, or that may be missing, is waited for.

        Raises:
            StoreError: the store is out of reach, or the record is not made in time.
        """
        newest = next(reversed(self._jobs.values()), None)  # now: it may be done before the store answers
        job = next((job for job in self._jobs.values() if record in job.records), newest)
        payload = await self._store.record(record)
        if payload is None and job is not None:
            await self._settled(job)
            payload = await self._store.record(record)
        return payload

    async def last_of(self, room: str) -> bytes | None:
        """The payload of the record of the last match that has ended in an open room, as `find` gives it."""
        job = self._jobs.get(room)
        if job is not None:
            await self._settled(job)
        return await self._store.last_record(room)

    async def _settled(self, job: _Job) -> None:
        if self._jobs.get(job.room) is not job:
            return
        done = asyncio.Event()
        job.waiting.append(done)
        timer = self._clock.call_at(self._clock.monotonic() + PATIENCE, done.set)
        await done.wait()
        timer.cancel()
        if self._jobs.get(job.room) is job:
            job.waiting.remove(done)
            raise StoreError("the record is not made yet")

    async def encode(self, payload: bytes, codec: Codec, message_id: str | None) -> bytes:
        """The message that shows a record. One at a time: of all that read records, one works in a turn of the loop."""
        async with self._reading:
            parts = packed.parts(payload)
            header = next(parts)
            answer = {} if message_id is None else {"re": message_id}
            message = {"type": "record", **answer, "id": header["id"], "record": {**header, "steps": []}}
            steps: list[bytes] = []
            for step in parts:
                steps.append(codec.encode(step))
                if len(steps) % PIECE == 0:
                    await asyncio.sleep(0)
            return codec.fill(codec.encode(message), steps)


def _nobody_asks(_room: str) -> None:
    """Until somebody wants to know: see `Archive.done`."""
