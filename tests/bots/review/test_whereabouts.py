"""The tile map: the same as a list of all deals gives."""

from __future__ import annotations

import pytest

from bots.kernel.bits import bit_of
from bots.review.whereabouts import tile_map
from engine.seats import Seat
from engine.view import view_for
from tests.bots.positions import EVERY_TABLE, asked_at, question, some_turns
from tests.bots.sampling.enumeration import enumerated
from tests.bots.sampling.test_worlds import SMALL_BITS, judged
from tests.engine.positions import after, dealt


@pytest.mark.parametrize(("game", "seats"), EVERY_TABLE)
def test_the_map_is_that_of_all_deals_there_are(game: str, seats: int) -> None:
    for match, seat in judged(game, seats):
        every = enumerated(match, seat)

        found = tile_map(view_for(match, seat), SMALL_BITS)

        for entry in found.tiles:
            chances = [every.chance(Seat(other), bit_of(entry.tile)) for other in range(seats)]
            assert entry.seats == pytest.approx(chances, abs=1e-12)
            assert entry.stock == pytest.approx(1 - sum(chances), abs=1e-12)


@pytest.mark.parametrize(("game", "seats"), EVERY_TABLE)
def test_it_holds_every_unseen_tile_once_and_no_more_than_lie_in_each_place(game: str, seats: int) -> None:
    for match in some_turns(10, game, seats):
        view, _ = question(match)

        found = tile_map(view)

        tiles = [entry.tile for entry in found.tiles]
        held = [sum(entry.seats[seat] for entry in found.tiles) for seat in range(seats)]
        sizes = [0 if seat == view.seat else size for seat, size in enumerate(view.tiles)]
        assert sorted({*tiles, *view.hand, *view.layout.tiles}) == sorted([*tiles, *view.hand, *view.layout.tiles])
        assert len(tiles) + len(view.hand) + len(view.layout.tiles) == 28
        assert held == pytest.approx(sizes)


def test_a_knock_rules_pips_out_and_says_nothing_of_tiles_that_are_drawn_later() -> None:
    knocked = after(dealt("block", "3-3 0-3", "1-1 2-2"), "3-3", "knock")
    drew = after(dealt("draw", "3-3 0-3", "1-1 2-2", stock="1-2 3-4 1-4"), "3-3", "draw", "draw", "3-4 left")

    assert tile_map(asked_at(knocked)[0]).none_of == ((), (3,))
    assert tile_map(asked_at(drew)[0]).none_of == ((), (3,))


def test_who_watches_has_no_map() -> None:
    [match] = some_turns(1, "block", 2)

    with pytest.raises(ValueError, match="watches"):
        tile_map(view_for(match, None))
