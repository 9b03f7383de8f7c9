from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Sequence
from itertools import count, islice, pairwise
from statistics import fmean
from unittest.mock import patch

import pytest

from bots.beginner import Beginner
from bots.duel import Duel, Estimate
from bots.equity.equity import Result
from bots.kernel.machine import Placement
from bots.kernel.playout import finish
from bots.kernel.plays import plays_of
from bots.levels import SEARCHING
from bots.novice import Novice
from bots.player import Player
from bots.search.levels import WORK, Searcher, choose
from bots.search.search import Guess, Search, Work, rounds_for, searched
from engine.actions import Action
from engine.games import GAMES
from engine.outcome import Choice
from engine.view import SeatView
from tests.bots.positions import EVERY_TABLE, are_legal, asked_at, in_turn, question, some_turns
from tests.bots.redeal import redealt
from tests.bots.search.searching import Searching, stopped
from tests.bots.test_duel import shuffles
from tests.engine.positions import action, dealt

LITTLE = Work(worlds=12, pool=24, cap=60.0)


@pytest.mark.parametrize(("game", "seats"), EVERY_TABLE)
def test_a_search_chooses_what_is_legal_and_the_same_with_the_same_seed(game: str, seats: int) -> None:
    for match in some_turns(6, game, seats):
        view, legal = question(match)

        one, other = (searched(view, legal, LITTLE, 7, stopped) for _ in range(2))

        assert are_legal(one, legal)
        assert one == other


@pytest.mark.parametrize(("game", "seats"), EVERY_TABLE)
def test_no_hidden_tile_sways_a_search(game: str, seats: int) -> None:
    rng, tried = random.Random(5), 0
    for match in some_turns(6, game, seats, seed=3):
        for other in islice(redealt(match, in_turn(match), rng, tries=12), 2):
            tried += 1

            assert searched(*question(other), LITTLE, 7, stopped) == searched(*question(match), LITTLE, 7, stopped)
    assert tried >= 4


def test_a_choice_that_takes_too_long_is_made_from_what_has_been_seen() -> None:
    view, legal = question(some_turns(1, "block", 2)[0])
    ticks = count()

    chosen = searched(view, legal, Work(worlds=10**6, pool=0, cap=1.0), 7, lambda: float(next(ticks)))

    assert are_legal(chosen, legal)
    assert next(ticks) < 20


def test_the_cap_of_a_player_counts_the_time_of_the_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    """What else the machine has to do must not sway a match that is to be the same again."""
    ticks = count()
    monkeypatch.setattr(time, "process_time", lambda: 100.0 * next(ticks))

    Searcher("master", random.Random(1)).choose(*question(some_turns(1, "block", 2)[0]))

    assert 1 < next(ticks) < 20


def test_a_search_lands_on_the_target_where_more_points_would_be_lost() -> None:
    deal = dealt("fives-threes", "6-6 1-5 1-1 0-0 2-3", "0-1 0-2 0-3 0-4 2-2", scores=(59, 0))

    assert choose(*asked_at(deal), "strong", 1) == action("1-5")


def share_taken_to_be_greedy(other: Player) -> float:
    """Of what is guessed before the last but one choice of a seat against ``other``."""
    views = list[SeatView]()

    class Witness(Novice):
        def choose(self, view: SeatView, legal: Sequence[Choice]) -> Action:
            views.extend([view] if len(view.hand) == 2 else [])
            return super().choose(view, legal)

    duel = Duel(GAMES["fives-threes"], 2, Witness(random.Random(1)), other, deals=1)
    for shuffle in islice(shuffles(5), 10):
        duel.sample(shuffle)
    guesses = [
        guess for view in views for guess in Search(view, LITTLE, random.Random(3), stopped)._likely(LITTLE.worlds)
    ]
    return fmean([bool(guess.greedy) for guess in guesses])


def test_who_plays_like_beginner_is_taken_to_go_on_so() -> None:
    assert share_taken_to_be_greedy(Novice(random.Random(2))) < 0.2
    assert share_taken_to_be_greedy(Beginner()) > 0.6


@pytest.mark.parametrize("plays", range(2, 15))
def test_many_plays_have_as_many_playouts_as_two_and_half_of_them_fall_out_after_each_round(plays: int) -> None:
    rounds = rounds_for(plays, worlds=250)

    assert (rounds[0].plays, rounds[-1].plays) == (plays, 2)
    assert all(after.plays == (before.plays + 1) // 2 for before, after in pairwise(rounds))
    assert 450 <= sum(count * worlds for count, worlds in rounds) <= 500


def test_the_better_plays_are_played_out_in_more_worlds_and_one_of_them_is_chosen() -> None:
    view, legal = question(some_turns(1, "all-fives", 2)[0])
    asked = Counter[Placement]()

    class Counting(Search):
        def _played_out(self, guess: Guess, placement: Placement) -> Result:
            asked[placement] += 1
            return super()._played_out(guess, placement)

    plays = tuple(plays_of(view, legal))
    best = Counting(view, WORK["expert"], random.Random(3), stopped).best(plays)

    most, other, *less = sorted(asked.values(), reverse=True)
    assert asked.keys() == set(plays)
    assert most == other > 3 * less[-1]
    assert asked[best] == most


def test_a_guess_that_is_taken_more_than_once_is_played_out_once() -> None:
    view, legal = question(some_turns(12, "fives-threes", 2)[-1])
    search = Search(view, WORK["expert"], random.Random(3), stopped)

    with patch("bots.search.search.finish", side_effect=finish) as finished:
        counts = [times for times, _ in search.results(tuple(plays_of(view, legal))[:1])]

    assert sum(counts) == WORK["expert"].worlds
    assert finished.call_count <= len(counts) < sum(counts)


@pytest.mark.parametrize("game", ["fives-threes", "draw"])
def test_even_a_short_search_gains_points_on_beginner(game: str) -> None:
    duel = Duel(GAMES[game], 2, Searching(LITTLE, random.Random(1)), Beginner(), deals=1)

    samples = [duel.sample(shuffle) for shuffle in islice(shuffles(7), 25)]

    assert Estimate.of([sample.points for sample in samples]).mean > 0


def test_more_worlds_are_drawn_at_each_level_than_at_the_one_below() -> None:
    assert [*WORK] == [*SEARCHING] == ["strong", "expert", "master"]
    assert sorted(WORK.values()) == [*WORK.values()]
