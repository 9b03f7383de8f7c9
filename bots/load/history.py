"""What each client of a room was sent, what it asked for and what it was answered: all that the checker needs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from protocol.convert import Wire

_PRIVATE = {"deal_started": "hand", "drew": "tile"}
"""The fields that only the holder of a hand is sent (H1), by event."""
_ACTIONS = {"played": "play", "drew": "draw", "knocked": "knock", "ready": "next"}
"""What was asked for, by the event that tells of it."""
_PICTURE = (
    "settings", "host", "phase", "waiting", "scores", "deals", "paused", "ask", "redo", "watchers",
    "practice", "commitment", "next_commitment",
)  # fmt: skip
_SEAT = ("seat", "side", "player", "bot", "name", "coming", "state", "ready", "tiles")
_DEAL = ("number", "lead", "stock", "layout")
# Sorted: the order of a map's fields says nothing, and another path through a server may have another one.
_TEXT = json.JSONEncoder(sort_keys=True, separators=(",", ":"))


class Told(NamedTuple):
    """An update."""

    epoch: int
    seq: int
    content: str
    """What all receivers are told alike, in the same words for the same events; `events_of` reads it."""
    deed: str | None
    """What seat did what, as `deed` writes it; None where no seat acted."""


class Shown(NamedTuple):
    """A snapshot: the room as it was at ``seq``."""

    epoch: int
    seq: int
    content: str
    """What all receivers are shown alike; `picture_of` reads it."""
    is_reset: bool = False


class Connected(NamedTuple):
    """A new connection, the ``number``th: a snapshot may stand for the steps that were missed."""

    number: int


class Asked(NamedTuple):
    """Something that may change the room was sent under ``id``, for the first time; sent again it is no new entry."""

    id: str
    deed: str | None
    """What the seat is to do, as `deed` writes it; None: to start the match."""


class Accepted(NamedTuple):
    """The `ok` to what was asked under ``id``: it is step ``seq``, or none."""

    id: str
    seq: int | None


class Refused(NamedTuple):
    """What was asked under ``id`` changed nothing, says the server."""

    id: str


class OtherHand(NamedTuple):
    """The snapshot of step ``seq`` showed its receiver another own hand than the steps up to it have told."""

    seq: int
    told: Sequence[str]
    shown: Sequence[str]


Entry: TypeAlias = Connected | Told | Shown | Asked | Accepted | Refused | OtherHand


@dataclass(slots=True)
class ClientHistory:
    """The entries of one client in their order, over all its connections. The last one is a look at the room."""

    name: str
    entries: list[Entry] = field(default_factory=list)


@dataclass(slots=True)
class RoomHistory:
    """The clients on all seats of a room: nobody else acts there."""

    room: str
    clients: Sequence[ClientHistory]


def told(epoch: int, seq: int, events: Sequence[Mapping[str, Any]]) -> Told:
    """The update with ``events``, as the wire has them for whatever receiver."""
    return Told(epoch, seq, _TEXT.encode([_public(event) for event in events]), _deed_in(events))


def events_of(update: Told) -> list[Wire]:
    """The events of ``update`` as a stranger is told them."""
    events: list[Wire] = json.loads(update.content)
    return events


def shown(snapshot: Mapping[str, Any]) -> Shown:
    """``snapshot``, as the wire has it for whatever receiver."""
    is_reset = bool(snapshot.get("reset"))
    return Shown(snapshot["epoch"], snapshot["seq"], _TEXT.encode(_picture(snapshot)), is_reset)


def picture_of(snapshot: Shown) -> Wire:
    """What ``snapshot`` shows to everybody, by the names of its fields: neither hands nor `turn`, nor who looks."""
    picture: Wire = json.loads(snapshot.content)
    return picture


def deed(seat: int, action: Mapping[str, Any]) -> str:
    """``action`` of ``seat``, or another request of its holder, in a word: `2 play 1-4 left`, `2 next`."""
    if action["type"] == "play":
        return f"{seat} play {action['tile']} {action['end']}"
    return f"{seat} {action['type']}"


def is_next(what: str) -> bool:
    """Whether a deed is no act in a deal but `next`, which is no step either where nobody waits for it."""
    return what.endswith(" next")


def name_of(event: Mapping[str, Any]) -> str:
    """The deed that ``event`` tells of, or else its type."""
    action = _ACTIONS.get(event["type"])
    return event["type"] if action is None else deed(event["seat"], {**event, "type": action})


def _deed_in(events: Iterable[Mapping[str, Any]]) -> str | None:
    """One step holds one deed; more of them are told together, and match no action."""
    return ", ".join(name_of(event) for event in events if event["type"] in _ACTIONS) or None


def _picture(snapshot: Mapping[str, Any]) -> Wire:
    return {
        **{name: snapshot.get(name) for name in _PICTURE},
        "seats": [{name: seat.get(name) for name in _SEAT} for seat in snapshot["seats"]],
        "deal": None if snapshot.get("deal") is None else _public_deal(snapshot["deal"]),
    }


def _public_deal(deal: Mapping[str, Any]) -> Wire:
    events = [_public(event) for event in deal["events"]]
    return {**{name: deal[name] for name in _DEAL}, "hands": {}, "events": events}


def _public(event: Mapping[str, Any]) -> Mapping[str, Any]:
    private = _PRIVATE.get(event["type"])
    if private not in event:
        return event
    return {name: value for name, value in event.items() if name != private}
