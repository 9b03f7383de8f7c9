from __future__ import annotations

import pytest

from bots.equity.equity import Equity, Result
from bots.equity.table import EquityTable
from bots.kernel.rules import Rules
from engine.seats import Seat, Side

LEADER_AHEAD = EquityTable(2, [100], [(0.6, 0.4)])
"""Who leads has six chances of ten, whatever the score."""


def after(game: str, result: Result, lead: int) -> tuple[float, ...]:
    """The chances at a table for four."""
    return Equity(Rules(game, 4), LEADER_AHEAD).after(result, Seat(lead))


def test_who_has_won_has_won() -> None:
    assert after("draw", Result(winner=Side(1), out=Seat(1), scores=(90, 120)), lead=0) == (0, 1)


def test_in_fives_and_threes_the_lead_passes_on() -> None:
    assert after("fives-threes", Result(winner=None, out=Seat(0), scores=(10, 10)), lead=0) == pytest.approx((0.4, 0.6))


def test_in_other_games_who_went_out_leads() -> None:
    assert after("draw", Result(winner=None, out=Seat(2), scores=(10, 10)), lead=1) == pytest.approx((0.6, 0.4))


def test_a_lead_by_lot_is_as_good_for_both() -> None:
    assert after("draw", Result(winner=None, out=None, scores=(10, 10)), lead=1) == pytest.approx((0.5, 0.5))


def test_three_sides_are_looked_up_from_the_one_that_leads() -> None:
    table = EquityTable(3, [50, 100], [(0.5, 0.3, 0.2)] * 8)
    table.chances[0b011] = (0.7, 0.2, 0.1)  # the leader needs 50, the others 100
    equity = Equity(Rules("draw", 3), table)

    assert equity.before((0, 50, 0), Seat(1)) == pytest.approx((0.1, 0.7, 0.2))
