from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import islice
from random import Random

import pytest

from bots.beginner import Beginner
from bots.duel import Duel, Estimate
from bots.process import ProcessPlayer
from bots.rivals.ismcts import Tree, chosen_by_tree
from engine.actions import Action
from engine.games import GAMES
from engine.outcome import Choice
from engine.view import SeatView
from tests.bots.positions import EVERY_TABLE, are_legal, asked_at, in_turn, question, some_turns
from tests.bots.redeal import redealt
from tests.bots.test_duel import shuffles
from tests.engine.positions import action, dealt

FEW = 40


class ByTree:
    """A player that grows small trees."""

    def __init__(self) -> None:
        self._rng = Random(1)

    def choose(self, view: SeatView, legal: Sequence[Choice]) -> Action:
        return chosen_by_tree(view, legal, 4 * FEW, self._rng)


@pytest.mark.parametrize(("game", "seats"), EVERY_TABLE)
def test_a_tree_chooses_what_is_legal_and_the_same_with_the_same_seed(game: str, seats: int) -> None:
    for match in some_turns(4, game, seats):
        view, legal = question(match)

        one, other = (chosen_by_tree(view, legal, FEW, Random(7)) for _ in range(2))

        assert are_legal(one, legal)
        assert one == other


@pytest.mark.parametrize(("game", "seats"), EVERY_TABLE)
def test_no_hidden_tile_sways_a_tree(game: str, seats: int) -> None:
    rng, tried = Random(5), 0
    for match in some_turns(4, game, seats, seed=3):
        for other in islice(redealt(match, in_turn(match), rng, tries=12), 2):
            tried += 1

            assert chosen_by_tree(*question(other), FEW, Random(7)) == chosen_by_tree(*question(match), FEW, Random(7))
    assert tried >= 2


def test_each_iteration_adds_one_visit_to_one_play_and_all_plays_are_tried() -> None:
    view, _ = question(some_turns(1, "block", 2)[0])
    tree = Tree(view, Random(1))

    for _ in range(FEW):
        tree.iterate()

    visits = [child.visits for child in tree.root.children.values()]
    assert min(visits) > 0
    assert sum(visits) == tree.root.visits == FEW


def test_a_tree_lands_on_the_target_where_more_points_would_be_lost() -> None:
    deal = dealt("fives-threes", "6-6 1-5 1-1 0-0 2-3", "0-1 0-2 0-3 0-4 2-2", scores=(59, 0))

    assert chosen_by_tree(*asked_at(deal), FEW, Random(1)) == action("1-5")


def test_even_small_trees_gain_points_on_beginner() -> None:
    duel = Duel(GAMES["draw"], 2, ByTree(), Beginner(), deals=1)

    samples = [duel.sample(shuffle) for shuffle in islice(shuffles(7), 15)]

    assert Estimate.of([sample.points for sample in samples]).mean > 0


def test_the_program_answers_questions_of_the_arena() -> None:
    with ProcessPlayer([sys.executable, "-m", "bots.rivals", "--iterations", "20"], budget=30) as program:
        for match in some_turns(3, "all-fives", 3):
            view, legal = question(match)

            assert are_legal(program.choose(view, legal), legal)
