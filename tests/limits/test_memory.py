"""What rooms and the journal keep in memory: so much and no more."""

from __future__ import annotations

from typing import Any

import pytest

from server.answers import MAX_PLAYERS, MAX_UNLOGGED, Answer, Answers
from server.promises import MAX_HELD
from server.table.evolve import MAX_EPOCHS, MAX_GONE, Step, evolve
from server.table.log import Cause
from server.table.state import PlayerId
from tests.fakes import FailingStore
from tests.server.rooms import open_house
from tests.server.tables import ANN, BOB, Driver, actor

LOBBY: dict[str, Any] = {"game": "draw", "seats": 3}


def test_reactions_and_entropy_of_those_who_have_left_are_forgotten() -> None:
    driver = Driver(seats=2)
    for number in range(2 * MAX_GONE):
        guest = actor(f"G{number}")
        driver.say(guest, "join")
        driver.say(guest, "react", key="hello")
        driver.say(guest, "next", entropy=f"{number:064x}")
        driver.say(guest, "leave")
        driver.now += 1

    driver.say(ANN, "next", entropy="f" * 64)

    assert len(driver.table.reactions) <= 60
    assert len(driver.table.offered) == MAX_GONE + 1
    assert driver.table.offered[ANN.player] == "f" * 64
    assert driver.table.offered[PlayerId(f"g{2 * MAX_GONE - 1}")] == f"{2 * MAX_GONE - 1:064x}"


def test_the_epochs_of_so_many_processes_are_remembered() -> None:
    table = Driver(seats=2).table
    for number in range(1, MAX_EPOCHS):
        table = evolve(table, Step(table.seq + 1, table.epoch + 1, table.at + number, ()))
    first = table.epoch_of(1)

    table = evolve(table, Step(table.seq + 1, table.epoch + 1, table.at + MAX_EPOCHS, ()))

    assert first == 7
    assert table.epoch_of(1) is None
    assert table.epoch_of(2) == 8


def cause(player: str, message_id: str) -> Cause:
    return Cause(player, message_id, "ok")


def test_the_newest_32_answers_to_a_player_are_remembered() -> None:
    answers = Answers(32)

    for number in range(33):
        answers.remember(cause("ann", f"m{number}"), number, ())
        answers.remember(cause("bob", f"m{number}"), 1000 + number, ())

    assert answers.find(ANN.player, "m0") is None
    assert [answers.find(ANN.player, f"m{number}") for number in range(1, 33)] == [
        Answer(number, "ok") for number in range(1, 33)
    ]


def test_answers_to_players_long_gone_are_forgotten_but_never_those_to_the_seated() -> None:
    answers = Answers(32)
    seated = [ANN.player, None]
    for player in ("ann", "bob", *(f"p{number}" for number in range(MAX_PLAYERS))):
        answers.remember(cause(player, "m"), 7, seated)
    at_the_limit = answers.find(BOB.player, "m")

    answers.remember(cause("one more", "m"), 7, seated)

    assert at_the_limit == Answer(7, "ok")
    assert answers.find(ANN.player, "m") == Answer(7, "ok")
    assert answers.find(BOB.player, "m") is None
    assert answers.find(PlayerId("one more"), "m") == Answer(7, "ok")


def test_so_many_messages_that_changed_nothing_wait_for_the_next_step() -> None:
    answers = Answers(0)
    for number in range(MAX_UNLOGGED):
        answers.remember_unchanged(cause("ann", f"m{number}"), 7, ())
    at_the_limit = [unlogged.cause.id for unlogged in answers.unlogged]

    answers.remember_unchanged(cause("ann", "past"), 7, ())

    assert at_the_limit == [f"m{number}" for number in range(MAX_UNLOGGED)]
    assert [unlogged.cause.id for unlogged in answers.unlogged] == [*at_the_limit[1:], "past"]


async def test_while_the_store_hangs_so_many_answers_wait_and_more_are_unavailable() -> None:
    store = FailingStore()
    async with open_house(store) as house:
        ann, bob = house.ear(ANN), house.ear(BOB)
        room = (await ann.ask("create", settings=LOBBY))["room"]
        await bob.ask("join", room=room)
        store.gate.clear()
        ann.say("react", room=room, key="wow")

        waiting = [bob.say("sync", room=room) for _ in range(MAX_HELD)]
        past = bob.say("sync", room=room)
        refusal = bob.answer(past)
        store.gate.set()
        await house.settle()

        assert refusal["code"] == "unavailable"
        assert {bob.answer(message)["type"] for message in waiting} == {"snapshot"}


async def test_while_the_store_hangs_so_many_steps_wait_and_more_are_unavailable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("server.journal.MAX_PENDING", 3)
    store = FailingStore()
    async with open_house(store) as house:
        ann, bob = house.ear(ANN), house.ear(BOB)
        room = (await ann.ask("create", settings=LOBBY))["room"]
        store.gate.clear()
        said = []
        for _ in range(1 + 3 + 1):  # one on its way, those that wait, and one more
            house.clock.advance(3)
            said.append(ann.say("react", room=room, key="wow"))
            await house.settle()
        opened = bob.say("create", settings=LOBBY)

        at_once = bob.answer(opened)
        store.gate.set()
        await house.settle()

        assert at_once["code"] == "unavailable"
        assert [ann.answer(message)["type"] for message in said] == ["ok"] * 4 + ["error"]
        assert ann.answer(said[-1])["code"] == "unavailable"
        assert (await bob.ask("create", settings=LOBBY))["type"] == "snapshot"
