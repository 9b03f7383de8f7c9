from __future__ import annotations

import random

import pytest

from bots.arena.verdict import FEWEST, Verdict, verdict


def told(mean: float, seed: int) -> Verdict | None:
    """The first verdict on samples around ``mean``, asked after each of them; at most 3,000."""
    rng, won = random.Random(seed), list[float]()
    for _ in range(3000):
        won.append(rng.gauss(mean, 0.25))
        if (known := verdict(won, 0.05)) is not None:
            return known
    return None


@pytest.mark.parametrize(("mean", "right"), [(0.5, Verdict.NOT_STRONGER), (0.55, Verdict.STRONGER)])
def test_a_verdict_is_seldom_wrong_though_it_is_asked_after_every_sample(mean: float, right: Verdict) -> None:
    verdicts = [told(mean, seed) for seed in range(40)]

    assert verdicts.count(right) >= 35
    assert None not in verdicts


def test_a_clear_case_is_known_at_once() -> None:
    assert verdict([0.9, 1.0] * FEWEST, 0.05) is Verdict.STRONGER


def test_few_samples_say_nothing() -> None:
    assert verdict([1.0] * (FEWEST - 1), 0.05) is None


def test_samples_that_are_all_the_same_are_no_trouble() -> None:
    assert verdict([0.5] * FEWEST, 0.05) is Verdict.NOT_STRONGER
