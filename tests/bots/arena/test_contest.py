from __future__ import annotations

from dataclasses import replace

import pytest

from bots.arena.contest import Contest, Terms
from bots.arena.entrant import Effort, Entrant, UnknownEntrant, entered
from bots.levels import EVERY_LEVEL

TERMS = Terms(game="block", seats=2, a="novice", b="beginner", seed=1, single=False, budget_ms=1000)


def ticking() -> float:
    """A clock that stands still."""
    return 0.0


def contest(terms: Terms = TERMS) -> Contest:
    """Between levels, timed by a clock that stands still."""
    a, b = (Entrant(EVERY_LEVEL[name], ticking) for name in (terms.a, terms.b))
    return Contest(terms, a, b)


def test_a_sample_is_the_same_whatever_was_played_before() -> None:
    run = contest()
    for number in range(3):
        run.outcome(number)

    assert run.outcome(5) == contest().outcome(5)


def test_another_seed_is_another_sample() -> None:
    assert contest().outcome(0) != contest(replace(TERMS, seed=2)).outcome(0)


def test_a_player_against_itself_is_exactly_even() -> None:
    outcome = contest(replace(TERMS, a="beginner")).outcome(0)

    assert (outcome.points, outcome.won) == (0, 0.5)
    assert outcome.a.choices == outcome.b.choices > 0


def test_single_deals_are_as_long_as_one_deal() -> None:
    match, deal = contest().outcome(0), contest(replace(TERMS, single=True)).outcome(0)

    assert deal.a.choices < match.a.choices


def test_an_unknown_level_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(UnknownEntrant, match="novice, beginner, club"), entered("genius", 1.0):
        pass


def test_efforts_add_up() -> None:
    assert Effort(1, 0.5, 2).plus(Effort(3, 0.25, 0)) == Effort(4, 0.75, 2)


def test_an_outcome_has_what_each_has_spent() -> None:
    ticks = iter(range(10**6))
    entrant = Entrant(EVERY_LEVEL["beginner"], lambda: float(next(ticks)))

    outcome = Contest(TERMS, entrant, entrant).outcome(0)

    assert outcome.a.seconds == outcome.a.choices
