"""Deals of chance."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from bots.kernel.bits import EVERY_TILE, singles
from bots.kernel.position import Position
from bots.kernel.rules import Rules, Score
from engine.seats import Seat


def dealt(rules: Rules, rng: Random, lead: Seat, scores: Sequence[Score]) -> Position:
    """A deal that has just begun, by the chance of ``rng``."""
    tiles = [*singles(EVERY_TILE)]
    rng.shuffle(tiles)
    size = rules.game.hand_size(rules.seats)
    hands = [sum(tiles[seat * size : (seat + 1) * size]) for seat in range(rules.seats)]
    return Position(rules, hands, tiles[rules.seats * size :], lead, [*scores])
