from __future__ import annotations

from engine.deal import Deal
from tests.bots.positions import asked_at
from tests.bots.rivals.line import Laid, moves_of
from tests.engine.positions import EAST, NORTH, after, dealt


def moves_in(deal: Deal) -> list[Laid | None]:
    view, _ = asked_at(deal)
    return moves_of(view)


def test_each_tile_is_told_with_the_half_that_meets_the_line_first() -> None:
    deal = dealt("block", "1-4 2-6 0-0", "4-6 1-2 0-1", "5-5 5-6 3-3")

    played = after(deal, "1-4", "4-6 right")

    assert moves_in(played) == [
        Laid(NORTH, inner=1, outer=4, left=False, first=True),
        Laid(EAST, inner=4, outer=6, left=False, first=False),
    ]


def test_a_tile_on_the_left_meets_the_left_end_and_a_knock_is_a_move() -> None:
    deal = dealt("block", "1-4 0-2", "0-1 3-3", "5-5 5-6")

    played = after(deal, "1-4", "0-1 left", "knock")

    assert moves_in(played) == [
        Laid(NORTH, inner=1, outer=4, left=False, first=True),
        Laid(EAST, inner=1, outer=0, left=True, first=False),
        None,
    ]
