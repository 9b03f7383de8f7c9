"""Fives and Threes (F): one line, points for totals that 3 or 5 divides, an exact target."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from engine.events import Part
from engine.games.base import Bonus, BySeats, Game, lead_moves_on
from engine.games.counting import nobody
from engine.seats import Side


@cache
def _end_parts(total: int) -> tuple[Part, ...]:
    """A third of a total that 3 divides and a fifth of one that 5 divides, both for 15 (F3)."""
    parts: list[Part] = []
    if total > 0 and total % 3 == 0:
        parts.append(Part(3, total // 3))
    if total > 0 and total % 5 == 0:
        parts.append(Part(5, total // 5))
    return tuple(parts)


def _count_out(pips: Sequence[int], _out: Side) -> Bonus:
    """Tiles left in hand never score (F7)."""
    return nobody(len(pips))


def _count_blocked(pips: Sequence[int]) -> Bonus:
    """No winner of a blocked deal (F6)."""
    return nobody(len(pips))


FIVES_THREES = Game(
    name="fives-threes",
    hand_sizes=BySeats(two=7, three=5, four=5),
    targets=BySeats(two=61, three=61, four=61),
    draws=False,
    branches=False,
    end_parts=_end_parts,
    count_out=_count_out,
    count_blocked=_count_blocked,
    next_lead=lead_moves_on,
    out_points=1,
    exact_target=True,
    teams_go_out=True,
)
