from __future__ import annotations

import pytest

from engine.deal import Deal, decide, legal_actions
from engine.errors import Reason, RuleViolation
from engine.seats import Seat
from tests.engine.positions import EAST, NORTH, action, after, dealt


def refusal(deal: Deal, seat: Seat, text: str) -> Reason:
    with pytest.raises(RuleViolation) as refused:
        decide(deal, seat, action(text))
    return refused.value.reason


def test_only_the_seat_in_turn_may_act() -> None:
    """C3."""
    deal = dealt("block", "6-6 1-2", "3-6 1-1")

    assert refusal(deal, EAST, "3-6") is Reason.NOT_YOUR_TURN
    assert refusal(after(deal, "6-6"), NORTH, "1-2 left") is Reason.NOT_YOUR_TURN


@pytest.mark.parametrize("seat", [-1, 2, 4])
def test_a_seat_that_is_not_at_the_table_is_never_in_turn(seat: int) -> None:
    deal = dealt("block", "6-6 1-2", "3-6 1-1")

    assert refusal(deal, Seat(seat), "6-6") is Reason.NOT_YOUR_TURN


def test_only_a_tile_in_hand_can_be_played() -> None:
    deal = dealt("block", "6-6 1-2", "3-6 1-1")

    assert refusal(deal, NORTH, "3-6") is Reason.NOT_IN_HAND
    assert refusal(after(deal, "6-6"), EAST, "5-6 left") is Reason.NOT_IN_HAND


def test_a_tile_must_match_the_end() -> None:
    """C6."""
    deal = after(dealt("block", "5-6 1-2", "3-6 1-1"), "5-6")

    assert refusal(deal, EAST, "3-6 left") is Reason.DOES_NOT_FIT
    assert refusal(deal, EAST, "1-1 right") is Reason.DOES_NOT_FIT


def test_an_opening_has_no_end() -> None:
    """C13."""
    deal = dealt("block", "6-6 1-2", "3-6 1-1")

    assert refusal(deal, NORTH, "6-6 left") is Reason.END_NOT_OPEN
    assert refusal(after(deal, "6-6"), EAST, "3-6") is Reason.END_NOT_OPEN


def test_the_arms_of_the_spinner_are_closed_until_both_its_sides_are_used() -> None:
    """A4."""
    deal = after(dealt("all-fives", "6-6 5-6 1-6", "3-6 4-6 2-2"), "6-6", "3-6 left")

    assert refusal(deal, NORTH, "5-6 up") is Reason.END_NOT_OPEN
    assert refusal(after(deal, "5-6 right"), EAST, "2-2 up") is Reason.DOES_NOT_FIT
    assert after(deal, "5-6 right", "4-6 up").layout.total == 3 + 5 + 4


def test_a_plain_line_has_no_arms() -> None:
    """F2, B1."""
    deal = after(dealt("draw", "6-6 5-6 1-5", "3-6 4-6 2-2"), "6-6", "3-6 left", "5-6 right")

    assert refusal(deal, EAST, "4-6 up") is Reason.END_NOT_OPEN


def test_a_seat_that_can_play_may_not_knock() -> None:
    """C7."""
    deal = after(dealt("block", "6-6 1-2", "3-6 1-1"), "6-6")

    assert refusal(deal, EAST, "knock") is Reason.CAN_PLAY


def test_a_seat_that_can_play_may_not_draw() -> None:
    """C7."""
    deal = after(dealt("draw", "6-6 1-2", "3-6 1-1", stock="5-5"), "6-6")

    assert refusal(deal, EAST, "draw") is Reason.CAN_PLAY


def test_the_lead_may_neither_draw_nor_knock() -> None:
    """C5, C7: any tile opens."""
    deal = dealt("draw", "6-6 1-2", "3-6 1-1", stock="5-5")

    assert refusal(deal, NORTH, "draw") is Reason.CAN_PLAY
    assert refusal(deal, NORTH, "knock") is Reason.CAN_PLAY


def test_a_seat_must_draw_while_there_is_a_stock() -> None:
    """C8, A2."""
    deal = after(dealt("draw", "6-6 1-2", "1-1 3-3", stock="5-5"), "6-6")

    assert refusal(deal, EAST, "knock") is Reason.MUST_DRAW


def test_a_drawn_tile_that_fits_must_be_played() -> None:
    """A2."""
    deal = after(dealt("draw", "6-6 1-2", "1-1 3-3", stock="5-6 5-5"), "6-6", "draw")

    assert refusal(deal, EAST, "draw") is Reason.CAN_PLAY
    assert refusal(deal, EAST, "knock") is Reason.CAN_PLAY
    assert legal_actions(deal) == (action("5-6 left"), action("5-6 right"))


@pytest.mark.parametrize("game", ["fives-threes", "block"])
def test_games_without_drawing_leave_the_stock_alone(game: str) -> None:
    """F1, B3."""
    deal = after(dealt(game, "6-6 1-6", "1-1 3-3", stock="5-5 5-6"), "6-6")

    assert refusal(deal, EAST, "draw") is Reason.NOTHING_TO_DRAW
    assert legal_actions(deal) == (action("knock"),)


def test_an_empty_stock_gives_nothing_to_draw() -> None:
    """A2."""
    deal = after(dealt("draw", "6-6 1-6", "1-1 3-3"), "6-6")

    assert refusal(deal, EAST, "draw") is Reason.NOTHING_TO_DRAW


def test_a_finished_deal_takes_no_action_of_anybody() -> None:
    """C15."""
    deal = after(dealt("block", "6-6", "3-6 1-1"), "6-6")

    assert legal_actions(deal) == ()
    assert refusal(deal, EAST, "3-6 left") is Reason.DEAL_OVER
    assert refusal(deal, NORTH, "knock") is Reason.DEAL_OVER
