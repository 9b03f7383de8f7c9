"""Engine events: as their receiver may see them, and as the log keeps them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, assert_never

from engine.events import (
    DealEnded,
    DealReason,
    DealStarted,
    Drew,
    Event,
    Hand,
    Knocked,
    LotDrawn,
    MatchEnded,
    Played,
)
from engine.layout import End
from engine.notation import parse_tile
from engine.points import exact
from engine.seats import Seat
from protocol.convert.values import (
    Wire,
    ends_from_wire,
    ends_to_wire,
    parts_from_wire,
    parts_to_wire,
    points_to_wire,
    scores_from_wire,
    scores_to_wire,
    tiles_from_wire,
    tiles_to_wire,
)


def event_to_wire(event: Event) -> Wire:
    """``event``, redacted by the engine for its receiver, as an ``update`` tells it. What is hidden is left out.

    The room adds ``seed`` and ``record`` to a ``match_ended``.

    Raises:
        ValueError: the event shows more than one hand, or the stock, and so was not redacted.
    """
    if isinstance(event, DealStarted):
        return _deal_started(event) | _shown_hand(event)
    return _open_event(event)


def event_to_log(event: Event) -> Wire:
    """``event`` with all its secrets. For the journal alone."""
    if isinstance(event, DealStarted):
        return _deal_started(event) | _secrets(event)
    return _open_event(event)


def event_from_log(logged: Mapping[str, Any]) -> Event:
    """The inverse of ``event_to_log``. KeyError or ValueError if ``logged`` is no such thing."""
    return _READERS[logged["type"]](logged)


def event_from_wire(told: Mapping[str, Any], seat: Seat | None) -> Event:
    """The event of an ``update`` that ``seat`` received (None: a spectator), redacted as it was."""
    if told["type"] == "deal_started":
        shown = [told.get("hand") if holder == seat else None for holder in range(len(told["tiles"]))]
        told = {**told, "hands": shown, "stock_tiles": None}
    return event_from_log(told)


def _open_event(event: LotDrawn | Played | Drew | Knocked | DealEnded | MatchEnded) -> Wire:
    match event:
        case Played():
            return _played(event)
        case Drew(seat, stock, tile):
            drew: Wire = {"type": "drew", "seat": seat, "stock": stock}
            return drew if tile is None else drew | {"tile": str(tile)}
        case Knocked(seat):
            return {"type": "knocked", "seat": seat}
        case DealEnded():
            return _deal_ended(event)
        case MatchEnded(winner, scores):
            return {"type": "match_ended", "winner": winner, "scores": scores_to_wire(scores)}
        case LotDrawn(purpose, seat):
            return {"type": "lot", "purpose": purpose, "seat": seat}
        case _:
            assert_never(event)


def _deal_started(event: DealStarted) -> Wire:
    return {
        "type": "deal_started",
        "number": event.number,
        "lead": event.lead,
        "tiles": list(event.tiles),
        "stock": event.stock,
    }


def _shown_hand(event: DealStarted) -> Wire:
    shown = [hand for hand in event.hands if hand is not None]
    if len(shown) > 1 or event.stock_tiles is not None:
        raise ValueError("a deal that was not redacted must not be told")
    return {"hand": tiles_to_wire(shown[0])} if shown else {}


def _secrets(event: DealStarted) -> Wire:
    return {
        "hands": [_hand_to_log(hand) for hand in event.hands],
        "stock_tiles": _hand_to_log(event.stock_tiles),
    }


def _hand_to_log(hand: Hand | None) -> list[str] | None:
    return None if hand is None else tiles_to_wire(hand)


def _hand_from_log(hand: list[str] | None) -> Hand | None:
    return None if hand is None else tiles_from_wire(hand)


def _played(event: Played) -> Wire:
    return {
        "type": "played",
        "seat": event.seat,
        "tile": str(event.tile),
        "end": None if event.end is None else event.end.value,
        "ends": ends_to_wire(event.ends),
        "total": event.total,
        "spinner": None if event.spinner is None else str(event.spinner),
        "parts": parts_to_wire(event.parts),
        "points": points_to_wire(event.points),
        "dropped": points_to_wire(event.dropped),
        "scores": scores_to_wire(event.scores),
    }


def _deal_ended(event: DealEnded) -> Wire:
    return {
        "type": "deal_ended",
        "reason": event.reason.value,
        "seat": event.seat,
        "bonus": scores_to_wire(event.bonus),
        "dropped": points_to_wire(event.dropped),
        "hands": [tiles_to_wire(hand) for hand in event.hands],
        "scores": scores_to_wire(event.scores),
        "next_lead": event.next_lead,
    }


def _read_deal_started(logged: Mapping[str, Any]) -> DealStarted:
    return DealStarted(
        number=logged["number"],
        lead=logged["lead"],
        tiles=tuple(logged["tiles"]),
        stock=logged["stock"],
        hands=tuple([_hand_from_log(hand) for hand in logged["hands"]]),
        stock_tiles=_hand_from_log(logged["stock_tiles"]),
    )


def _read_played(logged: Mapping[str, Any]) -> Played:
    return Played(
        seat=logged["seat"],
        tile=parse_tile(logged["tile"]),
        end=None if logged["end"] is None else End(logged["end"]),
        ends=ends_from_wire(logged["ends"]),
        total=logged["total"],
        spinner=None if logged["spinner"] is None else parse_tile(logged["spinner"]),
        parts=parts_from_wire(logged["parts"]),
        points=exact(logged["points"]),
        dropped=exact(logged["dropped"]),
        scores=scores_from_wire(logged["scores"]),
    )


def _read_drew(logged: Mapping[str, Any]) -> Drew:
    tile = logged.get("tile")
    return Drew(logged["seat"], logged["stock"], None if tile is None else parse_tile(tile))


def _read_deal_ended(logged: Mapping[str, Any]) -> DealEnded:
    return DealEnded(
        reason=DealReason(logged["reason"]),
        seat=logged["seat"],
        bonus=scores_from_wire(logged["bonus"]),
        dropped=exact(logged["dropped"]),
        hands=tuple([tiles_from_wire(hand) for hand in logged["hands"]]),
        scores=scores_from_wire(logged["scores"]),
        next_lead=logged["next_lead"],
    )


_READERS: Mapping[str, Callable[[Mapping[str, Any]], Event]] = {
    "lot": lambda logged: LotDrawn(logged["purpose"], logged["seat"]),
    "deal_started": _read_deal_started,
    "played": _read_played,
    "drew": _read_drew,
    "knocked": lambda logged: Knocked(logged["seat"]),
    "deal_ended": _read_deal_ended,
    "match_ended": lambda logged: MatchEnded(logged["winner"], scores_from_wire(logged["scores"])),
}
