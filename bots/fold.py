"""A table as a client sees it: a ``snapshot``, and what each ``update`` makes of it.

Folding the updates onto a snapshot gives exactly the snapshot of the last ``seq``, durations apart. What it holds for a
seat is what an in-process bot is given, too: `view_of` gives the same view.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from engine.seats import Seat
from engine.view import SeatView
from protocol.convert import Wire, view_from_wire
from protocol.messages import DEALS_LISTED

_EMPTY = {"player": None, "bot": None, "name": None, "coming": None, "state": "empty", "ready": False}
"""What a seat says that nobody has: all but its place and its tiles."""


def fold(snapshot: Mapping[str, Any], update: Mapping[str, Any], me: str) -> Wire:
    """The snapshot after ``update``, the next one after ``snapshot``, for the player ``me``. Both are left as they are.

    After `undone`, `redone` and `restarted` only a new snapshot tells what lies on the table; it follows at once.
    """
    table = _unshared(snapshot)
    for event in update["events"]:
        _CHANGES.get(event["type"], _nothing)(table, event, me)
    table.update(epoch=update["epoch"], seq=update["seq"], turn=update["turn"])
    if len(table["you"]["seats"]) > 1 and _is_anothers_turn(table):
        _hide_all(table)
    return table


def view_of(snapshot: Mapping[str, Any], seat: Seat) -> SeatView:
    """What ``snapshot`` tells ``seat``, whose hand it shows. ValueError before the first deal."""
    settings, deal, turn = snapshot["settings"], snapshot["deal"], snapshot["turn"]
    if deal is None:
        raise ValueError("nothing to see before the first deal")
    view = {
        "seat": seat,
        "seats": settings["seats"],
        "game": settings["game"],
        "target": settings["target"],
        "scores": snapshot["scores"],
        "tiles": [place["tiles"] for place in snapshot["seats"]],
        "deal": deal,
    }
    return view_from_wire(view, None if turn is None else turn["seat"])


def _unshared(snapshot: Mapping[str, Any]) -> Wire:
    """A copy in which all that is changed in place is new. ``re`` and ``reset`` are of the message, not the table."""
    table = {name: value for name, value in snapshot.items() if name not in ("re", "reset")}
    table["seats"] = [dict(seat) for seat in snapshot["seats"]]
    table["you"] = dict(snapshot["you"])
    if snapshot["deal"] is not None:
        table["deal"] = dict(snapshot["deal"])
    return table


def uncovered(snapshot: Mapping[str, Any], hand: Mapping[str, Any]) -> Wire:
    """The snapshot after a ``hand`` was sent, the answer to ``show`` for one of several seats (H3)."""
    table = _unshared(snapshot)
    _hide_all(table)
    table["you"]["shown"] = [hand["seat"]]
    table["deal"]["hands"] = {str(hand["seat"]): hand["hand"]}
    if "legal" in hand:
        table["turn"] = table["turn"] | {"legal": hand["legal"]}
    return table


def _is_anothers_turn(table: Wire) -> bool:
    if table["turn"] is None:
        return False
    seat = table["seats"][table["turn"]["seat"]]
    is_person = seat["player"] is not None and seat["bot"] is None and seat["state"] != "bot_in"
    return is_person and seat["seat"] not in table["you"]["shown"]


def _hide_all(table: Wire) -> None:
    """No hand is shown any more, and nothing that was told of one."""
    table["you"]["shown"] = []
    deal, turn = table["deal"], table["turn"]
    if turn is not None:
        table["turn"] = {name: value for name, value in turn.items() if name != "legal"}
    if deal is not None:
        table["deal"] = deal | {"hands": {}, "events": [_as_others_see(event) for event in deal["events"]]}


def _nothing(_table: Wire, _event: Wire, _me: str) -> None:
    """Nothing stays of `lot`, `reacted`, `hinted`, `timed_out` and `closed`; what is not known here is passed over."""


# The match.


def _match_started(table: Wire, event: Wire, _me: str) -> None:
    for seat in table["seats"]:
        seat["tiles"] = 0
    table.update(
        deal=None,
        deals=[],
        redo=0,
        scores=[0] * len(table["scores"]),
        waiting=False,
        practice=False,
        commitment=event["commitment"],
        next_commitment=event["next_commitment"],
    )


def _deal_started(table: Wire, event: Wire, _me: str) -> None:
    if table["deal"] is not None:
        table["deals"] = [*table["deals"], _summary(table["deal"]["events"])][-DEALS_LISTED:]
    if len(table["you"]["seats"]) > 1:
        table["you"]["shown"] = []
    for seat, tiles in zip(table["seats"], event["tiles"], strict=True):
        seat.update(tiles=tiles, ready=False)
    hand = event.get("hand")
    table.update(phase="playing", waiting=False)
    table["deal"] = {
        "number": event["number"],
        "lead": event["lead"],
        "stock": event["stock"],
        "hands": {} if hand is None else {str(table["you"]["shown"][0]): hand},
        "events": [event],
        "layout": {"ends": [], "total": 0, "spinner": None},
    }


def _summary(events: Iterable[Wire]) -> Wire:
    """The entry in ``deals`` for the deal that ``events`` tell."""
    by_type = {event["type"]: event for event in events}
    started, ended = by_type["deal_started"], by_type["deal_ended"]
    return {
        "number": started["number"],
        "lead": started["lead"],
        "scored": [
            {name: event[name] for name in ("seat", "total", "points", "dropped")}
            for event in events
            if event["type"] == "played" and (event["points"] or event["dropped"])
        ],
        **{name: ended[name] for name in ("reason", "seat", "bonus", "scores")},
    }


def _acted(table: Wire, event: Wire) -> Wire:
    """Note that a seat acted, which leaves nothing to bring back; the deal."""
    _noted(table, event)
    table["redo"] = 0
    deal: Wire = table["deal"]
    return deal


def _noted(table: Wire, event: Wire) -> None:
    table["deal"]["events"] = [*table["deal"]["events"], event]


def _played(table: Wire, event: Wire, _me: str) -> None:
    deal = _acted(table, event)
    table["seats"][event["seat"]]["tiles"] -= 1
    table["scores"] = event["scores"]
    deal["layout"] = {name: event[name] for name in ("ends", "total", "spinner")}
    holder = str(event["seat"])
    if holder in deal["hands"]:
        left = [tile for tile in deal["hands"][holder] if tile != event["tile"]]
        deal["hands"] = deal["hands"] | {holder: left}


def _drew(table: Wire, event: Wire, _me: str) -> None:
    deal = _acted(table, event)
    table["seats"][event["seat"]]["tiles"] += 1
    deal["stock"] = event["stock"]
    holder, tile = str(event["seat"]), event.get("tile")
    if tile is not None:
        deal["hands"] = deal["hands"] | {holder: [*deal["hands"][holder], tile]}


def _knocked(table: Wire, event: Wire, _me: str) -> None:
    _acted(table, event)


def _deal_ended(table: Wire, event: Wire, _me: str) -> None:
    _noted(table, event)
    table.update(phase="deal_over", scores=event["scores"])


def _restarted(table: Wire, _event: Wire, _me: str) -> None:
    table["practice"] = True


def _match_ended(table: Wire, event: Wire, _me: str) -> None:
    if table["deal"] is not None:
        _noted(table, event)
    table.update(phase="match_over", scores=event["scores"])


# The seats.


def _seated(table: Wire, event: Wire, me: str) -> None:
    seat = event["seat"]
    state = "empty" if event["player"] is None and event["bot"] is None else "present"
    who = {name: event[name] for name in ("player", "bot", "name")}
    table["seats"][seat].update(_EMPTY | who | {"state": state})
    _sit(table, seat, mine=event["player"] == me)
    if event["player"] == me:
        table["you"]["watching"] = False


def _left(table: Wire, event: Wire, _me: str) -> None:
    table["seats"][event["seat"]].update(_EMPTY)
    if event["seat"] in table["you"]["seats"]:
        if len(table["you"]["seats"]) > 1:
            _hide_all(table)
        _sit(table, event["seat"], mine=False)
        _hide(table, str(event["seat"]))


def _sit(table: Wire, seat: int, *, mine: bool) -> None:
    you = table["you"]
    if not mine and seat not in you["seats"]:
        return
    others = [other for other in you["seats"] if other != seat]
    you["seats"] = sorted([*others, seat]) if mine else others
    you["shown"] = you["seats"] if len(you["seats"]) == 1 else []


def _hide(table: Wire, seat: str) -> None:
    """Forget the hand of ``seat``: who has left it is not shown it any more, and who has no seat left, none at all."""
    deal = table["deal"]
    if deal is None:
        return
    # Between matches seats may have been swapped: the hand is still under the seat to which it was dealt.
    kept = {holder: hand for holder, hand in deal["hands"].items() if holder != seat and table["you"]["seats"]}
    if len(kept) == len(deal["hands"]):
        return
    deal["hands"] = kept
    deal["events"] = [_as_others_see(event) for event in deal["events"]]


def _as_others_see(event: Wire) -> Wire:
    hidden = {"deal_started": "hand", "drew": "tile"}.get(event["type"])
    return {name: value for name, value in event.items() if name != hidden}


def _swapped(table: Wire, event: Wire, _me: str) -> None:
    first, second = (table["seats"][seat] for seat in event["seats"])
    for name in _EMPTY:
        first[name], second[name] = second[name], first[name]
    places = dict(zip(event["seats"], reversed(event["seats"]), strict=True))
    you = table["you"]
    for name in ("seats", "shown"):
        you[name] = sorted(places.get(seat, seat) for seat in you[name])


def _becomes(state: str) -> Callable[[Wire, Wire, str], None]:
    def change(table: Wire, event: Wire, _me: str) -> None:
        table["seats"][event["seat"]]["state"] = state

    return change


def _ready(table: Wire, event: Wire, _me: str) -> None:
    table["seats"][event["seat"]]["ready"] = True


def _coming(table: Wire, event: Wire, _me: str) -> None:
    table["seats"][event["seat"]]["coming"] = event["name"]


# The room.


def _host(table: Wire, event: Wire, _me: str) -> None:
    table["host"] = event["player"]


def _waiting(table: Wire, _event: Wire, _me: str) -> None:
    table["waiting"] = True


def _watchers(table: Wire, event: Wire, _me: str) -> None:
    table["watchers"] = event["names"]


def _paused(table: Wire, event: Wire, _me: str) -> None:
    table["paused"] = sorted({*table["paused"], event["seat"]})


def _continued(table: Wire, event: Wire, _me: str) -> None:
    table["paused"] = [seat for seat in table["paused"] if seat != event["seat"]]


def _asked(table: Wire, event: Wire, _me: str) -> None:
    table["ask"] = {name: value for name, value in event.items() if name != "type"}


def _answered(table: Wire, event: Wire, _me: str) -> None:
    ask = table["ask"]
    if ask is None or event["state"] != "open":
        table["ask"] = None
    else:
        table["ask"] = ask | {"need": [seat for seat in ask["need"] if seat != event["seat"]]}


_CHANGES: Mapping[str, Callable[[Wire, Wire, str], None]] = {
    "match_started": _match_started,
    "restarted": _restarted,
    "deal_started": _deal_started,
    "played": _played,
    "drew": _drew,
    "knocked": _knocked,
    "deal_ended": _deal_ended,
    "match_ended": _match_ended,
    "seated": _seated,
    "left": _left,
    "swapped": _swapped,
    "away": _becomes("away"),
    "back": _becomes("present"),
    "bot_in": _becomes("bot_in"),
    "bot_out": _becomes("away"),
    "ready": _ready,
    "coming": _coming,
    "host": _host,
    "waiting": _waiting,
    "watchers": _watchers,
    "paused": _paused,
    "continued": _continued,
    "asked": _asked,
    "answered": _answered,
}
