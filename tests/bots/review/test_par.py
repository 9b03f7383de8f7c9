"""Par: the same as trying everything gives."""

from __future__ import annotations

import random
from functools import reduce

import pytest

from bots.kernel.bits import bits_of
from bots.kernel.dealing import dealt as dealt_by_chance
from bots.kernel.position import Position
from bots.kernel.rules import rules_of
from bots.review.par import par
from engine.deal import Deal, decide, evolve, legal_actions
from engine.seats import Seat, side_of
from engine.tiles import full_set
from tests.engine.positions import dealt


def tried(deal: Deal) -> float:
    """The lead of the first side at the end of ``deal``, by the rules of the engine and without any shortcut."""
    if deal.turn is None:
        return float(deal.scores[0] - deal.scores[1])
    leads = [tried(reduce(evolve, decide(deal, deal.turn, action), deal)) for action in legal_actions(deal)]
    return max(leads) if side_of(deal.turn, deal.seats) == 0 else min(leads)


def position_of(deal: Deal) -> Position:
    """The opening of ``deal``, to the kernel."""
    rules = rules_of(deal.game.name, deal.seats, deal.target)
    hands = [bits_of(hand) for hand in deal.hands]
    return Position(rules, hands, [], deal.lead, [float(score) for score in deal.scores])


@pytest.mark.parametrize(("game", "target"), [("fives-threes", 61), ("fives-threes", 9), ("block", 100)])
@pytest.mark.parametrize(("seats", "size"), [(2, 4), (4, 3)])
def test_par_is_what_comes_of_trying_everything(game: str, target: int, seats: int, size: int) -> None:
    rng = random.Random(f"{game} {seats}")
    small = [str(tile) for tile in full_set() if tile.high <= 4]
    for _ in range(8):
        tiles = rng.sample(small, seats * size)
        hands = [" ".join(tiles[seat * size : (seat + 1) * size]) for seat in range(seats)]
        scores = (rng.randrange(target), rng.randrange(target))
        deal = dealt(game, *hands, target=target, scores=scores, lead=Seat(rng.randrange(seats)))

        assert par(position_of(deal)) == tried(deal) - (scores[0] - scores[1])


def test_it_is_given_up_where_too_much_would_have_to_be_tried() -> None:
    position = position_of(dealt("block", "0-1 1-2 2-3 3-4", "1-1 0-2 1-3 2-4"))

    assert par(position, most=3) is None
    assert par(position) is not None


def test_there_is_none_with_three_sides_or_with_tiles_to_draw() -> None:
    for game, seats in (("block", 3), ("draw", 2)):
        rules = rules_of(game, seats, 100)

        with pytest.raises(ValueError, match="par"):
            par(dealt_by_chance(rules, random.Random(1), Seat(0), [0.0] * rules.sides))
