"""The tiles on the table and the ends where more may be joined (C6, C13, C14, A3-A7)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from enum import StrEnum
from functools import cache
from operator import attrgetter
from typing import NamedTuple

from engine.tiles import Tile


class End(StrEnum):
    """The name of an open place (C13). Words on the wire, in the order in which ends are listed."""

    LEFT = "left"
    RIGHT = "right"
    UP = "up"
    DOWN = "down"

    __hash__ = str.__hash__  # that of an Enum is a function of Python, which every look-up would call


_LINE = (End.LEFT, End.RIGHT)
"""The ends of the line (C13)."""


class OpenEnd(NamedTuple):
    """A place where a tile that shows ``value`` can be joined; it adds ``counts`` to the total (C14)."""

    end: End
    value: int
    counts: int


_counts = attrgetter("counts")


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
        return total_of(self.ends)

    def ends_for(self, tile: Tile) -> tuple[End, ...]:
        """The ends where ``tile`` fits, alike ones too (C13). None before the opening."""
        return tuple([open_end.end for open_end in self.ends if open_end.value in tile])

    def takes_any(self, tiles: Collection[Tile]) -> bool:
        """Whether one of ``tiles`` could be played now."""
        if not self.tiles:
            return bool(tiles)
        for open_end in self.ends:
            for tile in tiles:
                if open_end.value in tile:
                    return True
        return False

    def open_end(self, end: End | None) -> OpenEnd | None:
        """The open end called ``end``, or None if there is none now."""
        for open_end in self.ends:
            if open_end.end is end:
                return open_end
        return None

    def continuations(self, tiles: Iterable[Tile]) -> list[tuple[Tile, End | None, tuple[OpenEnd, ...]]]:
        """Every way to play one of ``tiles``, by tile, then by end (C13): both, and the ends that are open then."""
        if not self.tiles:
            return [(tile, None, _opening_ends(tile)) for tile in tiles]
        before = self._ends_to_join()
        return [
            (tile, joined.end, self._joined(before, tile, joined))
            for tile in tiles
            for joined in before
            if joined.value in tile
        ]

    def place(self, tile: Tile, end: End | None) -> Layout:
        """The layout with ``tile`` on ``end``; None opens. ValueError if that end is not open or does not match."""
        if not self.tiles and end is None:
            return self.extended(tile, end, _opening_ends(tile))
        before = self._ends_to_join()
        for joined in before:
            if joined.end is end:
                return self.extended(tile, end, self._joined(before, tile, joined))
        raise ValueError(f"no open end {end}")

    def extended(self, tile: Tile, end: End | None, ends: tuple[OpenEnd, ...]) -> Layout:
        """The layout with ``tile`` on ``end``, where that leaves ``ends`` open: one of `continuations`."""
        spinner, free_sides = self.spinner, self.free_sides
        if end in free_sides:
            free_sides = tuple([side for side in free_sides if side is not end])
        elif self.branches and spinner is None and tile.is_double:
            spinner, free_sides = tile, _LINE if end is None else (end,)
        return Layout(self.branches, (*self.tiles, tile), ends, spinner, free_sides)

    def _ends_to_join(self) -> tuple[OpenEnd, ...]:
        """The ends, of which one is now joined: the other one of a lone double begins to count both halves (C14)."""
        if len(self.tiles) == 1 and self.tiles[0].is_double:
            return _both_sides(self.tiles[0])
        return self.ends

    def _joined(self, before: tuple[OpenEnd, ...], tile: Tile, joined: OpenEnd) -> tuple[OpenEnd, ...]:
        """The ends once ``tile`` lies at ``joined``, one of those ``before``."""
        ends = list(before)
        ends[before.index(joined)] = _outer_end(tile, joined)
        if self.spinner is not None and self.free_sides == (joined.end,):
            ends += _arms(self.spinner)
        return tuple(ends)


def total_of(ends: Iterable[OpenEnd]) -> int:
    """The sum over the scoring ``ends`` (C14)."""
    return sum(map(_counts, ends))


# Different ends are few, and met at every play: each is made once.


@cache
def _opening_ends(tile: Tile) -> tuple[OpenEnd, ...]:
    """The ends of the lone ``tile`` (C13)."""
    if tile.is_double:  # lies at both ends but counts once (C14): by convention at the left one
        return OpenEnd(End.LEFT, tile.low, tile.pips), OpenEnd(End.RIGHT, tile.low, 0)
    return OpenEnd(End.LEFT, tile.low, tile.low), OpenEnd(End.RIGHT, tile.high, tile.high)


@cache
def _both_sides(double: Tile) -> tuple[OpenEnd, ...]:
    """The ends of a lone ``double``, each as it counts when the other one is joined (C14)."""
    return OpenEnd(End.LEFT, double.low, double.pips), OpenEnd(End.RIGHT, double.low, double.pips)


@cache
def _arms(spinner: Tile) -> tuple[OpenEnd, ...]:
    """The arms that open when both sides of ``spinner`` are used (A4). Empty, they count nothing (A7)."""
    return OpenEnd(End.UP, spinner.low, 0), OpenEnd(End.DOWN, spinner.low, 0)


@cache
def _outer_end(tile: Tile, joined: OpenEnd) -> OpenEnd:
    """The end in place of ``joined`` once ``tile`` lies there (C6). ValueError if it does not match."""
    value = tile.other(joined.value)
    return OpenEnd(joined.end, value, tile.pips if tile.is_double else value)
