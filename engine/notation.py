"""Tiles as text, "3-6" or "6-6 3-6": one form for the wire, tests, seeds and logs."""

from __future__ import annotations

from collections.abc import Iterable

from engine.tiles import Tile, full_set

_TILES = {str(tile): tile for tile in full_set()}


def parse_tile(text: str) -> Tile:
    """The tile written ``text``, low half first. ValueError names a text that is none."""
    try:
        return _TILES[text]
    except KeyError:
        raise ValueError(f"not a tile: {text!r}") from None


def parse_tiles(text: str) -> tuple[Tile, ...]:
    """The tiles written one after another in ``text``, with spaces between them. ValueError as in `parse_tile`."""
    return tuple(parse_tile(word) for word in text.split())


def format_tiles(tiles: Iterable[Tile]) -> str:
    """``tiles`` as text that `parse_tiles` reads back."""
    return " ".join(map(str, tiles))
