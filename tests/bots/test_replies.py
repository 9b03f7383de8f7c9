from __future__ import annotations

import pytest

from bots.beliefs import Chances
from bots.replies import best_reply
from engine.outcome import Outcome
from tests.engine.positions import action, after, dealt


def chances(**tiles: float) -> Chances:
    """``t36=0.5``: the tile 3-6 is held with this likelihood, no other is."""
    table = [[0.0] * 7 for _ in range(7)]
    for name, chance in tiles.items():
        low, high = int(name[1]), int(name[2])
        table[low][high] = table[high][low] = chance
    return table


def outcome_of(text: str, *before: str) -> Outcome:
    """What ``text`` leads to as the next play after ``before``."""
    deal = after(dealt("all-fives", "6-6 3-6", "3-4 5-6", stock="0-0"), *before)
    return next(c.outcome for c in deal.choices if c.action == action(text) and c.outcome is not None)


def total(reached: int) -> float:
    return float(reached)


def test_who_holds_nothing_that_fits_is_stuck() -> None:
    reply = best_reply(outcome_of("3-6"), chances(t01=1, t44=1), total)

    assert (reply.worth, reply.stuck) == (0, 1)


def test_a_tile_that_is_surely_held_is_answered_at_its_better_end() -> None:
    reply = best_reply(outcome_of("3-6"), chances(t36=1), total)

    assert (reply.worth, reply.stuck) == (6 + 6, 0)


def test_a_double_counts_both_halves() -> None:
    reply = best_reply(outcome_of("3-6"), chances(t66=1), total)

    assert reply.worth == 3 + 12


def test_a_lone_double_still_counts_at_its_other_end() -> None:
    reply = best_reply(outcome_of("6-6"), chances(t16=1), total)

    assert reply.worth == 12 + 1


def test_the_best_answer_is_expected_and_the_second_where_the_best_is_missing() -> None:
    reply = best_reply(outcome_of("3-6"), chances(t66=0.5, t35=0.5), total)

    assert reply.worth == pytest.approx(0.5 * 15 + 0.25 * 11)
    assert reply.stuck == pytest.approx(0.25)
