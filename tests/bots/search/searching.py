"""A player that searches, with as much work as a test can spare."""

from __future__ import annotations

import random
from collections.abc import Sequence

from bots.search.search import Work, searched
from engine.actions import Action
from engine.outcome import Choice
from engine.view import SeatView


class Searching:
    """Does so much work for each choice."""

    def __init__(self, work: Work, rng: random.Random) -> None:
        self._work, self._rng = work, rng

    def choose(self, view: SeatView, legal: Sequence[Choice]) -> Action:
        return searched(view, legal, self._work, self._rng.getrandbits(64), stopped)


def stopped() -> float:
    """A clock that stands still."""
    return 0.0
