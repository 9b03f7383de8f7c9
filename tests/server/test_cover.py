"""A bot for a seat that is away or silent, by consent of the others (U3)."""

from __future__ import annotations

import pytest

from protocol.errors import RefusalReason
from server.table.decide import Lost, Restarted, Returned
from server.table.state import Actor, Phase, Presence
from server.table.takeback import SILENT
from tests.server.asking import answers, ask, three_people
from tests.server.tables import ANN, BOB, CAT, Driver, actor, kinds, refused


def test_a_seat_that_is_away_is_covered_by_consent_and_its_holder_comes_back_at_once() -> None:
    driver = three_people(absence="wait")
    driver.serve(Lost(CAT.player))
    number = ask(driver, ANN, "cover", seat=2)
    asked = driver.snapshot(ANN)["ask"]

    step = driver.say(BOB, "consent", ask=number, yes=True)

    assert (asked["cover"], asked["need"]) == (2, [1])
    assert kinds(step) == ["Answered", "BotIn"]
    assert kinds(driver.serve(Returned(CAT))) == ["BotOut", "Back"]


def test_a_seat_that_is_in_turn_and_silent_can_be_covered_after_five_minutes() -> None:
    driver = Driver(seats=2, game="block", lead=1)
    driver.say(BOB, "join")
    driver.say(ANN, "start")
    driver.now += SILENT - 1
    too_soon = refused(driver, ANN, "cover", seat=1)
    driver.now += 1

    step = driver.say(ANN, "cover", seat=1)

    assert too_soon.reason == RefusalReason.NOT_AWAY
    assert kinds(step) == ["BotIn"]
    assert refused(driver, BOB, "act", seq=driver.table.seq, action=driver.legal()[0]).reason == RefusalReason.COVERED
    assert kinds(driver.say(BOB, "join")) == ["BotOut", "Back"]
    driver.choose(BOB)


@pytest.mark.parametrize("is_away", [True, False])
def test_a_program_that_is_away_or_silent_is_covered_like_a_person(is_away: bool) -> None:
    driver = Driver(seats=2, game="block", lead=1, absence="wait")
    driver.say(actor("Robo", headless=True), "join")
    driver.say(ANN, "start")
    if is_away:
        driver.lose(actor("Robo", headless=True))
    driver.now += 0 if is_away else SILENT

    assert kinds(driver.say(ANN, "cover", seat=1)) == ["BotIn"]
    driver.act()


def test_who_has_a_covered_seat_back_has_five_minutes_anew() -> None:
    driver = Driver(seats=2, game="block", lead=1)
    driver.say(BOB, "join")
    driver.say(ANN, "start")
    driver.now += SILENT
    driver.say(ANN, "cover", seat=1)
    driver.say(BOB, "join")

    at_once = refused(driver, ANN, "cover", seat=1)
    driver.now += SILENT

    assert at_once.reason == RefusalReason.NOT_AWAY
    assert kinds(driver.say(ANN, "cover", seat=1)) == ["BotIn"]


@pytest.mark.parametrize(("who", "seat"), [(BOB, 1), (BOB, 2), (BOB, 3)])
def test_oneself_who_is_not_in_turn_and_a_bot_cannot_be_covered(who: Actor, seat: int) -> None:
    driver = three_people()
    driver.now += SILENT

    assert refused(driver, who, "cover", seat=seat).reason == RefusalReason.NOT_AWAY


def test_a_covered_seat_cannot_be_covered_again() -> None:
    driver = three_people(grace=1)
    driver.serve(Lost(CAT.player))
    driver.wait(1)

    assert driver.place(2).presence is Presence.BOT_IN
    assert refused(driver, ANN, "cover", seat=2).reason == RefusalReason.NOT_AWAY


@pytest.mark.parametrize("ending", ["back", "left"])
def test_a_seat_is_not_covered_whose_holder_has_come_back_or_left(ending: str) -> None:
    driver = three_people(absence="wait")
    driver.serve(Lost(CAT.player))
    number = ask(driver, ANN, "cover", seat=2)

    step = driver.serve(Returned(CAT)) if ending == "back" else driver.say(CAT, "leave")

    assert answers(step) == [(0, False, "lapsed")]
    assert refused(driver, BOB, "consent", ask=number, yes=True).reason == RefusalReason.NO_SUCH_ASK
    assert driver.place(2).presence is Presence.PRESENT


def test_time_in_which_nobody_was_there_is_no_silence() -> None:
    driver = Driver(seats=2, game="block", lead=1)
    driver.say(BOB, "join")
    driver.say(ANN, "start")
    for who in (ANN, BOB):
        driver.serve(Lost(who.player))
    driver.now += 10 * SILENT
    for who in (ANN, BOB):
        driver.serve(Returned(who))

    assert refused(driver, ANN, "cover", seat=1).reason == RefusalReason.NOT_AWAY


def test_nobody_is_covered_after_a_match() -> None:
    driver = three_people(target=1)
    while driver.table.phase is not Phase.MATCH_OVER:
        driver.play_deal()
        for who in (ANN, BOB, CAT):
            if driver.table.phase is Phase.DEAL_OVER:
                driver.say(who, "next")
    driver.serve(Lost(BOB.player))

    assert refused(driver, ANN, "cover", seat=1).reason == RefusalReason.MATCH_OVER


def test_to_cover_a_seat_those_are_asked_who_are_there_and_nobody_where_none_is() -> None:
    driver = three_people(absence="wait")
    driver.serve(Lost(BOB.player))
    driver.serve(Lost(CAT.player))

    step = driver.say(ANN, "cover", seat=1)

    assert kinds(step) == ["BotIn"]


def test_who_goes_away_while_asked_to_cover_somebody_is_still_waited_for() -> None:
    driver = three_people(absence="wait")
    driver.serve(Lost(CAT.player))
    ask(driver, ANN, "cover", seat=2)

    step = driver.serve(Restarted())

    assert kinds(step) == ["Away", "Away"]
    assert driver.place(2).presence is Presence.AWAY
