"""The searchers of the package `dominoes` (6.1.0): alpha-beta over hands that fit the knocks, or over the true ones.

They play heaviest first until the eighth move: before, their search has no end in sensible time.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from importlib import import_module
from itertools import islice
from typing import Any

from bots.kernel.bits import tiles_of
from bots.sampling.worlds import Worlds
from engine.actions import Action, Play
from engine.layout import End
from engine.outcome import Choice
from engine.seats import seat_range
from engine.shuffle import Shuffle
from engine.tiles import Tile
from engine.view import SeatView
from tests.bots.rivals.line import moves_of

FROM_MOVE = 8
SAMPLES = 5
"""Ways in which the hidden tiles may lie, each searched to its end."""


class Searcher:
    """Plays Block with four hands of seven. One that ``sees_all`` is told each shuffle before it is dealt."""

    def __init__(self, seed: int, *, sees_all: bool) -> None:
        self._package: Any = import_module("dominoes")
        players = self._package.players
        self._heaviest = players.bota_gorda
        self._search = (
            players.omniscient(FROM_MOVE) if sees_all else players.probabilistic_alphabeta(FROM_MOVE, SAMPLES)
        )
        self._sees_all = sees_all
        self._shuffle: Shuffle | None = None
        self._rng = random.Random(seed)
        random.seed(seed)  # the package draws from the chance of the module

    def told(self, shuffle: Shuffle) -> None:
        """What will be dealt."""
        self._shuffle = shuffle

    def choose(self, view: SeatView, legal: Sequence[Choice]) -> Action:
        """See `bots.player.Player`."""
        if len(legal) == 1:
            return legal[0].action
        game = self._game(view)
        for player in (self._heaviest, self._search):
            player(game)
        domino, on_left = game.valid_moves[0]
        tile = Tile.of(domino.first, domino.second)
        return next(choice.action for choice in legal if _is_play(choice.action, tile, on_left=on_left))

    def _game(self, view: SeatView) -> Any:
        """The turn of ``view``, as the package knows it."""
        package, board = self._package, self._package.Board()
        moves: list[Any] = []
        for move in moves_of(view):
            if move is None:
                moves.append(None)
                continue
            domino = package.Domino(move.inner, move.outer)
            board.add(domino, move.left or move.first)
            moves.append((domino, move.left or move.first))
        hands = [package.Hand([package.Domino(tile.low, tile.high) for tile in hand]) for hand in self._hands(view)]
        game = package.Game(board, hands, moves, view.seat, (), view.lead, None)
        if view.layout.is_empty:
            game.valid_moves = tuple([(domino, True) for domino in hands[view.turn or 0]])
        else:
            game._update_valid_moves()
        return game

    def _hands(self, view: SeatView) -> list[Sequence[Tile]]:
        """The true ones, or some that fit what is known: of the others' the package reads no more than the sizes."""
        if self._sees_all:
            assert self._shuffle is not None
            hands, _ = self._shuffle.deal(view.number, view.seats, 7)
            return [[tile for tile in hand if tile not in view.layout.tiles] for hand in hands]
        world = Worlds(view).draw(self._rng)
        return [[*islice(tiles_of(world.hands[seat]), view.tiles[seat])] for seat in seat_range(view.seats)]


def _is_play(action: Action, tile: Tile, *, on_left: bool) -> bool:
    return isinstance(action, Play) and action.tile == tile and action.end in (None, End.LEFT if on_left else End.RIGHT)
