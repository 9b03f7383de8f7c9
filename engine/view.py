"""What a seat may know of a match (H1, H4). Built by naming what may be seen: all else stays secret."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Never, NoReturn

from engine.events import DealEnded, DealStarted, Drew, Event, Hand, Knocked, LotDrawn, MatchEnded, Played
from engine.layout import Layout
from engine.match import Match
from engine.points import Points
from engine.seats import Seat


@dataclass(frozen=True, slots=True)
class SeatView:
    """The running or last deal as ``seat`` may see it; a spectator is None and has no ``hand``.

    ``scores``: one a side. ``tiles``: hand sizes, one a seat. ``stock``: how many tiles are left in it.
    ``turn``: the seat to act, None when the deal is over. ``events``: redacted, from `DealStarted` on.
    """

    seat: Seat | None
    seats: int
    game: str
    target: int
    scores: tuple[Points, ...]
    tiles: tuple[int, ...]
    number: int
    lead: Seat
    stock: int
    hand: Hand
    layout: Layout
    turn: Seat | None
    events: tuple[Event, ...]


def view_for(match: Match, seat: Seat | None) -> SeatView:
    """What ``seat`` may know; None is a spectator (H4). ValueError before the first deal."""
    deal = match.deal
    if deal is None:
        raise ValueError("nothing to see before the first deal")
    return SeatView(
        seat=seat,
        seats=match.seats,
        game=match.game.name,
        target=match.target,
        scores=match.scores,
        tiles=tuple(map(len, deal.hands)),
        number=deal.number,
        lead=deal.lead,
        stock=len(deal.stock),
        hand=() if seat is None else deal.hands[seat],
        layout=deal.layout,
        turn=deal.turn,
        events=tuple([redact(event, seat) for event in deal.events]),
    )


def redact(event: Event, seat: Seat | None) -> Event:
    """``event`` as ``seat`` may see it: what is hidden is None, the event itself is always there (H1).

    Raises:
        TypeError: an event of a kind that nobody has decided about.
    """
    match event:
        case LotDrawn():
            return LotDrawn(purpose=event.purpose, seat=event.seat)
        case DealStarted():
            return _redact_start(event, seat)
        case Played():
            return _redact_play(event)
        case Drew():
            return Drew(seat=event.seat, stock=event.stock, tile=event.tile if event.seat == seat else None)
        case Knocked():
            return Knocked(seat=event.seat)
        case DealEnded():
            return _redact_end(event)
        case MatchEnded():
            return MatchEnded(winner=event.winner, scores=event.scores)
        case _:
            return _refuse(event)


def _redact_start(event: DealStarted, seat: Seat | None) -> DealStarted:
    return DealStarted(
        number=event.number,
        lead=event.lead,
        tiles=event.tiles,
        stock=event.stock,
        hands=tuple([hand if holder == seat else None for holder, hand in enumerate(event.hands)]),
        stock_tiles=None,
    )


def _redact_play(event: Played) -> Played:
    return Played(
        seat=event.seat,
        tile=event.tile,
        end=event.end,
        ends=event.ends,
        total=event.total,
        spinner=event.spinner,
        parts=event.parts,
        points=event.points,
        dropped=event.dropped,
        scores=event.scores,
    )


def _redact_end(event: DealEnded) -> DealEnded:
    """All hands are shown now (C10)."""
    return DealEnded(
        reason=event.reason,
        seat=event.seat,
        bonus=event.bonus,
        dropped=event.dropped,
        hands=event.hands,
        scores=event.scores,
        next_lead=event.next_lead,
    )


def _refuse(event: Never) -> NoReturn:
    """Checked twice: by the type checker, and at run time, where a new event must not slip through."""
    raise TypeError(f"no rule for what may be seen of {type(event).__name__}")
