from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine.errors import Reason, RuleViolation
from engine.events import DealStarted, Knocked, LotDrawn, MatchEnded
from engine.games import GAMES
from engine.match import begin, choices, decide, evolve, next_deal
from engine.points import Points
from engine.seats import Seat
from engine.shuffle import Shuffle
from engine.tiles import full_set
from tests.engine.playing import finish_deal, matches, start_deal
from tests.engine.positions import NORTH, SOUTH, action

SHUFFLE = Shuffle(bytes(range(32)))


def test_a_match_begins_at_nothing_with_the_usual_target_and_a_lot() -> None:
    """C4, F8, A12."""
    match = begin(GAMES["all-fives"], 3)

    assert (match.target, match.scores, match.next_lead, match.over) == (200, (0, 0, 0), "lot", False)
    assert choices(match) == ()


def test_scores_belong_to_sides() -> None:
    """C2."""
    assert [len(begin(GAMES["draw"], seats).scores) for seats in (2, 3, 4)] == [2, 3, 2]


@pytest.mark.parametrize("seats", [0, 1, 5])
def test_only_two_three_or_four_can_play(seats: int) -> None:
    """C2."""
    with pytest.raises(ValueError, match="seats"):
        begin(GAMES["draw"], seats)


@pytest.mark.parametrize("scores", [(0,), (0, 0, 0), (-1, 0), (61, 0)])
def test_a_match_cannot_begin_decided_or_with_the_scores_of_another(scores: Sequence[Points]) -> None:
    with pytest.raises(ValueError, match="open match"):
        begin(GAMES["fives-threes"], 2, scores=scores)


def test_a_lead_must_be_a_seat() -> None:
    with pytest.raises(ValueError, match="lead"):
        begin(GAMES["draw"], 2, lead=SOUTH)


def test_the_first_lead_is_drawn_by_lot_before_the_tiles_come() -> None:
    """C4, L3."""
    match = begin(GAMES["draw"], 4)

    lot, started = next_deal(match, SHUFFLE)

    assert lot == LotDrawn("lead", SHUFFLE.lot(1, 4))
    assert isinstance(started, DealStarted)
    assert (started.number, started.lead) == (1, SHUFFLE.lot(1, 4))
    assert evolve(match, lot).next_lead == SHUFFLE.lot(1, 4)


def test_a_chosen_first_lead_needs_no_lot() -> None:
    """C4."""
    (started,) = next_deal(begin(GAMES["draw"], 4, lead=SOUTH), SHUFFLE)

    assert isinstance(started, DealStarted)
    assert started.lead == SOUTH


@pytest.mark.parametrize("game", list(GAMES))
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_each_seat_is_dealt_its_hand_and_the_rest_is_the_stock(game: str, seats: int) -> None:
    """F1, A1, B2."""
    match = begin(GAMES[game], seats)

    match = start_deal(match, SHUFFLE)

    assert match.deal is not None
    assert {len(hand) for hand in match.deal.hands} == {GAMES[game].hand_size(seats)}
    assert sorted([*sum(match.deal.hands, ()), *match.deal.stock]) == list(full_set())


def test_nobody_can_act_between_deals() -> None:
    """C15."""
    match = begin(GAMES["block"], 2)
    over = finish_deal(start_deal(match, SHUFFLE))

    for between in (match, over):
        for seat in (Seat(0), Seat(1)):
            with pytest.raises(RuleViolation) as refused:
                decide(between, seat, action("knock"))
            assert refused.value.reason is Reason.DEAL_OVER


def test_no_deal_is_due_while_one_is_running() -> None:
    match = begin(GAMES["block"], 2)
    match = start_deal(match, SHUFFLE)

    with pytest.raises(ValueError, match="no deal is due"):
        next_deal(match, SHUFFLE)


def test_the_lead_moves_on_from_deal_to_deal() -> None:
    """F10."""
    match = begin(GAMES["fives-threes"], 3, lead=SOUTH)

    leads = []
    for _ in range(4):
        match = start_deal(match, SHUFFLE)
        assert match.deal is not None
        leads.append(match.deal.lead)
        match = finish_deal(match)

    assert leads == [2, 0, 1, 2]


def test_deals_are_numbered_and_the_scores_go_on() -> None:
    match = begin(GAMES["block"], 2, lead=NORTH)
    first = finish_deal(start_deal(match, SHUFFLE))
    second = start_deal(first, SHUFFLE)

    assert first.deal is not None
    assert first.deal.ended is not None
    assert second.deal is not None
    assert (first.deal.number, second.deal.number) == (1, 2)
    assert second.scores == second.deal.scores == first.deal.ended.scores != (0, 0)


@pytest.mark.parametrize("game", list(GAMES))
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_match_ends_with_a_sole_winner_at_the_target(game: str, seats: int) -> None:
    """F9, A12, B6, C15."""
    *_, match = matches(begin(GAMES[game], seats), SHUFFLE)

    assert match.winner is not None
    assert match.scores[match.winner] == max(match.scores) >= match.target
    assert match.next_lead is None
    with pytest.raises(ValueError, match="no deal is due"):
        next_deal(match, SHUFFLE)


def test_a_match_that_is_broken_off_has_no_winner_and_takes_no_action() -> None:
    match = begin(GAMES["block"], 2, lead=NORTH)
    running = start_deal(match, SHUFFLE)

    broken_off = evolve(running, MatchEnded(None, running.scores))

    assert broken_off.over
    assert broken_off.winner is None
    assert choices(broken_off) == ()
    assert evolve(match, MatchEnded(None, match.scores)).over


def test_an_event_of_a_deal_needs_a_deal() -> None:
    with pytest.raises(ValueError, match="no deal for Knocked"):
        evolve(begin(GAMES["block"], 2), Knocked(NORTH))
