from __future__ import annotations

from fractions import Fraction
from functools import reduce

import pytest

from engine.deal import evolve, legal_actions, opened
from engine.events import DealEnded, DealReason, DealStarted, Drew, MatchEnded, Played
from engine.games import GAMES
from engine.notation import parse_tile, parse_tiles
from engine.seats import Side
from engine.view import redact
from tests.engine.positions import EAST, NORTH, SOUTH, action, after, dealt, end_of, events_of, last_play

NORTH_SIDE, EAST_SIDE = Side(0), Side(1)


def test_turns_pass_clockwise_and_wrap() -> None:
    """C3."""
    deal = dealt("block", "4-5 1-1", "5-6 2-2", "4-6 3-3", lead=EAST)

    assert after(deal, "5-6").turn == SOUTH
    assert after(deal, "5-6", "4-6 right").turn == NORTH


def test_the_lead_may_open_with_any_tile() -> None:
    """C5: listed in ascending order, without an end (C13)."""
    deal = dealt("all-fives", "6-6 0-3 1-2", "5-5")

    assert legal_actions(deal) == (action("0-3"), action("1-2"), action("6-6"))


def test_plays_are_listed_by_tile_and_then_by_end() -> None:
    """C13: alike ends too."""
    deal = after(dealt("all-fives", "6-6 1-1", "5-6 0-6 2-3", stock="2-2"), "6-6")

    assert legal_actions(deal) == tuple(map(action, ("0-6 left", "0-6 right", "5-6 left", "5-6 right")))


def test_a_draw_gives_the_next_tile_of_the_stock_and_keeps_the_turn() -> None:
    """A2."""
    deal = after(dealt("draw", "6-6 1-2", "1-1 3-3", stock="5-5 4-4 5-6"), "6-6")

    drawn = after(deal, "draw")

    assert events_of(deal, "draw") == (Drew(EAST, 2, parse_tile("5-5")),)
    assert drawn.hands[EAST] == parse_tiles("1-1 3-3 5-5")
    assert drawn.stock == parse_tiles("4-4 5-6")
    assert drawn.turn == EAST


def test_a_draw_that_is_taken_back_gives_the_same_tile_again() -> None:
    """U1: the deal is the fold of the events that are kept."""
    start = dealt("draw", "6-6 1-2", "1-1 3-3", stock="5-5 4-4 5-6")
    drawn = after(start, "6-6", "draw")

    taken_back = reduce(evolve, drawn.events[1:-1], start)

    assert taken_back == after(start, "6-6")
    assert after(taken_back, "draw") == drawn


def test_who_holds_no_fitting_tile_and_has_drawn_all_knocks() -> None:
    """A2, C8."""
    deal = after(dealt("draw", "6-6 1-6", "1-1 3-3", stock="5-5"), "6-6", "draw")

    assert legal_actions(deal) == (action("knock"),)
    assert after(deal, "knock").turn == NORTH


def test_a_play_that_leaves_nobody_able_to_act_ends_the_deal_at_once() -> None:
    """C9: nobody knocks after it."""
    deal = after(dealt("block", "6-6 1-1", "2-2 3-3"), "6-6")

    assert end_of(deal).reason is DealReason.BLOCKED
    assert end_of(deal).seat is None
    assert deal.turn is None


def test_a_draw_that_empties_the_stock_can_complete_a_block() -> None:
    """C9."""
    deal = after(dealt("draw", "6-6 1-1", "2-2 3-3", stock="5-5 4-4"), "6-6", "draw")

    assert [type(event) for event in events_of(deal, "draw")] == [Drew, DealEnded]
    assert end_of(after(deal, "draw")).reason is DealReason.BLOCKED


def test_nothing_is_blocked_while_one_seat_can_play() -> None:
    """C9."""
    deal = after(dealt("block", "6-6 1-6", "2-2 3-3", "4-4 5-5"), "6-6")

    assert deal.ended is None
    assert after(deal, "knock", "knock").turn == NORTH


def test_a_last_tile_that_also_blocks_is_out() -> None:
    """C16."""
    deal = after(dealt("block", "6-6", "2-2 3-3"), "6-6")

    assert end_of(deal).reason is DealReason.OUT


def test_a_play_that_completes_a_block_still_scores() -> None:
    """C16: 12 is 4 by three."""
    deal = after(dealt("fives-threes", "6-6 1-1", "2-2 3-3"), "6-6")

    assert end_of(deal).reason is DealReason.BLOCKED
    assert end_of(deal).scores == (4, 0)


# Going out.


def test_going_out_in_fives_and_threes_adds_one_to_the_play() -> None:
    """F4: 12 makes 4, and 1 for going out."""
    deal = after(dealt("fives-threes", "6-6", "2-2 3-3"), "6-6")

    assert last_play(deal).points == 5
    assert end_of(deal).bonus == (1, 0)
    assert end_of(deal).scores == (5, 0)


def test_the_first_partner_out_is_skipped_and_earns_nothing_by_it() -> None:
    """F5, C3."""
    deal = dealt("fives-threes", "5-6", "4-5 1-1", "3-4 5-5", "3-5 1-5")

    first = after(deal, "5-6")
    round_the_table = after(first, "4-5 left", "3-4 left", "3-5 left")

    assert last_play(first).points == 0
    assert first.turn == EAST
    assert round_the_table.turn == EAST


def test_the_second_partner_out_ends_the_deal_with_one_for_the_team() -> None:
    """F5."""
    deal = after(dealt("fives-threes", "5-6", "4-5 1-1", "3-4", "3-5 1-5"), "5-6", "4-5 left", "3-4 left")

    assert end_of(deal).reason is DealReason.OUT
    assert end_of(deal).seat == SOUTH
    assert last_play(deal).points == 3 + 1
    assert end_of(deal).scores[0] == deal.scores[0] == 4


def test_a_first_partners_last_tile_that_blocks_is_no_going_out() -> None:
    """C16, F6."""
    deal = after(dealt("fives-threes", "6-6", "1-1", "2-2", "3-3"), "6-6")

    assert end_of(deal).reason is DealReason.BLOCKED
    assert end_of(deal).scores == (4, 0)


def test_four_seats_of_all_fives_do_not_wait_for_the_partner() -> None:
    """A8: the pips of the other side together, the partner's are not counted."""
    deal = after(dealt("all-fives", "5-6", "1-1", "6-6 5-5", "2-2 0-1"), "5-6")

    assert end_of(deal).reason is DealReason.OUT
    assert end_of(deal).bonus == (5, 0)


def test_a_block_in_all_fives_pays_the_lowest_side() -> None:
    """A9: teams 8 against 10."""
    deal = after(dealt("all-fives", "6-6 1-1", "2-2", "3-3", "1-5"), "6-6")

    assert end_of(deal).bonus == (10, 0)
    assert end_of(deal).next_lead == "lot"


def test_two_equal_lowest_of_three_share_the_third_hand() -> None:
    """A11, A15: 13 is rounded to 15, then halved."""
    deal = after(dealt("all-fives", "6-6 1-1", "0-2", "4-5 0-4"), "6-6")

    assert end_of(deal).bonus == (Fraction(15, 2), Fraction(15, 2), 0)
    assert deal.scores == (Fraction(15, 2), Fraction(15, 2), 0)


def test_halves_that_meet_make_whole_numbers() -> None:
    """A15."""
    half = Fraction(15, 2)
    deal = after(dealt("all-fives", "6-6 1-1", "0-2", "4-5 0-4", scores=(half, 0, 0)), "6-6")

    assert deal.scores == (15, half, 0)
    assert isinstance(deal.scores[0], int)


# Reaching the target.


def test_an_event_that_would_exceed_the_exact_target_is_dropped_whole() -> None:
    """F8, F11: 59 and 2 + 1 would be 62."""
    deal = after(dealt("fives-threes", "0-6", "2-2 3-3", scores=(59, 0)), "0-6")

    assert (last_play(deal).points, last_play(deal).dropped) == (0, 3)
    assert sum(part.points for part in last_play(deal).parts) == 3
    assert end_of(deal).reason is DealReason.OUT
    assert (end_of(deal).bonus, end_of(deal).dropped, end_of(deal).scores) == ((0, 0), 3, (59, 0))
    assert end_of(deal).next_lead == EAST


def test_the_exact_target_wins_at_once_while_others_hold_tiles() -> None:
    """F9."""
    events = events_of(dealt("fives-threes", "0-6 1-1", "6-6 3-3", scores=(59, 0)), "0-6")

    assert [type(event) for event in events] == [Played, DealEnded, MatchEnded]
    assert isinstance(events[1], DealEnded)
    assert (events[1].reason, events[1].seat, events[1].next_lead) == (DealReason.TARGET, NORTH, None)
    assert events[2] == MatchEnded(NORTH_SIDE, (61, 0))


def test_going_out_is_part_of_the_event_that_wins_in_fives_and_threes() -> None:
    """F8, F9: 58 and 2 + 1."""
    deal = after(dealt("fives-threes", "0-6", "6-6 3-3", scores=(58, 0)), "0-6")

    assert end_of(deal).reason is DealReason.OUT
    assert end_of(deal).bonus == (1, 0)
    assert deal.events[-1] == MatchEnded(NORTH_SIDE, (61, 0))


def test_a_play_that_reaches_the_target_in_all_fives_ends_all_counting() -> None:
    """A12: its hand is empty, yet no bonus is added."""
    deal = after(dealt("all-fives", "4-6", "6-6 3-3", scores=(240, 0)), "4-6")

    assert end_of(deal).reason is DealReason.TARGET
    assert end_of(deal).bonus == (0, 0)
    assert deal.events[-1] == MatchEnded(NORTH_SIDE, (250, 0))


def test_a_bonus_can_win_too() -> None:
    """A12."""
    deal = after(dealt("all-fives", "0-6", "6-6 3-3", scores=(240, 0)), "0-6")

    assert end_of(deal).reason is DealReason.OUT
    assert deal.events[-1] == MatchEnded(NORTH_SIDE, (260, 0))


def test_equal_leaders_above_the_target_play_on_until_one_leads_alone() -> None:
    """A13: the play that draws level wins nothing, the next that scores does."""
    level = after(dealt("all-fives", "4-6 1-1", "1-6 3-3", "0-0", scores=(200, 210, 210)), "4-6")
    alone = after(level, "1-6 right")

    assert level.scores == (210, 210, 210)
    assert level.ended is None
    assert end_of(alone).reason is DealReason.TARGET
    assert alone.events[-1] == MatchEnded(EAST_SIDE, (210, 215, 210))


def test_another_target_holds_for_the_drop_and_the_win() -> None:
    """B6."""
    dropped = after(dealt("fives-threes", "0-6 1-1", "6-6", target=1), "0-6")
    won = after(dealt("block", "0-6", "6-6", target=12), "0-6")

    assert last_play(dropped).dropped == 2
    assert won.events[-1] == MatchEnded(NORTH_SIDE, (12, 0))


# Events and state.


def test_a_deal_is_the_fold_of_its_events() -> None:
    start = dealt("draw", "6-6 1-2", "1-1 3-3", stock="5-5 5-6")
    deal = after(start, "6-6", "draw", "draw", "5-6 left", "knock")

    assert reduce(evolve, deal.events[1:], start) == deal


def test_a_start_opens_a_new_deal_with_the_same_scores() -> None:
    deal = dealt("draw", "6-6 1-6", "1-1 3-3", scores=(30, 40))
    played = after(deal, "6-6")

    assert evolve(played, deal.events[0]) == deal


def test_a_redacted_deal_cannot_be_played() -> None:
    """H1: who has only a view cannot mistake it for the deal."""
    started = redact(dealt("draw", "6-6 1-2", "1-1 3-3").events[0], NORTH)

    assert isinstance(started, DealStarted)
    with pytest.raises(ValueError, match="all its tiles"):
        opened(GAMES["draw"], 100, (0, 0), started)


def test_hands_keep_the_order_in_which_their_tiles_came() -> None:
    deal = after(dealt("draw", "6-6 1-2", "3-3 1-1 0-6", stock="5-5"), "6-6", "0-6 left")

    assert deal.hands[EAST] == parse_tiles("3-3 1-1")
    assert after(deal, "draw").hands[NORTH] == parse_tiles("1-2 5-5")
