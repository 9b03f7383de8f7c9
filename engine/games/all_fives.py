"""All Fives (A): a spinner with four arms, points for totals that 5 divides, drawing from the stock."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

from engine.events import Part
from engine.games.base import Bonus, BySeats, Game, lead_goes_out
from engine.games.counting import lowest_sides, nobody, only, others_pips
from engine.points import exact
from engine.seats import Side


@cache
def _end_parts(total: int) -> tuple[Part, ...]:
    """The total itself, if it is positive and 5 divides it (A5)."""
    return (Part(5, total),) if total > 0 and total % 5 == 0 else ()


def _to_nearest_five(pips: int) -> int:
    """1 and 2 over go down, 3 and 4 up (A8)."""
    return (pips + 2) // 5 * 5


def _count_out(pips: Sequence[int], out: Side) -> Bonus:
    """The pips of the other sides: the sum rounded once, not each hand (A8)."""
    return only(out, _to_nearest_five(others_pips(pips, out)), len(pips))


def _count_blocked(pips: Sequence[int]) -> Bonus:
    """The sole lowest gets the others' pips (A9), two equal of three share the third's (A11), else nobody (A10)."""
    lowest = lowest_sides(pips)
    if len(lowest) == 1:
        return _count_out(pips, lowest[0])
    if len(lowest) == 2 and len(pips) == 3:
        share = exact(Fraction(_to_nearest_five(max(pips)), 2))
        return tuple(share if Side(side) in lowest else 0 for side in range(3))
    return nobody(len(pips))


ALL_FIVES = Game(
    name="all-fives",
    hand_sizes=BySeats(two=9, three=7, four=5),
    targets=BySeats(two=250, three=200, four=200),
    draws=True,
    branches=True,
    end_parts=_end_parts,
    count_out=_count_out,
    count_blocked=_count_blocked,
    next_lead=lead_goes_out,
)
