"""What a play would do: known before it is made, from what lies open on the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine.actions import Action
from engine.events import Part
from engine.games.base import Game, winner
from engine.layout import OpenEnd, total_of
from engine.points import Points, exact
from engine.seats import Side


class Outcome(NamedTuple):
    """What a play gives. Nothing in it depends on a hidden tile (H2), so the count of hands (A8, B4) is left out.

    ``total`` and ``ends`` describe the layout after the play; ``parts`` the whole event, counted or not. ``points`` are
    those of the ends, ``out_bonus`` those of going out (F4). ``accepted`` is False where the exact target drops the
    event (F8). ``after``: the side's score then. ``wins``: whether the play by itself wins the match (F9, A12).
    """

    total: int
    parts: tuple[Part, ...]
    points: int
    out_bonus: int
    accepted: bool
    after: Points
    wins: bool
    ends: tuple[OpenEnd, ...]

    @property
    def event(self) -> int:
        """The whole scoring event (F8)."""
        return self.points + self.out_bonus


class Choice(NamedTuple):
    """A legal action and what it would do; ``outcome`` is None for a draw and a knock."""

    action: Action
    outcome: Outcome | None


def judge(
    game: Game, target: int, scores: Sequence[Points], side: Side, ends_deal: bool, ends: tuple[OpenEnd, ...]
) -> Outcome:
    """The outcome of a play by ``side`` that leads to ``ends``; ``ends_deal``: by going out (F4, F5)."""
    total, before = total_of(ends), scores[side]
    parts = game.end_parts(total)
    out_bonus = game.out_points if ends_deal else 0
    if not parts and not out_bonus:  # as most plays: no score changes
        return Outcome(total, parts, 0, 0, True, before, False, ends)
    points = sum([part.points for part in parts])
    if out_bonus:
        parts += (Part(1, out_bonus),)
    accepted = game.accepts(before, points + out_bonus, target)
    after = exact(before + points + out_bonus) if accepted else before
    wins = after >= target and winner(with_score(scores, side, after), target) is not None
    return Outcome(total, parts, points, out_bonus, accepted, after, wins, ends)


def with_score(scores: Sequence[Points], side: Side, score: Points) -> tuple[Points, ...]:
    """``scores`` with that of ``side`` replaced."""
    after = list(scores)
    after[side] = score
    return tuple(after)
