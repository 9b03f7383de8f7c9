"""What the points of an event are worth to its side, by how many it needs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

from bots.gains import gain
from bots.kernel.rules import Rules, Score

Worth: TypeAlias = Sequence[float]
"""By the points of an event: what it is worth to the side that scores it, in points."""

NEAR = 40
"""A side that needs more is far from the target: to it a point is a point."""
_MOST_POINTS = 64
"""No event has so many."""

FAR: Worth = tuple(float(points) for points in range(_MOST_POINTS))


def worths_by_need(rules: Rules) -> Sequence[Worth]:
    """By the points that a side needs, up to `NEAR`; the last is for all who need more."""
    return _worths(rules.game.name)


def worth_of(rules: Rules, need: Score) -> Worth:
    """What events are worth to a side that needs ``need``."""
    return _worths(rules.game.name)[near(need)]


def near(need: Score) -> int:
    """``need`` as a number of `worths_by_need`. Who is level beyond the target needs as good as any points (A13)."""
    return int(need) if 0 < need < NEAR else NEAR


@lru_cache
def _worths(game: str) -> Sequence[Worth]:
    far = 1000
    return (
        FAR,
        *(tuple(gain(game, far, far - need, points) for points in range(_MOST_POINTS)) for need in range(1, NEAR)),
        FAR,
    )
