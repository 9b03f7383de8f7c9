"""Rows M of docs/faults.md: hosts who go, and matches that follow each other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from server.table.decide import Lost
from server.table.events import MatchStarted
from server.table.state import Phase, Presence
from tests.server.rooms import open_house
from tests.server.tables import ANN, BOB, CAT, DAN, Driver, kinds, refused

PEOPLE = (ANN, BOB, CAT, DAN)


def table_for(people: int, **settings: Any) -> Driver:
    chosen: dict[str, Any] = {"seats": people, "game": "block", "target": 1}
    driver = Driver(**chosen | settings)
    for who in PEOPLE[1:people]:
        driver.say(who, "join")
    return driver


def in_play(driver: Driver) -> None:
    driver.say(ANN, "start")


def between_deals(driver: Driver) -> None:
    driver.say(ANN, "start")
    driver.play_deal()


def after_the_match(driver: Driver) -> None:
    driver.say(ANN, "start")
    while driver.table.phase is not Phase.MATCH_OVER:
        driver.play_deal()
        for who in PEOPLE[: driver.table.settings.seats]:
            if driver.table.phase is Phase.DEAL_OVER:
                driver.say(who, "next")


def go_on(driver: Driver) -> None:
    """Who is left does what comes next, and it happens."""
    match driver.table.phase:
        case Phase.LOBBY:
            driver.say(BOB, "start")
        case Phase.DEAL_OVER | Phase.MATCH_OVER:
            for who in (BOB, CAT):
                driver.say(who, "next")
        case Phase.PLAYING:
            pass
    assert driver.table.phase is Phase.PLAYING
    while driver.table.turn == 0:
        driver.act()
    driver.choose(PEOPLE[driver.table.turn or 0])


@pytest.mark.parametrize(
    ("until", "target"),
    [(lambda _: None, 1), (in_play, 1), (between_deals, 1000), (after_the_match, 1)],
    ids=["lobby", "in play", "between deals", "after the match"],
)
def test_the_others_go_on_when_the_host_leaves(until: Callable[[Driver], None], target: int) -> None:
    """M1: at whatever moment."""
    driver = table_for(3, target=target)
    until(driver)

    driver.say(ANN, "leave")

    assert driver.table.host == BOB.player
    go_on(driver)


@pytest.mark.parametrize("target", [1, 1000], ids=["after the match", "between deals"])
def test_a_host_who_stands_up_and_watches_keeps_nobody_from_going_on(target: int) -> None:
    """M2."""
    driver = table_for(3, target=target)
    (after_the_match if target == 1 else between_deals)(driver)
    driver.say(ANN, "leave")
    driver.say(ANN, "watch")

    go_on(driver)

    assert driver.table.watchers == {ANN.player: "Ann"}


def test_nobody_can_be_removed_in_their_turn_and_who_goes_in_it_leaves_it_to_a_bot() -> None:
    """M4."""
    driver = table_for(2, lead=1, target=1000)
    driver.say(ANN, "start")

    removal = refused(driver, ANN, "remove", seat=1)
    driver.say(BOB, "leave")
    driver.act()

    assert removal.code == "already_started"
    assert driver.place(1).bot == "club"
    assert driver.table.turn == 0


def rematch(driver: Driver, *people: Any) -> list[str]:
    """These people are ready for another match; what the last of them brought about."""
    steps = [driver.say(who, "next") for who in people]
    return kinds(steps[-1])


def test_all_four_who_want_another_match_have_it_on_their_seats() -> None:
    """M5."""
    driver = table_for(4)
    after_the_match(driver)
    before = [place.player for place in driver.table.places]

    begun = rematch(driver, ANN, BOB, CAT, DAN)

    assert "MatchStarted" in begun
    assert [place.player for place in driver.table.places] == before


def test_while_one_of_four_hesitates_no_other_match_begins_and_nobody_is_dropped() -> None:
    """M5: three are ready within ten seconds."""
    driver = table_for(4)
    after_the_match(driver)

    assert rematch(driver, ANN, BOB, CAT) == ["Ready"]
    assert driver.wait(10) is None
    assert "MatchStarted" in rematch(driver, DAN)
    assert [place.player for place in driver.table.places] == [who.player for who in PEOPLE]


def test_who_is_offline_is_not_waited_for_and_keeps_the_seat() -> None:
    """M5."""
    driver = table_for(4)
    after_the_match(driver)
    driver.serve(Lost(DAN.player))

    begun = rematch(driver, ANN, BOB, CAT)

    assert "MatchStarted" in begun
    assert (driver.place(3).player, driver.place(3).presence) == (DAN.player, Presence.AWAY)


def test_another_match_has_the_same_settings() -> None:
    """M7."""
    driver = table_for(2, spectators=False, grace=7)
    after_the_match(driver)
    before = driver.snapshot(ANN)["settings"]

    step = driver.say(ANN, "new_game")
    driver.say(BOB, "consent", ask=step.seq if step else 0, yes=True)

    assert any(isinstance(event, MatchStarted) for event in driver.log[-1].events)
    assert driver.snapshot(ANN)["settings"] == before
    assert refused(driver, CAT, "watch").reason == "no_spectators"


async def test_a_private_table_is_never_offered_to_strangers() -> None:
    """M7: not in the lobby, and not after a match with free seats."""
    async with open_house() as house:
        ann, bob = house.ear(ANN), house.ear(BOB)
        room = (await ann.ask("create", settings={"game": "block", "seats": 2, "public": False}))["room"]

        found = await bob.ask("quick", game="block", seats=2)

        assert found["room"] != room
