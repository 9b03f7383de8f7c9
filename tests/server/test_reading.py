"""Bots hold while somebody reads (T4)."""

from __future__ import annotations

from typing import Any

import pytest

from protocol.errors import RefusalReason
from server.table.decide import Lost, Restarted, Returned
from server.table.reading import READING
from server.table.timers import bot_turn, time_left
from tests.server.tables import ANN, BOB, DAN, EVE, Driver, actor, kinds, refused

ROBO = actor("Robo", headless=True)


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


def test_a_headless_bot_holds_while_somebody_reads_and_is_told_its_turn_again() -> None:
    driver = Driver(seats=2, game="block", lead=1)
    driver.say(ROBO, "join")
    driver.say(ANN, "start")
    driver.say(ANN, "pause")

    refusal = refused(driver, ROBO, "act", seq=driver.table.seq, action=driver.legal()[0])
    step = driver.say(ANN, "continue")
    assert step is not None
    told = driver.update(step, ROBO)

    assert (refusal.code, refusal.reason) == ("refused", RefusalReason.PAUSED)
    assert told["turn"]["legal"][0]["action"] == driver.legal()[0]
    driver.choose(ROBO)


@pytest.mark.parametrize("computer", ["house", "headless", "covered"])
def test_the_time_of_a_computer_begins_anew_when_nobody_reads_any_more(computer: str) -> None:
    driver = Driver(seats=3, game="block", lead=1, turn_timer=10, bot_delay=2, absence="wait")
    driver.say({"house": DAN, "headless": ROBO, "covered": BOB}[computer], "join", seat=2 if computer == "house" else 1)
    driver.say(ANN, "start")
    if computer == "covered":
        driver.lose(BOB)
        driver.say(ANN, "cover", seat=1)
    driver.say(ANN, "pause")
    driver.now += 8
    driver.say(ANN, "pause")
    driver.now += 8

    while_reading = time_left(driver.table, driver.now), bot_turn(driver.table)
    driver.say(ANN, "continue")

    assert while_reading == (None, None)
    assert time_left(driver.table, driver.now) == 10
    assert bot_turn(driver.table) == (None if computer == "headless" else driver.now + 2)


def test_the_time_of_a_person_runs_on_while_somebody_reads() -> None:
    driver = Driver(seats=2, game="block", lead=0, turn_timer=10)
    driver.say(ANN, "start")
    driver.say(ANN, "pause")
    driver.now += 4

    assert time_left(driver.table, driver.now) == 6
    driver.say(ANN, "continue")
    assert time_left(driver.table, driver.now) == 6


def test_to_say_again_that_one_reads_gives_no_more_time() -> None:
    driver = bot_in_turn(BOB)
    driver.say(ANN, "pause")
    driver.now += READING - 1
    driver.say(ANN, "pause")

    assert kinds(driver.wait(1)) == ["Continued"]
    assert bot_turn(driver.table) is not None


@pytest.mark.parametrize("seconds", [0.5, 7, READING - 1])
def test_to_read_on_and_off_holds_the_bot_in_turn_for_no_longer(seconds: float) -> None:
    driver = bot_in_turn(BOB)
    began = driver.now
    while driver.now < began + READING:
        driver.say(ANN, "pause")
        driver.now += seconds
        driver.say(ANN, "continue")
    waits_until = bot_turn(driver.table)

    step = driver.say(ANN, "pause")

    assert step is None
    assert bot_turn(driver.table) == waits_until


def test_who_has_read_for_long_in_one_choice_may_read_again_in_the_next() -> None:
    driver = bot_in_turn(BOB)
    driver.say(ANN, "pause")
    driver.wait(READING)
    driver.act()

    assert kinds(driver.say(ANN, "pause")) == ["Paused"]


def test_who_comes_back_to_a_table_that_everybody_had_left_may_read_again_in_the_same_choice() -> None:
    driver = bot_in_turn(BOB)
    driver.say(ANN, "pause")
    driver.wait(READING)
    driver.serve(Restarted())
    for who in (ANN, BOB):
        driver.serve(Returned(who))

    assert kinds(driver.say(ANN, "pause")) == ["Paused"]
    assert driver.wait(READING - 0.1) is None
    assert kinds(driver.wait(0.1)) == ["Continued"]


def test_a_program_that_reads_holds_the_bots_of_one_person_for_half_a_minute() -> None:
    driver = bot_in_turn(ROBO)
    driver.say(ROBO, "pause")

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
