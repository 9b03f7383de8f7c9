from __future__ import annotations

from fractions import Fraction

import pytest

from bots.gains import WIN, gain, turns_to_go

FIVES_THREES, ALL_FIVES = "fives-threes", "all-fives"


def test_an_event_that_the_exact_target_drops_is_worth_nothing() -> None:
    assert gain(FIVES_THREES, 61, 59, 3) == 0


def test_landing_on_the_exact_target_is_worth_the_win() -> None:
    assert gain(FIVES_THREES, 61, 59, 2) > WIN


def test_two_away_is_nearer_than_one_away() -> None:
    assert turns_to_go(2) < turns_to_go(1)


def test_a_point_that_leaves_one_to_go_is_worth_less_than_none() -> None:
    assert gain(FIVES_THREES, 61, 59, 1) < 0


def test_far_from_the_target_points_are_worth_what_they_count() -> None:
    assert gain(FIVES_THREES, 61, 0, 4) == pytest.approx(4, abs=0.1)


def test_a_target_beyond_every_table_is_still_valued() -> None:
    assert gain(FIVES_THREES, 1_000_000, 0, 8) == pytest.approx(8, abs=0.1)


def test_points_count_as_they_are_where_the_target_may_be_passed() -> None:
    assert gain(ALL_FIVES, 250, Fraction(15, 2), 10) == 10


def test_passing_such_a_target_is_worth_the_win() -> None:
    assert gain(ALL_FIVES, 250, 245, 10) == 10 + WIN


def test_drawing_level_at_such_a_target_wins_nothing() -> None:
    assert gain(ALL_FIVES, 250, 245, 10, rival=255) == 10
    assert gain(ALL_FIVES, 250, 245, 10, rival=250) == 10 + WIN
