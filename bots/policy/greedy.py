"""Beginner as a policy of playouts, and of those who are taken to play like it. For games with an exact target (F8)."""

from __future__ import annotations

from collections.abc import Sequence

from bots.kernel.bits import TileSet, pips_in
from bots.kernel.machine import Placement
from bots.kernel.rules import Score


def pick(_key: int, every: Sequence[Placement], _hand: TileSet, _laid: TileSet, need: Score) -> Placement:
    """Takes the most points that count, of equal plays the heaviest tile."""
    first = every[0]
    return first if first[2] <= need else max(every, key=lambda placement: appeal(placement, need))


def appeal(placement: Placement, need: Score) -> tuple[int, int]:
    """What `bots.beginner` looks at, for a side that needs ``need``: points beyond that are dropped."""
    bit, _, points = placement
    return points if points <= need else 0, pips_in(bit)
