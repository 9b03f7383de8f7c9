"""Beginner as a policy of playouts, and of those who are taken to play like it. For games with an exact target (F8)."""

from __future__ import annotations

from collections.abc import Sequence

from bots.kernel import playout
from bots.kernel.bits import TileSet, pips_in
from bots.kernel.machine import Placement, State
from bots.kernel.rules import Score


def pick(state: State, leads: Sequence[Placement], hand: TileSet, laid: TileSet, need: Score) -> Placement:
    """Takes the most points that count, of equal plays the heaviest tile."""
    first = playout.greedy(state, leads, hand, laid, need)
    if first[2] <= need:
        return first
    return max([placement for placement in leads if placement[0] & hand], key=lambda placement: appeal(placement, need))


def appeal(placement: Placement, need: Score) -> tuple[int, int]:
    """What `bots.beginner` looks at, for a side that needs ``need``: points beyond that are dropped."""
    bit, _, points = placement
    return points if points <= need else 0, pips_in(bit)
