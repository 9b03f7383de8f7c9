"""The record of a deal of Block as engines of other projects tell it: one move after another, knocks included."""

from __future__ import annotations

from typing import NamedTuple

from engine.events import Knocked, Played
from engine.layout import End
from engine.seats import Seat
from engine.view import SeatView


class Laid(NamedTuple):
    """A tile on the line: its ``inner`` half meets the line, its ``outer`` half is the new end. First of all it is the
    right one.
    """

    seat: Seat
    inner: int
    outer: int
    left: bool
    first: bool


def moves_of(view: SeatView) -> list[Laid | None]:
    """All plays so far; None for a knock."""
    moves: list[Laid | None] = []
    left: int | None = None
    right = 0
    for event in view.events:
        if isinstance(event, Knocked):
            moves.append(None)
        elif isinstance(event, Played):
            ends = {end.end: end.value for end in event.ends}
            on_left = event.end is End.LEFT
            if left is None:
                inner, outer = ends[End.LEFT], ends[End.RIGHT]
            else:
                inner = left if on_left else right
                outer = ends[End.LEFT if on_left else End.RIGHT]
            moves.append(Laid(event.seat, inner, outer, on_left, left is None))
            left, right = ends[End.LEFT], ends[End.RIGHT]
    return moves
