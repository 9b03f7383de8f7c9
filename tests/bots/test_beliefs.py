from __future__ import annotations

import pytest

from bots.beliefs import Beliefs
from engine.notation import parse_tile
from tests.bots.positions import EVERY_TABLE, asked_at, question, some_turns
from tests.engine.positions import EAST, NORTH, SOUTH, WEST, after, dealt

DEAL = dealt("block", "6-6 1-1", "2-2 1-6", "0-0 5-6", stock="3-6 4-6 0-5")


def test_a_tile_in_the_own_hand_or_on_the_table_is_nowhere_else() -> None:
    beliefs = Beliefs(asked_at(after(DEAL, "6-6"))[0])

    seen = [beliefs.chances[seat][pip][pip] for seat in (NORTH, SOUTH) for pip in (2, 6)]

    assert seen == [0, 0, 0, 0]


def test_before_anything_is_played_each_place_holds_any_tile_as_likely() -> None:
    beliefs = Beliefs(asked_at(DEAL)[0])

    chances = [beliefs.chances[EAST][3][6], beliefs.chances[SOUTH][2][2]]

    assert chances == pytest.approx([2 / 26, 2 / 26])


def test_who_knocks_holds_no_open_pip_for_the_rest_of_the_deal() -> None:
    knocked = dealt("block", "6-6 1-1 1-2", "2-2 3-3 4-5", "0-0 5-6", stock="3-6 4-6 0-5")

    beliefs = Beliefs(asked_at(after(knocked, "6-6", "knock", "5-6 left"))[0])

    assert beliefs.chances[EAST][3][6] == 0
    assert beliefs.chances[EAST][3][3] > 0


def test_who_draws_had_no_open_pip_before() -> None:
    drawing = dealt("draw", "6-6 1-1", "2-2 1-4", "5-6 0-0", stock="3-6 4-6 0-5")

    beliefs = Beliefs(asked_at(after(drawing, "6-6", "draw", "3-6 left", "5-6 right"))[0])

    assert beliefs.chances[EAST][4][6] == 0
    assert beliefs.chances[SOUTH][4][6] > 0


def test_a_tile_drawn_later_may_show_what_the_hand_lacked_before() -> None:
    drawing = dealt("draw", "6-6 5-6 1-1", "2-2 1-4", stock="3-6 4-6 0-3 0-0")
    drew_again = after(drawing, "6-6", "draw", "3-6 left", "5-6 right", "draw", "draw", "0-3 left")

    beliefs = Beliefs(asked_at(drew_again)[0])

    assert beliefs.chances[EAST][4][6] > 0
    assert beliefs.chances[EAST][5][5] == 0


def test_a_tile_that_can_only_have_been_drawn_leaves_no_place_for_another_of_its_pips() -> None:
    drawing = dealt("draw", "6-6 4-6 4-5 5-5 1-6 0-0", "0-1 1-1 2-2", stock="3-6 0-6 0-3 2-6")
    first = after(drawing, "6-6", "draw", "3-6 left", "4-6 right", "draw", "draw", "0-3 left", "4-5 right")
    then = after(first, "0-1 left", "5-5 right", "1-1 left", "1-6 left", "0-6 left")

    beliefs = Beliefs(asked_at(then)[0])

    assert beliefs.chances[EAST][2][6] == 0
    assert beliefs.chances[EAST][2][2] > 0


def test_a_seat_without_tiles_holds_nothing() -> None:
    out = dealt("fives-threes", "6-6", "5-6 1-1", "1-5 2-2", "1-2 0-0", stock="0-3")

    beliefs = Beliefs(asked_at(after(out, "6-6"))[0])

    assert beliefs.chances.keys() == {SOUTH, WEST}


def test_a_hidden_tile_weighs_as_much_as_those_unseen_do_on_average() -> None:
    view, _ = asked_at(DEAL)

    mean = Beliefs(view).mean_pips

    assert mean == pytest.approx((28 * 6 - parse_tile("6-6").pips - parse_tile("1-1").pips) / 26)


@pytest.mark.parametrize(("game", "seats"), EVERY_TABLE)
def test_a_tile_is_with_one_of_the_others_or_in_the_stock(game: str, seats: int) -> None:
    for match in some_turns(100, game, seats):
        beliefs = Beliefs(question(match)[0])

        for tile in beliefs.unseen:
            held = [chances[tile.low][tile.high] for chances in beliefs.chances.values()]
            assert min(held) >= 0
            assert sum(held) <= 1 + 1e-9
