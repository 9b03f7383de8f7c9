"""Sets of tiles as numbers: bit i stands for the tile i of `engine.tiles.full_set`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from engine.tiles import Tile, full_set

TileSet: TypeAlias = int
"""28 bits, one a tile."""

TileBit: TypeAlias = int
"""A set of one tile."""

_TILES = full_set()

EVERY_TILE: TileSet = (1 << len(_TILES)) - 1

_BITS = {tile: 1 << number for number, tile in enumerate(_TILES)}

_HALF = 14
"""Tables over all 28 bits would be too large, over half of them they are not."""
_LOW: TileSet = (1 << _HALF) - 1


def bit_of(tile: Tile) -> TileBit:
    """The set that holds ``tile`` alone."""
    return _BITS[tile]


def bits_of(tiles: Iterable[Tile]) -> TileSet:
    """The set of ``tiles``, which are all different."""
    return sum([_BITS[tile] for tile in tiles])


def tile_of(bit: TileBit) -> Tile:
    """The only tile of ``bit``."""
    return _TILES[bit.bit_length() - 1]


def tiles_of(tiles: TileSet) -> tuple[Tile, ...]:
    """The tiles of a set, ascending."""
    return tuple([tile_of(bit) for bit in singles(tiles)])


SUITS: tuple[TileSet, ...] = tuple(bits_of(tile for tile in _TILES if pip in (tile.low, tile.high)) for pip in range(7))
"""By pip, the seven tiles that show it."""

DOUBLES: TileSet = bits_of(tile for tile in _TILES if tile.is_double)


def _half_table(first: int) -> tuple[tuple[TileBit, ...], ...]:
    """By the bits of a half that begins at bit ``first``: each of them alone."""
    table: list[tuple[TileBit, ...]] = [()]
    for bit in range(first, first + _HALF):
        table += [(*singles, 1 << bit) for singles in table]
    return tuple(table)


_SINGLES_LOW, _SINGLES_HIGH = _half_table(0), _half_table(_HALF)


def _weighed(table: Iterable[Iterable[TileBit]]) -> tuple[int, ...]:
    return tuple(sum([tile_of(bit).pips for bit in singles]) for singles in table)


_PIPS_LOW, _PIPS_HIGH = _weighed(_SINGLES_LOW), _weighed(_SINGLES_HIGH)


def singles(tiles: TileSet) -> tuple[TileBit, ...]:
    """Each tile of a set as a set of its own, ascending."""
    return _SINGLES_LOW[tiles & _LOW] + _SINGLES_HIGH[tiles >> _HALF]


def pips_in(tiles: TileSet) -> int:
    """What a set weighs in a count (A8)."""
    return _PIPS_LOW[tiles & _LOW] + _PIPS_HIGH[tiles >> _HALF]
