"""The form in which a step lies in the journal: MessagePack of its events, secrets included, and who caused it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import msgpack

from engine import events as rules
from protocol.convert import Wire, event_from_log, event_to_log, scores_from_wire, scores_to_wire
from server.table import events
from server.table.events import AskState, Closing, Event, Wish
from server.table.evolve import Step


@dataclass(frozen=True, slots=True)
class Cause:
    """An accepted message: under its ``id`` the same ``answer`` comes again."""

    player: str
    id: str
    answer: str
    """``ok``, ``snapshot``, ``consent_asked`` or ``hint``."""


TABLE_EVENTS: Mapping[str, type[Any]] = {
    "Created": events.Created,
    "Seated": events.Seated,
    "Coming": events.Coming,
    "Left": events.Left,
    "Away": events.Away,
    "Back": events.Back,
    "BotIn": events.BotIn,
    "BotOut": events.BotOut,
    "Ready": events.Ready,
    "EntropyGiven": events.EntropyGiven,
    "Host": events.Host,
    "Waiting": events.Waiting,
    "Watchers": events.Watchers,
    "Swapped": events.Swapped,
    "Reacted": events.Reacted,
    "TimedOut": events.TimedOut,
    "MatchStarted": events.MatchStarted,
    "MatchOver": events.MatchOver,
    "Undone": events.Undone,
    "Redone": events.Redone,
    "PlayedAgain": events.PlayedAgain,
    "Asked": events.Asked,
    "Answered": events.Answered,
    "Paused": events.Paused,
    "Continued": events.Continued,
    "Hinted": events.Hinted,
    "Closed": events.Closed,
}
"""By the name under which they lie in the journal. A class may be renamed, its name here never."""

NAMES: Mapping[type[Any], str] = {kind: name for name, kind in TABLE_EVENTS.items()}
"""Under which name each table event lies in the journal."""


def pack(step: Step, cause: Cause | None, also: Sequence[Cause] = ()) -> bytes:
    """``step`` as a journal entry; number and epoch lie beside it.

    ``also``: messages that were accepted before it and changed nothing.
    """
    entry: Wire = {"at": step.at, "events": [event_to_entry(event) for event in step.events]}
    if cause is not None:
        entry["cause"] = [cause.player, cause.id, cause.answer]
    if also:
        entry["also"] = [[other.player, other.id, other.answer] for other in also]
    packed: bytes = msgpack.packb(entry)
    return packed


def unpack(seq: int, epoch: int, payload: bytes) -> tuple[Step, Cause | None]:
    """The step and its cause, exactly as they were packed."""
    step, cause, _ = unpack_all(seq, epoch, payload)
    return step, cause


def unpack_all(seq: int, epoch: int, payload: bytes) -> tuple[Step, Cause | None, tuple[Cause, ...]]:
    """As `unpack`, with the messages that were accepted before the step and changed nothing."""
    entry = msgpack.unpackb(payload)
    happened = tuple(event_from_entry(event) for event in entry["events"])
    cause = Cause(*entry["cause"]) if "cause" in entry else None
    also = tuple(Cause(*other) for other in entry.get("also", ()))
    return Step(seq, epoch, entry["at"], happened), cause, also


def event_to_entry(event: Event) -> Wire:
    """``event`` with its secrets, of what MessagePack can hold."""
    if isinstance(event, rules.MatchEnded):
        raise TypeError("a table ends its match with MatchOver")
    if isinstance(event, rules.Event):
        return event_to_log(event)
    values = {field.name: getattr(event, field.name) for field in fields(event)}
    if isinstance(event, events.MatchOver):
        values["scores"] = scores_to_wire(event.scores)
    return {"table": NAMES[type(event)], **values}


def event_from_entry(logged: Wire) -> Event:
    """The event that `event_to_entry` was given."""
    if "table" not in logged:
        return event_from_log(logged)
    values = {name: value for name, value in logged.items() if name != "table"}
    kind = TABLE_EVENTS[logged["table"]]
    if kind is events.MatchOver:
        values["scores"] = scores_from_wire(values["scores"])
    elif kind is events.Swapped:
        values["seats"] = tuple(values["seats"])
    elif kind is events.Asked:
        values["what"], values["need"] = Wish(values["what"]), tuple(values["need"])
    elif kind is events.Answered:
        values["state"] = AskState(values["state"])
    elif kind is events.Closed:
        values["reason"] = Closing(values["reason"])
    elif kind is events.Watchers:
        values["watchers"] = tuple((player, name) for player, name in values["watchers"])
    elif kind is events.MatchStarted:
        values["entropy"] = tuple((player, value) for player, value in values["entropy"])
    event: Event = kind(**values)
    return event
