from __future__ import annotations

from dataclasses import replace
from itertools import islice

import pytest

from bots.review.moments import moments
from engine.events import DealEnded
from engine.seats import seat_range
from engine.view import view_for
from tests.bots.positions import EVERY_TABLE
from tests.bots.review.finished import finished_deals


@pytest.mark.parametrize(("game", "seats"), EVERY_TABLE)
def test_each_play_is_seen_again_as_its_seat_saw_it(game: str, seats: int) -> None:
    for finished in islice(finished_deals(game, seats, seed=8), 12):
        for seat in seat_range(seats):
            again = [(moment.view, moment.legal, moment.played) for moment in moments(finished.view(seat))]

            assert again == [(turn.view, turn.legal, turn.action) for turn in finished.plays[seat]]


@pytest.mark.parametrize("game", ["fives-threes", "draw"])
def test_the_hands_that_are_shown_at_the_end_are_not_looked_at(game: str) -> None:
    finished = next(finished_deals(game, 2, seed=8))
    for seat in seat_range(2):
        view = finished.view(seat)
        shown = [replace(event, hands=((), ())) if isinstance(event, DealEnded) else event for event in view.events]

        assert [*moments(replace(view, events=tuple(shown)))] == [*moments(view)]


def test_who_watched_has_no_moments() -> None:
    finished = next(finished_deals("block", 2, seed=8))

    with pytest.raises(ValueError, match="watches"):
        next(moments(view_for(finished.match, None)))
