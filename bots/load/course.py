"""Whether an event can follow on what is known of a table. A step that a server has lost shows in those after it.

What is looked at is open to everybody: turns, hand sizes, the stock, the ends, the scores, and who is there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.seats import Seat, next_seat, side_of
from protocol.convert import Wire


def objection(picture: Wire, event: Wire) -> str | None:
    """Why ``event`` cannot come next at the table of ``picture``; None: it can, or nothing is known of its kind.

    Raises:
        LookupError, TypeError, ValueError: ``event`` is none of this table.
    """
    judge = _JUDGES.get(event["type"])
    return None if judge is None else judge(picture, event)


def _turn(picture: Wire) -> Seat | None:
    """Who is to act (C3)."""
    if picture["phase"] != "playing":
        return None
    last = picture["deal"]["events"][-1]
    match last["type"]:
        case "deal_started":
            return Seat(last["lead"])
        case "drew":
            return Seat(last["seat"])
        case _:
            return _next_holding(picture, Seat(last["seat"]))


def _next_holding(picture: Wire, seat: Seat) -> Seat | None:
    """Seats without tiles are skipped (C3)."""
    seats = picture["seats"]
    following = seat
    for _ in seats:
        following = next_seat(following, len(seats))
        if seats[following]["tiles"]:
            return following
    return None


# A deal.


def _dealt(picture: Wire, event: Wire) -> str | None:
    if picture["phase"] == "playing":
        return "a deal starts in the middle of another one"
    number = 1 if picture["deal"] is None else picture["deal"]["number"] + 1
    return None if event["number"] == number else f"deal {event['number']} starts where deal {number} is due"


def _acted(picture: Wire, event: Wire) -> str | None:
    turn = _turn(picture)
    return None if event["seat"] == turn else f"seat {event['seat']} acts where seat {turn} is in turn"


def _drew(picture: Wire, event: Wire) -> str | None:
    stock = picture["deal"]["stock"] - 1
    left = f"the stock is {event['stock']} after the draw where it should be {stock}"
    return _acted(picture, event) or (None if event["stock"] == stock else left)


def _played(picture: Wire, event: Wire) -> str | None:
    return _acted(picture, event) or _layout(picture["deal"], event) or _scores(picture, event)


def _layout(deal: Wire, event: Wire) -> str | None:
    """The tile is new, and joins one end that shows one of its halves; the others stay (C6, C13)."""
    tile, end = event["tile"], event["end"]
    if any(other["type"] == "played" and other["tile"] == tile for other in deal["events"]):
        return f"{tile} lies on the table already"
    before, after = _pips(deal["layout"]["ends"]), _pips(event["ends"])
    halves = [int(half) for half in tile.split("-")]
    if not before:
        return None if end is None else f"{tile} opens at the {end} end"
    if end is None or before.get(end) not in halves:
        return f"{tile} does not fit at the {end} end of {before}"
    halves.remove(before[end])
    if before | {end: halves[0]} != {name: pip for name, pip in after.items() if name in before}:
        return f"{tile} at the {end} end makes {after} of {before}"
    return None


def _pips(ends: list[Wire]) -> dict[str, int]:
    return {end["end"]: end["value"] for end in ends}


def _scores(picture: Wire, event: Wire) -> str | None:
    """The points are added to the score of the side that played (C2)."""
    scores = list(picture["scores"])
    scores[side_of(Seat(event["seat"]), len(picture["seats"]))] += event["points"]
    return None if event["scores"] == scores else f"the scores are {event['scores']} where they should be {scores}"


def _ended(picture: Wire, event: Wire) -> str | None:
    if picture["phase"] != "playing":
        return "a deal ends where none runs"
    left = [len(hand) for hand in event["hands"]]
    held = [seat["tiles"] for seat in picture["seats"]]
    return None if left == held else f"the hands have {left} tiles where they should have {held}"


# The seats.


def _seated(picture: Wire, event: Wire) -> str | None:
    player = event["player"]
    is_there = player is not None and picture["seats"][event["seat"]]["player"] == player
    return f"{player} sits down at seat {event['seat']} and sits there already" if is_there else None


def _away(picture: Wire, event: Wire) -> str | None:
    state = picture["seats"][event["seat"]]["state"]
    return None if state == "present" else f"seat {event['seat']} goes away and is {state}"


def _back(picture: Wire, event: Wire) -> str | None:
    is_here = picture["seats"][event["seat"]]["state"] == "present"
    return f"seat {event['seat']} comes back and was not away" if is_here else None


def _ready(picture: Wire, event: Wire) -> str | None:
    is_ready = picture["seats"][event["seat"]]["ready"]
    return f"seat {event['seat']} is ready a second time" if is_ready else None


_JUDGES: Mapping[str, Callable[[Wire, Wire], str | None]] = {
    "deal_started": _dealt,
    "played": _played,
    "drew": _drew,
    "knocked": _acted,
    "deal_ended": _ended,
    "seated": _seated,
    "away": _away,
    "back": _back,
    "ready": _ready,
}
