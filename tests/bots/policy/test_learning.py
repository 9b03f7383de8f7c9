from __future__ import annotations

import random

import pytest

from bots.policy.learning import learn
from bots.policy.weights import Weights, learned
from tests.bots.positions import EVERY_TABLE


def test_the_same_seed_learns_the_same() -> None:
    one, other = (learn("block", 3, 20, random.Random(1)) for _ in range(2))

    assert one == other
    assert one != learn("block", 3, 20, random.Random(2))


def test_it_learns_that_points_are_good_and_that_answers_are_not() -> None:
    weights = learn("fives-threes", 2, 150, random.Random(1))

    assert weights.traits.gain == pytest.approx(1, abs=0.3)
    assert weights.traits.next_reply < 0


def test_it_learns_to_get_rid_of_pips_where_they_count() -> None:
    assert learn("block", 2, 150, random.Random(1)).swift.pips > 0


@pytest.mark.parametrize(("game", "seats"), EVERY_TABLE)
def test_weights_are_kept_for_every_game_and_number_of_seats(game: str, seats: int) -> None:
    weights = learned(game, seats)

    assert any(weights.traits)
    assert Weights.load(weights.dump()) == weights
