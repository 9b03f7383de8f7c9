"""The form in which a step lies in the journal: MessagePack of its events, secrets included, and who caused it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, TypeAlias

import msgpack

from engine import events as rules
from engine.points import exact
from protocol.convert import event_from_log, event_to_log, points_to_wire
from server.table import events as table_events
from server.table.events import (
    Answered,
    Asked,
    AskState,
    Closed,
    Closing,
    Event,
    MatchOver,
    Swapped,
    Watchers,
    Wish,
)
from server.table.evolve import Step

Wire: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Cause:
    """An accepted message: under its ``id`` the same ``answer`` comes again."""

    player: str
    id: str
    answer: str
    """``ok``, ``snapshot``, ``consent_asked`` or ``hint``."""


TABLE_EVENTS: dict[str, type[Any]] = {
    kind.__name__: kind
    for kind in (
        table_events.Created, table_events.Seated, table_events.Coming, table_events.Left, table_events.Away,
        table_events.Back, table_events.BotIn, table_events.BotOut, table_events.Ready, table_events.EntropyGiven,
        table_events.Host, table_events.Waiting, table_events.Watchers, table_events.Swapped, table_events.Reacted,
        table_events.TimedOut, table_events.MatchStarted, table_events.MatchOver, table_events.Undone,
        table_events.Redone, table_events.PlayedAgain, table_events.Asked, table_events.Answered, table_events.Paused,
        table_events.Continued, table_events.Hinted, table_events.Closed,
    )
}  # fmt: skip
"""By the name under which they lie in the journal. Never renamed."""


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
    events = tuple(event_from_entry(event) for event in entry["events"])
    cause = Cause(*entry["cause"]) if "cause" in entry else None
    also = tuple(Cause(*other) for other in entry.get("also", ()))
    return Step(seq, epoch, entry["at"], events), cause, also


def event_to_entry(event: Event) -> Wire:
    """``event`` with its secrets, of what MessagePack can hold."""
    if isinstance(event, rules.MatchEnded):
        raise TypeError("a table ends its match with MatchOver")
    if isinstance(event, rules.Event):
        return event_to_log(event)
    name = type(event).__name__
    values = {field.name: getattr(event, field.name) for field in fields(event)}
    if isinstance(event, MatchOver):
        values["scores"] = [points_to_wire(score) for score in event.scores]
    return {"table": name, **values}


def event_from_entry(logged: Wire) -> Event:
    """The event that `event_to_entry` was given."""
    if "table" not in logged:
        return event_from_log(logged)
    values = {name: value for name, value in logged.items() if name != "table"}
    kind = TABLE_EVENTS[logged["table"]]
    if kind is MatchOver:
        values["scores"] = tuple(exact(score) for score in values["scores"])
    elif kind is Swapped:
        values["seats"] = tuple(values["seats"])
    elif kind is Asked:
        values["what"], values["need"] = Wish(values["what"]), tuple(values["need"])
    elif kind is Answered:
        values["state"] = AskState(values["state"])
    elif kind is Closed:
        values["reason"] = Closing(values["reason"])
    elif kind is Watchers:
        values["watchers"] = tuple((player, name) for player, name in values["watchers"])
    elif kind is table_events.MatchStarted:
        values["entropy"] = tuple((player, value) for player, value in values["entropy"])
    event: Event = kind(**values)
    return event
