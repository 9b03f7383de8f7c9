from __future__ import annotations

import random

import pytest

from bots.policy.regression import Regression


def test_weights_are_found_behind_what_all_rows_of_a_group_share() -> None:
    rng, regression = random.Random(1), Regression(3)
    for _ in range(200):
        rows = [[rng.random() for _ in range(3)] for _ in range(4)]
        shared = rng.gauss(0, 50)
        regression.add(rows, [shared + 2 * first - third for first, _, third in rows])

    assert regression.solved([0, 1, 2]) == pytest.approx([2, 0, -1], abs=0.01)


def test_a_column_that_never_differs_weighs_nothing() -> None:
    regression = Regression(2)
    regression.add([[1.0, 5.0], [2.0, 5.0]], [10.0, 13.0])

    assert regression.solved([0, 1]) == pytest.approx([3, 0], abs=0.01)


def test_of_two_columns_that_say_the_same_each_gets_a_half() -> None:
    regression = Regression(2)
    regression.add([[1.0, 1.0], [2.0, 2.0]], [0.0, 4.0])

    assert regression.solved([0, 1]) == pytest.approx([2, 2], abs=0.01)
