from __future__ import annotations

from random import Random
from statistics import fmean

import pytest

from bots.kernel.dealing import dealt
from bots.kernel.position import Position
from bots.kernel.rules import Rules
from bots.review.par import par
from bots.rivals.seer import NO_TARGET, gain, lead_with
from engine.seats import Seat


def deals(game: str, seats: int, count: int) -> list[Position]:
    rules, rng = Rules(game, seats, NO_TARGET), Random(3)
    return [dealt(rules, rng, Seat(rng.randrange(seats)), [0, 0]) for _ in range(count)]


@pytest.mark.parametrize(("game", "seats"), [("fives-threes", 2), ("fives-threes", 4), ("block", 4)])
def test_where_both_sides_see_all_tiles_a_deal_comes_to_its_par(game: str, seats: int) -> None:
    for start in deals(game, seats, 3):
        assert lead_with(start, (0, 1)) == par(start, 10_000_000)


@pytest.mark.parametrize(("game", "seats"), [("fives-threes", 2), ("fives-threes", 4), ("block", 4)])
def test_who_sees_all_tiles_gains_on_who_takes_most_points(game: str, seats: int) -> None:
    assert fmean([gain(start) for start in deals(game, seats, 8)]) > 1
