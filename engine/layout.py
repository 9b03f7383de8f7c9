"""The tiles on the table and the ends where more may be joined (C6, C13, C14, A3-A7)."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from engine.tiles import Tile


class End(StrEnum):
    """The name of an open place (C13). Words on the wire, in the order in which ends are listed."""

    LEFT = "left"
    RIGHT = "right"
    UP = "up"
    DOWN = "down"


class OpenEnd(NamedTuple):
    """A place where a tile that shows ``value`` can be joined; it adds ``counts`` to the total (C14)."""

    end: End
    value: int
    counts: int


class Layout(NamedTuple):
    """The tiles played and the ends that are open.

    ``branches``: whether the first double becomes a spinner (A3). ``tiles``: all tiles played, oldest first.
    ``ends``: in the order left, right, up, down; none before the opening; up and down once both sides of the spinner
    are used (A4). ``free_sides``: the ends of the line at which the spinner still lies with a free side.
    """

    branches: bool = False
    tiles: tuple[Tile, ...] = ()
    ends: tuple[OpenEnd, ...] = ()
    spinner: Tile | None = None
    free_sides: tuple[End, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing has been played: any tile opens (C5)."""
        return not self.tiles

    @property
    def total(self) -> int:
        """The sum over the scoring ends (C14)."""
        return sum([end.counts for end in self.ends])

    def ends_for(self, tile: Tile) -> tuple[End, ...]:
        """The ends where ``tile`` fits, alike ones too (C13). None before the opening."""
        low, high = tile.low, tile.high
        return tuple([open_end.end for open_end in self.ends if open_end.value in (low, high)])

    def takes_any(self, tiles: Iterable[Tile]) -> bool:
        """Whether one of ``tiles`` could be played now."""
        if self.is_empty:
            return any(True for _ in tiles)
        pips = [open_end.value for open_end in self.ends]
        for tile in tiles:  # noqa: SIM110 - any() takes longer than the tile or two until one fits
            if tile.low in pips or tile.high in pips:
                return True
        return False

    def open_end(self, end: End | None) -> OpenEnd | None:
        """The open end called ``end``, or None if there is none now."""
        for open_end in self.ends:
            if open_end.end is end:
                return open_end
        return None

    def place(self, tile: Tile, end: End | None) -> Layout:
        """The layout with ``tile`` on ``end``; None opens. ValueError if that end is not open or does not match."""
        if self.is_empty and end is None:
            return self._opened(tile)
        joined = self.open_end(end)
        if joined is None:
            raise ValueError(f"no open end {end}")
        return self._joined(tile, joined)

    def _opened(self, tile: Tile) -> Layout:
        if not tile.is_double:
            ends = (OpenEnd(End.LEFT, tile.low, tile.low), OpenEnd(End.RIGHT, tile.high, tile.high))
            return Layout(self.branches, (tile,), ends)
        # A lone double lies at both ends but counts once (C14): by convention at the left one.
        ends = (OpenEnd(End.LEFT, tile.low, tile.pips), OpenEnd(End.RIGHT, tile.low, 0))
        if not self.branches:
            return Layout(self.branches, (tile,), ends)
        return Layout(self.branches, (tile,), ends, spinner=tile, free_sides=(End.LEFT, End.RIGHT))

    def _joined(self, tile: Tile, joined: OpenEnd) -> Layout:
        end = joined.end
        value = tile.other(joined.value)
        outer = OpenEnd(end, value, tile.pips if tile.is_double else value)
        ends = tuple([outer if open_end.end is end else self._left_open(open_end) for open_end in self.ends])
        spinner, free_sides = self.spinner, self.free_sides
        if end in free_sides:
            free_sides = tuple([side for side in free_sides if side is not end])
            if spinner is not None and not free_sides:
                ends += (OpenEnd(End.UP, spinner.low, 0), OpenEnd(End.DOWN, spinner.low, 0))
        elif self.branches and spinner is None and tile.is_double:
            spinner, free_sides = tile, (end,)
        return Layout(self.branches, (*self.tiles, tile), ends, spinner, free_sides)

    def _left_open(self, open_end: OpenEnd) -> OpenEnd:
        """An end that is not played on: the free side of a lone double begins to count both halves (C14)."""
        if len(self.tiles) == 1 and self.tiles[0].is_double:
            return OpenEnd(open_end.end, open_end.value, 2 * open_end.value)
        return open_end
