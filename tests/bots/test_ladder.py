"""A smoke sample of the ladder: it catches a level that is broken, not one that is a little weaker.

The settings are those in which a level is furthest above the one below; `make ladder` plays them all, and at length.
"""

from __future__ import annotations

import random
from itertools import islice, pairwise
from typing import NamedTuple
from unittest.mock import patch

import pytest

from bots.duel import Duel, Estimate
from bots.kernel.playout import finish
from bots.levels import EVERY_LEVEL, SEARCHING
from bots.player import Player
from bots.sampling.worlds import Worlds
from bots.search.levels import WORK
from engine.games import GAMES
from engine.match import Match
from tests.bots.positions import EVERY_TABLE, question, some_turns
from tests.bots.search.searching import Searching
from tests.bots.test_duel import shuffles

REDUCED = 15
"""The part of their work that master and expert do here where they meet."""


def matches_won(above: str, below: str, game: str, seats: int, count: int) -> float:
    """The share that ``above`` wins of so many duplicate matches."""
    duel = Duel(GAMES[game], seats, level(above), level(below))
    return Estimate.of([duel.sample(shuffle).won for shuffle in islice(shuffles(7), count)]).mean


def points(above: Player, below: Player, game: str, seats: int, count: int) -> Estimate:
    """A deal, of ``above`` beyond ``below``, in so many duplicate deals."""
    duel = Duel(GAMES[game], seats, above, below, deals=1)
    return Estimate.of([duel.sample(shuffle).points for shuffle in islice(shuffles(7), count)])


def level(name: str) -> Player:
    return EVERY_LEVEL[name](random.Random(name))


def reduced(name: str) -> Player:
    work = WORK[name]
    return Searching(work._replace(worlds=work.worlds // REDUCED, pool=work.pool // REDUCED), random.Random(name))


@pytest.mark.parametrize(("seats", "floor"), [(2, 0.85), (4, 0.8)])
def test_beginner_wins_most_matches_of_fives_and_threes_over_novice(seats: int, floor: float) -> None:
    assert matches_won("beginner", "novice", "fives-threes", seats, count=25) > floor


@pytest.mark.parametrize(("game", "seats"), [table for table in EVERY_TABLE if table[0] != "fives-threes"])
def test_club_gains_points_on_beginner_where_hands_count(game: str, seats: int) -> None:
    assert points(level("club"), level("beginner"), game, seats, count=100).mean > 0


@pytest.mark.parametrize("seats", [2, 4])
def test_club_wins_more_matches_of_fives_and_threes_than_beginner(seats: int) -> None:
    assert matches_won("club", "beginner", "fives-threes", seats, count=60) > 0.5


@pytest.mark.parametrize("game", ["block", "draw"])
def test_trained_wins_more_matches_than_club(game: str) -> None:
    assert matches_won("trained", "club", game, 2, count=30) > 0.5


@pytest.mark.parametrize(("game", "seats"), [("all-fives", 2), ("draw", 4)])
def test_strong_gains_points_on_trained(game: str, seats: int) -> None:
    assert points(level("strong"), level("trained"), game, seats, count=30).mean > 0


def test_strong_gains_points_on_trained_in_fives_and_threes() -> None:
    assert points(level("strong"), level("trained"), "fives-threes", 2, count=60).mean > 0


def test_expert_has_not_fallen_behind_strong() -> None:
    """With partners, where it counts most how plausible worlds are."""
    gained = points(level("expert"), level("strong"), "draw", 4, count=30)

    assert gained.mean + gained.margin > 0


def test_master_has_not_fallen_behind_expert() -> None:
    gained = points(reduced("master"), reduced("expert"), "all-fives", 2, count=25)

    assert gained.mean + gained.margin > 0


class Effort(NamedTuple):
    """What was done for one choice."""

    drawn: int
    """Worlds."""
    played_out: int
    """Deals, to their ends."""


def effort_of(name: str, match: Match) -> Effort:
    """That of the level of this ``name``, counted where it is done."""
    with (
        patch.object(Worlds, "draw", autospec=True, side_effect=Worlds.draw) as draw,
        patch("bots.search.search.finish", side_effect=finish) as finished,
    ):
        level(name).choose(*question(match))
        return Effort(draw.call_count, finished.call_count)


@pytest.mark.parametrize("game", GAMES)
def test_each_level_that_searches_does_far_more_than_the_one_below(game: str) -> None:
    [match] = some_turns(1, game, 3)

    efforts = [effort_of(name, match) for name in ("trained", *SEARCHING)]

    assert efforts[0] == (0, 0)
    for below, above in pairwise(efforts):
        assert above.drawn > 2 * below.drawn
        assert above.played_out > 2 * below.played_out
