from __future__ import annotations

import random
from typing import Any

import pytest

from bots.fold import fold, view_of
from engine.seats import Seat
from engine.view import view_for
from protocol.messages import DEALS_LISTED
from server.audience import goes_elsewhere
from server.table.evolve import Step
from server.table.state import Actor
from tests.server.happenings import anything
from tests.server.tables import ANN, BOB, CAT, EVE, Driver, actor


class Reader:
    """A client that gets one snapshot and from then on only updates."""

    def __init__(self, driver: Driver, who: Actor) -> None:
        self._driver = driver
        self.who = who
        self.table = driver.snapshot(who)

    def read(self, step: Step | None) -> None:
        """Fold what the server tells of ``step``."""
        if step is not None:
            was_here = self.is_here
            self.table = fold(self.table, self._driver.update(step, self.who), self.who.player)
            if goes_elsewhere(step) or not was_here:  # a snapshot follows at once, and is the answer to who comes
                self.table = self._driver.snapshot(self.who)

    @property
    def is_here(self) -> bool:
        you = self.table["you"]
        return bool(you["seats"] or you["watching"])


def assert_in_step(driver: Driver, *readers: Reader) -> None:
    for reader in readers:
        assert reader.table == driver.snapshot(reader.who)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("game", ["fives-threes", "all-fives", "block", "draw"])
def test_a_match_folded_from_updates_is_the_snapshot_after_every_step(game: str, seats: int) -> None:
    driver = Driver(game=game, seats=seats, target=100)
    driver.say(BOB, "join")
    driver.say(EVE, "watch")
    readers = [Reader(driver, who) for who in (ANN, BOB, EVE)]
    rng = random.Random(seats)

    step = driver.say(ANN, "start")

    while driver.table.phase != "match_over":
        for reader in readers:
            reader.read(step)
        assert_in_step(driver, *readers)
        step = driver.act(rng.randrange(9)) if driver.table.turn is not None else driver.wait(1)
    for reader in readers:
        reader.read(step)
    assert_in_step(driver, *readers)
    assert readers[0].table["deals"]


@pytest.mark.parametrize("seed", range(8))
def test_whatever_people_do_at_a_table_folds_to_its_snapshot(seed: int) -> None:
    rng = random.Random(seed)
    driver = Driver(game="all-fives", seats=3, target=60, next_deal_after=5, grace=3)
    driver.say(BOB, "join")
    reader = Reader(driver, ANN)
    people = [BOB, CAT, EVE, actor("Dot", headless=True)]

    for _ in range(150):
        reader.read(anything(driver, rng, people))

        assert_in_step(driver, reader)


def test_of_a_long_match_the_last_deals_are_listed() -> None:
    driver = Driver(game="draw", target=1_000_000)
    reader = Reader(driver, ANN)
    reader.read(driver.say(ANN, "start"))

    for _ in range(DEALS_LISTED + 2):
        while driver.table.turn is not None:
            reader.read(driver.act())
        reader.read(driver.say(ANN, "next"))

    assert_in_step(driver, reader)
    assert [deal["number"] for deal in reader.table["deals"]] == list(range(3, DEALS_LISTED + 3))


def test_who_leaves_a_seat_that_was_swapped_after_the_match_is_shown_no_hand() -> None:
    driver = Driver(target=1)
    ann = Reader(driver, ANN)
    ann.read(driver.say(ANN, "start"))
    while driver.table.phase == "playing":
        ann.read(driver.act())
    ann.read(driver.say(ANN, "swap", seats=[0, 1]))

    ann.read(driver.say(ANN, "leave"))

    assert ann.table["deal"]["hands"] == {}
    assert_in_step(driver, ann)


def test_folding_leaves_the_older_snapshot_as_it_was() -> None:
    driver = Driver(game="draw", seats=2)
    driver.say(ANN, "start")
    reader = Reader(driver, ANN)
    before, kept = reader.table, driver.snapshot(ANN)

    while driver.table.turn is not None:
        reader.read(driver.act())

    assert before == kept


def test_the_view_from_a_snapshot_is_the_one_that_bots_in_process_get() -> None:
    driver = Driver(game="draw", seats=2)
    driver.say(ANN, "start")
    for _ in range(12):
        driver.act()
    match = driver.table.match
    assert match is not None

    view = view_of(driver.snapshot(ANN), Seat(0))

    assert view == view_for(match, Seat(0))


# What this server does not say yet.


def told(table: dict[str, Any], *events: dict[str, Any], me: str = "ann") -> dict[str, Any]:
    """``table`` after one more update that holds ``events``."""
    return fold(table, {"epoch": 7, "seq": table["seq"] + 1, "events": list(events), "turn": None}, me)


def table_of_ann() -> dict[str, Any]:
    driver = Driver(game="draw", seats=3)
    driver.say(ANN, "start")
    return driver.snapshot(ANN)


def test_readers_are_listed_until_they_go_on() -> None:
    both = told(table_of_ann(), {"type": "paused", "seat": 2}, {"type": "paused", "seat": 0})

    one = told(both, {"type": "continued", "seat": 2})

    assert (both["paused"], one["paused"]) == ([0, 2], [0])


ASKED = {"type": "asked", "ask": 12, "what": "undo", "seat": 0, "to": 9, "need": [1, 2]}


def test_a_request_is_open_until_everybody_has_agreed() -> None:
    asked = told(table_of_ann(), ASKED)

    one_agreed = told(asked, {"type": "answered", "ask": 12, "seat": 1, "yes": True, "state": "open"})
    all_agreed = told(one_agreed, {"type": "answered", "ask": 12, "seat": 2, "yes": True, "state": "agreed"})

    assert asked["ask"] == {"ask": 12, "what": "undo", "seat": 0, "to": 9, "need": [1, 2]}
    assert one_agreed["ask"]["need"] == [2]
    assert all_agreed["ask"] is None


def test_a_play_leaves_nothing_to_bring_back() -> None:
    driver = Driver(game="draw", seats=2)
    driver.say(ANN, "start")
    reader = Reader(driver, ANN)
    reader.table["redo"] = 3

    reader.read(driver.act())

    assert reader.table["redo"] == 0


def test_a_match_that_begins_again_is_practice_and_the_next_one_is_not() -> None:
    driver = Driver(game="block", seats=2)
    driver.say(ANN, "start")
    before = driver.snapshot(ANN)
    begun_again = driver.say(ANN, "restart")
    practice = driver.snapshot(ANN)
    begun = driver.say(ANN, "new_game")

    assert before["practice"] is False
    assert fold(before, driver.update(begun_again, ANN), "ann")["practice"] is True  # type: ignore[arg-type]
    assert fold(practice, driver.update(begun, ANN), "ann")["practice"] is False  # type: ignore[arg-type]


def test_an_event_that_is_not_known_changes_nothing_but_the_step() -> None:
    table = table_of_ann()

    after = told(table, {"type": "confetti", "seat": 1})

    assert after == table | {"seq": table["seq"] + 1, "turn": None}


def test_what_belongs_to_the_message_does_not_stay_with_the_table() -> None:
    after = told(table_of_ann() | {"re": "a-1", "reset": True})

    assert not {"re", "reset"} & after.keys()
