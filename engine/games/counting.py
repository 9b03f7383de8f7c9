"""Counting the hands at the end of a deal: what several games have in common."""

from __future__ import annotations

from collections.abc import Sequence

from engine.events import Part
from engine.games.base import Bonus
from engine.seats import Side


def nothing_in_play(_total: int) -> tuple[Part, ...]:
    """No points during play (B4)."""
    return ()


def lowest_sides(pips: Sequence[int]) -> tuple[Side, ...]:
    """The sides with the fewest ``pips``, one or several."""
    least = min(pips)
    return tuple(Side(side) for side, held in enumerate(pips) if held == least)


def others_pips(pips: Sequence[int], side: Side) -> int:
    """The ``pips`` of all sides but ``side`` together; its own are not subtracted (A9, B5)."""
    return sum(pips) - pips[side]


def only(side: Side, points: int, sides: int) -> Bonus:
    """``points`` for ``side``, nothing for the rest of ``sides``."""
    return tuple(points if other == side else 0 for other in range(sides))


def nobody(sides: int) -> Bonus:
    """No points for any of ``sides``."""
    return (0,) * sides


def plain_out(pips: Sequence[int], out: Side) -> Bonus:
    """The side that went out gets the pips of the others, unrounded (B4)."""
    return only(out, others_pips(pips, out), len(pips))


def plain_blocked(pips: Sequence[int]) -> Bonus:
    """The sole lowest side gets the pips of the others, unrounded; equal lowest: nobody (B5)."""
    lowest = lowest_sides(pips)
    return plain_out(pips, lowest[0]) if len(lowest) == 1 else nobody(len(pips))
