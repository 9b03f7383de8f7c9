"""What one seat may know of a match, as a bot gets it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engine.events import Event, Played
from engine.games import GAMES
from engine.layout import Layout
from engine.seats import Seat
from engine.view import SeatView
from protocol.convert.events import event_from_wire, event_to_wire
from protocol.convert.values import (
    Wire,
    layout_to_wire,
    scores_from_wire,
    scores_to_wire,
    tiles_from_wire,
    tiles_to_wire,
)


def view_to_wire(view: SeatView) -> Wire:
    """The ``view`` of a bot that runs as a process."""
    return {
        "seat": view.seat,
        "seats": view.seats,
        "game": view.game,
        "target": view.target,
        "scores": scores_to_wire(view.scores),
        "tiles": list(view.tiles),
        "deal": deal_to_wire(view),
    }


def deal_to_wire(view: SeatView) -> Wire:
    """The ``deal`` of a ``snapshot``: with the hand of the view's seat, where it has one."""
    return {
        "number": view.number,
        "lead": view.lead,
        "stock": view.stock,
        "hands": {} if view.seat is None else {str(view.seat): tiles_to_wire(view.hand)},
        "events": [event_to_wire(event) for event in view.events],
        "layout": layout_to_wire(view.layout),
    }


def view_from_wire(view: Mapping[str, Any], turn: Seat | None) -> SeatView:
    """The view that ``view_to_wire`` wrote; ``turn`` is the seat to act, which stands beside it on the wire.

    Raises:
        KeyError, ValueError: ``view`` is no such thing.
    """
    seat, deal = view["seat"], view["deal"]
    events = tuple([event_from_wire(event, seat) for event in deal["events"]])
    return SeatView(
        seat=seat,
        seats=view["seats"],
        game=view["game"],
        target=view["target"],
        scores=scores_from_wire(view["scores"]),
        tiles=tuple(view["tiles"]),
        number=deal["number"],
        lead=deal["lead"],
        stock=deal["stock"],
        hand=() if seat is None else tiles_from_wire(deal["hands"][str(seat)]),
        layout=_layout(view["game"], events),
        turn=turn,
        events=events,
    )


def _layout(game: str, events: Iterable[Event]) -> Layout:
    """The layout that the plays of a deal have made: the wire tells its ends, not where each tile went."""
    layout = Layout(GAMES[game].branches)
    for event in events:
        if isinstance(event, Played):
            layout = layout.place(event.tile, event.end)
    return layout
