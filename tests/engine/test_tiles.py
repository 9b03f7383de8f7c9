from __future__ import annotations

import pytest

from engine.notation import format_tiles, parse_tile, parse_tiles
from engine.tiles import Tile, full_set


def test_the_full_set_has_each_of_the_28_tiles_once_and_ascends() -> None:
    """C1."""
    tiles = full_set()

    assert len(set(tiles)) == 28
    assert list(tiles) == sorted(tiles)
    assert (str(tiles[0]), str(tiles[1]), str(tiles[-1])) == ("0-0", "0-1", "6-6")


def test_a_tile_puts_its_low_half_first() -> None:
    assert Tile.of(6, 3) == Tile.of(3, 6) == Tile(3, 6)


@pytest.mark.parametrize(("low", "high"), [(3, 2), (-1, 2), (0, 7)])
def test_what_is_no_tile_of_the_set_cannot_be_made(low: int, high: int) -> None:
    with pytest.raises(ValueError, match="no tile"):
        Tile(low, high)


def test_a_matched_half_leaves_the_other_one_open() -> None:
    """C6."""
    assert Tile(3, 6).other(3) == 6
    assert Tile(3, 6).other(6) == 3
    assert Tile(4, 4).other(4) == 4


def test_a_tile_holds_the_pips_of_its_halves() -> None:
    """C6."""
    assert [pip for pip in range(7) if pip in Tile(3, 6)] == [3, 6]


def test_a_half_that_a_tile_does_not_show_matches_nothing() -> None:
    with pytest.raises(ValueError, match="3-6 shows no 5"):
        Tile(3, 6).other(5)


def test_a_tile_weighs_both_halves() -> None:
    """A8."""
    assert Tile(3, 6).pips == 9
    assert Tile(0, 0).pips == 0


def test_only_equal_halves_make_a_double() -> None:
    assert Tile(4, 4).is_double
    assert not Tile(4, 5).is_double


def test_tiles_are_written_and_read_back() -> None:
    text = format_tiles(full_set())

    assert parse_tiles(text) == full_set()


@pytest.mark.parametrize("text", ["6-3", "7-7", "3", "", " 3-6", "3_6", "\u0663-6"])
def test_a_text_that_is_no_tile_is_named(text: str) -> None:
    with pytest.raises(ValueError, match="not a tile") as refused:
        parse_tile(text)

    assert repr(text) in str(refused.value)
