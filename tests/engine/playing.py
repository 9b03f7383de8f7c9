"""Whole deals and matches, played by drawing each choice from somewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import reduce

from engine.actions import Action
from engine.deal import Deal, legal_actions
from engine.match import Match, decide, evolve, next_deal
from engine.shuffle import Shuffle

LONGEST = 1_000
"""Deals after which a match is taken to have no end."""

Chooser = Callable[[Sequence[Action]], Action]


def first(actions: Sequence[Action]) -> Action:
    """The first legal action in the order in which they are listed."""
    return actions[0]


def start_deal(match: Match, shuffle: Shuffle) -> Match:
    """The match with its next deal begun."""
    return reduce(evolve, next_deal(match, shuffle), match)


def deal_of(match: Match) -> Deal:
    """The running or last deal."""
    assert match.deal is not None
    return match.deal


def steps(match: Match, choose: Chooser = first) -> Iterator[Match]:
    """The match after each action until the running deal is over."""
    while (turn := deal_of(match).turn) is not None:
        action = choose(legal_actions(deal_of(match)))
        match = reduce(evolve, decide(match, turn, action), match)
        yield match


def finish_deal(match: Match, choose: Chooser = first) -> Match:
    """The match after the running deal."""
    return reduce(lambda _, after: after, steps(match, choose), match)


def matches(match: Match, shuffle: Shuffle, choose: Chooser = first) -> Iterator[Match]:
    """The match after each of its deals, to its end."""
    for _ in range(LONGEST):
        if match.over:
            return
        match = finish_deal(start_deal(match, shuffle), choose)
        yield match
    raise AssertionError(f"no end after {LONGEST} deals")
