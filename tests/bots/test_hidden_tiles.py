"""H2: the same view gives the same choice, whatever the hidden tiles are."""

from __future__ import annotations

import random

import pytest

from bots.hints import hints
from bots.levels import LEVELS
from tests.bots.positions import EVERY_TABLE, question
from tests.bots.worlds import Chooser, changes, peeking


def asking(level: str) -> Chooser:
    """A bot of ``level`` that begins each time with the same chance."""
    return lambda match: LEVELS[level](random.Random(9)).choose(*question(match))


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
