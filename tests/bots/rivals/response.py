"""`python -m tests.bots.rivals.response`: what the best answer to a level gains where all of its play is known.

Block for two with the double-three set, ten tiles, three a hand: 4,200 deals, few enough to ask the level at every turn
that it can come to, and to answer it as well as can be without seeing its tiles.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import partial, reduce
from itertools import combinations
from random import Random
from statistics import fmean
from typing import NamedTuple
from unittest.mock import patch

from bots.kernel.bits import bits_of
from bots.levels import EVERY_LEVEL, LEVELS
from bots.sampling.worlds import Worlds
from bots.search.levels import choose
from engine import match as matches
from engine.actions import Action
from engine.deal import opened
from engine.events import DealStarted
from engine.games import GAMES
from engine.match import Match
from engine.outcome import Choice
from engine.seats import Seat
from engine.tiles import Tile, full_set
from engine.view import SeatView, view_for
from tests.bots.search.searching import stopped

SET = tuple([tile for tile in full_set() if max(tile.low, tile.high) <= 3])
HAND = 3
LEADER, SECOND = Seat(0), Seat(1)


class Way(NamedTuple):
    """A deal as it may be, and how likely it has come to this."""

    match: Match
    weight: float


class Policy:
    """How often a level takes each action at a turn: in so many ``trials``, each with a seed of its own."""

    def __init__(self, level: str, trials: int) -> None:
        self._level, self._trials = level, trials
        self._known: dict[tuple[object, ...], Mapping[Action, float]] = {}

    def at(self, match: Match, seat: Seat) -> Mapping[Action, float]:
        """Its actions where ``seat`` is in turn."""
        legal = matches.choices(match)
        if len(legal) == 1:
            return {legal[0].action: 1.0}
        view = view_for(match, seat)
        key = (seat, view.hand, view.events)
        if key not in self._known:
            shares: dict[Action, float] = {}
            for seed in range(self._trials):
                action = self._chosen(view, legal, seed)
                shares[action] = shares.get(action, 0.0) + 1 / self._trials
            self._known[key] = shares
        return self._known[key]

    def _chosen(self, view: SeatView, legal: Sequence[Choice], seed: int) -> Action:
        if self._level in LEVELS:
            return EVERY_LEVEL[self._level](Random(seed)).choose(view, legal)
        return choose(view, legal, self._level, seed, stopped)


def gain_of_best(policy: Policy, seat: Seat, hands: Sequence[tuple[Tile, ...]]) -> float:
    """Points a deal that the best answer of ``seat`` makes more than ``policy``, over its ``hands``."""
    return fmean([_value([*deals_with(seat, hand)], policy, seat) for hand in hands])


def deals_with(seat: Seat, hand: Sequence[Tile]) -> Sequence[Way]:
    """Every deal in which ``seat`` has ``hand``, each as likely."""
    rest = [tile for tile in SET if tile not in hand]
    others = list(combinations(rest, HAND))
    return [
        Way(_dealt((tuple(hand), other) if seat == LEADER else (other, tuple(hand))), 1 / len(others))
        for other in others
    ]


def _dealt(hands: tuple[tuple[Tile, ...], ...]) -> Match:
    game, asleep = GAMES["block"], tuple([tile for tile in SET if tile not in hands[0] + hands[1]])
    started = DealStarted(1, LEADER, (HAND, HAND), len(asleep), hands, asleep)
    deal = opened(game, game.target(2), (0, 0), started)
    return Match(game, 2, deal.target, deal.scores, deal, next_lead=None)


def _value(ways: Sequence[Way], policy: Policy, seat: Seat) -> float:
    """What ``seat`` makes of ``ways``, which it cannot tell apart, times how likely they are."""
    over = [way for way in ways if _turn(way) is None]
    value = sum([way.weight * float(way.match.scores[seat] - way.match.scores[1 - seat]) for way in over])
    mine = [way for way in ways if _turn(way) == seat]
    if mine:
        actions = [choice.action for choice in matches.choices(mine[0].match)]
        value += max(_value([_after(way, action) for way in mine], policy, seat) for action in actions)
    seen: dict[object, list[Way]] = {}
    for way in ways:
        turn = _turn(way)
        if turn is not None and turn != seat:
            for action, share in policy.at(way.match, turn).items():
                seen.setdefault(action, []).append(_after(way, action, share))
    return value + sum([_value(alike, policy, seat) for alike in seen.values()])


def _turn(way: Way) -> Seat | None:
    return way.match.deal.turn if way.match.deal is not None else None


def _after(way: Way, action: Action, share: float = 1.0) -> Way:
    turn = _turn(way)
    assert turn is not None
    events = matches.decide(way.match, turn, action)
    return Way(reduce(matches.evolve, events, way.match), way.weight * share)


def small_set() -> ExitStack:
    """While it is entered, bots know that there are no tiles but those of the small set."""
    tiles, stack = bits_of(SET), ExitStack()
    for name in ("bots.policy.sight", "bots.policy.swift"):
        stack.enter_context(patch(f"{name}.EVERY_TILE", tiles))
    for name in ("bots.search.search", "bots.beliefs"):
        stack.enter_context(patch(f"{name}.Worlds", partial(Worlds, tiles=tiles)))
    return stack


def main() -> None:
    """Answer from both seats."""
    parser = argparse.ArgumentParser(prog="python -m tests.bots.rivals.response", description=__doc__)
    parser.add_argument("--level", default="expert", choices=EVERY_LEVEL)
    parser.add_argument("--trials", type=int, default=5)
    parser.add_argument("--hands", type=int, default=120, help="of the 120")
    given = parser.parse_args()
    hands = [*combinations(SET, HAND)]
    hands = hands[:: len(hands) // given.hands]
    with small_set():
        policy = Policy(given.level, given.trials)
        gains = [gain_of_best(policy, seat, hands) for seat in (LEADER, SECOND)]
    sys.stdout.write(f"{given.level}: {fmean(gains):.3f} pips a deal\n")
    sys.stdout.write(f"{gains[0]:.3f} as the leader, {gains[1]:.3f} as the other\n")


if __name__ == "__main__":
    main()
