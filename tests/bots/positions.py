"""Positions in which a bot may have to choose."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import islice

from engine import match as matches
from engine.actions import Action
from engine.deal import Deal
from engine.games import GAMES
from engine.match import Match
from engine.outcome import Choice
from engine.seats import Seat
from engine.shuffle import Shuffle
from engine.view import SeatView, view_for
from tests.engine.playing import deal_of, start_deal, steps

EVERY_TABLE = [(game, seats) for game in GAMES for seats in (2, 3, 4)]


def turns(game: str, seats: int, seed: int = 1) -> Iterator[Match]:
    """Without end, from deals of chance that are played by chance: each turn with a choice."""
    rng = random.Random(seed)
    while True:
        match = matches.begin(GAMES[game], seats, scores=_open_scores(rng, game, seats))
        dealt = start_deal(match, Shuffle(rng.randbytes(32)))
        for turn in (dealt, *steps(dealt, rng.choice)):
            if len(matches.choices(turn)) > 1:
                yield turn


def _open_scores(rng: random.Random, game: str, seats: int) -> Sequence[int]:
    target = GAMES[game].target(seats)
    return [rng.randrange(target) for _ in range(2 if seats == 4 else seats)]


def some_turns(count: int, game: str, seats: int, seed: int = 1) -> list[Match]:
    """The first ``count`` of `turns`."""
    return list(islice(turns(game, seats, seed), count))


def in_turn(match: Match) -> Seat:
    """The seat that is to choose."""
    turn = deal_of(match).turn
    assert turn is not None
    return turn


def question(match: Match) -> tuple[SeatView, Sequence[Choice]]:
    """What a player is asked at ``match``."""
    return view_for(match, in_turn(match)), matches.choices(match)


def asked_at(deal: Deal) -> tuple[SeatView, Sequence[Choice]]:
    """What a player is asked at ``deal``, as the first of a match."""
    match = Match(deal.game, deal.seats, deal.target, deal.scores, deal, next_lead=None)
    return view_for(match, in_turn(match)), deal.choices


def are_legal(action: Action, legal: Sequence[Choice]) -> bool:
    """Whether ``action`` is one of ``legal``."""
    return any(choice.action == action for choice in legal)
