from __future__ import annotations

from bots.kernel.bits import SUITS, TileSet
from bots.policy.shown import Shown
from engine.deal import Deal
from engine.seats import Seat
from tests.bots.positions import asked_at
from tests.engine.positions import EAST, after, dealt

DRAWING = dealt("draw", "6-6 5-6 1-1", "2-2 1-4", stock="3-6 4-6 0-3 0-0")


def lacks(deal: Deal, seat: Seat) -> TileSet:
    """What ``seat`` has shown not to hold."""
    view, _ = asked_at(deal)
    return Shown.by(deal.seats, view.events).lacks[seat]


def test_who_knocks_lacks_the_open_pips_from_then_on() -> None:
    deal = dealt("block", "6-6 1-1 1-2", "2-2 3-3 4-5", "0-0 5-6", stock="3-6 4-6 0-5")

    knocked = after(deal, "6-6", "knock", "5-6 left")

    assert lacks(knocked, EAST) == SUITS[6]


def test_who_plays_the_tile_just_drawn_still_lacks_what_it_lacked() -> None:
    drew = after(DRAWING, "6-6", "draw", "3-6 left")

    assert lacks(drew, EAST) == SUITS[6]


def test_a_tile_drawn_and_kept_is_not_bound_by_what_was_shown_before_it() -> None:
    """East draws 4-6, which does not fit, when it has shown to lack sixes before."""
    deal = dealt("draw", "6-6 5-6 5-5", "2-2 1-4", stock="3-6 4-6 3-5 0-0")

    drew_twice = after(deal, "6-6", "draw", "3-6 left", "5-6 right", "draw", "draw", "3-5 left")

    assert lacks(drew_twice, EAST) == SUITS[3] | SUITS[5]
