from __future__ import annotations

import random

import pytest

from bots.kernel.bits import bits_of, tile_of
from bots.kernel.machine import EMPTY
from bots.kernel.rules import Rules
from bots.policy.swift import Swift, SwiftWeights
from bots.policy.weights import swift_of
from engine.notation import parse_tiles
from tests.bots.kernel.lockstep import chance_deal, position_of
from tests.bots.positions import EVERY_TABLE

POINTS_ALONE = SwiftWeights(pips=0, double=0, options=0, hidden=0, reply=0)


@pytest.mark.parametrize(("game", "seats"), EVERY_TABLE)
def test_what_is_picked_weighs_most(game: str, seats: int) -> None:
    rng, rules = random.Random(4), Rules(game, seats)
    swift = swift_of(rules)

    for _ in range(30):
        position = position_of(rules, chance_deal(rng, game, seats))
        every, hand = position.placements(), position.hands[position.turn]
        state, leads = position.state, rules.machine.leads[position.state]

        weights = swift.weigh(state, hand, position.laid, 30)

        assert swift.pick(state, leads, hand, position.laid, 30) == every[weights.index(max(weights))]


def test_a_pick_lands_on_the_target_where_more_points_would_be_lost() -> None:
    rules, hand = Rules("fives-threes", 2), bits_of(parse_tiles("5-5 0-5"))
    leads = rules.machine.explore(EMPTY)

    far, near = (Swift(rules, POINTS_ALONE).pick(EMPTY, leads, hand, 0, need) for need in (30, 1))

    assert [str(tile_of(bit)) for bit, _, _ in (far, near)] == ["5-5", "0-5"]
