"""Layouts as numbered states: which tiles fit, where a tile leads, what the layout is worth then.

Two layouts are one state if nothing that may still happen tells them apart: the same open ends, whichever name they
have. Block and Draw have 29 states, Fives and Threes 98, All Fives some 5,000, which are found as they come up.
"""

from __future__ import annotations

from functools import cache
from typing import TypeAlias

from bots.kernel.bits import EVERY_TILE, SUITS, TileBit, TileSet, bit_of, pips_in, singles, tile_of
from bots.kernel.ends import Ends, after, ends_of, fitting, uncounted
from engine.games import GAMES, Game
from engine.games.counting import nothing_in_play
from engine.layout import Layout
from engine.tiles import Tile

State: TypeAlias = int
"""The number of a state; the order is that in which a machine has met them, and means nothing."""

Placement: TypeAlias = tuple[TileBit, State, int]
"""One way to play: the tile, the state that it leads to, and the points of the ends then (F3, A5)."""

Scoring: TypeAlias = tuple[tuple[int, TileSet], ...]
"""Points, and the tiles that give them; most points first."""

EMPTY: State = 0
"""Nothing has been played."""


class Machine:
    """The states of one game. One instance serves every search; `machine_of` has it."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.counts = game.end_parts is not nothing_in_play
        """Whether the ends of a layout are ever counted (F3, A5)."""
        self._numbers: dict[Ends, State] = {}
        self._ends: list[Ends] = []
        self.leads: list[tuple[Placement, ...]] = []
        """By state, every placement there is: most points first, of equal ones the heaviest tile. None where nobody has
        asked yet; `explore` finds them."""
        self._scoring: list[Scoring | None] = []
        self.fits: list[TileSet] = []
        """By state, the tiles that can be played."""
        self.suits: list[tuple[TileSet, ...]] = []
        """By state, the suits of its ends, each once."""
        self.points: list[int] = []
        """By state, what the play that led to it scores."""
        self._number(())

    def state_of(self, layout: Layout) -> State:
        """The state of ``layout``."""
        return self._number(ends_of(layout))

    def placements(self, state: State, hand: TileSet) -> list[Placement]:
        """The different ways to play a tile of ``hand``, in the order of `leads`: who is greedy takes the first."""
        return [placement for placement in self.leads[state] or self.explore(state) if placement[0] & hand]

    def placement(self, tile: Tile, after: Layout) -> Placement:
        """The placement of ``tile`` that leads to the layout ``after``."""
        state = self.state_of(after)
        return bit_of(tile), state, self.points[state]

    def scoring(self, state: State) -> Scoring:
        """The tiles that score when they are played at ``state``, each for the most that it can give."""
        scoring = self._scoring[state]
        if scoring is None:
            scoring = self._scoring[state] = self._scored(state)
        return scoring

    def _scored(self, state: State) -> Scoring:
        best: dict[TileBit, int] = {}
        for bit, _, points in self.leads[state] or self.explore(state):
            best[bit] = max(points, best.get(bit, 0))
        every = sorted({points for points in best.values() if points}, reverse=True)
        return tuple([(points, sum([bit for bit in best if best[bit] == points])) for points in every])

    def _number(self, ends: Ends) -> State:
        """The state with ``ends``, a new one if need be."""
        if not self.counts:
            ends = uncounted(ends)
        state = self._numbers.get(ends)
        if state is None:
            state = self._numbers[ends] = len(self._ends)
            self._ends.append(ends)
            self.leads.append(())
            self._scoring.append(None)
            self.fits.append(fitting(ends) if ends else EVERY_TILE)
            self.suits.append(tuple([SUITS[pip] for pip in sorted({pip for pip, _, _ in ends})]))
            total = sum([counts for _, counts, _ in ends])
            self.points.append(sum([part.points for part in self._game.end_parts(total)]))
        return state

    def explore(self, state: State) -> tuple[Placement, ...]:
        """The `leads` of ``state``, found for the first time."""
        found = [placement for bit in singles(self.fits[state]) for placement in self._led_by(state, bit)]
        leads = self.leads[state] = tuple(sorted(found, key=_greed))
        return leads

    def _led_by(self, state: State, bit: TileBit) -> list[Placement]:
        led = {self._number(ends) for ends in after(self._ends[state], tile_of(bit), branches=self._game.branches)}
        return [(bit, to, self.points[to]) for to in sorted(led, key=self._ends.__getitem__)]


def _greed(placement: Placement) -> tuple[int, int]:
    bit, _, points = placement
    return -points, -pips_in(bit)


@cache
def machine_of(game: str) -> Machine:
    """The machine of the game with that name."""
    return Machine(GAMES[game])
