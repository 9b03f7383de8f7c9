"""A smoke sample of the ladder: it catches a level that is broken, not one that is a little weaker.

The settings are those in which a level is furthest above the one below; `make ladder` plays them all, and at length.
Levels that search are too slow to play enough deals, so their plays are judged one by one.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import islice, pairwise
from statistics import fmean
from typing import NamedTuple
from unittest.mock import patch

import pytest

from bots.duel import Duel, Estimate
from bots.equity.equity import Result
from bots.kernel.bits import bit_of
from bots.kernel.machine import Placement
from bots.kernel.playout import finish
from bots.levels import EVERY_LEVEL, SEARCHING
from bots.player import Player
from bots.review.odds import odds
from bots.sampling.worlds import World, Worlds
from bots.search.search import Guess, Search, Work
from bots.trained import Trained
from engine.actions import Action, Play
from engine.deal import Deal
from engine.games import GAMES
from engine.match import Match
from engine.notation import parse_tile
from engine.outcome import Choice
from engine.seats import Seat
from engine.view import SeatView
from tests.bots.positions import EVERY_TABLE, asked_at, question, some_turns
from tests.bots.search.searching import stopped
from tests.bots.test_duel import shuffles
from tests.engine.positions import EAST, after, dealt

HANDS_COUNT = [table for table in EVERY_TABLE if table[0] != "fives-threes"]
TURNS_APART = 10
JUDGE = Work(worlds=800, pool=2400, cap=600.0)
"""Of what plays cost."""
FEWEST = {"strong": 100, "expert": 350, "master": 2_500}
"""Playouts for a choice."""


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


@pytest.mark.parametrize(("seats", "floor"), [(2, 0.85), (4, 0.8)])
def test_beginner_wins_most_matches_of_fives_and_threes_over_novice(seats: int, floor: float) -> None:
    assert matches_won("beginner", "novice", "fives-threes", seats, count=25) > floor


@pytest.mark.parametrize(("game", "seats"), HANDS_COUNT)
def test_club_gains_points_on_beginner_where_hands_count(game: str, seats: int) -> None:
    assert points(level("club"), level("beginner"), game, seats, count=100).mean > 0


@pytest.mark.parametrize("seats", [2, 4])
def test_club_wins_more_matches_of_fives_and_threes_than_beginner(seats: int) -> None:
    assert matches_won("club", "beginner", "fives-threes", seats, count=60) > 0.5


@pytest.mark.parametrize("game", ["block", "draw"])
def test_trained_wins_more_matches_than_club(game: str) -> None:
    assert matches_won("trained", "club", game, 2, count=30) > 0.5


@pytest.mark.parametrize(("game", "seats"), HANDS_COUNT)
def test_trained_gains_points_on_beginner_beyond_doubt_where_hands_count(game: str, seats: int) -> None:
    gained = points(level("trained"), level("beginner"), game, seats, count=80)

    assert gained.mean > gained.margin


@pytest.mark.parametrize(("game", "count"), [("all-fives", 30), ("fives-threes", 60)])
def test_strong_gains_points_on_trained(game: str, count: int) -> None:
    assert points(level("strong"), level("trained"), game, 2, count).mean > 0


class Judged(NamedTuple):
    """A turn, and what each play is worth there to a search that does far more."""

    view: SeatView
    legal: Sequence[Choice]
    worth: Mapping[Play, float]


def judged_turns(game: str, seats: int, deals: int) -> list[Judged]:
    """Every tenth turn of deals that trained plays."""
    asked = list[tuple[SeatView, Sequence[Choice]]]()

    class Witness(Trained):
        def choose(self, view: SeatView, legal: Sequence[Choice]) -> Action:
            asked.extend([(view, legal)] if len(legal) > 1 else [])
            return super().choose(view, legal)

    duel = Duel(GAMES[game], seats, Witness(), Witness(), deals=1)
    for shuffle in islice(shuffles(5), deals):
        duel.sample(shuffle)
    found = [(view, legal, odds(view, legal, JUDGE, stopped)) for view, legal in asked[::TURNS_APART]]
    return [
        Judged(view, legal, {play: one.value for play, one in worth.items()}) for view, legal, worth in found if worth
    ]


def lost(player: Player, turns: Sequence[Judged]) -> float:
    """Points by which what ``player`` chooses is worse than what is best, on average."""
    return fmean([max(worth.values()) - worth[player.choose(view, legal)] for view, legal, worth in turns])  # type: ignore[index]


def test_with_partners_strong_loses_less_than_trained_and_expert_far_less_than_strong() -> None:
    """In Draw for four, where it counts most how plausible worlds are."""
    turns = judged_turns("draw", 4, deals=30)

    trained, strong, expert = (lost(level(name), turns) for name in ("trained", "strong", "expert"))

    assert strong < 0.9 * trained
    assert expert < 0.7 * strong


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

    efforts = {name: effort_of(name, match) for name in ("trained", *SEARCHING)}

    assert efforts["trained"] == (0, 0)
    for below, above in pairwise(efforts.values()):
        assert above.drawn > 2 * below.drawn
        assert above.played_out > 2 * below.played_out
    for name, fewest in FEWEST.items():
        assert efforts[name].played_out >= fewest


def thought_likely(name: str, deal: Deal, seat: Seat, tile: str) -> float:
    """In what part of the worlds that the level plays out ``seat`` has ``tile``."""
    worlds = list[World]()
    played_out = Search._played_out

    def noting(search: Search, guess: Guess, placement: Placement) -> Result:
        worlds.append(guess.world)
        return played_out(search, guess, placement)

    with patch.object(Search, "_played_out", noting):
        level(name).choose(*asked_at(deal))
    return fmean([bool(world.hands[seat] & bit_of(parse_tile(tile))) for world in worlds])


def test_levels_above_strong_think_of_hands_that_explain_what_was_played() -> None:
    """With 2-5 East would have made 12; with 1-5 it made nothing."""
    hands = "5-5 1-1 1-4 4-6 0-0", "1-5 2-6 3-3 0-1 2-2", "4-5 0-2 6-6 3-4 0-6"
    deal = after(dealt("fives-threes", *hands), "5-5", "1-5 left", "4-5 right")

    strong, *above = (thought_likely(name, deal, EAST, "2-5") for name in SEARCHING)

    assert strong > 0.1
    assert all(share < 0.6 * strong for share in above)
