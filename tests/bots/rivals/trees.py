"""IS-MCTS of OpenSpiel (2.0.2), in its own games `python_block_dominoes` and `python_team_dominoes`.

It is given worlds from our sampler, as these games cannot make any. In the game of teams it counts a side's pips also
when that side goes out; at our table who goes out has won.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any, TypeAlias

from bots.kernel.bits import tiles_of
from bots.sampling.worlds import Worlds
from engine.actions import Action, Play
from engine.layout import Layout
from engine.outcome import Choice
from engine.seats import seat_range
from engine.shuffle import Shuffle
from engine.tiles import Tile
from engine.view import SeatView
from tests.bots.rivals.line import Laid, moves_of

Halves: TypeAlias = tuple[int, int]

GAMES = {2: "block_dominoes", 4: "team_dominoes"}
EXPLORATION = 60.0
"""About twice the pips that hang on a deal."""


class Tree:
    """Plays Block with hands of seven, for two or four."""

    def __init__(self, seats: int, simulations: int, seed: int) -> None:
        self._module = import_module(f"open_spiel.python.games.{GAMES[seats]}")
        self._game: Any = import_module("pyspiel").load_game(f"python_{GAMES[seats]}")
        mcts, self._ismcts = (import_module(f"open_spiel.python.algorithms.{name}") for name in ("mcts", "ismcts"))
        self._chance = import_module("numpy").random.RandomState(seed)
        self._evaluator = mcts.RandomRolloutEvaluator(1, self._chance)
        self._simulations = simulations
        self._rng = random.Random(seed)

    def told(self, _shuffle: Shuffle) -> None:
        """What will be dealt. It does not listen."""

    def choose(self, view: SeatView, legal: Sequence[Choice]) -> Action:
        """See `bots.player.Player`."""
        if len(legal) == 1:
            return legal[0].action
        states = self._states(view)
        bot = self._ismcts.ISMCTSBot(
            self._game, self._evaluator, EXPLORATION, self._simulations, random_state=self._chance
        )
        bot.set_resampler(lambda _state, _player: next(states))
        chosen = self._module._ACTIONS[bot.step(next(states))]
        tile = Tile.of(*(int(pip) for pip in chosen.tile))
        return next(choice.action for choice in legal if _is_play(choice.action, tile, chosen.edge, view.layout))

    def _states(self, view: SeatView) -> Iterator[Any]:
        """States of the game as the turn of ``view`` may be, one world after another."""
        worlds, plays = Worlds(view), [move for move in moves_of(view) if move is not None]
        played = [[(move.inner, move.outer) for move in plays if move.seat == seat] for seat in seat_range(view.seats)]
        while True:
            hands, _ = worlds.draw(self._rng)
            dealt = [
                [*played[seat], *((tile.low, tile.high) for tile in tiles_of(hands[seat]))]
                for seat in seat_range(view.seats)
            ]
            yield self._state([dealt[(view.lead + step) % view.seats] for step in range(view.seats)], plays, view.lead)

    def _state(self, hands: Sequence[Sequence[Halves]], plays: Sequence[Laid], lead: int) -> Any:
        """``hands``: those that were dealt, from the leader on, who is the first player there."""
        state, number = self._game.new_initial_state(), self._module._DECK.index
        tiles = [[number(_tile(tile)) for tile in hand] for hand in hands]
        turns = tiles if len(hands) == 2 else zip(*tiles, strict=True)
        in_order = [tile for turn in turns for tile in turn]
        for tile in in_order:
            state.apply_action(tile)
        for move in plays:
            edge = None if move.first else float(move.inner)
            name = f"p{(move.seat - lead) % len(hands)} tile:{_tile((move.inner, move.outer))} pip:{edge}"
            state.apply_action(self._module._ACTIONS_STR.index(name))
        return state


def _tile(tile: Halves) -> tuple[float, float]:
    low, high = sorted(tile)
    return float(low), float(high)


def _is_play(action: Action, tile: Tile, edge: float | None, layout: Layout) -> bool:
    if not isinstance(action, Play) or action.tile != tile:
        return False
    return edge is None or any(end.end == action.end and end.value == edge for end in layout.ends)
