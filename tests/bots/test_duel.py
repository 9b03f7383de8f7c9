from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice

import pytest

from bots.beginner import Beginner
from bots.duel import Duel, Estimate, seatings
from engine.games import GAMES
from engine.shuffle import Shuffle
from tests.bots.positions import EVERY_TABLE


def shuffles(seed: int) -> Iterator[Shuffle]:
    rng = random.Random(seed)
    while True:
        yield Shuffle(rng.randbytes(32))


@pytest.mark.parametrize(("game", "seats"), EVERY_TABLE)
def test_a_player_against_itself_is_exactly_even(game: str, seats: int) -> None:
    duel = Duel(GAMES[game], seats, Beginner(), Beginner())

    samples = [duel.sample(shuffle) for shuffle in islice(shuffles(3), 2)]

    assert [sample.points for sample in samples] == pytest.approx([0, 0])
    assert [sample.won for sample in samples] == [0.5, 0.5]


def test_partners_are_alike_and_each_side_is_played_by_both() -> None:
    assert seatings(2) == seatings(4) == (("a", "b"), ("b", "a"))


def test_three_sides_are_shared_in_every_way_that_leaves_nobody_out() -> None:
    every = seatings(3)

    assert len(set(every)) == 6
    assert sum(seating.count("a") for seating in every) == sum(seating.count("b") for seating in every)


def test_of_three_sides_a_contestant_can_have_one_each_in_turn() -> None:
    assert set(seatings(3, alone=True)) == {("a", "b", "b"), ("b", "a", "b"), ("b", "b", "a")}


def test_a_player_among_two_of_its_kind_wins_a_third() -> None:
    duel = Duel(GAMES["block"], 3, Beginner(), Beginner(), alone=True)

    assert duel.sample(next(shuffles(3))).won == pytest.approx(1 / 3)


def test_an_estimate_is_as_wide_as_its_values_spread() -> None:
    estimate = Estimate.of([1.0, 2.0, 3.0])

    assert estimate.mean == 2
    assert estimate.margin == pytest.approx(4.303 / 3**0.5, abs=1e-3)  # Student's t, two degrees of freedom
