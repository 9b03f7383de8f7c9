"""The policy of playouts: it has a microsecond or two, so it looks at little but its own hand."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import NamedTuple, TypeAlias

from bots.kernel.bits import DOUBLES, EVERY_TILE, TileBit, TileSet, pips_in
from bots.kernel.machine import Machine, Placement, State
from bots.kernel.playout import Pick
from bots.kernel.rules import Rules, Score
from bots.policy.worths import NEAR, near, worths_by_need

KEY_BITS = 48
"""Keys of states and tiles are shorter."""

RATINGS_KEPT = 1 << 13
"""More are no faster, and each is about a kilobyte."""

Rated: TypeAlias = tuple[float, TileBit, TileSet, Placement]
"""A placement, with its tile and what fits after it; and its weight, but for what hangs on the tiles in sight."""

_USUAL_HAND = 5


class SwiftWeights(NamedTuple):
    """What each is worth, in points."""

    pips: float
    double: float
    options: float
    """For each tile kept that fits then."""
    hidden: float
    """For each unseen tile that fits then."""
    reply: float
    """For each point of the best answer that a hand of chance has, on average."""


class Swift:
    """Weighs the plays of one game by ``weights``; `pick` is a policy for `bots.kernel.playout.finish`."""

    def __init__(self, rules: Rules, weights: SwiftWeights) -> None:
        self._machine = rules.machine
        self._weights = weights
        self._worths = worths_by_need(rules)
        self._rated: dict[int, list[Rated]] = {}
        self.pick = self._picking()

    def weigh(self, key: int, every: Sequence[Placement], hand: TileSet, laid: TileSet, need: Score) -> list[float]:
        """What each placement weighs; asked like a `Pick`."""
        per_option, per_hidden = self._weights.options, self._weights.hidden
        key |= near(need) << KEY_BITS
        known = self._rated.get(key) or self._rate_anew(key, every, need)
        unseen = EVERY_TILE & ~(laid | hand)
        return [
            rating + per_option * ((hand ^ bit) & fit).bit_count() + per_hidden * (unseen & fit).bit_count()
            for rating, bit, fit, _ in known
        ]

    def _picking(self) -> Pick:
        """Takes what weighs most; of equal placements the greediest. One loop: it is most of what playouts do."""
        per_option, per_hidden = self._weights.options, self._weights.hidden
        rated, rate = self._rated, self._rate_anew

        def pick(key: int, every: Sequence[Placement], hand: TileSet, laid: TileSet, need: Score) -> Placement:
            key |= (int(need) if 0 < need < NEAR else NEAR) << KEY_BITS
            known = rated.get(key) or rate(key, every, need)
            unseen = EVERY_TILE & ~(laid | hand)
            most, picked = -1e9, every[0]
            for rating, bit, fit, placement in known:
                options, hidden = ((hand ^ bit) & fit).bit_count(), (unseen & fit).bit_count()
                weight = rating + per_option * options + per_hidden * hidden
                if weight > most:
                    most, picked = weight, placement
            return picked

        return pick

    def _rate_anew(self, key: int, every: Sequence[Placement], need: Score) -> list[Rated]:
        """The placements, rated; kept for the next time."""
        if len(self._rated) >= RATINGS_KEPT:
            self._rated.clear()
        known = self._rated[key] = self._rate(every, near(need))
        return known

    def _rate(self, every: Sequence[Placement], need: int) -> list[Rated]:
        worth, weights = self._worths[need], self._weights
        return [
            (
                worth[points]
                + weights.pips * pips_in(bit)
                + (weights.double if bit & DOUBLES else 0.0)
                + (weights.reply * usual_reply(self._machine, after) if weights.reply else 0.0),
                bit,
                self._machine.fits[after],
                (bit, after, points),
            )
            for bit, after, points in every
        ]


def usual_reply(machine: Machine, state: State) -> float:
    """Points of the best play of a hand of chance at ``state``, on average."""
    reply, seen, nothing_better = 0.0, 0, 1.0
    for points, tiles in machine.scoring(state):
        seen += tiles.bit_count()
        nothing = comb(28 - seen, _USUAL_HAND) / comb(28, _USUAL_HAND)
        reply += points * (nothing_better - nothing)
        nothing_better = nothing
    return reply
