"""The policy of playouts: it has a microsecond or two, so it looks at little but its own hand."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import comb
from typing import NamedTuple, TypeAlias

from bots.kernel.bits import DOUBLES, EVERY_TILE, TileBit, TileSet, pips_in
from bots.kernel.machine import Machine, Placement, State
from bots.kernel.playout import Pick
from bots.kernel.rules import Rules, Score
from bots.policy.worths import NEAR, near, worths_by_need

Rated: TypeAlias = tuple[float, int, TileBit, TileSet, Placement]
"""What a placement weighs, but for what hangs on the score and the tiles in sight; its points, its tile and what fits
then; and the placement itself."""

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
        self._rated: dict[State, list[Rated]] = {}
        """By state, every placement there is, in the order of `Machine.leads`."""
        self.pick = self._picking()

    def weigh(self, state: State, hand: TileSet, laid: TileSet, need: Score) -> list[float]:
        """What each placement of ``hand`` weighs, in the order of `Machine.placements`."""
        per_option, per_hidden = self._weights.options, self._weights.hidden
        worth = self._worths[near(need)]
        unseen = EVERY_TILE & ~(laid | hand)
        return [
            rating
            + worth[points]
            + per_option * ((hand ^ bit) & fit).bit_count()
            + per_hidden * (unseen & fit).bit_count()
            for rating, points, bit, fit, _ in self._rated.get(state) or self._rate(state)
            if bit & hand
        ]

    def _picking(self) -> Pick:
        """Takes what weighs most; of equal placements the greediest. One loop: it is most of what playouts do."""
        per_option, per_hidden = self._weights.options, self._weights.hidden
        rated, rate, worths = self._rated, self._rate, self._worths

        def pick(state: State, leads: Sequence[Placement], hand: TileSet, laid: TileSet, need: Score) -> Placement:
            worth = worths[int(need) if 0 < need < NEAR else NEAR]
            unseen = EVERY_TILE & ~(laid | hand)
            most, picked = -1e9, leads[0]
            for one in rated.get(state) or rate(state):
                if one[2] & hand:  # most are not, so nothing else is looked at before
                    rating, points, bit, fit, placement = one
                    options, hidden = ((hand ^ bit) & fit).bit_count(), (unseen & fit).bit_count()
                    weight = rating + worth[points] + per_option * options + per_hidden * hidden
                    if weight > most:
                        most, picked = weight, placement
            return picked

        return pick

    def _rate(self, state: State) -> list[Rated]:
        leads = self._machine.leads[state] or self._machine.explore(state)
        rated = self._rated[state] = [self._rate_one(placement) for placement in leads]
        return rated

    def _rate_one(self, placement: Placement) -> Rated:
        bit, after, points = placement
        weights = self._weights
        rating = weights.pips * pips_in(bit) + (weights.double if bit & DOUBLES else 0.0)
        if weights.reply:
            rating += weights.reply * usual_reply(self._machine, after)
        return rating, points, bit, self._machine.fits[after], placement


@cache
def usual_reply(machine: Machine, state: State) -> float:
    """Points of the best play of a hand of chance at ``state``, on average."""
    reply, seen, nothing_better = 0.0, 0, 1.0
    for points, tiles in machine.scoring(state):
        seen += tiles.bit_count()
        nothing = comb(28 - seen, _USUAL_HAND) / comb(28, _USUAL_HAND)
        reply += points * (nothing_better - nothing)
        nothing_better = nothing
    return reply
