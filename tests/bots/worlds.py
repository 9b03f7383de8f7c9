"""Positions with other worlds behind them, and whether a player can tell these apart."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

from engine import match as matches
from engine.actions import Action
from engine.match import Match
from tests.bots.positions import in_turn, some_turns
from tests.bots.redeal import redealt
from tests.engine.playing import deal_of

Chooser = Callable[[Match], object]


@cache
def worlds(game: str, seats: int) -> list[tuple[Match, list[Match]]]:
    """Some positions, each with other deals that the seat in turn cannot tell from it."""
    rng = random.Random(5)
    return [
        (match, list(redealt(match, in_turn(match), rng, tries=15))) for match in some_turns(25, game, seats, seed=3)
    ]


def changes(choose: Chooser, game: str, seats: int) -> tuple[int, int]:
    """In how many positions ``choose`` was swayed by a hidden tile, and how many could be dealt anew."""
    swayed = tried = 0
    for match, others in worlds(game, seats):
        tried += bool(others)
        chosen = choose(match)
        swayed += any(choose(other) != chosen for other in others)
    return swayed, tried


def peeking(match: Match) -> Action:
    """A cheat: what it does hangs on the hands of the others."""
    legal, seat = matches.choices(match), in_turn(match)
    weight = sum(tile.pips for other, hand in enumerate(deal_of(match).hands) if other != seat for tile in hand)
    return legal[weight % len(legal)].action
