from __future__ import annotations

from protocol.errors import ErrorCode
from server.table.decide import Lost
from server.table.state import Phase
from tests.server.tables import ANN, BOB, CAT, DAN, EVE, Driver, kinds, refused


def test_a_newcomer_alone_at_a_table_of_bots_has_the_seat_when_the_deal_is_over() -> None:
    table = Driver(seats=2)
    table.say(ANN, "start")
    table.say(ANN, "leave")
    assert table.table.paused

    table.say(BOB, "join")

    assert not table.table.paused
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
