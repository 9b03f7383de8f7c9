from __future__ import annotations

import pytest

from bots.kernel.bits import bits_of
from bots.kernel.plays import plays_of, rules_for
from bots.policy.sight import sight_of, table_of
from bots.policy.traits import Traits, traits
from engine.deal import Deal
from tests.bots.positions import asked_at
from tests.engine.positions import action, after, dealt


def traits_of(deal: Deal, play: str) -> Traits:
    """Those of ``play`` at ``deal``."""
    view, legal = asked_at(deal)
    assert view.seat is not None
    placement = next(placement for placement, chosen in plays_of(view, legal).items() if chosen == action(play))
    return traits(sight_of(rules_for(view), table_of(view), view.seat, bits_of(view.hand)), placement)


def test_points_are_worth_what_they_count_far_from_the_target() -> None:
    far = traits_of(dealt("fives-threes", "5-5 1-1", "0-1 0-2"), "5-5")

    assert far.gain == 2


def test_points_beyond_an_exact_target_are_worth_nothing() -> None:
    near = traits_of(dealt("fives-threes", "5-5 1-1", "0-1 0-2", scores=(60, 0)), "5-5")

    assert near.gain == 0


def test_the_tile_itself_is_weighed() -> None:
    double, plain = (traits_of(dealt("block", "5-5 1-2 1-1", "0-1 0-2"), play) for play in ("5-5", "1-2"))

    assert (double.pips, double.double) == (10, 1)
    assert (plain.pips, plain.double) == (3, 0)


def test_tiles_kept_that_fit_are_options_and_a_hand_without_is_stuck() -> None:
    deal = dealt("block", "5-5 1-5 1-1 2-3", "0-1 0-2 0-3 0-4")

    spine, side = traits_of(deal, "1-5"), traits_of(deal, "2-3")

    assert (spine.options, spine.stuck) == (2, 0)
    assert (side.options, side.stuck) == (0, 1)


def test_the_next_seat_is_as_likely_stuck_as_a_hand_of_chance() -> None:
    """Two of the 26 unseen tiles, and seven of them fit on fives but for 5-5 and 1-5."""
    deal = dealt("block", "5-5 1-5", "0-1 0-2")

    opened = traits_of(deal, "5-5")

    assert opened.next_stuck == pytest.approx(21 / 26 * 20 / 25)


def test_who_has_shown_to_lack_the_ends_is_surely_stuck() -> None:
    deal = dealt("block", "5-5 0-5 0-0 1-1", "1-2 1-3 1-4", stock="2-2 3-3")

    again = traits_of(after(deal, "5-5", "knock", "0-5 left", "knock"), "0-0 left")

    assert again.next_stuck == 1


def test_an_end_that_nobody_else_can_answer_is_closed() -> None:
    """Every five but 3-5 is in the own hand or on the table."""
    deal = dealt("block", "5-5 0-5 1-5 2-5 4-5 5-6 3-5", "1-2 1-3 1-4 0-1 0-2 0-3 0-4")

    opened = traits_of(deal, "5-5")

    assert opened.closed == 1


def test_answers_are_expected_to_score_as_far_as_the_unseen_tiles_do() -> None:
    scoring, quiet = dealt("fives-threes", "4-5 1-1", "0-1 0-2"), dealt("block", "4-5 1-1", "0-1 0-2")

    expected = [traits_of(deal, "4-5").next_reply for deal in (scoring, quiet)]

    assert expected[0] > 0
    assert expected[1] == 0


def test_nothing_comes_after_the_play_that_ends_the_deal() -> None:
    last = traits_of(dealt("fives-threes", "5-5", "0-1 0-2"), "5-5")

    assert last == Traits(gain=3, pips=10, double=1, urgent_pips=5, urgent_double=0.5)


def test_with_partners_the_deal_goes_on_until_both_are_out() -> None:
    last = traits_of(dealt("fives-threes", "5-5", "0-1", "0-2", "0-3"), "5-5")

    assert last.gain == 2
    assert last.partner_stuck > 0


def test_a_block_is_good_for_a_light_hand_and_bad_for_a_heavy_one() -> None:
    light, heavy = (traits_of(dealt("block", f"5-5 {kept}", "0-1 0-2"), "5-5") for kept in ("0-0", "6-6 4-6"))

    assert light.block > 0
    assert heavy.block < 0
