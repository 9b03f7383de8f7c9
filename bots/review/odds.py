"""What each play of a turn comes to: points, the chance to win the match, and how sure that is.

Made by search, from what the seat may know and from nothing else (H2). The seed hangs on the view, so the same question
has the same answer, and on nothing that the view does not show.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping, Sequence
from random import Random
from statistics import fmean
from types import MappingProxyType
from typing import NamedTuple

from bots.equity.equity import Result
from bots.kernel.machine import Placement
from bots.kernel.plays import rules_for
from bots.kernel.rules import Score, plain
from bots.review.sample import Mean, difference, mean_of
from bots.search.search import Clock, Search, Work
from engine.actions import Play
from engine.outcome import Choice
from engine.seats import Side
from engine.view import SeatView
from protocol.hints import Odds

WORK = Work(worlds=250, pool=750, cap=30.0)
"""What is done for one turn. The cap is for a machine that hangs: on one that is only busy the same is found."""

_LEAST_PER_POINT = 0.002
"""Where hardly anything hangs on a point, what a chance is worth in points would grow without end."""


class Judged(NamedTuple):
    """A play and what it comes to."""

    odds: Odds
    value: float
    """In points: what the plays of the turn come to, and what this one's chance to win is worth beyond theirs."""
    behind: float
    """How much smaller the chance is than that of the best play."""
    is_ahead: bool
    """Whether it is no smaller than that of the plays on average."""


NO_ODDS: Mapping[Play, Judged] = MappingProxyType({})
"""Of a turn in which nothing hangs on what is played."""


def odds(
    view: SeatView, legal: Sequence[Choice], work: Work = WORK, clock: Clock = time.monotonic
) -> Mapping[Play, Judged]:
    """Every play in ``legal`` for the seat of ``view``; none where they all come to the same."""
    placements = _placements(view, legal)
    different = tuple(dict.fromkeys(placements.values()))
    if len(different) < 2:
        return NO_ODDS
    search = Search(view, work, Random(seed_of(view)), clock)  # noqa: S311 - how plays are judged is no secret
    judged = dict(zip(different, _Samples(view, search, different).judged(), strict=True))
    return {play: judged[placement] for play, placement in placements.items()}


def seed_of(view: SeatView) -> int:
    """A number that hangs on all that ``view`` shows."""
    return int.from_bytes(hashlib.sha256(repr(view).encode()).digest()[:8])


def _placements(view: SeatView, legal: Sequence[Choice]) -> dict[Play, Placement]:
    machine = rules_for(view).machine
    plays = [choice.action for choice in legal if isinstance(choice.action, Play)]
    return {play: machine.placement(play.tile, view.layout.place(play.tile, play.end)) for play in plays}


class _Samples:
    """What each of ``plays`` came to in the same worlds."""

    def __init__(self, view: SeatView, search: Search, plays: Sequence[Placement]) -> None:
        self._counts, worlds = zip(*search.results(plays), strict=True)
        before = [plain(score) for score in view.scores]
        by_play: list[Sequence[Result]] = [*zip(*worlds, strict=True)]
        self._chances = [[search.chance_after(result) for result in results] for results in by_play]
        self._means = [mean_of(chances, self._counts) for chances in self._chances]
        self._points = [self._mean([_lead(result, before, search.side) for result in results]) for results in by_play]
        self._best = max(range(len(plays)), key=lambda at: (self._means[at].mean, self._points[at]))
        self._per_point = max(search.per_point(), _LEAST_PER_POINT)

    def judged(self) -> list[Judged]:
        """Each of the plays."""
        usual = fmean([mean.mean for mean in self._means])
        return [
            Judged(
                self._odds(at, mean),
                value=fmean(self._points) + (mean.mean - usual) / self._per_point,
                behind=self._means[self._best].mean - mean.mean,
                is_ahead=mean.mean >= usual,
            )
            for at, mean in enumerate(self._means)
        ]

    def _odds(self, at: int, mean: Mean) -> Odds:
        behind = difference(self._chances[self._best], self._chances[at], self._counts)
        is_close = at != self._best and behind.is_nothing
        return Odds(points=self._points[at], chance=mean.mean, error=mean.error, close=is_close)

    def _mean(self, values: Sequence[float]) -> float:
        return mean_of(values, self._counts).mean


def _lead(result: Result, before: Sequence[Score], side: Side) -> float:
    """Points that ``side`` made more than the others, on average of these."""
    made = [after - score for after, score in zip(result.scores, before, strict=True)]
    own = made.pop(side)
    return own - fmean(made)
