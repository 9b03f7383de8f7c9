"""The turns of a deal that is over, as the seat saw them: nothing of what came later, of other hands nothing at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from engine import deal as deals
from engine.actions import Play
from engine.deal import Deal
from engine.events import DealStarted, Drew, Hand, Knocked, Played
from engine.games import GAMES
from engine.outcome import Choice
from engine.points import Points
from engine.seats import Seat, side_of
from engine.tiles import Tile
from engine.view import SeatView

_BLIND = Tile(0, 0)
"""Stands for each tile of another hand: what the seat may do hangs on its own hand alone (C7), and on sizes."""


class Moment(NamedTuple):
    """A turn in which the seat played: what it saw, what it might have done, and what it did."""

    view: SeatView
    legal: Sequence[Choice]
    played: Play


def moments(view: SeatView) -> Iterator[Moment]:
    """Every play of the seat of ``view`` in its deal, oldest first. ValueError if the view is a spectator's."""
    if view.seat is None:
        raise ValueError("who watches has played nothing")
    seat = view.seat
    started = next(event for event in view.events if isinstance(event, DealStarted))
    deal = _opened(view, started)
    for event in view.events[1:]:
        if not isinstance(event, Played | Drew | Knocked):
            return
        deal = deal._replace(turn=event.seat)
        if event.seat == seat and isinstance(event, Played):
            yield Moment(_seen(deal, view), deal.choices, Play(event.tile, event.end))
        deal = _after(deal, seat, event)


def scores_before(view: SeatView) -> tuple[Points, ...]:
    """One a side, when the deal of ``view`` began."""
    scores = list(view.scores)
    for event in reversed(view.events):
        if isinstance(event, Played):
            side = side_of(event.seat, view.seats)
            scores = list(event.scores)
            scores[side] -= event.points
    return tuple(scores)


def _opened(view: SeatView, started: DealStarted) -> Deal:
    hands = tuple(
        [
            hand if holder == view.seat and hand is not None else (_BLIND,) * tiles
            for holder, (hand, tiles) in enumerate(zip(started.hands, started.tiles, strict=True))
        ]
    )
    blind = replace(started, hands=hands, stock_tiles=(_BLIND,) * started.stock)
    deal = deals.opened(GAMES[view.game], view.target, scores_before(view), blind)
    return deal._replace(events=(started,))


def _after(deal: Deal, seat: Seat, event: Played | Drew | Knocked) -> Deal:
    hands = [*deal.hands]
    layout, stock, scores = deal.layout, deal.stock, deal.scores
    match event:
        case Played():
            hands[event.seat] = _less(hands[event.seat], event.tile if event.seat == seat else _BLIND)
            layout, scores = layout.place(event.tile, event.end), event.scores
        case Drew():
            hands[event.seat] += (event.tile if event.tile is not None and event.seat == seat else _BLIND,)
            stock = stock[1:]
        case Knocked():
            pass
    return deal._replace(hands=tuple(hands), layout=layout, stock=stock, scores=scores, events=(*deal.events, event))


def _less(hand: Hand, tile: Tile) -> Hand:
    at = hand.index(tile)
    return hand[:at] + hand[at + 1 :]


def _seen(deal: Deal, view: SeatView) -> SeatView:
    """What ``view`` was at that point of its deal."""
    seat = view.seat
    return replace(
        view,
        scores=deal.scores,
        tiles=tuple(map(len, deal.hands)),
        stock=len(deal.stock),
        hand=() if seat is None else deal.hands[seat],
        layout=deal.layout,
        turn=seat,
        events=deal.events,
    )
