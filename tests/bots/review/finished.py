"""Deals that are over, and what was seen in them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from engine import match as matches
from engine.actions import Action, Play
from engine.events import Played
from engine.games import GAMES
from engine.match import Match
from engine.outcome import Choice
from engine.seats import Seat
from engine.shuffle import Shuffle
from engine.view import SeatView, view_for
from tests.engine.playing import deal_of, start_deal, steps


@dataclass(frozen=True)
class Turn:
    """A play as it was seen when it was made."""

    view: SeatView
    legal: tuple[Choice, ...]
    action: Action


@dataclass(frozen=True)
class Finished:
    """A deal that is over, and every play of each seat in it."""

    match: Match
    plays: dict[Seat, list[Turn]]

    def view(self, seat: Seat) -> SeatView:
        """What ``seat`` may know now."""
        return view_for(self.match, seat)


def finished_deals(game: str, seats: int, seed: int) -> Iterator[Finished]:
    """Without end, deals played by chance."""
    rng = random.Random(seed)
    while True:
        scores = [rng.randrange(GAMES[game].target(seats)) for _ in range(2 if seats == 4 else seats)]
        dealt = start_deal(matches.begin(GAMES[game], seats, scores=scores), Shuffle(rng.randbytes(32)))
        course = [dealt, *steps(dealt, rng.choice)]
        plays: dict[Seat, list[Turn]] = {Seat(seat): [] for seat in range(seats)}
        for before, after in pairwise(course):
            turn = deal_of(before).turn
            event = deal_of(after).events[len(deal_of(before).events)]
            if turn is not None and isinstance(event, Played):
                seen = Turn(view_for(before, turn), matches.choices(before), Play(event.tile, event.end))
                plays[turn].append(seen)
        yield Finished(course[-1], plays)
