"""The open ends of a layout without their names, and what a tile makes of them (C6, C14, A3-A7)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from bots.kernel.bits import SUITS, TileSet
from engine.layout import Layout
from engine.tiles import Tile

Place: TypeAlias = tuple[int, int, bool]
"""An open end: its pip, what it counts, and whether the spinner lies there with a free side (A4)."""

Ends: TypeAlias = tuple[Place, ...]
"""All open ends, ascending: nothing that may still happen tells layouts apart that have the same. None: no tile yet."""


def ends_of(layout: Layout) -> Ends:
    """The ends of ``layout``."""
    return tuple(sorted([(end.value, end.counts, end.end in layout.free_sides) for end in layout.ends]))


def uncounted(ends: Ends) -> Ends:
    """``ends`` for a game in which no total is ever looked at."""
    return tuple(sorted([(pip, 0, is_free) for pip, _, is_free in ends]))


def fitting(ends: Ends) -> TileSet:
    """Every tile that can be joined to one of ``ends``, which are not none."""
    tiles = 0
    for pip, _, _ in ends:
        tiles |= SUITS[pip]
    return tiles


def after(ends: Ends, tile: Tile, *, branches: bool) -> set[Ends]:
    """The different ends that playing ``tile`` can lead to; ``branches``: whether the first double is a spinner."""
    if not ends:
        return {_opened(tile, branches=branches)}
    return {tuple(sorted(_joined(ends, at, tile, branches=branches))) for at in _matching(ends, tile)}


def _matching(ends: Ends, tile: Tile) -> Iterator[int]:
    for at, (pip, _, _) in enumerate(ends):
        if pip in (tile.low, tile.high):
            yield at


def _opened(tile: Tile, *, branches: bool) -> Ends:
    if tile.is_double:  # lies at both ends but counts once (C14)
        return (tile.low, 0, branches), (tile.low, tile.pips, branches)
    return (tile.low, tile.low, False), (tile.high, tile.high, False)


def _joined(ends: Ends, at: int, tile: Tile, *, branches: bool) -> list[Place]:
    pip, _, covers_spinner = ends[at]
    value = tile.other(pip)
    rest = [*ends[:at], *ends[at + 1 :]]
    has_spinner = len(ends) > 2 or covers_spinner or rest[0][2]
    becomes_spinner = branches and tile.is_double and not has_spinner
    outer = (value, tile.pips if tile.is_double else value, becomes_spinner)
    if len(ends) > 2:
        return [*rest, outer]
    if covers_spinner and not rest[0][2]:  # its second side: the arms across open (A4)
        return [*rest, outer, (pip, 0, False), (pip, 0, False)]
    return [_alone(rest[0]), outer]


def _alone(place: Place) -> Place:
    """The other one of two ends: of a lone double it counts both halves from now on (C14)."""
    pip, counts, is_free = place
    return pip, counts or 2 * pip, is_free
