"""Novice: anything that the rules allow."""

from __future__ import annotations

import random
from collections.abc import Sequence

from engine.actions import Action
from engine.outcome import Choice
from engine.view import SeatView


class Novice:
    """Takes each legal action as often as any other."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def choose(self, _view: SeatView, legal: Sequence[Choice]) -> Action:
        """See `bots.player.Player`."""
        return self._rng.choice(legal).action
