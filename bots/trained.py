"""Trained: plays by weights that were learned (see `bots.policy`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from types import MappingProxyType

from bots.kernel.bits import bits_of
from bots.kernel.plays import plays_of, rules_for
from bots.policy.sight import sight_of, table_of
from bots.policy.traits import traits
from bots.policy.weights import learned
from bots.soft import chosen
from engine.actions import Action
from engine.outcome import Choice
from engine.view import SeatView

SOFTNESS: Mapping[str, float] = MappingProxyType({"fives-threes": 0.3, "all-fives": 0, "block": 0, "draw": 0})
"""By game, how lightly it takes what it thinks (see `bots.soft`): search finds little that its weights do not know in
Fives and Threes, and would be no level above it."""


class Trained:
    """Takes a play that weighs most or little less; without a chance of its own always the one that weighs most."""

    def __init__(self, rng: Random | None = None) -> None:
        self._rng = rng

    def choose(self, view: SeatView, legal: Sequence[Choice]) -> Action:
        """See `bots.player.Player`."""
        if len(legal) == 1 or view.seat is None:
            return legal[0].action
        weights, plays = learned(view.game, view.seats).traits, plays_of(view, legal)
        sight = sight_of(rules_for(view), table_of(view), view.seat, bits_of(view.hand))
        placements = [*plays]
        weighed = [traits(sight, placement).weighed(weights) for placement in placements]
        return plays[chosen(placements, weighed, SOFTNESS[view.game], self._rng)]
