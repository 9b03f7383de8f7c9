from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from server.journal import Entry, Journal
from server.store.base import Outcome, Step, StoreError
from tests.fakes import FailingStore
from tests.server.rooms import in_turn, open_house, two_at_a_table


class Writer:
    """A journal, and what has become of the steps that were added to it."""

    def __init__(self, store: FailingStore) -> None:
        self.journal = Journal(store)
        self.told: list[tuple[str, int]] = []
        self.failed: list[tuple[str, int]] = []

    def add(self, room: str, seq: int) -> None:
        name = (room, seq)
        step = Step(room, seq, 1, b"")
        self.journal.add(Entry(step, lambda: self.told.append(name), lambda: self.failed.append(name)))


async def settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


@asynccontextmanager
async def writing(store: FailingStore) -> AsyncIterator[Writer]:
    writer = Writer(store)
    task = asyncio.create_task(writer.journal.run())
    try:
        yield writer
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


class ForgetfulStore(FailingStore):
    """A store that writes its next batch and does not say so."""

    is_forgetful = True

    async def append(self, steps: Sequence[Step]) -> Sequence[Outcome]:
        outcomes = await super().append(steps)
        if self.is_forgetful:
            self.is_forgetful = False
            raise StoreError("lost the answer")
        return outcomes


async def test_what_was_added_behind_a_step_that_may_not_count_is_not_written() -> None:
    store = ForgetfulStore()
    async with writing(store) as writer:
        store.gate.clear()
        writer.add("AAAAAA", 1)
        await settle()
        writer.add("AAAAAA", 2)
        writer.add("BBBBBB", 1)

        store.gate.set()
        await settle()

        assert writer.failed == [("AAAAAA", 1), ("AAAAAA", 2)]
        assert writer.told == [("BBBBBB", 1)]
        assert [step.seq for step in await store.load("AAAAAA")] == [1]


async def test_who_acts_behind_a_step_that_was_written_unsaid_has_changed_nothing_and_nobody_misses_a_step() -> None:
    store = ForgetfulStore()
    store.is_forgetful = False
    async with open_house(store) as house:
        ann, bob, room = await two_at_a_table(house)
        ear, seen = in_turn(ann, bob)
        store.gate.clear()
        store.is_forgetful = True
        ear.say("act", room=room, seq=seen["seq"], action=seen["turn"]["legal"][0]["action"], id="first")
        await house.settle()
        behind = bob.say("react", room=room, key="wow")

        store.gate.set()
        await house.settle()

        assert ear.answer("first")["seq"] == seen["seq"] + 1
        assert bob.answer(behind)["code"] == "unavailable"
        for listener in (ann, bob):
            assert [update["seq"] for update in listener.updates()][-2:] == [seen["seq"], seen["seq"] + 1]


async def test_a_room_that_is_given_up_writes_nothing_more() -> None:
    store = FailingStore()
    async with writing(store) as writer:
        writer.add("AAAAAA", 1)
        writer.add("BBBBBB", 1)

        await writer.journal.discard("AAAAAA")
        await settle()

        assert (writer.failed, writer.told) == ([("AAAAAA", 1)], [("BBBBBB", 1)])
        assert not await store.load("AAAAAA")


async def test_a_room_is_given_up_when_nothing_of_it_is_on_its_way_any_more() -> None:
    store = FailingStore()
    async with writing(store) as writer:
        store.gate.clear()
        writer.add("AAAAAA", 1)
        await settle()

        discarding = asyncio.create_task(writer.journal.discard("AAAAAA"))
        await settle()
        before = discarding.done()
        store.gate.set()
        await settle()

        assert (before, discarding.done()) == (False, True)
        assert writer.told == [("AAAAAA", 1)]


async def test_a_fault_of_one_room_keeps_no_other_from_being_told() -> None:
    store = FailingStore()
    async with writing(store) as writer:
        writer.journal.add(Entry(Step("AAAAAA", 1, 1, b""), _burst, _burst))
        writer.add("BBBBBB", 1)

        await writer.journal.flushed()

        assert writer.told == [("BBBBBB", 1)]


def _burst() -> None:
    raise RuntimeError("a fault of the room")
