"""Who is given hints, when, and who hears of it (H2)."""

from __future__ import annotations

from typing import Any

import pytest

from server.table.checkpoint import pack, unpack
from server.table.evolve import replay
from tests.fakes import FailingStore
from tests.server.rooms import Ear, House, in_turn, open_house, two_at_a_table
from tests.server.tables import ANN, BOB, CODE, EVE, Driver, kinds, refused


def playing(**settings: Any) -> Driver:
    """Ann, in turn, and Bob in the first deal."""
    driver = Driver(game="block", lead=0, **settings)
    driver.say(BOB, "join")
    driver.say(ANN, "start")
    return driver


# At the table.


def test_everybody_is_told_once_a_turn_that_a_hint_was_given() -> None:
    driver = playing()

    first, again = driver.say(ANN, "hint"), driver.say(ANN, "hint")
    driver.choose(ANN)
    after_bob = driver.say(BOB, "hint")

    assert first is not None
    assert driver.update(first, BOB)["events"] == [{"type": "hinted", "seat": 0}]
    assert again is None
    assert kinds(after_bob) == ["Hinted"]


def test_a_choice_that_has_come_back_by_undo_is_told_anew() -> None:
    driver = Driver(game="block", lead=0)
    driver.say(ANN, "start")
    driver.say(ANN, "hint")
    driver.choose(ANN)
    driver.say(ANN, "undo")

    assert kinds(driver.say(ANN, "hint")) == ["Hinted"]
    assert driver.snapshot(ANN)["redo"] == 1


def test_a_hint_neither_outdates_a_choice_nor_lets_a_request_lapse() -> None:
    driver = playing()
    driver.choose(ANN)
    driver.choose(BOB)
    driver.say(BOB, "undo")
    seen = driver.table.seq

    driver.say(ANN, "hint")

    assert driver.snapshot(ANN)["ask"] is not None
    assert kinds(driver.say(ANN, "act", seq=seen, action=driver.legal()[0]))[0] == "Played"


def test_whether_a_hint_was_told_is_known_from_the_log_and_from_a_checkpoint() -> None:
    driver = playing()
    driver.say(ANN, "hint")

    folded = replay(CODE, driver.log)
    stored, _ = unpack(pack(driver.table, []))

    assert driver.table.is_hinted
    assert folded == stored == driver.table


def test_only_who_is_in_turn_is_given_hints() -> None:
    driver = playing()
    driver.say(EVE, "watch")

    assert refused(driver, BOB, "hint").code == "not_your_turn"
    assert refused(driver, ANN, "hint", seat=1).code == "not_seated"
    assert refused(driver, EVE, "hint").code == "not_seated"


def test_there_are_no_hints_before_a_match_and_between_deals() -> None:
    driver = Driver(game="block", lead=0, next_deal_after=100)
    driver.say(BOB, "join")
    before = refused(driver, ANN, "hint")
    driver.say(ANN, "start")
    driver.play_deal()

    assert before.code == "not_started"
    assert refused(driver, ANN, "hint").code == "not_your_turn"


def test_a_table_may_have_no_hints() -> None:
    driver = playing(hints=False)

    refusal = refused(driver, ANN, "hint")

    assert (refusal.code, refusal.reason) == ("refused", "hints_off")


@pytest.mark.parametrize("local", [1, 2])
def test_where_all_people_sit_at_one_device_hints_are_always_free(local: int) -> None:
    driver = Driver(game="block", lead=0, seats=3, hints=False, local=local)
    driver.say(ANN, "start")

    assert kinds(driver.say(ANN, "hint")) == ["Hinted"]


# In a room.


async def act(ear: Ear, room: str) -> dict[str, Any]:
    """Take the first legal action."""
    seen = ear.updates()[-1]
    return await ear.ask("act", room=room, seq=seen["seq"], action=seen["turn"]["legal"][0]["action"])


def seq_of(house: House, room: str) -> int:
    return house.registry.find(room).table.seq


async def test_the_answer_follows_the_update_and_judges_each_legal_action() -> None:
    async with open_house() as house:
        ann, bob, room = await two_at_a_table(house)
        ear, seen = in_turn(ann, bob)

        answer = await ear.ask("hint", room=room)

        update, last = ear.heard[-2:]
        legal = [choice["action"] for choice in seen["turn"]["legal"]]
        told = [each.updates()[-1]["events"] for each in (ann, bob)]
        assert (update["type"], last) == ("update", answer)
        assert (answer["room"], answer["seat"], answer["seq"]) == (room, seen["turn"]["seat"], update["seq"])
        assert sorted(map(str, legal)) == sorted(str(hint["action"]) for hint in answer["actions"])
        assert told == [[{"type": "hinted", "seat": seen["turn"]["seat"]}]] * 2


async def test_hints_asked_for_again_are_the_same_and_no_step() -> None:
    async with open_house() as house:
        ann, bob, room = await two_at_a_table(house)
        ear, _ = in_turn(ann, bob)
        first = await ear.ask("hint", room=room)

        again = await ear.ask("hint", room=room)

        assert {**again, "re": first["re"]} == first
        assert seq_of(house, room) == first["seq"]


async def test_a_hint_that_is_not_durable_is_not_given() -> None:
    async with open_house() as house:
        ann, bob, room = await two_at_a_table(house)
        ear, _ = in_turn(ann, bob)
        heard = len(ear.heard)
        house.store.gate.clear()

        ear.say("hint", room=room)
        ear.say("hint", room=room)
        await house.settle()

        assert len(ear.heard) == heard
        house.store.gate.set()
        await house.settle()
        assert [message["type"] for message in ear.heard[heard:]] == ["update", "hint", "hint"]


async def test_a_hint_sent_again_is_answered_again_for_as_long_as_the_choice_stands() -> None:
    async with open_house() as house:
        ann, bob, room = await two_at_a_table(house)
        ear, _ = in_turn(ann, bob)
        first = await ear.ask("hint", room=room, id="once")
        await ear.ask("react", room=room, key="thinking")
        ear.heard.clear()

        again = await ear.ask("hint", room=room, id="once")

        assert again == {**first, "seq": first["seq"] + 1}
        assert seq_of(house, room) == again["seq"]


async def test_a_hint_sent_again_after_a_restart_is_a_hint_again() -> None:
    store = FailingStore()
    async with open_house(store) as house:
        ann, bob, room = await two_at_a_table(house)
        ear, _ = in_turn(ann, bob)
        first = await ear.ask("hint", room=room, id="once")

    async with open_house(store) as house:
        await house.registry.load()
        await house.settle()
        returned = house.ear(ear.actor)
        await returned.ask("sync", room=room)

        again = await returned.ask("hint", room=room, id="once")

        assert again["actions"] == first["actions"]
        assert again["seq"] == seq_of(house, room)


async def test_an_old_hint_sent_again_tells_nothing_of_a_later_choice() -> None:
    """Else who has hints in one turn would have them in all the others, and nobody would be told."""
    async with open_house() as house:
        ann, bob, room = await two_at_a_table(house, game="block", lead=0)
        await ann.ask("hint", room=room, id="once")
        await act(ann, room)
        ann.heard.clear()
        out_of_turn = await ann.ask("hint", room=room, id="once")
        await act(bob, room)
        seq = seq_of(house, room)
        ann.heard.clear()

        later = await ann.ask("hint", room=room, id="once")

        assert (out_of_turn["code"], later["code"]) == ("not_your_turn", "stale")
        assert seq_of(house, room) == seq
        assert (await ann.ask("hint", room=room))["type"] == "hint"


async def test_at_one_device_a_hint_is_for_a_hand_that_is_shown() -> None:
    async with open_house() as house:
        ann = house.ear(ANN)
        settings = {"game": "block", "seats": 3, "local": 2, "lead": 0}
        room = (await ann.ask("create", settings=settings))["room"]
        await ann.ask("start", room=room)
        seq = seq_of(house, room)

        covered = await ann.ask("hint", room=room)
        await ann.ask("show", room=room, seat=1)
        of_another = await ann.ask("hint", room=room)
        hand = (await ann.ask("show", room=room, seat=0))["hand"]
        seq_before = seq_of(house, room)
        shown = await ann.ask("hint", room=room)

        assert [answer["reason"] for answer in (covered, of_another)] == ["not_shown"] * 2
        assert seq_before == seq
        assert {hint["action"]["tile"] for hint in shown["actions"]} == set(hand)


async def test_a_hint_at_one_device_is_not_given_when_the_hand_was_covered_meanwhile() -> None:
    async with open_house() as house:
        ann = house.ear(ANN)
        settings = {"game": "block", "seats": 3, "local": 2, "lead": 0}
        room = (await ann.ask("create", settings=settings))["room"]
        await ann.ask("start", room=room)
        await ann.ask("show", room=room, seat=0)
        await ann.ask("hint", room=room, id="once")
        await ann.ask("sync", room=room)
        ann.heard.clear()

        again = await ann.ask("hint", room=room, id="once")

        assert again["reason"] == "not_shown"
