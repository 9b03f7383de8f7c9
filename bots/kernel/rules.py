"""What the kernel must know of a game with so many seats, laid out to be looked up."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

from bots.kernel.machine import machine_of
from engine.games import GAMES
from engine.games.base import Bonus, winner
from engine.points import Points
from engine.seats import Seat, Side, next_seat, seat_range, side_count, side_of

Score: TypeAlias = float
"""Points as plain numbers: whole, or halves, which floats hold exactly (A15)."""

_COUNTS_KEPT = 1 << 14
_RULES_KEPT = 16


class Rules:
    """One game at a table of ``seats``; ``target`` is the usual one if left out."""

    def __init__(self, game: str, seats: int, target: int | None = None) -> None:
        rules = GAMES[game]
        self.game = rules
        self.seats = seats
        self.target = rules.target(seats) if target is None else target
        self.machine = machine_of(game)
        self.sides = side_count(seats)
        self.side_of: tuple[Side, ...] = tuple(side_of(seat, seats) for seat in seat_range(seats))
        self.following: tuple[Seat, ...] = tuple(next_seat(seat, seats) for seat in seat_range(seats))
        self.partner: tuple[Seat, ...] | None = None
        """By seat, the partner that has to go out too (F5); None where a deal ends when any seat does."""
        if rules.teams_go_out and seats == 4:
            self.partner = tuple(Seat((seat + 2) % seats) for seat in seat_range(seats))
        self.draws = rules.draws
        self.exact = rules.exact_target
        self.out_points = rules.out_points
        self.hands_count = not rules.out_points
        """Whether pips left in hand are counted at the end (A8, B4), not so in Fives and Threes (F7)."""
        self.count_out = lru_cache(_COUNTS_KEPT)(self._count_out)
        """What going out gives, one number a side, from the pips left by side and the side that went out (A8, B4)."""
        self.count_blocked = lru_cache(_COUNTS_KEPT)(self._count_blocked)
        """What a block gives, one number a side, from the pips left by side (A9-A11, B5, F6)."""

    def winner(self, scores: Sequence[Score]) -> Side | None:
        """The side that has won the match with ``scores``; None while it goes on (F9, A12, A13, B6)."""
        best = max(scores)
        return winner(scores, self.target) if best >= self.target else None  # type: ignore[arg-type]

    def _count_out(self, pips: tuple[int, ...], out: Side) -> tuple[Score, ...]:
        return _plain(self.game.count_out(pips, out))

    def _count_blocked(self, pips: tuple[int, ...]) -> tuple[Score, ...]:
        return _plain(self.game.count_blocked(pips))


@lru_cache(_RULES_KEPT)
def rules_of(game: str, seats: int, target: int) -> Rules:
    """The same for the same, so that what is cached for it is there again."""
    return Rules(game, seats, target)


def plain(points: Points) -> Score:
    """``points`` as a plain number."""
    return float(points) if isinstance(points, Fraction) else points


def _plain(bonus: Bonus) -> tuple[Score, ...]:
    return tuple([plain(points) for points in bonus])
