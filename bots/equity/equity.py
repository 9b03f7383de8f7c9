"""How likely each side is to win the match: after a deal, and at its beginning."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from bots.equity.table import Chances, EquityTable, equity_table
from bots.kernel.position import Position
from bots.kernel.rules import Rules, Score
from engine.seats import Seat, Side, seat_range

_KEPT = 1 << 12
_TABLES_KEPT = 16


class Result(NamedTuple):
    """What counts of a deal that is over."""

    winner: Side | None
    """Who has won the match with it."""
    out: Seat | None
    scores: tuple[Score, ...]

    @classmethod
    def of(cls, position: Position) -> Result:
        """That of a deal that has ended at ``position``."""
        return cls(position.winner, position.out, tuple(position.scores))


class Equity:
    """Chances by ``table`` in a match by ``rules``, one a side, by the number of the side."""

    def __init__(self, rules: Rules, table: EquityTable) -> None:
        self._rules = rules
        self._table = table
        self.after = lru_cache(_KEPT)(self._after)
        """After a deal with this `Result` that this seat led."""

    def _after(self, result: Result, lead: Seat) -> Chances:
        winner, out, scores = result
        if winner is not None:
            return tuple([float(side == winner) for side in range(self._rules.sides)])
        following = self._rules.game.next_lead(lead, out, self._rules.seats)
        if following != "lot":
            return self.before(scores, following)
        by_lot = [self.before(scores, seat) for seat in seat_range(self._rules.seats)]
        return tuple([sum(chances) / len(by_lot) for chances in zip(*by_lot, strict=True)])

    def before(self, scores: Sequence[Score], lead: Seat) -> Chances:
        """Before a deal that ``lead`` leads, where nobody has won."""
        first, sides = self._rules.side_of[lead], self._rules.sides
        order = [(first + step) % sides for step in range(sides)]
        chances = self._table.at(tuple([max(self._rules.target - scores[side], 0) for side in order]))
        return tuple([chances[order.index(side)] for side in range(sides)])


@lru_cache(_TABLES_KEPT)
def equity_of(rules: Rules) -> Equity:
    """The chances in a match by ``rules``, by the table that is kept for them."""
    return Equity(rules, equity_table(rules.game.name, rules.seats))
