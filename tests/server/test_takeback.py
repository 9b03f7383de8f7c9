"""Taking back and bringing again, at a table with one person (U1, U2)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine.events import DealStarted, Drew
from protocol.errors import RefusalReason
from server.table import line
from server.table.events import MatchOver, MatchStarted
from server.table.state import Phase, Table
from tests.server.tables import ANN, BOB, Driver, kinds, refused


def position(table: Table) -> Any:
    """All of a match that goes back and forth."""
    return table.match, table.phase, table.deals, table.deal_events, table.scores


def started(**settings: Any) -> Driver:
    chosen: dict[str, Any] = {"lead": 0, "target": 100_000}
    driver = Driver(**chosen | settings)
    driver.say(ANN, "start")
    return driver


def until_turn(driver: Driver, seat: int = 0) -> Any:
    """Bots act, and deals begin, until it is this seat's turn. Gives the position then."""
    while driver.table.turn != seat:
        if driver.table.phase is Phase.DEAL_OVER:
            driver.say(ANN, "next")
        else:
            driver.act()
    return position(driver.table)


@pytest.mark.parametrize("game", ["fives-threes", "all-fives", "block", "draw"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_whatever_is_taken_back_and_brought_again_the_match_is_the_one_of_the_acts_that_count(
    game: str, seats: int
) -> None:
    rng = random.Random(f"{game} {seats}")
    driver = started(game=game, seats=seats)
    past: list[Any] = []
    future: list[Any] = []

    for _ in range(400):
        here = until_turn(driver)
        doing = rng.choices(["act", "undo", "redo"], [5, 3, 2])[0]
        if doing == "act":
            driver.choose(ANN, rng.randrange(9))
            past.append(here)
            future.clear()
        elif doing == "undo" and past:
            driver.say(ANN, "undo")
            future.append(here)
            assert position(driver.table) == past.pop()
        elif doing == "redo" and future:
            driver.say(ANN, "redo")
            past.append(here)
            assert position(driver.table) == future.pop()
    assert len(driver.table.deals) > 1


def test_the_first_act_can_be_taken_back_from_the_end_of_a_later_deal() -> None:
    driver = started(game="draw")
    first = until_turn(driver)
    while driver.table.phase is not Phase.DEAL_OVER or len(driver.table.deals) < 2:
        until_turn(driver)
        driver.choose(ANN)
        while driver.table.turn == 1:
            driver.act()

    while driver.table.line[-1].by or any(moved.by for moved in driver.table.line):
        driver.say(ANN, "undo")

    assert position(driver.table) == first
    assert refused(driver, ANN, "undo").reason == RefusalReason.NOTHING_TO_UNDO


def test_a_draw_taken_back_and_made_again_gives_the_same_tile() -> None:
    driver = started(game="draw")
    until_turn(driver)
    step = driver.choose(ANN)
    while not any(isinstance(event, Drew) for event in step.events):
        until_turn(driver)
        step = driver.choose(ANN)

    driver.say(ANN, "undo")
    again = driver.choose(ANN)

    assert again.events == step.events


def test_what_can_be_brought_again_is_counted_and_gone_with_the_next_act() -> None:
    driver = started(seats=3, game="block")
    for _ in range(2):
        until_turn(driver)
        driver.choose(ANN)
    until_turn(driver)

    driver.say(ANN, "undo")
    once = driver.snapshot(ANN)["redo"]
    driver.say(ANN, "undo")
    twice = driver.snapshot(ANN)["redo"]
    driver.choose(ANN)

    assert (once, twice) == (3, 6)
    assert driver.snapshot(ANN)["redo"] == 0
    assert refused(driver, ANN, "redo").reason == RefusalReason.NOTHING_TO_REDO


def test_an_act_chosen_before_the_undo_is_stale() -> None:
    driver = started()
    until_turn(driver)
    chosen = {"seq": driver.table.seq, "action": driver.legal()[0]}
    driver.choose(ANN)
    driver.say(ANN, "undo")

    assert refused(driver, ANN, "act", **chosen).code == "stale"


def test_a_time_out_is_taken_back_with_the_act_before_it() -> None:
    driver = started(seats=2, game="block", turn_timer=10)
    before = until_turn(driver)
    driver.choose(ANN)
    until_turn(driver)
    timed_out = driver.time_out()

    driver.say(ANN, "undo")

    assert kinds(timed_out)[0] == "TimedOut"
    assert position(driver.table) == before


def test_a_match_that_has_ended_is_not_taken_back() -> None:
    driver = started(target=1)
    while driver.table.phase is not Phase.MATCH_OVER:
        until_turn(driver)
        driver.choose(ANN)
        while driver.table.turn not in (0, None):
            driver.act()

    for kind in ("undo", "redo", "restart"):
        assert refused(driver, ANN, kind).reason == RefusalReason.MATCH_OVER


def test_nothing_is_taken_back_past_somebodys_coming() -> None:
    driver = started(game="block")
    until_turn(driver)
    driver.choose(ANN)
    driver.say(BOB, "join")
    while driver.table.phase is not Phase.DEAL_OVER:
        driver.act()
    driver.say(BOB, "leave")

    assert refused(driver, ANN, "undo").reason == RefusalReason.NOTHING_TO_UNDO


def test_the_deals_that_can_be_gone_back_to_are_bounded() -> None:
    driver = started(game="block")

    for _ in range(line.MAX_DEALS + 5):
        while driver.table.phase is not Phase.DEAL_OVER:
            if driver.table.turn == 0:
                driver.choose(ANN)
            else:
                driver.act()
        driver.say(ANN, "next")
    deals = [event.number for moved in driver.table.line for event in moved.events if isinstance(event, DealStarted)]
    while any(moved.by for moved in driver.table.line):
        driver.say(ANN, "undo")

    newest = line.MAX_DEALS + 6
    assert deals == list(range(newest - line.MAX_DEALS + 1, newest + 1))
    assert driver.table.match is not None
    assert driver.table.match.deal is not None
    assert driver.table.match.deal.number == deals[0]
    assert driver.table.match.deal.scores == driver.table.deals[-1].ended.scores


def test_a_match_begins_again_with_the_same_deal_and_no_points() -> None:
    driver = started(seats=2, game="fives-threes")
    first = position(driver.table)
    while len(driver.table.deals) < 1:
        until_turn(driver)
        driver.choose(ANN)

    step = driver.say(ANN, "restart")

    assert kinds(step) == ["PlayedAgain"]
    assert position(driver.table) == first
    assert refused(driver, ANN, "undo").reason == RefusalReason.NOTHING_TO_UNDO
    assert driver.snapshot(ANN)["redo"] == 0


def test_a_match_begun_again_is_practice_until_the_next_one() -> None:
    driver = started(seats=2, game="block")
    before = driver.snapshot(ANN)["practice"]
    driver.choose(ANN)
    driver.say(ANN, "restart")
    begun_again = driver.snapshot(ANN)["practice"]
    driver.choose(ANN)
    driver.say(ANN, "undo")
    taken_back = driver.snapshot(ANN)["practice"]

    driver.say(ANN, "new_game")

    assert (before, begun_again, taken_back) == (False, True, True)
    assert driver.snapshot(ANN)["practice"] is False


def test_the_second_deal_of_a_match_begun_again_is_the_same_too() -> None:
    driver = started(seats=2, game="block")
    second = []
    for _ in range(2):
        while not driver.table.deals:
            until_turn(driver)
            driver.choose(ANN)
        assert driver.table.match is not None
        second.append(driver.table.deal_events[0])
        driver.say(ANN, "restart")

    assert second[0] == second[1]


def test_a_new_game_ends_the_running_match_and_begins_another_with_its_own_seed() -> None:
    driver = started()
    before = driver.snapshot(ANN)
    driver.choose(ANN)

    step = driver.say(ANN, "new_game")

    assert step is not None
    over, begun = step.events[0], step.events[1]
    assert isinstance(over, MatchOver)
    assert over.winner is None
    assert isinstance(begun, MatchStarted)
    assert begun.commitment == before["next_commitment"]
    assert driver.snapshot(ANN)["commitment"] == before["next_commitment"]
    assert refused(driver, ANN, "undo").reason == RefusalReason.NOTHING_TO_UNDO


@pytest.mark.parametrize("until", [Phase.PLAYING, Phase.DEAL_OVER])
def test_entropy_given_during_a_match_counts_in_the_new_game(until: Phase) -> None:
    driver = started(target=100_000, game="block")
    while driver.table.phase is not until:
        driver.act()
    driver.say(ANN, "next", entropy="ab" * 32)

    step = driver.say(ANN, "new_game")

    assert step is not None
    (begun,) = (event for event in step.events if isinstance(event, MatchStarted))
    assert begun.entropy == (("ann", "ab" * 32),)


def test_the_choice_that_was_taken_back_has_its_full_time_again() -> None:
    driver = started(game="block", turn_timer=60)
    driver.now += 50
    driver.choose(ANN)
    driver.act()
    driver.now += 50

    driver.say(ANN, "undo")

    assert driver.snapshot(ANN)["turn"]["left"] == 60


def test_nobody_is_ready_in_a_deal_that_was_gone_back_to() -> None:
    driver = started(game="block", seats=3)
    driver.play_deal()
    driver.say(ANN, "undo")

    assert not any(place.ready for place in driver.table.places)
    assert driver.table.phase is Phase.PLAYING
