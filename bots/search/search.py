"""Chooses by playing out legal plays in worlds of chance, and counting how often the match would be won.

All are played out in some worlds, and then the better half of them in more, until two are left: that work goes where it
is hardest to tell, and is no more where there are many plays.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, groupby, islice
from math import exp
from random import Random
from statistics import fmean
from typing import NamedTuple, TypeAlias

from bots.equity.equity import Result, equity_of
from bots.kernel.bits import bits_of
from bots.kernel.machine import Placement
from bots.kernel.playout import Pick, finish
from bots.kernel.plays import plays_of, rules_for
from bots.kernel.position import Position
from bots.kernel.rules import plain
from bots.policy import greedy
from bots.policy.sight import sight_of, table_of
from bots.policy.traits import traits
from bots.policy.weights import learned, swift_of
from bots.sampling.worlds import World, Worlds
from bots.search.plausibility import NOBODY, Greedy, Plausibility, plays_seen
from engine.actions import Action
from engine.outcome import Choice
from engine.seats import seat_range
from engine.view import SeatView

Clock: TypeAlias = Callable[[], float]
"""Seconds, monotonic."""

PRIOR = 50
"""What the learned policy thinks of a play counts as much as what it comes to in so many worlds."""
SOFTNESS = {"fives-threes": 1.0, "all-fives": 4.0, "block": 2.5, "draw": 2.5}
"""By game: how soft the model of the others is, in points (see `bots.search.plausibility`)."""
GREEDY_TABLES = {("fives-threes", 2)}
"""By game and seats: where the other seat may as well play like beginner, and the longer it does so, the likelier. With
partners that made no difference."""


class Guess(NamedTuple):
    """How the tiles may lie, and who may play like beginner."""

    world: World
    greedy: Greedy


class Work(NamedTuple):
    """How much is done for a choice. The same on every machine, but for the cap."""

    worlds: int
    """In which two plays are played out. More of them share as many playouts, unless all are to be judged."""
    pool: int
    """Of which the worlds are taken, the more likely by how plausible they are."""
    cap: float
    """Seconds; a choice that takes longer is made from what has been seen by then."""


def searched(view: SeatView, legal: Sequence[Choice], work: Work, seed: int, clock: Clock) -> Action:
    """One of ``legal`` for the seat of ``view``. It hangs on nothing but what is given here."""
    if len(legal) == 1:
        return legal[0].action
    plays = plays_of(view, legal)
    if len(plays) == 1:
        return next(iter(plays.values()))
    rng = Random(seed)  # noqa: S311 - how bots choose is no secret
    return plays[Search(view, work, rng, clock).best(tuple(plays))]


class Round(NamedTuple):
    """So many ``plays``, the best by then, are played out in so many more ``worlds``."""

    plays: int
    worlds: int


def rounds_for(plays: int, worlds: int) -> Sequence[Round]:
    """Halves the ``plays`` until two are left, all rounds with as many playouts: in all those of two in ``worlds``."""
    left = [plays]
    while left[-1] > 2:
        left.append((left[-1] + 1) // 2)
    return [Round(count, max(2 * worlds // (len(left) * count), 1)) for count in left]


class Search:
    """The worlds of one turn, and what a play comes to in them."""

    def __init__(self, view: SeatView, work: Work, rng: Random, clock: Clock) -> None:
        if view.seat is None:
            raise ValueError("who watches has nothing to choose")
        self._view, self._seat = view, view.seat
        self._rules = rules_for(view)
        self.side = self._rules.side_of[view.seat]
        """Whose chances these are."""
        self._state = self._rules.machine.state_of(view.layout)
        self._laid = bits_of(view.layout.tiles)
        self._scores = [plain(score) for score in view.scores]
        self._swift = swift_of(self._rules)
        others: Greedy = frozenset(seat for seat in seat_range(view.seats) if seat != view.seat)
        self._manners = (NOBODY, others) if (view.game, view.seats) in GREEDY_TABLES else (NOBODY,)
        self._picks = {manners: self._picks_of(manners) for manners in self._manners}
        self._equity = equity_of(self._rules)
        self._work, self._rng = work, rng
        self._clock, self._began = clock, clock()

    def best(self, plays: Sequence[Placement]) -> Placement:
        """Of ``plays`` the one with which the side wins the match most often, about."""
        won = {placement: PRIOR * chance for placement, chance in self._beforehand(plays).items()}
        rounds = rounds_for(len(plays), self._work.worlds)
        guesses = iter(self._likely(sum([worlds for _, worlds in rounds])))
        for count, worlds in rounds:
            plays = sorted(plays, key=won.__getitem__, reverse=True)[:count]
            for guess, times in _counted(islice(guesses, worlds)):
                for placement in plays:
                    won[placement] += times * self.chance_after(self._played_out(guess, placement))
                if self._is_past(self._work.cap):
                    return max(plays, key=won.__getitem__)
        return max(plays, key=won.__getitem__)

    def results(self, plays: Sequence[Placement]) -> Iterator[tuple[int, Sequence[Result]]]:
        """Guess by guess: how often it counts, and what the deal comes to by it with each of ``plays``."""
        for guess, times in _counted(self._likely(self._work.worlds)):
            yield times, [self._played_out(guess, placement) for placement in plays]
            if self._is_past(self._work.cap):
                return

    def chance_after(self, result: Result) -> float:
        """How likely the side wins the match after a deal with this ``result``."""
        return self._equity.after(result, self._view.lead)[self.side]

    def _played_out(self, guess: Guess, placement: Placement) -> Result:
        """What the deal comes to where ``guess`` is right and those who are not greedy play swiftly."""
        hands, stock = guess.world
        position = Position(self._rules, hands[:], stock[:], self._seat, self._scores[:], self._state, self._laid)
        position.play(placement)
        if position.ended is None:
            finish(position, self._picks[guess.greedy])
        return Result.of(position)

    def _picks_of(self, manners: Greedy) -> Sequence[Pick]:
        return [greedy.pick if seat in manners else self._swift.pick for seat in seat_range(self._rules.seats)]

    def _likely(self, worlds: int) -> Sequence[Guess]:
        """Guesses with so many ``worlds`` of the pool, each as often as it is plausible."""
        pool = self._pool(worlds)
        if len(pool) <= worlds:
            return [Guess(world, NOBODY) for world in pool]
        softness = SOFTNESS[self._view.game]
        plausibility = Plausibility(self._rules, self._swift, plays_seen(self._view, self._rules), softness)
        guesses = [Guess(world, manners) for world in pool for manners in self._manners]
        logs = [plausibility.of(world.hands, manners) for world, manners in guesses]
        most = max(logs)
        limits = [*accumulate([exp(value - most) for value in logs])]
        step = limits[-1] / worlds
        first = self._rng.random() * step
        last = len(guesses) - 1
        return [guesses[min(bisect_right(limits, first + step * at), last)] for at in range(worlds)]

    def _pool(self, least: int) -> list[World]:
        worlds, pool = Worlds(self._view), list[World]()
        while len(pool) < max(self._work.pool, least) and not (pool and self._is_past(self._work.cap / 2)):
            pool.append(worlds.draw(self._rng))
        return pool

    def _is_past(self, seconds: float) -> bool:
        return self._clock() - self._began > seconds

    def _beforehand(self, plays: Sequence[Placement]) -> dict[Placement, float]:
        """What the learned policy thinks of each play, as a chance that it has beyond the others."""
        weights = learned(self._view.game, self._view.seats).traits
        sight = sight_of(self._rules, table_of(self._view), self._seat, bits_of(self._view.hand))
        weighed = [traits(sight, placement).weighed(weights) for placement in plays]
        per_point, usual = self.per_point(), fmean(weighed)
        return {placement: per_point * (weight - usual) for placement, weight in zip(plays, weighed, strict=True)}

    def per_point(self) -> float:
        """What a point is worth, as a chance to win the match: a half of what hangs on which side gets it."""
        ahead = self._rules.target / 20
        mine = [score + ahead * (side == self.side) for side, score in enumerate(self._scores)]
        theirs = [score + ahead * (side != self.side) for side, score in enumerate(self._scores)]
        gained, lost = (self._equity.before(scores, self._view.lead)[self.side] for scores in (mine, theirs))
        return (gained - lost) / (2 * ahead)


def _counted(guesses: Iterable[Guess]) -> Iterator[tuple[Guess, int]]:
    """Each of ``guesses`` once, and how often it comes. One comes again at once or never: the same object."""
    for _, alike in groupby(guesses, key=id):
        times = [*alike]
        yield times[0], len(times)
