from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest

from engine.events import Part
from engine.games import GAMES, Game
from engine.games.all_fives import ALL_FIVES
from engine.games.base import winner
from engine.games.block import BLOCK
from engine.games.draw import DRAW
from engine.games.fives_threes import FIVES_THREES
from engine.points import Points
from engine.seats import Seat, Side


def points_for(game: str, total: int) -> int:
    return sum(part.points for part in GAMES[game].end_parts(total))


def test_games_are_known_by_their_name_on_the_wire() -> None:
    assert {name: game.name for name, game in GAMES.items()} == {
        "fives-threes": "fives-threes",
        "all-fives": "all-fives",
        "block": "block",
        "draw": "draw",
    }


@pytest.mark.parametrize(
    ("game", "sizes", "targets"),
    [
        ("fives-threes", (7, 5, 5), (61, 61, 61)),
        ("all-fives", (9, 7, 5), (250, 200, 200)),
        ("block", (7, 5, 5), (100, 100, 100)),
        ("draw", (7, 5, 5), (100, 100, 100)),
    ],
)
def test_hand_sizes_and_targets_go_by_the_number_of_seats(
    game: str, sizes: tuple[int, ...], targets: tuple[int, ...]
) -> None:
    """F1, F8, A1, A12, B2, B6."""
    rules = GAMES[game]

    assert tuple(rules.hand_size(seats) for seats in (2, 3, 4)) == sizes
    assert tuple(rules.target(seats) for seats in (2, 3, 4)) == targets


def test_fives_and_threes_score_a_third_and_a_fifth_of_the_total() -> None:
    """F3, the whole table."""
    scoring = {total: points for total in range(40) if (points := points_for("fives-threes", total))}

    expected = {3: 1, 5: 1, 6: 2, 9: 3, 10: 2, 12: 4, 15: 8, 18: 6, 20: 4}
    assert {total: points for total, points in scoring.items() if total <= 20} == expected


def test_fifteen_scores_by_three_and_by_five() -> None:
    """F3."""
    assert FIVES_THREES.end_parts(15) == (Part(3, 5), Part(5, 3))


def test_all_fives_scores_a_total_that_five_divides_as_it_is() -> None:
    """A5."""
    scoring = {total: points for total in range(36) if (points := points_for("all-fives", total))}

    assert scoring == {total: total for total in (5, 10, 15, 20, 25, 30, 35)}


@pytest.mark.parametrize("game", ["block", "draw"])
def test_block_and_draw_score_nothing_in_play(game: str) -> None:
    """B4."""
    assert not any(points_for(game, total) for total in range(40))


@pytest.mark.parametrize(("left", "bonus"), [(0, 0), (2, 0), (3, 5), (11, 10), (12, 10), (13, 15), (14, 15), (15, 15)])
def test_going_out_in_all_fives_gives_the_pips_left_to_the_nearest_five(left: int, bonus: int) -> None:
    """A8."""
    assert ALL_FIVES.count_out((0, left), Side(0)) == (bonus, 0)


def test_the_pips_of_the_others_are_rounded_once_together() -> None:
    """A8: 13 + 13 is 26, so 25, where each hand alone would make 15."""
    assert ALL_FIVES.count_out((13, 0, 13), Side(1)) == (0, 25, 0)


@pytest.mark.parametrize(
    ("pips", "bonus"),
    [
        ((9, 20), (20, 0)),
        ((28, 30), (30, 0)),
        ((20, 13, 14), (0, 35, 0)),
        ((9, 9), (0, 0)),
        ((9, 20, 9), (10, 0, 10)),
        ((13, 5, 5), (0, Fraction(15, 2), Fraction(15, 2))),
        ((9, 9, 9), (0, 0, 0)),
        ((20, 9, 20), (0, 40, 0)),
    ],
)
def test_a_block_in_all_fives_pays_the_lowest(pips: Sequence[int], bonus: tuple[Points, ...]) -> None:
    """A9, A10, A11: two of three that are equal share the third hand, rounded before it is halved."""
    assert ALL_FIVES.count_blocked(pips) == bonus


@pytest.mark.parametrize("game", [BLOCK, DRAW], ids=lambda game: game.name)
def test_block_and_draw_count_the_others_unrounded(game: Game) -> None:
    """B4, B5."""
    assert game.count_out((0, 13, 11), Side(0)) == (24, 0, 0)
    assert game.count_blocked((24, 9, 10)) == (0, 34, 0)
    assert game.count_blocked((9, 9, 20)) == (0, 0, 0)


def test_tiles_left_never_score_in_fives_and_threes() -> None:
    """F6, F7."""
    assert FIVES_THREES.count_out((0, 30), Side(0)) == (0, 0)
    assert FIVES_THREES.count_blocked((5, 30)) == (0, 0)


@pytest.mark.parametrize(
    ("scores", "won"),
    [
        ((61, 0), Side(0)),
        ((60, 60), None),
        ((70, 70, 3), None),
        ((70, 3, Fraction(145, 2)), Side(2)),
    ],
)
def test_only_a_sole_leader_at_or_above_the_target_wins(scores: Sequence[Points], won: Side | None) -> None:
    """F9, A12, A13."""
    assert winner(scores, 61) == won


def test_the_lead_in_fives_and_threes_moves_clockwise_over_every_seat() -> None:
    """F10."""
    assert FIVES_THREES.next_lead(Seat(3), None, 4) == 0
    assert FIVES_THREES.next_lead(Seat(1), Seat(0), 3) == 2


@pytest.mark.parametrize("game", ["all-fives", "block", "draw"])
def test_who_went_out_leads_and_after_a_block_the_lot_decides(game: str) -> None:
    """A14, B7."""
    assert GAMES[game].next_lead(Seat(0), Seat(2), 4) == 2
    assert GAMES[game].next_lead(Seat(0), None, 4) == "lot"
