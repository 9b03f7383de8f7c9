"""Where a record says that a take-back leads: to the one step that the rules give, and every other is found (U1-U3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from protocol.convert import Wire
from server.records.form import read
from server.records.verify import verify
from server.table.state import Phase
from tests.server.asking import ask
from tests.server.record_changes import changed, faults
from tests.server.recorded import records_of
from tests.server.tables import ANN, BOB, Driver

TAKE_BACKS = ("undone", "redone", "restarted", "asked")


def alone() -> Wire:
    """Ann against a bot: she takes back, brings again and begins anew, with talk in between."""
    driver = Driver(game="block", seats=2, seed=29, target=1)
    driver.say(ANN, "start")
    for kinds in (["undo"], ["undo", "undo", "redo"], ["undo", "redo", "undo"], ["restart"], ["undo", "redo"]):
        for _ in range(4):
            driver.act()
        for kind in kinds:
            driver.now += 15
            driver.say(ANN, "react", key="oops")
            driver.say(ANN, kind)
    return end_match(driver)


def by_consent() -> Wire:
    """Ann and Bob over the network: each asks the other, who agrees."""
    driver = Driver(game="block", seats=2, seed=5, target=60)
    driver.say(BOB, "join")
    driver.say(ANN, "start")
    for asker, other in ((ANN, BOB), (BOB, ANN)):
        for kinds in (["undo", "redo"], ["restart"]):
            for _ in range(4):
                driver.act()
            for kind in kinds:
                driver.now += 15
                driver.say(BOB, "react", key="oops")
                driver.say(other, "consent", ask=ask(driver, asker, kind), yes=True)
    return end_match(driver)


def played_for() -> Wire:
    """Bob asks to take back what he did himself, not what a bot did for him when he was away, or his time ran out."""
    driver = Driver(game="block", seats=2, seed=5, target=1, lead=0, grace=0, turn_timer=10)
    driver.say(BOB, "join")
    driver.say(ANN, "start")
    driver.choose(ANN)
    driver.choose(BOB)
    driver.lose(BOB)
    driver.wait(1)
    driver.choose(ANN)
    driver.act()
    driver.say(BOB, "sync")
    driver.say(ANN, "consent", ask=ask(driver, BOB), yes=True)
    driver.choose(BOB, 1)
    driver.choose(ANN)
    driver.time_out()
    driver.say(ANN, "consent", ask=ask(driver, BOB), yes=True)
    return end_match(driver)


def end_deal(driver: Driver) -> None:
    """Play the deal to its end and begin the next one, unless the match is over."""
    driver.play_deal()
    if driver.table.phase is Phase.DEAL_OVER:
        driver.say(ANN, "next")
        driver.say(BOB, "next")


def end_match(driver: Driver) -> Wire:
    while driver.table.phase is not Phase.MATCH_OVER:
        end_deal(driver)
    return records_of(driver)[0]


def places(record: Wire) -> Iterator[tuple[tuple[Any, ...], int]]:
    """Every take-back, and every request for one, that says where it leads."""
    for number, step in enumerate(record["steps"]):
        for place, event in enumerate(step["events"]):
            if event["type"] in TAKE_BACKS and "to" in event:
                yield ("steps", number, "events", place, "to"), event["to"]


@pytest.mark.parametrize("match", [alone, by_consent, played_for])
def test_a_take_back_leads_to_one_step_and_no_other(match: Callable[[], Wire]) -> None:
    record = match()
    assert verify(read(record)).faults == ()

    told = list(places(record))
    for path, to in told:
        for other in (*range(to - 5, to), *range(to + 1, to + 6), 10_000):
            (fault,) = faults(changed(record, path, max(1, other)))
            assert ".to: " in fault

    assert told


def test_what_was_agreed_on_is_what_is_taken_back() -> None:
    record = by_consent()
    path, _ = next(place for place in places(record) if record["steps"][place[0][1]]["events"][0]["type"] == "asked")
    asked = record["steps"][path[1]]["events"][0]

    found = faults(changed(record, (*path[:-1], "what"), "new_game"))

    assert asked["what"] == "undo"
    assert "asked.to: " in found[0]


def test_what_was_not_taken_back_is_not_brought_again() -> None:
    record = alone()
    step = next(step for step in record["steps"] if step["events"][0]["type"] == "redone")
    step["events"] *= 2

    assert "redone.to: " in faults(record)[0]
