"""What is left, and what is said, when rooms end and when the store fails in between."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from server.limits import Limits
from server.promises import MAX_HELD
from server.rereading import RELOAD_AFTER
from server.room import Room
from server.store.base import Step
from tests.fakes import FailingStore, FakeClock, LostStore
from tests.server.rooms import SETTINGS, open_house, two_at_a_table
from tests.server.tables import ANN, BOB, EVE


async def test_a_closed_room_takes_no_place_among_the_rooms_of_its_players() -> None:
    async with open_house(limits=Limits(idle_lobby=60, rooms_per_player=1)) as house:
        ann = house.ear(ANN)
        await ann.ask("create", settings=SETTINGS)
        await house.pass_time(61)

        again = await ann.ask("create", settings=SETTINGS)

        assert again["type"] == "snapshot"
        assert house.registry.rooms_of(ANN.player) == [again["room"]]


@pytest.mark.parametrize(("kind", "fields"), [("next", {}), ("show", {"seat": 0})])
async def test_nobody_is_told_that_a_room_is_gone_before_its_end_is_durable(kind: str, fields: dict[str, Any]) -> None:
    async with open_house(limits=Limits(idle_lobby=60)) as house:
        ann = house.ear(ANN)
        room = (await ann.ask("create", settings=SETTINGS))["room"]
        ann.heard.clear()
        house.store.gate.clear()
        await house.pass_time(61)

        ann.say(kind, room=room, **fields)
        await house.settle()
        assert ann.heard == []
        house.store.gate.set()
        await house.settle()

        assert [message["type"] for message in ann.heard] == ["update", "error"]
        assert ann.heard[-1]["code"] == "no_such_room"
        assert len(house.registry) == 0


async def test_what_is_asked_while_the_store_is_lost_is_unavailable_at_once() -> None:
    async with open_house(LostStore()) as house:
        ann = house.ear(ANN)
        room = (await ann.ask("create", settings=SETTINGS))["room"]
        house.store.is_failing = True
        ann.say("next", room=room)
        await house.settle()

        assert (await ann.ask("start", room=room))["code"] == "unavailable"
        assert (await ann.ask("sync", room=room))["code"] == "unavailable"


async def test_whether_a_message_counted_is_answered_when_the_log_can_be_read_again() -> None:
    for is_written, answer in ((True, "ok"), (False, "error")):
        async with open_house(LostStore()) as house:
            ann = house.ear(ANN)
            room = (await ann.ask("create", settings=SETTINGS))["room"]
            house.store.is_failing, house.store.writes_before_failing = True, is_written
            ann.say("next", room=room, id="once")
            await house.settle()
            ann.say("next", room=room, id="once")
            await house.settle()
            assert [message for message in ann.heard if message.get("re") == "once"] == []
            house.store.is_failing = False

            await house.pass_time(RELOAD_AFTER)

            assert [message["type"] for message in ann.heard if message.get("re") == "once"] == [answer, answer]


async def test_who_is_lost_while_a_room_is_read_again_is_away() -> None:
    async with open_house(LostStore()) as house:
        ann, bob = house.ear(ANN), house.ear(BOB)
        room = (await ann.ask("create", settings=SETTINGS))["room"]
        await bob.ask("join", room=room)
        house.store.is_failing = True
        ann.say("next", room=room)
        await house.settle()
        bob.hang_up()
        house.store.is_failing = False

        await house.pass_time(RELOAD_AFTER)

        assert ann.updates()[-1]["events"] == [{"type": "away", "seat": 1}]


async def test_who_came_back_in_a_step_that_was_never_answered_is_away_again() -> None:
    async with open_house() as house:
        ann, bob = house.ear(ANN), house.ear(BOB)
        room = (await ann.ask("create", settings=SETTINGS))["room"]
        await bob.ask("join", room=room)
        bob.hang_up()
        await house.settle()
        house.store.is_failing = house.store.writes_before_failing = True
        again = house.ear(BOB)
        again.say("sync", room=room)
        await house.settle()
        house.store.is_failing = False

        await house.pass_time(RELOAD_AFTER)

        assert [update["events"][0]["type"] for update in ann.updates()[-2:]] == ["back", "away"]


async def test_who_listens_is_there_when_the_room_goes_on() -> None:
    async with open_house() as house:
        ann, bob = house.ear(ANN), house.ear(BOB)
        room = (await ann.ask("create", settings=SETTINGS))["room"]
        await bob.ask("join", room=room, id="once")
        bob.hang_up()
        await house.settle()
        house.store.is_failing = True
        again = house.ear(BOB)
        again.say("join", room=room, id="once")
        await house.settle()
        house.store.is_failing = False

        await house.pass_time(RELOAD_AFTER)

        assert again.updates()[-1]["events"] == [{"type": "back", "seat": 1}]


async def test_a_store_that_can_be_read_but_not_written_is_tried_once_in_a_while() -> None:
    async with open_house() as house:
        ann, bob = house.ear(ANN), house.ear(BOB)
        room = (await ann.ask("create", settings=SETTINGS))["room"]
        await bob.ask("join", room=room)
        house.store.is_failing = True
        tried = len(house.store.appended)

        bob.hang_up()
        for _ in range(10):
            await house.settle()

        assert len(house.store.appended) <= tried + 2


async def test_a_device_whose_room_was_read_again_is_told_that_its_hands_are_covered() -> None:
    async with open_house() as house:
        ann = house.ear(ANN)
        room = (await ann.ask("create", settings=SETTINGS | {"seats": 3, "local": 2, "lead": 0}))["room"]
        await ann.ask("start", room=room)
        await ann.ask("show", room=room, seat=0)
        ann.heard.clear()
        house.store.is_failing = True

        ann.say("react", room=room, key="wow")
        await house.settle()
        house.store.is_failing = False
        await house.pass_time(RELOAD_AFTER)

        (snapshot,) = (message for message in ann.heard if message["type"] == "snapshot")
        assert snapshot["you"]["shown"] == []


async def test_what_changed_nothing_after_a_step_that_does_not_count_is_unavailable_too() -> None:
    async with open_house() as house:
        ann = house.ear(ANN)
        room = (await ann.ask("create", settings=SETTINGS))["room"]
        house.store.is_failing = True

        first, second = ann.say("next", room=room), ann.say("next", room=room)
        await house.settle()

        assert [ann.answer(asked)["code"] for asked in (first, second)] == ["unavailable", "unavailable"]


async def test_only_so_many_wait_for_a_store_that_is_lost() -> None:
    async with open_house(LostStore()) as house:
        ann = house.ear(ANN)
        room = (await ann.ask("create", settings=SETTINGS))["room"]
        house.store.is_failing = True
        for _ in range(2 * MAX_HELD):
            ann.say("next", room=room, id="again and again")
            await house.settle()

        answers = [message["code"] for message in ann.heard if message.get("re") == "again and again"]

        assert answers == ["unavailable"] * MAX_HELD


async def test_the_end_of_a_room_is_told_though_the_store_reported_a_failure() -> None:
    async with open_house(limits=Limits(idle_lobby=60)) as house:
        ann = house.ear(ANN)
        await ann.ask("create", settings=SETTINGS)
        house.store.is_failing = house.store.writes_before_failing = True

        await house.pass_time(61)

        assert ann.updates()[-1]["events"] == [{"type": "closed", "reason": "idle"}]
        assert len(house.registry) == 0


async def test_what_counted_before_a_room_ended_is_answered_though_the_store_reported_failures() -> None:
    async with open_house(limits=Limits(idle_lobby=60)) as house:
        ann = house.ear(ANN)
        room = (await ann.ask("create", settings=SETTINGS))["room"]
        house.store.gate.clear()
        house.store.is_failing = house.store.writes_before_failing = True
        counted = ann.say("next", room=room)
        ann.say("react", room=room, key="wow")
        await house.pass_time(61)

        house.store.gate.set()
        await house.pass_time(RELOAD_AFTER)

        assert ann.updates()[-1]["events"] == [{"type": "closed", "reason": "idle"}]
        assert ann.answer(counted)["type"] == "ok"


async def test_time_goes_on_from_the_log_when_the_clock_was_set_back_before_a_restart() -> None:
    store = FailingStore()
    async with open_house(store) as house:
        ann = house.ear(ANN)
        room = (await ann.ask("create", settings=SETTINGS | {"lead": 1}))["room"]
        await ann.ask("start", room=room)
    earlier = FakeClock(house.clock.time() - 3600)

    async with open_house(store, clock=earlier) as house:
        await house.registry.load()
        ann = house.ear(ANN)
        await ann.ask("sync", room=room)
        await house.pass_time(1)

        assert ann.updates()[-1]["events"][0]["type"] == "played"


async def test_a_room_that_cannot_be_read_answers_those_who_wait_and_is_tried_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with open_house() as house:
        ann = house.ear(ANN)
        room = (await ann.ask("create", settings=SETTINGS))["room"]
        house.store.is_failing = True
        with monkeypatch.context() as patch:
            patch.setattr(Room, "load", _unreadable)
            answer = await ann.ask("react", room=room, key="wow")
        house.store.is_failing = False

        await house.pass_time(RELOAD_AFTER)

        assert answer["code"] == "internal"
        assert (await ann.ask("react", room=room, key="wow"))["type"] == "ok"


def _unreadable(*_: Any) -> Room:
    raise ValueError("the log is not that of a room")


async def test_a_room_that_breaks_at_once_again_is_left_alone_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_house() as house:
        ann = house.ear(ANN)
        room = (await ann.ask("create", settings=SETTINGS | {"lead": 1}))["room"]
        await ann.ask("start", room=room)
        loads: list[str] = []
        load = house.store.load

        async def counted(code: str) -> Sequence[Step]:
            loads.append(code)
            return await load(code)

        monkeypatch.setattr(house.store, "load", counted)
        monkeypatch.setattr("server.room.due_request", _unreadable)

        await house.pass_time(1)
        for _ in range(10):
            await house.settle()

        assert len(loads) <= 2


async def test_what_waits_to_be_written_does_not_count_when_the_room_meets_a_bug(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with open_house() as house:
        ann, bob, room = await two_at_a_table(house)
        house.store.gate.clear()
        house.ear(EVE).say("create", settings=SETTINGS)
        await house.settle()  # the store is busy with another room
        waiting = ann.say("react", room=room, key="wow")
        with monkeypatch.context() as patch:
            patch.setattr("server.room.decide", _unreadable)
            with pytest.raises(ValueError, match="the log is not"):
                bob.say("next", room=room)

        house.store.gate.set()
        await house.settle()

        assert ann.answer(waiting)["code"] == "unavailable"
        assert (await bob.ask("react", room=room, key="nice"))["type"] == "ok"
        assert ann.updates()[-1]["events"] == [{"type": "reacted", "seat": 1, "key": "nice"}]
