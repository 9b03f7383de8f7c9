from __future__ import annotations

from math import sqrt

import pytest

from bots.review.sample import Mean, difference, mean_of


def test_what_counts_twice_is_no_second_sample() -> None:
    alone = mean_of([0.0, 1.0, 1.0, 0.0], [1, 1, 1, 1])
    doubled = mean_of([0.0, 1.0, 1.0, 0.0], [2, 2, 2, 2])

    assert alone == doubled
    assert alone.mean == 0.5
    assert alone.error == pytest.approx(sqrt(1 / 3) / 2)


def test_a_mean_that_hangs_on_few_worlds_may_be_farther_off() -> None:
    values = [0.0, 1.0, 0.0, 1.0, 0.0, 1.0]

    assert mean_of(values, [5, 5, 1, 1, 1, 1]).error > mean_of(values, [1] * 6).error


def test_what_differs_little_but_in_every_world_is_no_chance() -> None:
    these, those = [0.2, 0.9, 0.5, 0.7], [0.19, 0.89, 0.49, 0.69]

    paired = difference(these, those, [1, 1, 1, 1])

    assert paired.mean == pytest.approx(0.01)
    assert not paired.is_nothing
    assert difference([0.2, 0.9], [0.9, 0.3], [1, 1]).is_nothing


def test_one_world_leaves_no_doubt() -> None:
    assert mean_of([0.5], [250]) == Mean(0.5, 0.0)
    assert difference([0.4], [0.4], [250]).is_nothing
