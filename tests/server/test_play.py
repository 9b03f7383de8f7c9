from __future__ import annotations

from typing import Any

import pytest

from engine import events as rules
from engine import match as matches
from engine.shuffle import Shuffle, commitment
from protocol.convert import action_to_wire
from protocol.errors import ErrorCode
from server.table.decide import HouseActs, Lost
from server.table.events import MatchOver, MatchStarted
from server.table.evolve import replay
from server.table.state import Actor, Phase
from tests.server.tables import ANN, BOB, CAT, CODE, Driver, actor, kinds, refused

PEOPLE = (ANN, BOB)


def started(**settings: Any) -> Driver:
    """Ann and Bob, two seats, the first deal on the table."""
    table = Driver(**settings)
    table.say(BOB, "join")
    table.say(ANN, "start")
    return table


def in_turn(table: Driver) -> tuple[Actor, dict[str, object]]:
    """Who is to act, and the first legal action."""
    seat = table.table.turn
    assert seat is not None
    assert table.table.match is not None
    return PEOPLE[seat], action_to_wire(matches.choices(table.table.match)[0].action)


def play_match(table: Driver) -> None:
    while table.table.phase is not Phase.MATCH_OVER:
        table.play_deal()
        if table.table.phase is Phase.DEAL_OVER:
            table.say(ANN, "next")
            table.say(BOB, "next")


def test_before_the_start_nobody_can_act() -> None:
    table = Driver()

    refusal = refused(table, ANN, "act", seq=1, action={"type": "knock"})

    assert refusal.code is ErrorCode.NOT_STARTED


def test_an_accepted_play_is_one_step_and_the_turn_goes_on() -> None:
    table = started()
    who, action = in_turn(table)

    step = table.say(who, "act", seq=table.table.seq, action=action)

    assert kinds(step) == ["Played"]
    assert in_turn(table)[0] is not who


def test_out_of_turn_is_said_whatever_the_seq() -> None:
    table = started()
    who, action = in_turn(table)
    other = BOB if who is ANN else ANN

    for seq in (0, table.table.seq, 10**6):
        assert refused(table, other, "act", seq=seq, action=action).code is ErrorCode.NOT_YOUR_TURN


def test_between_deals_it_is_nobodys_turn() -> None:
    table = started()
    table.play_deal()

    refusal = refused(table, ANN, "act", seq=table.table.seq, action={"type": "knock"})

    assert refusal.code is ErrorCode.NOT_YOUR_TURN


def test_an_action_chosen_before_the_table_changed_is_stale() -> None:
    table = started()
    seen = table.table.seq
    table.act()
    who, action = in_turn(table)

    assert refused(table, who, "act", seq=seen, action=action).code is ErrorCode.STALE
    assert refused(table, who, "act", seq=table.table.seq + 1, action=action).code is ErrorCode.STALE


def test_what_changes_no_choice_makes_no_action_stale() -> None:
    table = started()
    who, action = in_turn(table)
    seen = table.table.seq
    table.say(CAT, "watch")
    table.say(BOB, "react", key="wow")

    step = table.say(who, "act", seq=seen, action=action)

    assert kinds(step) == ["Played"]


def test_an_illegal_action_is_told_why() -> None:
    table = started()
    who, _ = in_turn(table)

    refusal = refused(table, who, "act", seq=table.table.seq, action={"type": "knock"})

    assert (refusal.code, refusal.reason, refusal.path) == (ErrorCode.ILLEGAL_ACTION, "can_play", "action")


def test_a_seat_of_somebody_else_is_not_the_senders() -> None:
    table = started()
    who, action = in_turn(table)
    other = 1 - PEOPLE.index(who)

    assert refused(table, who, "act", seat=other, seq=table.table.seq, action=action).code is ErrorCode.NOT_SEATED


def test_start_is_refused_when_the_match_runs() -> None:
    assert refused(started(), ANN, "start").code is ErrorCode.ALREADY_STARTED


def test_the_next_deal_begins_when_all_people_present_have_said_next() -> None:
    table = started()
    table.play_deal()

    assert kinds(table.say(ANN, "next")) == ["Ready"]
    assert table.say(ANN, "next") is None
    assert kinds(table.say(BOB, "next")) == ["Ready", "DealStarted"]
    assert not any(place.ready for place in table.table.places)


def test_nobody_waits_for_who_is_away() -> None:
    table = started()
    table.play_deal()
    table.say(ANN, "next")

    assert kinds(table.serve(Lost(BOB.player))) == ["Away", "DealStarted"]


def test_next_during_a_deal_is_no_step() -> None:
    table = started()

    assert table.say(ANN, "next") is None


def test_the_next_deal_begins_after_its_time_where_several_people_play() -> None:
    table = started()
    table.play_deal()

    assert table.wait(19.9) is None
    assert "DealStarted" in kinds(table.wait(0.2))


def test_one_person_alone_has_all_the_time() -> None:
    table = Driver()
    table.say(ANN, "start")
    table.play_deal()

    assert table.wait(10_000) is None


def test_the_time_between_deals_can_be_set_also_for_one_person() -> None:
    table = Driver(next_deal_after=0)
    table.say(ANN, "start")
    table.play_deal()

    assert "DealStarted" in kinds(table.wait(0))


def test_bots_from_outside_alone_wait_for_nothing_but_for_another_match() -> None:
    robot, other = actor("Robot", headless=True), actor("Other", headless=True)
    table = Driver(robot, target=1)
    table.say(other, "join")
    table.say(robot, "start")

    for _ in range(1000):
        if table.table.phase is Phase.MATCH_OVER:
            break
        table.act()

    assert table.table.phase is Phase.MATCH_OVER
    assert kinds(table.say(other, "next"))[:2] == ["Ready", "MatchStarted"]


def test_the_match_ends_with_its_seed_and_the_commitment_holds() -> None:
    table = started(target=5)
    committed = table.snapshot(None)["commitment"]
    following = table.snapshot(None)["next_commitment"]

    play_match(table)

    over = table.log[-1].events[-1]
    assert isinstance(over, MatchOver)
    assert commitment(bytes.fromhex(over.seed)) == committed
    assert over.scores[over.winner or 0] >= 5
    assert (table.snapshot(None)["commitment"], table.snapshot(None)["next_commitment"]) == (committed, following)


def test_all_saying_next_after_a_match_play_another_under_the_next_seed() -> None:
    table = started(target=5)
    following = table.snapshot(None)["next_commitment"]
    play_match(table)

    table.say(ANN, "next")
    step = table.say(BOB, "next")

    assert "MatchStarted" in kinds(step)
    assert table.snapshot(None)["commitment"] == following
    assert table.snapshot(None)["next_commitment"] != following
    assert table.table.scores == (0, 0)
    assert table.table.deals == ()


def test_bots_replace_those_who_left_after_a_match() -> None:
    table = started(target=5)
    play_match(table)
    table.say(BOB, "leave")

    step = table.say(ANN, "next")

    assert kinds(step)[:3] == ["Ready", "Seated", "MatchStarted"]


def test_the_deals_follow_from_the_seed_and_the_entropy_that_all_are_told() -> None:
    table = Driver(target=5)
    table.say(BOB, "join")
    table.say(BOB, "next", entropy="ab" * 32)
    table.say(ANN, "start", entropy="cd" * 32)

    started_step = table.log[-1]
    play_match(table)

    told = next(event for event in started_step.events if isinstance(event, MatchStarted))
    assert told.entropy == (("ann", "cd" * 32), ("bob", "ab" * 32))
    over = table.log[-1].events[-1]
    assert isinstance(over, MatchOver)
    shuffle = Shuffle(bytes.fromhex(over.seed), [bytes.fromhex(value) for _, value in told.entropy])
    deals = [event for step in table.log for event in step.events if isinstance(event, rules.DealStarted)]
    assert [deal.hands for deal in deals] == [shuffle.deal(deal.number, 2, 7)[0] for deal in deals]


def test_entropy_given_during_a_match_changes_none_of_its_deals() -> None:
    plain, meddled = started(target=61), started(target=61)
    for table in (plain, meddled):
        table.play_deal()
    meddled.say(ANN, "next", entropy="ef" * 32)
    plain.say(ANN, "next")

    for table in (plain, meddled):
        table.say(BOB, "next")

    assert plain.snapshot(ANN)["deal"]["hands"] == meddled.snapshot(ANN)["deal"]["hands"]


def test_the_last_entropy_of_a_player_counts() -> None:
    table = Driver()
    table.say(ANN, "next", entropy="11" * 32)

    step = table.say(ANN, "start", entropy="22" * 32)

    told = next(event for event in step.events if isinstance(event, MatchStarted)) if step else None
    assert told is not None
    assert told.entropy == (("ann", "22" * 32),)


def test_reactions_are_limited_to_one_in_three_seconds_and_five_a_minute() -> None:
    table = Driver()
    table.say(ANN, "react", key="hello")
    table.now += 2.9
    refusal = refused(table, ANN, "react", key="wow")
    assert refusal.code is ErrorCode.RATE_LIMITED
    assert refusal.retry_after == pytest.approx(0.1, abs=0.002)

    for _ in range(4):
        table.now += 3.1
        table.say(ANN, "react", key="wow")
    table.now += 3.1

    assert refused(table, ANN, "react", key="wow").code is ErrorCode.RATE_LIMITED
    table.now += 60
    assert kinds(table.say(ANN, "react", key="wow")) == ["Reacted"]


def test_a_bots_choice_that_comes_too_late_changes_nothing() -> None:
    table = started()
    who, _ = in_turn(table)
    seat = table.table.turn
    assert seat is not None
    assert table.table.match is not None
    late = HouseActs(seat, matches.choices(table.table.match)[0].action)
    table.act()

    assert table.serve(late) is None
    assert who in PEOPLE


@pytest.mark.parametrize("game", ["fives-threes", "all-fives", "block", "draw"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_log_makes_the_table_again_at_every_step(game: str, seats: int) -> None:
    table = Driver(game=game, seats=seats, target=20)
    table.say(BOB, "join")
    table.say(ANN, "start")
    play_match(table)

    assert replay(CODE, table.log) == table.table
    middle = len(table.log) // 2
    assert replay(CODE, table.log[:middle]).seq == middle


def test_a_chosen_lead_opens_the_first_deal() -> None:
    table = Driver(seats=3, lead=2)

    table.say(ANN, "start")

    assert table.table.turn == 2
    assert "LotDrawn" not in kinds(table.log[-1])


def test_what_one_match_was_given_as_entropy_is_not_used_for_the_next() -> None:
    table = Driver(target=5)
    table.say(BOB, "join")
    table.say(BOB, "next", entropy="ab" * 32)
    table.say(ANN, "start")
    play_match(table)

    table.say(ANN, "next", entropy="cd" * 32)
    step = table.say(BOB, "next")

    assert step is not None
    told = next(event for event in step.events if isinstance(event, MatchStarted))
    assert told.entropy == (("ann", "cd" * 32),)


def test_a_new_game_after_a_match_waits_for_people_where_the_table_does() -> None:
    table = started(target=5, fill="wait")
    play_match(table)
    table.say(BOB, "leave")

    steps = [table.say(ANN, "new_game"), table.say(ANN, "new_game")]

    assert [kinds(step) for step in steps] == [["Waiting"], []]
    assert kinds(table.say(CAT, "join"))[:2] == ["Seated", "MatchStarted"]


def test_a_table_that_waits_for_people_after_a_match_is_filled_by_start() -> None:
    table = started(target=5, fill="wait")
    play_match(table)
    table.say(BOB, "leave")
    assert kinds(table.say(ANN, "next")) == ["Ready", "Waiting"]

    step = table.say(ANN, "start")

    assert kinds(step)[:2] == ["Seated", "MatchStarted"]
