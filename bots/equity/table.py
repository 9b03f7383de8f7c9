"""Chances to win a match, looked up by what each side still needs."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from pathlib import Path
from typing import TypeAlias

from bots.kernel.rules import Score

Needs: TypeAlias = tuple[Score, ...]
"""Points to the target, one a side: first of the side that leads the next deal, then of the others as they follow."""

Chances: TypeAlias = tuple[float, ...]
"""To win the match, in the same order."""

FOLDER = Path(__file__).parent / "tables"

_SCALE = 10_000
"""Chances are kept as whole numbers of this part."""


@dataclass
class EquityTable:
    """Chances where each side needs one of ``nodes``, which ascend; what lies between is taken to be smooth.

    ``chances`` are in the order of `states`.
    """

    sides: int
    nodes: Sequence[int]
    chances: list[Chances] = field(repr=False)

    def states(self) -> Iterator[Needs]:
        """All needs for which there is an entry, in order."""
        return product(self.nodes, repeat=self.sides)

    def at(self, needs: Needs) -> Chances:
        """The chances with ``needs``. Those beyond the table are brought within it, in proportion."""
        beyond = max(1.0, max(needs) / self.nodes[-1])
        corners = [(0, 1.0)]
        for need in needs:
            low, share = self._place(need / beyond)
            corners = [
                (entry * len(self.nodes) + node, weight * part)
                for entry, weight in corners
                for node, part in ((low, 1 - share), (low + 1, share))
                if part
            ]
        near = [(self.chances[entry], weight) for entry, weight in corners]
        return tuple([sum([chances[side] * weight for chances, weight in near]) for side in range(self.sides)])

    def _place(self, need: Score) -> tuple[int, float]:
        """The node at or below ``need``, or the first, and what part of the way to the next it is past."""
        number = bisect_right(self.nodes, need) - 1
        if number < 0 or need >= self.nodes[-1] or need == self.nodes[number]:
            return max(number, 0), 0.0
        low, high = self.nodes[number : number + 2]
        return number, (need - low) / (high - low)

    def dump(self) -> list[list[int]]:
        """The chances as they are kept: those of the last side follow from the others."""
        return [[round(chance * _SCALE) for chance in chances[:-1]] for chances in self.chances]

    @classmethod
    def load(cls, sides: int, nodes: Sequence[int], kept: Sequence[Sequence[int]]) -> EquityTable:
        """The table of which `dump` gave ``kept``."""
        known = [[part / _SCALE for part in parts] for parts in kept]
        return cls(sides, nodes, [(*chances, 1.0 - sum(chances)) for chances in known])


@cache
def equity_table(game: str, seats: int) -> EquityTable:
    """The table that is kept for ``game`` with ``seats``."""
    kept = json.loads((FOLDER / f"{game}-{seats}.json").read_text())
    return EquityTable.load(2 if seats == 4 else seats, kept["nodes"], kept["chances"])
