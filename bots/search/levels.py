"""The levels that search, and how much each of them does for a choice."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from random import Random
from types import MappingProxyType

from bots.search.search import Clock, Work, searched
from engine.actions import Action
from engine.outcome import Choice
from engine.view import SeatView

WORK: Mapping[str, Work] = MappingProxyType(
    {
        "strong": Work(worlds=75, pool=0, cap=2.0),
        "expert": Work(worlds=250, pool=600, cap=5.0),
        "master": Work(worlds=2000, pool=4000, cap=20.0),
    }
)
"""By name on the wire. The caps are for a machine that hangs: a choice is made long before."""


def choose(view: SeatView, legal: Sequence[Choice], level: str, seed: int, monotonic: Clock = time.monotonic) -> Action:
    """What ``level`` does at ``view``. It hangs on nothing else, so that it can be asked in any process."""
    return searched(view, legal, WORK[level], seed, monotonic)


class Searcher:
    """Plays at a level that searches. ``rng`` is its own chance, which must not come from the seed of any deal.

    Its caps count the time of the processor, so that no other work of the machine changes what it plays.
    """

    def __init__(self, level: str, rng: Random) -> None:
        self._level = level
        self._rng = rng

    def choose(self, view: SeatView, legal: Sequence[Choice]) -> Action:
        """See `bots.player.Player`."""
        return choose(view, legal, self._level, self._rng.getrandbits(64), time.process_time)
