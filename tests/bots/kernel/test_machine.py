from __future__ import annotations

import pytest

from bots.kernel.bits import DOUBLES, EVERY_TILE, SUITS, bit_of, bits_of, pips_in, singles, tiles_of
from bots.kernel.machine import EMPTY, Machine
from engine.games import GAMES
from engine.notation import parse_tile, parse_tiles
from engine.tiles import full_set
from tests.engine.positions import line


def explored(game: str) -> Machine:
    """The machine of ``game`` with every state that can be reached."""
    machine, state = Machine(GAMES[game]), 0
    while state < len(machine.fits):
        machine.placements(state, machine.fits[state])
        state += 1
    return machine


@pytest.mark.parametrize(("game", "states"), [("block", 29), ("draw", 29), ("fives-threes", 98), ("all-fives", 5_223)])
def test_a_machine_has_no_more_states_than_can_be_told_apart(game: str, states: int) -> None:
    assert len(explored(game).fits) == states


def test_ends_are_one_state_whatever_they_are_called() -> None:
    machine = Machine(GAMES["all-fives"])

    one = machine.state_of(line("3-3", "3-4 left", "3-5 right", "3-6 up", branches=True))
    other = machine.state_of(line("3-3", "3-6 right", "3-4 left", "3-5 down", branches=True))

    assert one == other


def test_a_free_side_of_the_spinner_is_another_state_than_an_end_that_shows_as_much() -> None:
    machine = Machine(GAMES["all-fives"])

    spinner = machine.state_of(line("0-0", "0-5 left", branches=True))
    plain = machine.state_of(line("0-5", branches=True))

    assert spinner != plain


def test_ends_that_only_count_differently_are_one_state_where_nothing_is_counted() -> None:
    double, plain = line("3-5", "5-5 right"), line("3-5")

    block, fives_threes = Machine(GAMES["block"]), Machine(GAMES["fives-threes"])

    assert block.state_of(double) == block.state_of(plain)
    assert fives_threes.state_of(double) != fives_threes.state_of(plain)


def test_placements_come_in_the_order_of_greed() -> None:
    machine = Machine(GAMES["fives-threes"])

    every = machine.placements(EMPTY, bits_of(parse_tiles("0-1 4-5 6-6 0-3 5-5")))

    assert [tiles_of(bit) for bit, _, _ in every] == [parse_tiles(tile) for tile in ("6-6", "4-5", "5-5", "0-3", "0-1")]


def test_tiles_that_score_come_by_what_they_can_give_at_best() -> None:
    machine = Machine(GAMES["fives-threes"])

    scoring = machine.scoring(machine.state_of(line("5-5")))

    assert scoring == ((4, bits_of(parse_tiles("2-5 5-5"))), (2, bits_of(parse_tiles("0-5"))))


def test_the_suits_of_a_state_are_those_of_its_ends() -> None:
    machine = Machine(GAMES["all-fives"])

    assert machine.suits[machine.state_of(line("3-4", "4-4 right", branches=True))] == (SUITS[3], SUITS[4])
    assert machine.suits[EMPTY] == ()


def test_placements_are_the_same_whatever_the_machine_has_met_before() -> None:
    fresh, used = Machine(GAMES["all-fives"]), explored("all-fives")
    layout = line("3-4", branches=True)

    ways = [
        [
            (bit, machine.fits[led], points)
            for bit, led, points in machine.placements(machine.state_of(layout), EVERY_TILE)
        ]
        for machine in (fresh, used)
    ]

    assert ways[0] == ways[1]


def test_a_set_of_tiles_knows_its_tiles_and_pips() -> None:
    tiles = parse_tiles("0-0 0-6 3-4 6-6")

    assert tiles_of(bits_of(tiles)) == tiles
    assert singles(bits_of(tiles)) == tuple(bit_of(tile) for tile in tiles)
    assert pips_in(bits_of(tiles)) == sum(tile.pips for tile in tiles)
    assert pips_in(EVERY_TILE) == sum(tile.pips for tile in full_set())


def test_a_suit_holds_the_seven_tiles_that_show_its_pip() -> None:
    assert tiles_of(SUITS[4]) == parse_tiles("0-4 1-4 2-4 3-4 4-4 4-5 4-6")
    assert SUITS[4] & DOUBLES == bit_of(parse_tile("4-4"))
