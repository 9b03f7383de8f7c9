from __future__ import annotations

import pytest

from bots.beginner import Beginner
from bots.kernel.bits import bits_of
from bots.kernel.plays import plays_of, rules_for
from bots.kernel.rules import plain
from bots.policy.greedy import appeal, pick
from engine.seats import side_of
from tests.bots.positions import in_turn, question, some_turns


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_playouts_of_the_greedy_play_like_beginner(seats: int) -> None:
    """But for the choice of ends that are alike to both, and the point for going out with the last tile."""
    for match in some_turns(60, "fives-threes", seats):
        (view, legal), seat = question(match), in_turn(match)
        plays, machine = plays_of(view, legal), rules_for(view).machine
        if len(view.hand) == 1 or not plays:
            continue
        state, hand, laid = machine.state_of(view.layout), bits_of(view.hand), bits_of(view.layout.tiles)
        need = view.target - plain(view.scores[side_of(seat, seats)])

        picked = pick(state, machine.leads[state] or machine.explore(state), hand, laid, need)

        beginners = next(placement for placement, play in plays.items() if play == Beginner().choose(view, legal))
        assert appeal(picked, need) == appeal(beginners, need)
