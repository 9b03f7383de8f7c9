from __future__ import annotations

from functools import reduce
from statistics import fmean

import pytest

from engine import match as matches
from engine.match import Match
from engine.notation import parse_tiles
from engine.seats import Seat
from tests.bots.rivals.response import LEADER, SECOND, Policy, deals_with, gain_of_best, small_set

HAND = parse_tiles("0-3 1-1 2-3")


def lead_of(seat: Seat, match: Match, policy: Policy) -> float:
    """What ``seat`` is ahead when ``policy`` has played for both."""
    while match.deal is not None and match.deal.turn is not None:
        turn = match.deal.turn
        [action] = policy.at(match, turn)
        match = reduce(matches.evolve, matches.decide(match, turn, action), match)
    return float(match.scores[seat] - match.scores[1 - seat])


@pytest.mark.parametrize("seat", [LEADER, SECOND])
def test_the_best_answer_to_a_level_gains_more_than_the_level_itself(seat: Seat) -> None:
    beginner = Policy("beginner", trials=1)

    best = gain_of_best(beginner, seat, [HAND])

    assert best > fmean([lead_of(seat, way.match, beginner) for way in deals_with(seat, HAND)])


def test_a_level_that_searches_can_be_asked_in_the_small_set() -> None:
    [*ways] = deals_with(LEADER, HAND)
    with small_set():
        shares = Policy("strong", trials=3).at(ways[0].match, LEADER)

    assert sum(shares.values()) == pytest.approx(1)
    assert shares.keys() <= {choice.action for choice in matches.choices(ways[0].match)}
