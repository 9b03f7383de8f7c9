"""What a seat sees when it is to choose, as numbers: its hand, and what each other seat may hold."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import comb
from typing import NamedTuple

from bots.kernel.bits import EVERY_TILE, TileSet, bits_of, pips_in
from bots.kernel.rules import Rules, Score, plain
from bots.policy.shown import Shown
from bots.policy.worths import Worth, worth_of
from engine.seats import Seat
from engine.view import SeatView

NEXT, PARTNER, LAST = range(3)
"""What another seat is to one: the next in turn, the partner, the last before oneself."""
_PARTS = {2: (NEXT,), 3: (NEXT, LAST), 4: (NEXT, PARTNER, LAST)}


class Other(NamedTuple):
    """Another seat that holds tiles."""

    part: int
    tiles: int
    possible: TileSet
    """What it may hold, as far as is easily said."""
    none_of: Sequence[float]
    """By the number of possible tiles in a set: how likely it holds none of the set."""
    worth: Worth


class Sight(NamedTuple):
    """One turn of a seat."""

    rules: Rules
    hand: TileSet
    unseen: TileSet
    stock: int
    """Tiles left to draw."""
    others: Sequence[Other]
    worth: Worth
    ends_deal: bool
    """Whether going out would end the deal (F5)."""
    urgency: float
    """1 where an opponent holds its last tile, the less the more all of them hold."""
    mean_pips: float
    """Of an unseen tile."""


class Table(NamedTuple):
    """What lies open for all."""

    laid: TileSet
    tiles: Sequence[int]
    """Hand sizes, one a seat."""
    stock: int
    scores: Sequence[Score]
    """One a side."""
    shown: Shown


def sight_of(rules: Rules, table: Table, seat: Seat, hand: TileSet) -> Sight:
    """What ``seat`` sees that holds ``hand``."""
    worths = [worth_of(rules, rules.target - score) for score in table.scores]
    unseen = EVERY_TILE & ~(hand | table.laid)
    others, fewest = [], 28
    for step, part in enumerate(_PARTS[rules.seats], start=1):
        other = (seat + step) % rules.seats
        tiles = table.tiles[other]
        if tiles:
            possible = unseen & ~table.shown.lacks[other]
            none_of = _none_of(possible.bit_count(), tiles)
            others.append(Other(part, tiles, possible, none_of, worths[rules.side_of[other]]))
            if part != PARTNER:
                fewest = min(fewest, tiles)
    return Sight(
        rules,
        hand,
        unseen,
        table.stock if rules.draws else 0,
        others,
        worths[rules.side_of[seat]],
        rules.partner is None or not table.tiles[rules.partner[seat]],
        1 / fewest,
        pips_in(unseen) / unseen.bit_count() if unseen else 0.0,
    )


def table_of(view: SeatView) -> Table:
    """What ``view`` shows to everybody."""
    scores = [plain(score) for score in view.scores]
    return Table(bits_of(view.layout.tiles), view.tiles, view.stock, scores, Shown.by(view.seats, view.events))


@cache
def _none_of(unseen: int, held: int) -> Sequence[float]:
    held = min(held, unseen)
    return tuple([comb(unseen - size, held) / comb(unseen, held) for size in range(unseen + 1)])
