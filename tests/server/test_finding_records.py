"""Records are found as soon as they are asked for, and what cannot be found is said."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from protocol.errors import ErrorCode, ProtocolError
from server.archive import PATIENCE, RETRY_AFTER, Archive
from server.dispatch import Dispatcher
from server.limits import Limits
from server.store.base import Step, StoreError
from tests.fakes import FakeClock
from tests.server.ended_matches import SETTINGS, done, play_match
from tests.server.rooms import House, open_house
from tests.server.shelves import Shelf
from tests.server.tables import ANN, BOB


async def test_a_question_that_comes_before_the_record_is_kept_waits_for_it() -> None:
    store = Shelf()
    async with open_house(store) as house:
        store.is_full = True
        room, record = await play_match(house, house.ear(ANN))
        asked = await ask_both_ways(house, room, record)
        waits = not any(question.done() for question in asked)

        store.is_full = False
        await house.pass_time(RETRY_AFTER)
        await done(house, room)

        assert waits
        assert await asyncio.gather(*asked) == [await store.record(record)] * 2


async def test_a_question_that_comes_while_the_record_is_being_kept_waits_for_it() -> None:
    store = Shelf()
    async with open_house(store) as house:
        store.door.clear()
        room, record = await play_match(house, house.ear(ANN))
        await house.settle()
        asked = await ask_both_ways(house, room, record)
        waits = not any(question.done() for question in asked)

        store.door.set()
        await house.settle()

        kept = await store.record(record)
        assert waits
        assert kept is not None
        assert await asyncio.gather(*asked) == [kept, kept]


async def test_a_record_that_is_kept_while_the_store_says_that_it_has_none_is_found() -> None:
    store = Shelf()
    async with open_house(store) as house:
        store.door.clear()
        room, record = await play_match(house, house.ear(ANN))
        store.says.clear()
        asked = asyncio.create_task(house.registry.archive.find(record))
        await house.settle()
        store.door.set()
        await done(house, room)

        store.says.set()

        assert await asked == await store.record(record) is not None


async def test_a_question_does_not_wait_for_ever() -> None:
    store = Shelf()
    async with open_house(store) as house:
        store.is_full = True
        room, record = await play_match(house, house.ear(ANN))
        asked = await ask_both_ways(house, room, record)
        await house.pass_time(PATIENCE)

        results = await asyncio.gather(*asked, return_exceptions=True)

        assert [type(result) for result in results] == [StoreError, StoreError]
        assert not any(job.waiting for job in house.registry.archive._jobs.values())


async def ask_both_ways(house: House, room: str, record: str) -> list[asyncio.Task[Any]]:
    """Ask for the record by its id and by its room; the answers may take their time."""
    asked = [asyncio.create_task(ask) for ask in questions(house.registry.archive, room, record)]
    await house.settle()
    return asked


def questions(archive: Archive, room: str, record: str) -> tuple[Any, Any]:
    """Both ways to ask."""
    return archive.find(record), archive.last_of(room)


async def test_a_record_that_a_killed_process_may_have_left_to_be_made_is_waited_for() -> None:
    store, clock = Shelf(), FakeClock()
    store.is_full = True
    async with open_house(store, clock=clock) as house:
        _, record = await play_match(house, house.ear(ANN))
        await play_match(house, house.ear(BOB))
    store.is_full = False

    async with open_house(store, clock=clock) as house:
        await house.registry.load()
        assert store.added == []

        found = await house.registry.archive.find(record)

    assert found is not None
    assert found == await store.record(record)


async def test_what_does_not_exist_is_not_found() -> None:
    archive = Archive(Shelf(), FakeClock())

    assert await archive.find("0123456789abcdef") is None
    assert await archive.last_of("AAAAAA") is None


class SlowShelf(Shelf):
    """A store in which the record of a room is looked for until a test opens the gate."""

    def __init__(self) -> None:
        super().__init__()
        self.looked = asyncio.Event()

    async def last_record(self, room: str) -> bytes | None:
        await self.looked.wait()
        return await super().last_record(room)


async def test_of_a_room_that_closes_while_its_record_is_looked_for_it_is_said_that_it_is_gone() -> None:
    store = SlowShelf()
    async with open_house(store, limits=Limits(finished_room=60)) as house:
        ear = house.ear(ANN)
        room, _ = await play_match(house, ear)
        await done(house, room)
        asked = asyncio.create_task(Dispatcher(house.registry).last_record(ear, room))
        await house.pass_time(61)

        store.looked.set()

        with pytest.raises(ProtocolError) as refusal:
            await asked
        assert refusal.value.code is ErrorCode.NO_SUCH_ROOM


class Unreadable(Shelf):
    """A store of which, if it is told so, no log can be read."""

    is_unreadable = False

    async def load(self, room: str) -> Sequence[Step]:
        if self.is_unreadable:
            raise StoreError("out of reach")
        return await super().load(room)


async def test_who_hears_of_the_end_of_a_match_can_ask_for_its_record_though_the_room_is_in_doubt() -> None:
    store = Unreadable()
    async with open_house(store) as house:
        ear = house.ear(ANN)
        room = (await ear.ask("create", settings=SETTINGS))["room"]
        await ear.ask("start", room=room)
        store.is_unreadable = True
        store.gate.clear()
        ear.say("new_game", room=room)
        await house.settle()
        house.registry.doubt(room)
        await house.settle()

        store.gate.set()
        await house.settle()

        assert "match_ended" in [event["type"] for message in ear.heard for event in message.get("events", [])]
        assert house.registry.archive.is_behind(room) or store.added


async def test_while_the_end_of_a_room_is_not_told_yet_nobody_is_told_that_it_has_no_record() -> None:
    store = SlowShelf()
    async with open_house(store, limits=Limits(finished_room=60)) as house:
        ear = house.ear(ANN)
        room, _ = await play_match(house, ear)
        await done(house, room)
        store.gate.clear()
        await house.pass_time(61)
        store._last_records.clear()  # the step is written, and the answer still on its way
        store.looked.set()

        with pytest.raises(StoreError):
            await Dispatcher(house.registry).last_record(ear, room)
        store.gate.set()
