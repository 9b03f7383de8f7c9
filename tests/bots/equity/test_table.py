from __future__ import annotations

import pytest

from bots.equity.table import EquityTable, equity_table
from tests.bots.positions import EVERY_TABLE


def table() -> EquityTable:
    """Two sides that need 10 or 20."""
    return EquityTable(2, [10, 20], [(0.5, 0.5), (0.8, 0.2), (0.3, 0.7), (0.6, 0.4)])


def test_an_entry_is_found_by_what_each_side_needs() -> None:
    assert table().at((10, 20)) == (0.8, 0.2)
    assert table().at((20, 10)) == (0.3, 0.7)


def test_what_lies_between_entries_is_smooth() -> None:
    assert table().at((10, 15)) == pytest.approx((0.65, 0.35))
    assert table().at((15, 15)) == pytest.approx((0.55, 0.45))


def test_needs_below_the_table_are_those_of_its_first_entry() -> None:
    assert table().at((0, 20)) == (0.8, 0.2)


@pytest.mark.parametrize("far", [40, 61, 99.5])
def test_needs_beyond_the_table_are_brought_within_it_in_proportion(far: float) -> None:
    assert table().at((far / 2, far)) == pytest.approx((0.8, 0.2))


def test_a_table_is_kept_without_its_last_side() -> None:
    kept = table().dump()

    assert kept == [[5000], [8000], [3000], [6000]]
    assert EquityTable.load(2, [10, 20], kept).at((10, 15)) == pytest.approx((0.65, 0.35))


@pytest.mark.parametrize(("game", "seats"), EVERY_TABLE)
def test_a_table_is_kept_for_every_game_where_the_one_who_is_ahead_wins_more_often(game: str, seats: int) -> None:
    table = equity_table(game, seats)
    far, close = table.nodes[-1], table.nodes[-1] // 3

    ahead, even, behind = (
        table.at((mine, *[theirs] * (table.sides - 1))) for mine, theirs in ((close, far), (far, far), (far, close))
    )

    assert sum(even) == pytest.approx(1)
    assert ahead[0] > even[0] + 0.1
    assert behind[0] < even[0] - 0.1
