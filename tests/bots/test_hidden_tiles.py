"""H2: the same view gives the same choice, whatever the hidden tiles are."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

import pytest

from bots.hints import hints
from bots.levels import LEVELS
from engine import match as matches
from engine.actions import Action
from engine.match import Match
from tests.bots.positions import EVERY_TABLE, in_turn, question, some_turns
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
        swayed += any(choose(other) != choose(match) for other in others)
    return swayed, tried


def asking(level: str) -> Chooser:
    """A bot of ``level`` that begins each time with the same chance."""
    return lambda match: LEVELS[level](random.Random(9)).choose(*question(match))


def peeking(match: Match) -> Action:
    """A cheat: what it does hangs on the hands of the others."""
    legal, seat = matches.choices(match), in_turn(match)
    weight = sum(tile.pips for other, hand in enumerate(deal_of(match).hands) if other != seat for tile in hand)
    return legal[weight % len(legal)].action


@pytest.mark.parametrize(("game", "seats"), EVERY_TABLE)
@pytest.mark.parametrize("level", LEVELS)
def test_no_hidden_tile_sways_a_bot(level: str, game: str, seats: int) -> None:
    swayed, tried = changes(asking(level), game, seats)

    assert swayed == 0
    assert tried >= 15


@pytest.mark.parametrize(("game", "seats"), EVERY_TABLE)
def test_no_hidden_tile_sways_a_hint(game: str, seats: int) -> None:
    swayed, tried = changes(lambda match: hints(*question(match)), game, seats)

    assert swayed == 0
    assert tried >= 15


@pytest.mark.parametrize(("game", "seats"), EVERY_TABLE)
def test_a_cheat_is_caught(game: str, seats: int) -> None:
    swayed, tried = changes(peeking, game, seats)

    assert swayed >= tried // 2
