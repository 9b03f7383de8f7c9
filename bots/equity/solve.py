"""Chances to win a match from those of a deal: each need is played out, and then all are swept until they agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import TypeAlias

from bots.equity.equity import Equity, Result
from bots.equity.table import Chances, EquityTable, Needs
from bots.kernel.dealing import dealt
from bots.kernel.playout import Pick, finish
from bots.kernel.position import Position
from bots.kernel.rules import Rules
from engine.seats import Seat

CLOSE = 1e-4
"""The sweeps end when no chance moves by more."""

_LEAD = Seat(0)
"""Tables are made for this one: any other lead is the same with the seats turned."""

_Ends: TypeAlias = Counter[Result]
"""How often each end of a deal came up."""


def solve(rules: Rules, nodes: Sequence[int], pick: Pick, deals: int, rng: Random) -> EquityTable:
    """The table of ``rules`` where everybody plays as ``pick``. Each need is played out in the same ``deals``."""
    starts = [dealt(rules, rng, _LEAD, [0] * rules.sides) for _ in range(deals)]
    even = tuple([1 / rules.sides] * rules.sides)
    table = EquityTable(rules.sides, nodes, [even] * len(nodes) ** rules.sides)
    ends: list[tuple[int, _Ends]] = []
    for entry, needs in sorted(enumerate(table.states()), key=lambda state: sum(state[1])):
        ends.append((entry, _ends(starts, needs, pick)))
    while _sweep(table, rules, ends) > CLOSE:
        pass
    return table


def _ends(starts: Sequence[Position], needs: Needs, pick: Pick) -> _Ends:
    """How the deals end where the sides have ``needs``."""
    ends: _Ends = Counter()
    for start in starts:
        position = start.copy()
        position.scores[:] = [position.rules.target - need for need in needs]
        finish(position, [pick] * position.rules.seats)
        ends[Result.of(position)] += 1
    return ends


def _sweep(table: EquityTable, rules: Rules, ends: Sequence[tuple[int, _Ends]]) -> float:
    """Set each entry to what its deals lead to, by the table as it is. The most that one has moved by."""
    moved = 0.0
    for entry, counts in ends:
        equity = Equity(rules, table)  # its answers are of this moment
        sums = [0.0] * rules.sides
        for result, count in counts.items():
            for side, chance in enumerate(equity.after(result, _LEAD)):
                sums[side] += chance * count
        chances: Chances = tuple([total / counts.total() for total in sums])
        moved = max(moved, *(abs(new - old) for new, old in zip(chances, table.chances[entry], strict=True)))
        table.chances[entry] = chances
    return moved
