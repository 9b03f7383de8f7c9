from __future__ import annotations

import random

import pytest

from bots.arena.rating import Meeting, estimates, ratings, share

MANY = 10**6
"""Samples, by the side of which the even one that each meeting counts more is nothing."""


def met(a: str, b: str, won: float) -> Meeting:
    """Many samples, of which ``a`` won this share."""
    return Meeting(a, b, [won] * MANY)


def test_two_that_are_rated_alike_win_a_half_each_however_many_sides_there_are() -> None:
    assert [share(0, sides) for sides in (2, 3)] == pytest.approx([0.5, 0.5])


def test_four_hundred_more_are_odds_of_ten_to_one() -> None:
    assert share(400, 2) == pytest.approx(10 / 11)


def test_with_three_sides_a_player_meets_itself_and_so_wins_less_often() -> None:
    """Two sides of it at ten to one against one win 20 of 21, one against two 10 of 12."""
    assert share(400, 3) == pytest.approx((20 / 21 + 10 / 12) / 2)


@pytest.mark.parametrize("sides", [2, 3])
def test_ratings_are_found_again_from_the_shares_that_they_give(sides: int) -> None:
    meetings = [met("b", "a", share(150, sides)), met("c", "b", share(70, sides)), met("c", "a", share(220, sides))]

    assert ratings(meetings, sides, zero="b") == pytest.approx({"a": -150, "b": 0, "c": 70}, abs=0.1)


def test_meetings_that_contradict_each_other_are_all_met_halfway() -> None:
    """Each beats the next one alike, in a circle: nobody is the best."""
    circle = [met("a", "b", 0.7), met("b", "c", 0.7), met("c", "a", 0.7)]

    assert ratings(circle, 2, zero="a") == pytest.approx({"a": 0, "b": 0, "c": 0}, abs=0.1)


def test_who_won_all_is_rated_higher_the_more_there_was_to_win() -> None:
    few, many = (ratings([Meeting("a", "b", [1.0] * samples)], 2, zero="b")["a"] for samples in (5, 50))

    assert 0 < few < many < 2000


def test_what_was_played_with_the_same_deals_is_drawn_together() -> None:
    """Deals that are good for b against a are as good for c against b: what c is beyond a moves twice as far."""
    won = [1.0, 0.0] * 50
    chain = [Meeting("b", "a", won), Meeting("c", "b", won)]
    turned = [Meeting("b", "a", won), Meeting("c", "b", won[1:] + won[:1])]

    together, against = (estimates(meetings, 2, "a", random.Random(2))["c"] for meetings in (chain, turned))

    assert together.margin > 5 * against.margin


def test_an_interval_is_narrower_by_half_with_four_times_the_samples() -> None:
    rng = random.Random(1)
    won = [rng.choice((0.0, 0.5, 1.0)) for _ in range(100)]

    wide, narrow = (estimates([Meeting("a", "b", won * times)], 2, "b", random.Random(2))["a"] for times in (1, 4))

    assert narrow.margin == pytest.approx(wide.margin / 2, rel=0.2)
    assert estimates([Meeting("a", "b", won)], 2, "b", random.Random(2))["b"].margin == 0
