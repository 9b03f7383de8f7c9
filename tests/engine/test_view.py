from __future__ import annotations

from dataclasses import fields
from functools import reduce
from typing import cast, get_args

import pytest

from engine.deal import Deal
from engine.events import DealEnded, DealStarted, Drew, Event, LotDrawn, MatchEnded
from engine.games import GAMES
from engine.layout import Layout
from engine.match import Match, begin, evolve, next_deal
from engine.notation import parse_tile, parse_tiles
from engine.seats import Seat
from engine.shuffle import Shuffle
from engine.view import SeatView, redact, view_for
from tests.engine.positions import EAST, NORTH, SOUTH, after, dealt


def match_with(deal: Deal) -> Match:
    """A match whose running or last deal is ``deal``."""
    match = begin(deal.game, deal.seats, deal.target)
    return match._replace(deal=deal, scores=deal.scores, next_lead=None)


def test_a_seat_sees_its_own_hand_and_the_open_table() -> None:
    """H1."""
    deal = after(dealt("draw", "6-6 1-2", "1-1 3-3", "4-4 5-6", stock="5-5 0-0", lead=NORTH), "6-6", "draw")

    view = view_for(match_with(deal), EAST)

    assert view == SeatView(
        seat=EAST,
        seats=3,
        game="draw",
        target=100,
        scores=(0, 0, 0),
        tiles=(1, 3, 2),
        number=1,
        lead=NORTH,
        stock=1,
        hand=parse_tiles("1-1 3-3 5-5"),
        layout=Layout().place(parse_tile("6-6"), None),
        turn=EAST,
        events=view.events,
    )
    assert [type(event).__name__ for event in view.events] == ["DealStarted", "Played", "Drew"]


def test_a_spectator_sees_no_hand() -> None:
    """H4."""
    deal = after(dealt("draw", "6-6 1-2", "1-1 3-3", stock="5-5 0-0"), "6-6", "draw")

    view = view_for(match_with(deal), None)

    assert view.hand == ()
    assert view.tiles == (1, 3)
    assert view.events[2] == Drew(EAST, 1, None)


def test_there_is_nothing_to_see_before_the_first_deal() -> None:
    with pytest.raises(ValueError, match="before the first deal"):
        view_for(begin(GAMES["draw"], 2), NORTH)


def test_a_start_shows_only_the_own_hand_and_never_the_stock() -> None:
    """H1."""
    started = dealt("draw", "6-6 1-2", "1-1 3-3", "0-1 0-2", stock="5-5 0-0").events[0]

    seen = redact(started, SOUTH)

    assert seen == DealStarted(1, NORTH, (2, 2, 2), 2, (None, None, parse_tiles("0-1 0-2")), None)
    assert redact(started, None) == DealStarted(1, NORTH, (2, 2, 2), 2, (None, None, None), None)


def test_a_drawn_tile_is_shown_to_who_drew_it() -> None:
    """H1: the others see that, not what."""
    drew = Drew(EAST, 3, parse_tile("5-5"))

    assert redact(drew, EAST) == drew
    assert [redact(drew, seat) for seat in (NORTH, SOUTH, None)] == [Drew(EAST, 3, None)] * 3


def test_all_hands_are_shown_when_the_deal_has_ended() -> None:
    """C10."""
    deal = after(dealt("block", "6-6", "1-1 3-3"), "6-6")

    for seat in (NORTH, EAST, None):
        end = redact(deal.events[-1], seat)
        assert isinstance(end, DealEnded)
        assert end.hands == ((), parse_tiles("1-1 3-3"))


@pytest.mark.parametrize("seat", [NORTH, EAST, None])
def test_what_is_open_to_all_is_left_as_it_is(seat: Seat | None) -> None:
    deal = after(dealt("fives-threes", "0-6 1-3", "2-2 3-6", "1-1 5-5", scores=(0, 59, 0)), "0-6", "3-6 right", "knock")
    public = (LotDrawn("lead", EAST), *deal.events[1:], MatchEnded(None, (0, 0, 0)))

    assert tuple(redact(event, seat) for event in public) == public


def test_an_event_that_nobody_has_decided_about_is_shown_to_nobody() -> None:
    """H1."""
    unknown = cast("Event", Layout())

    with pytest.raises(TypeError, match="Layout"):
        redact(unknown, NORTH)


def test_every_kind_of_event_can_be_redacted() -> None:
    """The examples of this test have to grow with the kinds of events."""
    deal = after(dealt("draw", "6-6 1-6", "1-1 3-3", stock="5-5"), "6-6", "draw", "knock", "1-6 left")
    examples = (LotDrawn("lead", EAST), *deal.events, MatchEnded(None, (0, 0)))

    assert {type(event) for event in examples} == set(get_args(Event))
    assert {type(redact(event, NORTH)) for event in examples} == set(get_args(Event))


def test_no_part_of_a_view_leads_back_to_the_deal() -> None:
    """H1: only values of the open table are reachable."""
    match = begin(GAMES["all-fives"], 4)
    match = reduce(evolve, next_deal(match, Shuffle(bytes(32))), match)

    view = view_for(match, NORTH)

    assert not any(isinstance(getattr(view, part.name), Deal | Match) for part in fields(view))
