"""Everything that can be said to a seat in turn."""

from __future__ import annotations

import time
from collections.abc import Sequence

from bots.hints import hints
from bots.review.odds import NO_ODDS, WORK, odds
from bots.review.whereabouts import tile_map
from bots.search.search import Clock, Work
from engine.outcome import Choice
from engine.view import SeatView
from protocol.hints import Advice


def advise(view: SeatView, legal: Sequence[Choice], work: Work | None = WORK, clock: Clock = time.monotonic) -> Advice:
    """What the seat of ``view`` can be told of ``legal``; the same each time. Without ``work`` it takes no search.

    Raises:
        ValueError: the view is a spectator's.
    """
    judged = NO_ODDS if work is None else odds(view, legal, work, clock)
    return Advice(hints(view, legal, judged), tile_map(view))
