"""How likely a world is for what the others have played: would they have, with those hands?

A world fits all that the rules tell (see `bots.sampling`), and yet may be one in which a seat has played against its
interest. The swift policy is the model of everybody, and a soft one: it is not what they play by. Beside it a seat can
be taken to play like beginner.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log
from typing import NamedTuple, TypeAlias

from bots.kernel.bits import TileSet
from bots.kernel.machine import Placement, State
from bots.kernel.rules import Rules, Score, plain
from bots.policy.greedy import appeal
from bots.policy.swift import Swift
from engine.events import Drew, Played
from engine.layout import Layout
from engine.seats import Seat
from engine.view import SeatView

Greedy: TypeAlias = frozenset[Seat]
"""The seats that are taken to play like beginner."""

_ASTRAY = 0.15
"""How often a play is taken to have had reasons that the model does not know."""
_GREEDY_ASTRAY = 0.02
"""The same of who plays like beginner."""

NOBODY: Greedy = frozenset()


class Seen(NamedTuple):
    """A play of another seat, whose hand before it was what it holds now and what it has ``played`` since."""

    seat: Seat
    state: State
    laid: TileSet
    need: Score
    placement: Placement
    played: TileSet
    """From this play on."""


class Plausibility:
    """Judges worlds by the plays of ``seen``. ``softness``: the difference, in points, that e times the chance is."""

    def __init__(self, rules: Rules, swift: Swift, seen: Sequence[Seen], softness: float) -> None:
        self._machine = rules.machine
        self._swift = swift
        self._softness = softness
        self._known: list[tuple[Seen, tuple[dict[TileSet, float], dict[TileSet, float]]]] = [
            (play, ({}, {})) for play in seen
        ]
        """By play, what is known of hands whose seat plays like the model, and of those of who plays like beginner."""

    def of(self, hands: Sequence[TileSet], greedy: Greedy = NOBODY) -> float:
        """The logarithm of how likely everybody would have played so with ``hands``, one a seat."""
        total = 0.0
        for play, by_manner in self._known:
            is_greedy = play.seat in greedy
            known, hand = by_manner[is_greedy], hands[play.seat] | play.played
            chance = known.get(hand)
            if chance is None:
                chance = known[hand] = self._of_play(play, hand, is_greedy=is_greedy)
            total += chance
        return total

    def _of_play(self, play: Seen, hand: TileSet, *, is_greedy: bool) -> float:
        every = self._machine.placements(play.state, hand)
        if len(every) == 1:
            return 0.0
        if is_greedy:
            return _mixed(_greedy_share(play, every), _GREEDY_ASTRAY, len(every))
        weights = self._swift.weigh(play.state, hand, play.laid, play.need)
        own = weights[every.index(play.placement)]
        share = 1 / sum([exp((weight - own) / self._softness) for weight in weights])
        return _mixed(share, _ASTRAY, len(every))


def _mixed(share: float, astray: float, plays: int) -> float:
    return log((1 - astray) * share + astray / plays)


def _greedy_share(play: Seen, every: Sequence[Placement]) -> float:
    """How often beginner would have played so: always or never, but for plays that are alike to it."""
    appeals = [appeal(placement, play.need) for placement in every]
    most = max(appeals)
    return (appeal(play.placement, play.need) == most) / appeals.count(most)


def plays_seen(view: SeatView, rules: Rules) -> list[Seen]:
    """The plays of the other seats in the record of ``view``, but for those before the newest tile of their hands."""
    newest = {event.seat: at for at, event in enumerate(view.events) if isinstance(event, Drew)}
    every: list[tuple[int, Seen]] = []
    layout, laid = Layout(rules.game.branches), 0
    for at, event in enumerate(view.events):
        if not isinstance(event, Played):
            continue
        after = layout.place(event.tile, event.end)
        placement = rules.machine.placement(event.tile, after)
        need = rules.target - plain(event.scores[rules.side_of[event.seat]] - event.points)
        every.append((at, Seen(event.seat, rules.machine.state_of(layout), laid, need, placement, 0)))
        layout, laid = after, laid | placement[0]
    seen: list[Seen] = []
    played = [0] * rules.seats
    for at, play in reversed(every):
        played[play.seat] |= play.placement[0]
        if play.seat != view.seat and at >= newest.get(play.seat, 0):
            seen.append(play._replace(played=played[play.seat]))
    return seen
