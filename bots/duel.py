"""Duplicate matches between two players: the same deals in every seating, so that the luck of the deal cancels out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from math import sqrt
from statistics import fmean, stdev
from typing import Literal, NamedTuple, TypeAlias

from bots.player import Player
from bots.student import reach
from engine import match as matches
from engine.games import Game
from engine.match import Match
from engine.seats import seat_range, side_count, side_of
from engine.shuffle import Shuffle
from engine.view import view_for

Contestant: TypeAlias = Literal["a", "b"]
Seating: TypeAlias = tuple[Contestant, ...]
"""Who plays for each side."""


class Sample(NamedTuple):
    """How ``a`` did against ``b`` with one shuffle, as the mean over all seatings."""

    points: float
    """More than ``b``, a deal and side."""
    won: float
    """Share of the matches."""


class Estimate(NamedTuple):
    """A mean and half the width of its 95 % interval."""

    mean: float
    margin: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Estimate:
        """From independent ``values``, by Student's t. StatisticsError if there are fewer than two."""
        return cls(fmean(values), stdev(values) / sqrt(len(values)) * reach(len(values) - 1))


def seatings(seats: int, *, alone: bool = False) -> tuple[Seating, ...]:
    """Every way in which both contestants have a side (C2). Each sits everywhere as often as the other.

    ``alone``: only those in which ``a`` has one side, and ``b`` the rest.
    """
    every: Iterable[Seating] = product(("a", "b"), repeat=side_count(seats))
    return tuple(seating for seating in every if len(set(seating)) == 2 and not (alone and seating.count("a") > 1))


@dataclass(frozen=True, slots=True)
class Duel:
    """``a`` against ``b`` at a table of ``game`` for ``seats``: whole matches, or the first ``deals`` of each.

    ``alone``: see `seatings`.
    """

    game: Game
    seats: int
    a: Player
    b: Player
    deals: int | None = None
    alone: bool = False

    def sample(self, shuffle: Shuffle) -> Sample:
        """The matches of ``shuffle`` in all seatings. RuleViolation if a player chose what the rules do not allow."""
        results = [self._result(shuffle, seating) for seating in seatings(self.seats, alone=self.alone)]
        return Sample(fmean([result.points for result in results]), fmean([result.won for result in results]))

    def _result(self, shuffle: Shuffle, seating: Seating) -> Sample:
        by_seat = [seating[side_of(seat, self.seats)] for seat in seat_range(self.seats)]
        chairs = [self.a if who == "a" else self.b for who in by_seat]
        match = play_match(matches.begin(self.game, self.seats), shuffle, chairs, self.deals)
        return Sample(_points(match, seating), _won(match, seating))


def _points(match: Match, seating: Seating) -> float:
    """What ``a`` gained on ``b`` in a deal."""
    if match.deal is None:
        return 0.0
    return (_mean_score(match, seating, "a") - _mean_score(match, seating, "b")) / match.deal.number


def _mean_score(match: Match, seating: Seating, who: Contestant) -> float:
    return fmean([float(score) for score, by in zip(match.scores, seating, strict=True) if by == who])


def _won(match: Match, seating: Seating) -> float:
    if match.winner is None:
        return 0.5
    return float(seating[match.winner] == "a")


def play_match(match: Match, shuffle: Shuffle, chairs: Sequence[Player], deals: int | None = None) -> Match:
    """``match`` played on until it is over, or for ``deals`` more; ``chairs`` holds the player of each seat.

    Raises:
        RuleViolation: a player chose what the rules do not allow.
    """
    while not match.over and deals != 0:
        match = play_deal(match, shuffle, chairs)
        deals = None if deals is None else deals - 1
    return match


def play_deal(match: Match, shuffle: Shuffle, chairs: Sequence[Player]) -> Match:
    """``match`` after its next deal. RuleViolation as in `play_match`."""
    for event in matches.next_deal(match, shuffle):
        match = matches.evolve(match, event)
    while match.deal is not None and match.deal.turn is not None:
        seat = match.deal.turn
        action = chairs[seat].choose(view_for(match, seat), matches.choices(match))
        for event in matches.decide(match, seat, action):
            match = matches.evolve(match, event)
    return match
