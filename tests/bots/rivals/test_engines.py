from __future__ import annotations

from itertools import islice
from random import Random
from statistics import fmean

import pytest

from bots.beginner import Beginner
from bots.novice import Novice
from tests.bots.rivals.engines import Result, result_of
from tests.bots.test_duel import shuffles


@pytest.mark.parametrize("seats", [2, 4])
def test_a_level_is_even_with_itself_over_both_seatings(seats: int) -> None:
    for shuffle in islice(shuffles(3), 5):
        assert result_of(shuffle, Beginner(), Beginner(), seats) == Result(won=0.5, points=0.0)


def test_a_better_player_makes_more_points_than_a_rival() -> None:
    results = [result_of(shuffle, Beginner(), Novice(Random(1)), 2) for shuffle in islice(shuffles(3), 150)]

    assert fmean([result.points for result in results]) > 0
    assert fmean([result.won for result in results]) > 0.5
