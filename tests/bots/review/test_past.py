from __future__ import annotations

from dataclasses import replace
from itertools import islice

import pytest

from bots.review.odds import odds
from bots.review.past import BLUNDER, review
from bots.search.search import Work
from engine.deal import Deal
from engine.events import DealEnded, DealStarted
from engine.match import Match
from engine.seats import Seat, seat_range
from engine.view import SeatView, view_for
from tests.bots.positions import EVERY_TABLE
from tests.bots.review.finished import finished_deals
from tests.engine.positions import EAST, NORTH, action, after, dealt

LITTLE = Work(worlds=10, pool=20, cap=60.0)
MUCH = Work(worlds=300, pool=900, cap=60.0)


def stopped() -> float:
    """A clock that stands still."""
    return 0.0


def view_of(deal: Deal, seat: Seat) -> SeatView:
    """What ``seat`` may know after ``deal``, the first of a match."""
    return view_for(Match(deal.game, deal.seats, deal.target, deal.scores, deal, next_lead=None), seat)


def thrown_away() -> Deal:
    """Both of two seats have 59, and the first plays past the 2 points that would have won; the other goes out."""
    deal = dealt("fives-threes", "1-5 1-1 4-4", "1-2 2-6", scores=(59, 59))
    return after(deal, "1-1", "1-2 left", "1-5 right", "2-6 left")


@pytest.mark.parametrize(("game", "seats"), EVERY_TABLE)
def test_every_play_of_the_seat_is_judged_as_it_would_have_been_then(game: str, seats: int) -> None:
    for finished in islice(finished_deals(game, seats, seed=9), 2):
        for seat in seat_range(seats):
            plays = review(finished.view(seat), LITTLE, stopped).plays

            assert [each.played for each in plays] == [turn.action for turn in finished.plays[seat]]
            for each, turn in zip(plays, finished.plays[seat], strict=True):
                judged = odds(turn.view, turn.legal, LITTLE, stopped)
                assert each.regret == (judged[each.played].behind if judged else 0.0)
                assert each.odds == (judged[each.played].odds if judged else None)
                assert each.best == each.played or judged[each.best].behind == 0.0
                assert each.blunder == (each.regret >= BLUNDER and not each.close)


def test_what_throws_a_sure_win_away_is_a_blunder_and_what_was_better_is_named() -> None:
    plays = review(view_of(thrown_away(), NORTH), MUCH, stopped).plays

    assert plays[0].played == action("1-1")
    assert plays[0].best == action("1-5")
    assert plays[0].blunder
    assert plays[0].regret > 0.3


def test_a_play_that_was_forced_cost_nothing() -> None:
    last = review(view_of(thrown_away(), EAST), LITTLE, stopped).plays[-1]

    assert (last.played, last.best) == (action("2-6 left"), action("2-6 left"))
    assert (last.regret, last.close, last.blunder, last.odds) == (0.0, False, False, None)


def test_par_is_the_same_deal_for_both_sides_seen_from_either() -> None:
    finished = next(finished_deals("block", 4, seed=9))

    results = [review(finished.view(seat), LITTLE, stopped) for seat in seat_range(4)]

    assert results[0].par is not None
    assert [each.par for each in results] == [results[0].par, -results[0].par] * 2
    assert [each.result for each in results] == [results[0].result, -results[0].result] * 2


def test_result_and_par_are_points_more_than_the_other_side() -> None:
    """Who leads goes out in any case; the other may be left with 0-0 and 1-1, or with 1-1 alone."""
    played = after(dealt("block", "0-1 0-2", "0-0 1-1"), "0-1", "0-0 left", "0-2 left")

    found = review(view_of(played, NORTH), LITTLE, stopped)

    assert (found.result, found.par) == (2, 2)


@pytest.mark.parametrize(("game", "seats"), [("draw", 2), ("all-fives", 4), ("block", 3)])
def test_there_is_no_par_where_tiles_stay_hidden_or_with_three_sides(game: str, seats: int) -> None:
    finished = next(finished_deals(game, seats, seed=9))

    assert review(finished.view(NORTH), LITTLE, stopped).par is None


def test_no_play_is_judged_by_the_hands_that_are_shown_at_the_end() -> None:
    view = next(finished_deals("draw", 2, seed=9)).view(NORTH)
    other_end = [
        replace(event, hands=(event.hands[1], event.hands[0])) if isinstance(event, DealEnded) else event
        for event in view.events
    ]

    assert review(replace(view, events=tuple(other_end)), LITTLE, stopped).plays == review(view, LITTLE, stopped).plays


def test_a_deal_that_runs_is_not_reviewed_and_nobody_who_watched_is_told() -> None:
    running = view_of(dealt("block", "0-1 0-2", "0-0 1-1"), NORTH)
    finished = next(finished_deals("block", 2, seed=9))

    assert isinstance(running.events[0], DealStarted)
    for view in (running, view_for(finished.match, None)):
        with pytest.raises(ValueError, match="only a seat's deal that is over"):
            review(view)
