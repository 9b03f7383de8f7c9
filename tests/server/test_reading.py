"""Bots hold while somebody reads (T4)."""

from __future__ import annotations

from typing import Any

from server.table.decide import Lost
from server.table.reading import READING
from server.table.timers import bot_turn
from tests.server.tables import ANN, BOB, EVE, Driver, actor, kinds, refused


def bot_in_turn(*people: Any) -> Driver:
    driver = Driver(seats=3, game="block", lead=2)
    for who in people:
        driver.say(who, "join")
    driver.say(ANN, "start")
    assert bot_turn(driver.table) is not None
    return driver


def test_bots_hold_until_the_reader_goes_on() -> None:
    driver = bot_in_turn()

    step = driver.say(ANN, "pause")
    while_reading = bot_turn(driver.table)
    shown = driver.snapshot(ANN)["paused"]
    driver.now += 10_000
    driver.say(ANN, "continue")

    assert kinds(step) == ["Paused"]
    assert (while_reading, shown) == (None, [0])
    assert driver.snapshot(ANN)["paused"] == []
    assert bot_turn(driver.table) is not None


def test_to_read_twice_is_to_read_on_and_to_go_on_twice_is_no_step() -> None:
    driver = bot_in_turn()
    driver.say(ANN, "pause")

    assert kinds(driver.say(ANN, "pause")) == ["Paused"]
    driver.say(ANN, "continue")
    assert driver.say(ANN, "continue") is None


def test_a_program_that_reads_holds_the_bots_of_one_person_for_half_a_minute() -> None:
    robo = actor("Robo", headless=True)
    driver = bot_in_turn(robo)
    driver.say(robo, "pause")

    assert driver.wait(READING - 0.1) is None
    assert kinds(driver.wait(0.1)) == ["Continued"]


def test_who_reads_is_gone_when_somebody_else_has_the_seat() -> None:
    driver = bot_in_turn(BOB)
    driver.say(BOB, "pause")
    driver.say(BOB, "leave")

    assert driver.snapshot(ANN)["paused"] == []


def test_alone_one_may_read_for_as_long_as_one_likes() -> None:
    driver = bot_in_turn()
    driver.say(ANN, "pause")

    assert driver.wait(10_000) is None


def test_where_people_sit_at_several_devices_each_may_read_for_half_a_minute() -> None:
    driver = bot_in_turn(BOB)
    driver.say(ANN, "pause")
    driver.now += 10
    driver.say(BOB, "pause")

    assert driver.wait(READING - 10 - 0.1) is None
    assert kinds(driver.wait(0.1)) == ["Continued"]
    assert driver.snapshot(ANN)["paused"] == [1]
    assert kinds(driver.wait(10)) == ["Continued"]
    assert bot_turn(driver.table) is not None


def test_a_reader_who_goes_away_or_leaves_holds_nobody() -> None:
    driver = bot_in_turn(BOB)
    driver.say(ANN, "pause")
    driver.say(BOB, "pause")

    assert "Continued" in kinds(driver.serve(Lost(BOB.player)))
    assert "Continued" in kinds(driver.say(ANN, "leave"))


def test_people_may_act_while_somebody_reads() -> None:
    driver = Driver(seats=3, game="block", lead=0)
    driver.say(BOB, "join")
    driver.say(ANN, "start")
    driver.say(BOB, "pause")

    driver.choose(ANN)
    driver.choose(BOB)

    assert driver.snapshot(ANN)["paused"] == [1]


def test_who_watches_holds_nobody() -> None:
    driver = bot_in_turn()
    driver.say(EVE, "watch")

    assert refused(driver, EVE, "pause").code == "not_seated"
