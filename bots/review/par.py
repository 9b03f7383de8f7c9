"""What a deal would have come to if everybody had seen all tiles and played perfectly: its par."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from bots.kernel.bits import TileSet
from bots.kernel.machine import State
from bots.kernel.position import Position
from bots.kernel.rules import Score
from engine.seats import Seat

MOST_POSITIONS = 150_000
"""More are not looked at: a second or so."""

_Key: TypeAlias = tuple[tuple[TileSet, ...], State, Seat, tuple[Score, ...]]
_Bounds: TypeAlias = tuple[Score, Score]

_EVERYTHING = 1e6


class _TooMany(Exception):
    """Positions."""


def par(position: Position, most: int = MOST_POSITIONS) -> Score | None:
    """Points that the first side makes more than the second from ``position`` on, in a game of two sides.

    None where finding it would take more than ``most`` positions. ValueError with three sides, or tiles to draw.
    """
    if position.rules.sides != 2 or position.can_draw:
        raise ValueError("par is of two sides, where all tiles are dealt")
    ahead = _lead(position.scores)
    try:
        return _Solver(most).value(position, -_EVERYTHING, _EVERYTHING) - ahead
    except _TooMany:
        return None


def _lead(scores: Sequence[Score]) -> Score:
    return scores[0] - scores[1]


class _Solver:
    """Alpha-beta over the first side's lead at the end, which remembers where it has been."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: dict[_Key, _Bounds] = {}
        """How large the lead is at least, and at most."""

    def value(self, position: Position, low: Score, high: Score) -> Score:
        """The lead at the end; a bound of it where it is not between ``low`` and ``high``."""
        if position.ended is not None:
            return _lead(position.scores)
        key = (tuple(position.hands), position.state, position.turn, tuple(position.scores))
        least, most = self._known.get(key, (-_EVERYTHING, _EVERYTHING))
        if least >= high or least == most:
            return least
        if most <= low:
            return most
        value = self._best(position, max(low, least), min(high, most))
        if value > low:
            least = max(least, value)
        if value < high:
            most = min(most, value)
        self._known[key] = (least, most)
        if len(self._known) > self._most:
            raise _TooMany
        return value

    def _best(self, position: Position, low: Score, high: Score) -> Score:
        """The best for the side in turn. Each play is tried on a position of its own."""
        if not position.playable:
            position = position.copy()
            position.knock()
            return self.value(position, low, high)
        is_first = position.rules.side_of[position.turn] == 0
        best = -_EVERYTHING if is_first else _EVERYTHING
        for placement in position.placements():
            after = position.copy()
            after.play(placement)
            value = self.value(after, low, high)
            if is_first:
                best, low = max(best, value), max(low, value)
            else:
                best, high = min(best, value), min(high, value)
            if low >= high:
                break
        return best
