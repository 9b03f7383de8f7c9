"""What a fault of the server's own costs: the one whom it meets, and nobody else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from server.audience import Audience, Logged
from server.replies import Replies
from server.rereading import RELOAD_AFTER
from server.room import Room
from tests.fakes import LostStore
from tests.server.rooms import SETTINGS, Ear, House, open_house
from tests.server.tables import ANN, BOB, EVE


async def three_at_a_table(house: House) -> tuple[list[Ear], str]:
    """Ann, who opened the room, Bob and Eve, in the order in which they are told."""
    ears = [house.ear(actor) for actor in (ANN, BOB, EVE)]
    room = (await ears[0].ask("create", settings=SETTINGS | {"seats": 3}))["room"]
    for ear in ears[1:]:
        await ear.ask("join", room=room)
    for ear in ears:
        ear.heard.clear()
    return ears, room


def fails_for(method: Callable[..., Any], ear: Ear) -> Callable[..., Any]:
    """``method`` with a fault that only ``ear`` meets; its first argument says to whom it speaks."""

    def fail_for_one(itself: Any, to: Any, *others: Any) -> Any:
        if to in (ear, ear.actor.player):
            raise ZeroDivisionError
        return method(itself, to, *others)

    return fail_for_one


async def test_whom_a_fault_keeps_from_being_told_is_cut_and_the_others_hear_the_step(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with open_house() as house:
        (ann, bob, eve), room = await three_at_a_table(house)
        with monkeypatch.context() as patch:
            patch.setattr(Logged, "is_private", fails_for(Logged.is_private, bob))
            await eve.ask("react", room=room, key="wow")

        assert (ann.was_cut, bob.was_cut, eve.was_cut) == (False, True, False)
        assert [ear.updates()[-1]["events"][0]["type"] for ear in (ann, eve)] == ["reacted", "reacted"]
        assert bob.updates() == []
        assert house.registry.find(room).read_again_at < 0


async def test_a_fault_in_going_on_for_a_broken_room_meets_one_listener(monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_house(LostStore()) as house:
        (ann, bob, eve), room = await three_at_a_table(house)
        house.store.is_failing = house.store.writes_before_failing = True
        asked = eve.say("react", room=room, key="wow")
        await house.settle()
        house.store.is_failing = False

        with monkeypatch.context() as patch:
            patch.setattr(Audience, "tell_again", fails_for(Audience.tell_again, bob))
            await house.pass_time(RELOAD_AFTER)

        assert (ann.was_cut, bob.was_cut, eve.was_cut) == (False, True, False)
        assert [[event["type"] for event in update["events"]] for update in ann.updates()] == [["reacted"], ["away"]]
        assert eve.updates() == ann.updates()
        assert eve.answer(asked)["type"] == "ok"
        assert (await house.ear(BOB).ask("sync", room=room))["type"] == "snapshot"


async def test_who_cannot_be_answered_is_told_so_and_those_behind_get_their_answers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with open_house() as house:
        (ann, bob, eve), room = await three_at_a_table(house)
        house.store.gate.clear()
        with monkeypatch.context() as patch:
            patch.setattr(Replies, "answer", _fail)
            asked = ann.say("react", room=room, key="wow", id="once")
            faulty = bob.say("sync", room=room)
            behind = eve.say("act", room=room, seq=1, action={"type": "draw"})
            house.store.gate.set()
            await house.settle()
        again = house.ear(ANN)

        assert ann.answer(asked)["code"] == bob.answer(faulty)["code"] == "internal"
        assert eve.answer(behind)["code"] == "not_started"
        assert eve.updates()[-1]["events"] == [{"type": "reacted", "seat": 0, "key": "wow"}]
        assert (await again.ask("react", room=room, key="wow", id="once"))["type"] == "ok"


async def test_a_fault_when_a_rebuilt_room_has_taken_over_its_listeners_loses_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with open_house(LostStore()) as house:
        (ann, bob, eve), room = await three_at_a_table(house)
        house.store.is_failing = True
        eve.say("react", room=room, key="wow")
        await house.settle()
        house.store.is_failing = False
        with monkeypatch.context() as patch:
            patch.setattr(Room, "_call_the_roll", _fail)
            await house.pass_time(RELOAD_AFTER)

        await house.pass_time(RELOAD_AFTER)
        await bob.ask("react", room=room, key="nice")

        assert ann.updates()[-1]["events"] == [{"type": "reacted", "seat": 1, "key": "nice"}]


def _fail(*_: Any) -> None:
    raise ZeroDivisionError
