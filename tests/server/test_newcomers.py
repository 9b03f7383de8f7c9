from __future__ import annotations

import pytest

from protocol.errors import ErrorCode, RefusalReason
from server.table.decide import Lost
from server.table.state import Actor, Phase
from tests.server.asking import ask, two_people
from tests.server.tables import ANN, BOB, CAT, DAN, EVE, Driver, actor, kinds, refused


def test_a_newcomer_alone_at_a_table_of_bots_has_the_seat_when_the_deal_is_over() -> None:
    table = Driver(seats=2)
    table.say(ANN, "start")
    table.say(ANN, "leave")
    assert table.table.is_deserted

    table.say(BOB, "join")

    assert not table.table.is_deserted
    table.play_deal()
    assert [place.player for place in table.table.places].count(BOB.player) == 1
    assert table.table.host == BOB.player


def test_a_bot_plays_for_the_absent_while_a_newcomer_waits() -> None:
    table = Driver(seats=2, grace=5)
    table.say(ANN, "start")
    table.serve(Lost(ANN.player))
    table.say(BOB, "join")

    assert kinds(table.wait(6)) == ["BotIn"]


def test_the_host_part_of_who_is_away_goes_to_somebody_who_is_there_also_in_a_match() -> None:
    table = Driver(seats=3, grace=5)
    table.say(BOB, "join")
    table.say(ANN, "start")
    table.serve(Lost(ANN.player))

    steps = [kinds(table.wait(6)), kinds(table.wait(0))]

    assert steps == [["Host"], ["BotIn"]]
    assert table.table.host == BOB.player


def test_who_comes_later_gets_the_host_part_of_who_has_been_away_for_long() -> None:
    table = Driver(seats=2, grace=5)
    table.say(ANN, "start")
    table.serve(Lost(ANN.player))
    table.say(BOB, "join")
    table.wait(6)
    table.play_deal()

    assert kinds(table.wait(0)) == ["Host"]
    assert table.table.host == BOB.player


def test_who_takes_the_own_seat_back_waits_for_no_other() -> None:
    table = Driver(seats=3)
    table.say(BOB, "join")
    table.say(ANN, "start")
    table.say(BOB, "leave")
    table.say(BOB, "join", seat=2)

    step = table.say(BOB, "join", seat=1)

    assert kinds(step) == ["Coming", "Seated", "Watchers"]
    assert table.place(1).name == "Bob"
    assert table.place(2).coming is None
    assert kinds(table.say(DAN, "join")) == ["Coming", "Watchers"]


def test_who_waited_for_a_seat_that_its_holder_took_back_waits_for_another() -> None:
    table = Driver(seats=3)
    table.say(BOB, "join")
    table.say(ANN, "start")
    table.say(BOB, "leave")
    table.say(DAN, "join", seat=1)

    step = table.say(BOB, "join")

    assert kinds(step) == ["Coming", "Coming", "Seated"]
    assert table.place(1).player == BOB.player
    table.play_deal()
    assert table.place(2).player == DAN.player


def test_who_waited_for_the_only_seat_is_told_that_it_is_gone() -> None:
    table = Driver(seats=2)
    table.say(BOB, "join")
    table.say(ANN, "start")
    table.say(BOB, "leave")
    table.say(DAN, "join")

    table.say(BOB, "join")

    assert table.table.coming_of(DAN.player) is None
    assert table.snapshot(DAN)["you"]["watching"] is True
    assert refused(table, DAN, "join").code is ErrorCode.ROOM_FULL


def test_between_deals_nobody_waits_for_a_newcomers_claim() -> None:
    table = Driver(seats=3)
    table.say(ANN, "start")
    table.say(CAT, "join")
    table.serve(Lost(CAT.player))
    table.play_deal()

    assert table.table.phase is Phase.DEAL_OVER
    assert kinds(table.say(EVE, "join", seat=1)) == ["Seated"]


@pytest.mark.parametrize("kind", ["undo", "restart"])
def test_who_leaves_after_something_was_taken_back_may_have_the_own_hand_again_at_once(kind: str) -> None:
    driver = Driver(seats=3, local=2, game="block", lead=0, target=100_000)
    driver.say(ANN, "start")
    driver.play_deal()
    driver.say(ANN, "next")
    driver.choose(ANN) if driver.table.turn in (0, 1) else driver.act()
    driver.say(ANN, kind)
    driver.say(ANN, "leave")

    driver.say(ANN, "join")

    assert [place.player for place in driver.table.places] == [ANN.player, ANN.player, None]
    assert driver.table.eyes[ANN.player] == (0, 1)


def test_over_the_network_who_leaves_after_a_restart_may_have_the_own_hand_again_at_once() -> None:
    driver = two_people()
    driver.play_deal()
    driver.say(BOB, "consent", ask=ask(driver, kind="restart"), yes=True)
    driver.say(BOB, "leave")

    step = driver.say(BOB, "join")

    assert kinds(step)[0] == "Seated"
    assert list(driver.snapshot(BOB)["deal"]["hands"]) == ["1"]


def test_who_had_left_before_the_match_began_again_comes_to_a_deal_that_nobody_has_seen() -> None:
    driver = two_people()
    driver.say(BOB, "leave")
    driver.play_deal()
    driver.say(ANN, "restart")

    step = driver.say(BOB, "join")

    assert kinds(step)[0] == "Coming"
    play_solo(driver, until="deal_over")
    assert driver.place(1).player == BOB.player


@pytest.mark.parametrize("newcomer", [BOB, actor("Robo", headless=True)])
def test_the_act_at_whose_end_somebody_sat_down_is_not_taken_back(newcomer: Actor) -> None:
    driver = Driver(seats=2, game="block", lead=0, target=100_000, seed=2)
    driver.say(ANN, "start")
    driver.say(newcomer, "join")
    play_solo(driver, until="deal_over")

    assert driver.table.deal_events[-2].seat == 0  # type: ignore[union-attr]
    assert driver.place(1).player == newcomer.player
    assert refused(driver, ANN, "undo").reason == RefusalReason.NOTHING_TO_UNDO


def test_nobody_comes_back_to_a_hand_that_others_may_have_seen_played_and_taken_back() -> None:
    driver = Driver(seats=2, game="draw", lead=0, target=100_000)
    driver.say(BOB, "join")
    driver.say(ANN, "start")
    driver.say(BOB, "leave")
    driver.choose(ANN)
    while driver.table.turn == 1:
        driver.act()
    driver.say(ANN, "undo")

    step = driver.say(BOB, "join")

    assert kinds(step)[0] == "Coming"
    assert driver.table.eye(BOB.player) is None


def test_nobody_sits_down_to_a_deal_that_was_seen_already() -> None:
    driver = Driver(seats=2, game="block", lead=0, target=100_000)
    driver.say(ANN, "start")
    while len(driver.table.deals) < 1:
        play_solo(driver)
    play_solo(driver, until="deal_over")
    while driver.table.match is not None and driver.table.match.deal is not None and driver.table.match.deal.number > 1:
        driver.say(ANN, "undo")
    driver.say(BOB, "join")
    play_solo(driver, until="deal_over")
    waits = driver.place(1)
    driver.say(ANN, "next")
    second = driver.place(1)
    play_solo(driver, until="deal_over")

    assert (waits.player, second.player) == (None, None)
    assert driver.place(1).player == BOB.player


def test_nobody_sits_down_between_deals_if_a_device_has_seen_the_next_hands() -> None:
    driver = Driver(seats=3, game="block", local=2, names=["Kid"], lead=0, target=100_000)
    driver.say(ANN, "start")
    play_device_deal(driver)
    driver.say(ANN, "next")
    seen = driver.snapshot(ANN)["deal"]["number"]
    while driver.snapshot(ANN)["deal"]["number"] == seen:
        driver.say(ANN, "undo")
    play_device_deal(driver)

    step = driver.say(DAN, "join")
    driver.say(ANN, "next")

    assert kinds(step)[0] == "Coming"
    assert driver.table.eye(DAN.player) is None
    assert driver.snapshot(DAN)["deal"]["hands"] == {}
    play_device_deal(driver)
    assert driver.place(2).player == DAN.player


def play_device_deal(driver: Driver) -> None:
    """Ann acts for the seats of her device, until the deal is over."""
    while driver.table.turn is not None:
        if driver.table.places[driver.table.turn].player == ANN.player:
            seat, seq = driver.table.turn, driver.table.seq
            driver.say(ANN, "act", seat=seat, seq=seq, action=driver.legal()[0])
        else:
            driver.act()


def play_solo(driver: Driver, until: str = "playing") -> None:
    """Ann acts in her turns and goes on between deals, until the phase is that one."""
    if driver.table.phase == "deal_over":
        driver.say(ANN, "next")
    while driver.table.turn is not None:
        if driver.table.turn == 0:
            driver.choose(ANN)
        else:
            driver.act()
    if until == "playing":
        driver.say(ANN, "next")
