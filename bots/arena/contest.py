"""One sample after the other: the same deals in every seating, each sample by itself and from the seed alone."""

from __future__ import annotations

import random
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple

from bots.arena.entrant import Effort, Entrant
from bots.duel import Duel
from engine.games import GAMES
from engine.shuffle import Shuffle


@dataclass(frozen=True, slots=True)
class Terms:
    """What is played: what two runs must share to be of one kind."""

    game: str
    seats: int
    a: str
    b: str
    """Names of levels, or programs (see `bots.arena.entrant`)."""
    seed: int
    single: bool
    """Whether only the first deal of each match is played."""
    budget_ms: int
    """What a program has for a choice."""
    alone: bool = False
    """Whether ``a`` has one side only, where there are three."""


class Outcome(NamedTuple):
    """Of one sample."""

    points: float
    """That ``a`` made more than ``b``, a deal and side."""
    won: float
    """Share of the matches that ``a`` won; of single deals that end no match 0.5."""
    a: Effort
    b: Effort


class Contest:
    """``a`` against ``b`` on ``terms``."""

    def __init__(self, terms: Terms, a: Entrant, b: Entrant) -> None:
        self._terms = terms
        self._a, self._b = a, b

    def outcome(self, number: int) -> Outcome:
        """That of sample ``number``: the deals of one shuffle in all seatings. Which were played before is the same."""
        terms = self._terms
        a, b = self._a.player(self._chance("a", number)), self._b.player(self._chance("b", number))
        duel = Duel(GAMES[terms.game], terms.seats, a, b, 1 if terms.single else None, terms.alone)
        sample = duel.sample(Shuffle(sha256(f"doublesix arena {terms.seed} {number}".encode()).digest()))
        return Outcome(sample.points, sample.won, a.effort, b.effort)

    def _chance(self, who: str, number: int) -> random.Random:
        """A player's own, from another source than the deals (H2)."""
        return random.Random(f"player {who} {self._terms.seed} {number}")  # noqa: S311 - how bots choose is no secret
