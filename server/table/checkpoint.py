"""The form in which a whole table lies in the journal, so that its log need not be folded from the first step."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, get_type_hints

import msgpack
from pydantic import TypeAdapter

from engine import events as rules
from engine.points import exact
from protocol.convert import Wire, points_to_wire
from protocol.messages import NAME_CHARACTERS
from server.table.events import DealSummary, Scoring
from server.table.frozen import replace
from server.table.line import match_of
from server.table.log import event_from_entry, event_to_entry
from server.table.state import Moved, Table

FORMAT = 1
"""Of what is written. Older ones stay readable."""

_REBUILT = {"match", "deals", "deal_events", "opening", "line", "redo"}
_HINTS = get_type_hints(Table)
_PLAIN: dict[str, TypeAdapter[Any]] = {
    field.name: TypeAdapter(_HINTS[field.name]) for field in fields(Table) if field.name not in _REBUILT
}
"""Every other field of a table, each with what reads and writes it. What an older form lacks has its default."""


def pack(table: Table, answers: list[Any]) -> bytes:
    """``table``, secrets included, and what its room remembers beside it."""
    packed: bytes = msgpack.packb({"format": FORMAT, "table": _to_entry(table), "answers": answers})
    return packed


def unpack(checkpoint: bytes) -> tuple[Table, list[Any]]:
    """What `pack` was given.

    Raises:
        ValueError: it was written by a newer server, or is none.
    """
    entry = msgpack.unpackb(checkpoint, strict_map_key=False)  # some maps go by seat
    if entry["format"] > FORMAT:
        raise ValueError(f"a checkpoint of format {entry['format']}; this server reads up to {FORMAT}")
    return _from_entry(entry["table"]), entry["answers"]


def _to_entry(table: Table) -> Wire:
    entry: Wire = {name: adapter.dump_python(getattr(table, name)) for name, adapter in _PLAIN.items()}
    entry["deals"] = [_deal_to_entry(deal) for deal in table.deals]
    entry["deal_events"] = [event_to_entry(event) for event in table.deal_events]
    entry["opening"] = None if table.opening is None else _moved_to_entry(table.opening)
    entry["line"] = [_moved_to_entry(moved) for moved in table.line]
    entry["redo"] = [[_moved_to_entry(moved) for moved in again] for again in table.redo]
    return entry


def _from_entry(entry: Wire) -> Table:
    # They were judged when they came: the limits of today are none for what has happened.
    context = {NAME_CHARACTERS: 0}
    plain = {
        name: adapter.validate_python(entry[name], context=context) for name, adapter in _PLAIN.items() if name in entry
    }
    deals = tuple(_deal_from_entry(deal) for deal in entry["deals"])
    deal_events = tuple(event_from_entry(event) for event in entry["deal_events"])
    table = Table(
        **plain,
        deals=deals,
        deal_events=deal_events,
        opening=None if entry["opening"] is None else _moved_from_entry(entry["opening"]),
        line=tuple(_moved_from_entry(moved) for moved in entry["line"]),
        redo=tuple(tuple(_moved_from_entry(moved) for moved in again) for again in entry["redo"]),
    )
    return replace(table, match=match_of(table)) if deal_events else table


def _moved_to_entry(moved: Moved) -> list[Any]:
    return [moved.seq, [event_to_entry(event) for event in moved.events], moved.by]


def _moved_from_entry(entry: list[Any]) -> Moved:
    seq, events, by = entry
    return Moved(seq, tuple(event_from_entry(event) for event in events), by)


def _deal_to_entry(deal: DealSummary) -> Wire:
    return {
        "number": deal.number,
        "lead": deal.lead,
        "ended": event_to_entry(deal.ended),
        "scored": [
            [play.seat, play.total, points_to_wire(play.points), points_to_wire(play.dropped)] for play in deal.scored
        ],
    }


def _deal_from_entry(entry: Wire) -> DealSummary:
    ended = event_from_entry(entry["ended"])
    if not isinstance(ended, rules.DealEnded):
        raise ValueError(f"deal {entry['number']} ends with {type(ended).__name__}")  # noqa: TRY004 - a wrong value
    scored = tuple(Scoring(seat, total, exact(points), exact(lost)) for seat, total, points, lost in entry["scored"])
    return DealSummary(entry["number"], entry["lead"], ended, scored)
