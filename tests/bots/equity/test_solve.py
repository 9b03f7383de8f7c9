from __future__ import annotations

import random

import pytest

from bots.equity.solve import solve
from bots.kernel.dealing import dealt
from bots.kernel.playout import finish, greedy
from bots.kernel.rules import Rules
from engine.seats import Seat

RULES = Rules("block", 2, target=40)


def share_won(rng: random.Random, matches: int) -> float:
    """The share of matches of greedy players that the one wins who leads the first deal."""
    won = 0
    for _ in range(matches):
        scores, lead = [0.0, 0.0], Seat(0)
        while True:
            deal = dealt(RULES, rng, lead, scores)
            finish(deal, [greedy] * deal.rules.seats)
            scores = deal.scores
            if deal.winner is not None:
                break
            following = RULES.game.next_lead(lead, deal.out, 2)
            lead = Seat(rng.randrange(2)) if following == "lot" else following
        won += deal.winner == 0
    return won / matches


def test_chances_are_those_of_whole_matches_of_the_same_players() -> None:
    table = solve(RULES, [1, 10, 20, 30, 40], greedy, 600, random.Random(1))

    played = share_won(random.Random(2), 1500)

    assert table.at((40, 40))[0] == pytest.approx(played, abs=0.05)


def test_the_same_seed_solves_the_same() -> None:
    one, other = (solve(RULES, [20, 40], greedy, 50, random.Random(3)) for _ in range(2))

    assert one.chances == other.chances
