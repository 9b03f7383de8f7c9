"""The games that can be played, one module each. A new game is one new module and its name here."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from engine.games.all_fives import ALL_FIVES
from engine.games.base import Game
from engine.games.block import BLOCK
from engine.games.draw import DRAW
from engine.games.fives_threes import FIVES_THREES

__all__ = ["GAMES", "Game"]

GAMES: Mapping[str, Game] = MappingProxyType({game.name: game for game in (FIVES_THREES, ALL_FIVES, BLOCK, DRAW)})
"""Every game by its name on the wire."""
