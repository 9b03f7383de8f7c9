"""Records are made when matches end, whatever happens to the store and the process."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from server.archive import RETRY_AFTER, Archive
from server.connected import Connected
from server.housekeeping import Housekeeping
from server.limits import Limits
from server.records.build import records
from server.records.form import read
from server.records.packed import unpack
from server.records.verify import verify
from server.rereading import RELOAD_AFTER
from server.store.base import Outcome, Step, StoreError
from tests.fakes import FakeClock
from tests.server.ended_matches import done, play_match, play_on
from tests.server.rooms import House, open_house
from tests.server.shelves import Shelf, work_off
from tests.server.tables import ANN, BOB


async def test_a_match_that_ends_has_its_record_soon_after() -> None:
    async with open_house(Shelf()) as house:
        room, record = await play_match(house, house.ear(ANN))
        await done(house, room)

        payload = await house.store.record(record)

        assert payload is not None
        assert payload == await house.store.last_record(room)
        assert [unpack(payload)] == list(records(await house.store.history(room)))
        assert verify(read(unpack(payload))).faults == ()


async def test_a_record_that_cannot_be_kept_is_kept_when_the_store_takes_it_again() -> None:
    store = Shelf()
    async with open_house(store) as house:
        store.is_full = True
        room, record = await play_match(house, house.ear(ANN))
        for _ in range(5):
            await house.pass_time(RETRY_AFTER)
        before = await store.record(record)

        store.is_full = False
        await house.pass_time(RETRY_AFTER)
        await done(house, room)

        assert before is None
        assert await store.record(record) is not None


async def test_a_process_that_was_killed_before_the_record_was_kept_leaves_that_to_the_next() -> None:
    store, clock = Shelf(), FakeClock()
    store.is_full = True
    async with open_house(store, clock=clock) as house:
        room, record = await play_match(house, house.ear(ANN))
    store.is_full = False

    async with open_house(store, clock=clock) as house:
        await house.registry.load()
        await done(house, room)

    assert store.added == [record]


async def test_a_record_that_is_there_is_not_made_again_at_the_next_start() -> None:
    store, clock = Shelf(), FakeClock()
    async with open_house(store, clock=clock) as house:
        room, record = await play_match(house, house.ear(ANN))
        await done(house, room)

    async with open_house(store, clock=clock) as house:
        await house.registry.load()
        await done(house, room)

    assert store.added == [record]


class LostAnswer(Shelf):
    """A store that writes the end of a match and reports a failure, once."""

    has_failed = False

    async def append(self, steps: Sequence[Step]) -> Sequence[Outcome]:
        outcomes = await super().append(steps)
        if not self.has_failed and any(b"MatchOver" in step.payload for step in steps):
            self.has_failed = True
            raise StoreError("lost the answer")
        return outcomes


async def test_the_end_of_a_match_whose_step_was_written_although_the_store_said_otherwise_has_a_record() -> None:
    store = LostAnswer()
    async with open_house(store) as house:
        room, record = await play_match(house, house.ear(ANN))
        await house.pass_time(RELOAD_AFTER)
        await done(house, room)

        assert store.has_failed
        assert store.added == [record]


async def test_a_match_that_ends_while_the_record_of_the_one_before_is_kept_has_its_own() -> None:
    store = Shelf()
    async with open_house(store) as house:
        ann = house.ear(ANN)
        store.door.clear()
        room, first = await play_match(house, ann)
        await house.settle()
        await ann.ask("next", room=room)
        second = await play_on(house, ann, room)

        store.door.set()
        await done(house, room)

        assert store.added == [first, second]


async def test_the_next_match_does_not_wait_and_both_have_their_records() -> None:
    store = Shelf()
    async with open_house(store) as house:
        ann = house.ear(ANN)
        store.is_full = True
        room, first = await play_match(house, ann)
        await ann.ask("next", room=room)
        second = await play_on(house, ann, room)

        store.is_full = False
        await house.pass_time(RETRY_AFTER)
        await done(house, room)

        assert store.added == [first, second]
        assert await store.last_record(room) == await store.record(second)


async def test_nothing_of_a_log_is_cleared_away_that_a_record_still_needs() -> None:
    store = Shelf()
    async with open_house(store, limits=Limits(finished_room=0)) as house:
        ann = house.ear(ANN)
        housekeeping = Housekeeping(
            store,
            house.registry,
            Connected(),
            house.clock,
            Limits(),
        )
        store.is_full = True
        room, first = await play_match(house, ann)
        while house.registry.find(room).table.seq < 900:
            await ann.ask("next", room=room)
            await play_on(house, ann, room)
        await clear(housekeeping, house)
        whole = len(await store.history(room))

        store.is_full = False
        await house.pass_time(RETRY_AFTER)
        await done(house, room)
        await clear(housekeeping, house)

        assert whole == house.registry.find(room).table.seq
        assert len(await store.history(room)) < whole
        assert store.added[0] == first
        assert len(store.added) > 10


async def clear(housekeeping: Housekeeping, house: House) -> None:
    """Let the housekeeping do its work; the pauses in it pass."""
    work = asyncio.create_task(housekeeping.clear())
    while not work.done():
        await house.pass_time(0.1)


async def test_a_room_does_not_end_before_its_record_is_kept() -> None:
    """Of rooms that have ended a store keeps no log for long, and after a restart none."""
    store = Shelf()
    async with open_house(store, limits=Limits(finished_room=3)) as house:
        store.is_full = True
        room, record = await play_match(house, house.ear(ANN))
        await house.pass_time(5)
        before = len(house.registry)

        store.is_full = False
        await house.pass_time(RETRY_AFTER)
        await done(house, room)
        await house.pass_time(1)

        assert (before, len(house.registry)) == (1, 0)
        assert store.added == [record]


async def test_a_room_whose_log_cannot_be_read_for_its_record_ends_all_the_same() -> None:
    store = Shelf()
    async with open_house(store, limits=Limits(finished_room=3)) as house:
        store.door.clear()
        room, _ = await play_match(house, house.ear(ANN))
        await house.settle()
        await house.pass_time(5)
        before = len(house.registry)

        store.is_unfit = True
        store.door.set()
        await done(house, room)
        await house.pass_time(1)

        assert (before, len(house.registry)) == (1, 0)


async def test_a_log_that_cannot_be_read_keeps_no_other_room_waiting() -> None:
    store, clock = Shelf(), FakeClock()
    store.is_full = True
    async with open_house(store, clock=clock) as house:
        (bad, _), (good, record) = [await play_match(house, house.ear(who)) for who in (ANN, BOB)]
    store.is_full = False
    rows = store._index.find(bad)
    assert rows is not None
    archive = Archive(store, clock)
    archive.catch_up(bad)
    archive.catch_up(good)
    started = next(row for row, step in enumerate(rows.rows) if b"MatchOver" in step.payload)
    rows.rows[started] = replace(rows.rows[started], payload=b"MatchOver, but not packed")

    await work_off(archive)

    assert store.added == [record]
