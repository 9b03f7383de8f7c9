"""The load itself: connections for all seats, from the first hello to the last look at each room."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from bots.load.checker import check
from bots.load.history import RoomHistory, Told
from bots.load.link import Link, NotConnected, open_link
from bots.load.log import merged
from bots.load.report import LoadSettings, Report
from bots.load.seat import Seat
from bots.load.table import Table
from bots.load.tally import Tally, latency
from bots.load.world import World
from protocol.errors import FINAL

FIRST_WAIT, LONGEST_WAIT = 0.1, 2.0
"""Seconds within which a seat tries again to connect, at first and at last. Shorter than a player's client should."""
HANDSHAKES = 32
"""Connections that are made at the same time."""
START_WITHIN = 60.0
"""Seconds until it goes on without the rooms that are not full, or have not begun to play."""
SETTLE_WITHIN = 15.0
"""Seconds until what is not answered in the end counts as lost, and again until nobody looks at a room any more."""


class Load:
    """One run: `start`, let time pass, `finish`, `report`."""

    def __init__(self, settings: LoadSettings, rng: random.Random) -> None:
        self._settings = settings
        self._rng = rng
        self.tally = Tally()
        loop = asyncio.get_running_loop()
        world = World(self.tally, rng, settings.think, time.monotonic, loop.call_later)
        room = {"game": settings.game, "seats": settings.seats, "absence": "wait"}  # all acts are asked for by a seat
        self.tables = [Table(number, room, world) for number in range(1, settings.rooms + 1)]
        self._handshakes = asyncio.Semaphore(HANDSHAKES)
        self._links: dict[Seat, Link] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._began = self._ended = 0.0

    async def start(self) -> None:
        """Fill the rooms and begin to measure.

        Raises:
            NotConnected: there is no server to be reached.
        """
        await (await open_link(self._settings.url, _Nobody())).close()
        self._tasks = [asyncio.create_task(self._stay_connected(seat)) for seat in self._seats()]
        await _all_within(START_WITHIN, (table.full.wait() for table in self.tables))
        full = [table for table in self.tables if table.full.is_set()]
        for table in full:  # all at once: matches that are played would hold up those who still come
            table.start()
        await _all_within(START_WITHIN, (table.playing.wait() for table in full))
        self._began = time.monotonic()
        self.tally.begin()
        for table in self.tables:
            table.playing.clear()

    async def finish(self) -> None:
        """Measure no more, wait for the last answers, look at each room and hang up."""
        self._ended = time.monotonic()
        self.tally.end()
        for seat in self._seats():
            seat.stop()
        await self._settle()
        for seat in self._seats():
            seat.is_over = True
        await asyncio.gather(*(link.close() for link in self._links.values()))
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def histories(self) -> list[RoomHistory]:
        """What the seats of each opened room have seen."""
        return [table.history() for table in self.tables if table.room is not None]

    def report(self, stored: Mapping[str, Sequence[Told]] | None = None) -> Report:
        """What was found; ``stored`` are the logs of the server by room, where they are at hand."""
        tally = self.tally
        histories = self.histories()
        violations = [
            violation
            for history in histories
            for violation in check(history, None if stored is None else stored.get(history.room, ()))
        ]
        return Report(
            settings=self._settings,
            playing=sum(table.playing.is_set() for table in self.tables),
            seconds=self._ended - self._began,
            accepted=tally.accepted,
            to_sender=latency(tally.to_sender),
            to_last_seat=latency(tally.to_last_seat),
            acknowledged=tally.acknowledged,
            steps=sum(len(merged(history)) for history in histories),
            errors=tally.errors,
            not_connected=tally.not_connected,
            cuts=tally.cuts,
            reconnections=tally.reconnections,
            violations=violations,
        )

    def _seats(self) -> Iterator[Seat]:
        return (seat for table in self.tables for seat in table.seats)

    async def _settle(self) -> None:
        """Where an answer is still missing then, the room is looked at all the same."""
        seats = [seat for seat in self._seats() if seat.number is not None]
        await _all_within(SETTLE_WITHIN, (seat.quiet() for seat in seats))
        for seat in seats:
            seat.look()
        await _all_within(SETTLE_WITHIN, (seat.looked.wait() for seat in seats))

    async def _stay_connected(self, seat: Seat) -> None:
        """Connect ``seat``, again and again, until there is no use in it."""
        failures = 0
        while not seat.is_over:
            try:
                async with self._handshakes:
                    link = await open_link(self._settings.url, seat)
            except NotConnected as refusal:
                self.tally.not_connected[refusal.code] += 1
                failures += 1
            else:
                failures = 0
                await self._hold(seat, link)
            if not seat.is_over:
                wait = min(LONGEST_WAIT, FIRST_WAIT * 2**failures)
                await asyncio.sleep(seat.retry_after + self._rng.uniform(0, wait))

    async def _hold(self, seat: Seat, link: Link) -> None:
        """One connection, until it is lost."""
        self._links[seat] = link
        self.tally.reconnections += seat.is_known
        seat.connected(link)
        code = await link.lost
        del self._links[seat]
        seat.disconnected()
        if not seat.is_over:
            self.tally.cuts["cut" if code is None else str(code)] += 1
        if code in FINAL:
            seat.give_up()


async def _all_within(seconds: float, waits: Iterable[Awaitable[object]]) -> None:
    """Wait for all of ``waits``, but no longer than that."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await asyncio.gather(*waits)


class _Nobody:
    """Listens to a connection that is only to show that there is a server."""

    def hear(self, _payload: bytes) -> None:
        """Nothing is said to nobody."""
