"""Trained: plays by weights that were learned (see `bots.policy`)."""

from __future__ import annotations

from collections.abc import Sequence

from bots.kernel.bits import bits_of
from bots.kernel.plays import plays_of, rules_for
from bots.policy.sight import sight_of, table_of
from bots.policy.traits import traits
from bots.policy.weights import learned
from engine.actions import Action
from engine.outcome import Choice
from engine.view import SeatView


class Trained:
    """Takes the play that weighs most; of equal ones the first."""

    def choose(self, view: SeatView, legal: Sequence[Choice]) -> Action:
        """See `bots.player.Player`."""
        if len(legal) == 1 or view.seat is None:
            return legal[0].action
        weights, plays = learned(view.game, view.seats).traits, plays_of(view, legal)
        sight = sight_of(rules_for(view), table_of(view), view.seat, bits_of(view.hand))
        return plays[max(plays, key=lambda placement: traits(sight, placement).weighed(weights))]
