"""Club: looks one turn ahead.

It values points by the way to the target, fears the best answer of the next opponent, likes to leave opponents
without an answer and its partner with one, keeps its own hand playable and gets rid of heavy tiles where they count.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from types import MappingProxyType

from bots.judge import Judge
from bots.soft import chosen
from bots.weights import CLUB
from engine.actions import Action, Play
from engine.outcome import Choice
from engine.view import SeatView

SOFTNESS: Mapping[str, float] = MappingProxyType({"fives-threes": 0.5, "all-fives": 0, "block": 0, "draw": 0})
"""By game, how lightly it takes what it thinks (see `bots.soft`).

In Fives and Threes with partners its judgement alone would be as good as that of trained.
"""


class Club:
    """Takes a play that weighs most or little less; without a chance of its own always the one that weighs most."""

    def __init__(self, rng: Random | None = None) -> None:
        self._rng = rng

    def choose(self, view: SeatView, legal: Sequence[Choice]) -> Action:
        """See `bots.player.Player`."""
        if len(legal) == 1:
            return legal[0].action
        return chosen(legal, _weights(view, legal), SOFTNESS[view.game], self._rng).action


def _weights(view: SeatView, legal: Sequence[Choice]) -> list[float]:
    """What club thinks of each of ``legal``, in points; nothing of what is no play."""
    if view.seat is None:
        return [0.0] * len(legal)
    judge, weights = Judge(view, view.seat), CLUB[view.game][view.seats - 2]
    return [
        judge.traits(choice.action, choice.outcome).weighed(weights)
        if isinstance(choice.action, Play) and choice.outcome is not None
        else 0.0
        for choice in legal
    ]
