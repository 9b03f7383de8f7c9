"""Holds every record that is told against the log: of a match that has ended, all of it, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engine import events as rules
from protocol.convert import Wire, event_to_log
from server.audience import has_part
from server.records.form import read
from server.records.verify import verify
from server.table.events import Event, MatchOver, MatchStarted, Watchers
from server.table.state import PlayerId
from tests.simulation.history import Histories, RoomHistory


class Shelf:
    """The records that were told in a run."""

    def __init__(self, histories: Histories, complain: Callable[[str], None]) -> None:
        self._histories = histories
        self._complain = complain
        self._told: dict[str, Wire] = {}
        """By id, those that were held against the log."""

    def hear(self, player: str | None, opened: int, asked: Wire | None, message: Wire) -> None:
        """``message`` shows a record to ``player``, on a connection ``opened`` after so many steps of the run."""
        record_id, record = message["id"], message["record"]
        found = next((h for h in self._histories.rooms.values() if record_id in ends(h)), None)
        if found is None:
            self._complain(f"record {record_id} is told of a match that has not ended: {record}")
            return
        if record_id not in self._told:
            self._told[record_id] = record
            self._check(found, record_id, record)
        elif self._told[record_id] != record:
            self._complain(f"record {record_id} was {self._told[record_id]} and is {record}")
        if asked is not None and "room" in asked:
            self._check_last(found, record_id, player, opened, asked["room"])

    def _check(self, history: RoomHistory, record_id: str, record: Wire) -> None:
        true = list(_steps(history, ends(history)[record_id]))
        if len(record["steps"]) != len(true):
            self._complain(f"record {record_id} of {history.code} has {len(record['steps'])} steps, not {len(true)}")
        for told, step in zip(record["steps"], true, strict=False):
            if told != step:
                self._complain(f"record {record_id} has {told}, the log of {history.code} {step}")
        for fault in verify(read(record)).faults:
            self._complain(f"record {record_id} of {history.code}: {fault}")
        if any(seed in str(record) for seed in history.after[-1].secrets):
            self._complain(f"record {record_id} of {history.code} holds a seed that nobody may know")

    def _check_last(self, history: RoomHistory, record_id: str, player: str | None, opened: int, room: str) -> None:
        """Of a room the last match is shown that had ended when it was asked for, or a later one, to who may see it."""
        seqs = [seq for seq in ends(history).values() if history.written[seq - 1] < opened]
        if room != history.code or ends(history)[record_id] < max(seqs, default=0):
            self._complain(f"record {record_id} is told as the last one of {room}")
        was_there = any(has_part(table, PlayerId(player or "")) for table in history.tables)
        if not history.table.settings.spectators and not was_there:
            self._complain(f"{player} is told record {record_id} of {room}")


def ends(history: RoomHistory) -> dict[str, int]:
    """The steps with which matches have ended, by the ids of their records."""
    return {event.record: step.seq for step in history.steps for event in step.events if isinstance(event, MatchOver)}


def _steps(history: RoomHistory, last: int) -> Iterator[Wire]:
    """What a record has of the match that ended with step ``last``, from its first event to its last."""
    first = _first(history, last)
    began = history.steps[first - 1]
    for step in history.steps[first - 1 : last]:
        events = step.events
        if step.seq == last:
            events = events[: 1 + next(n for n, event in enumerate(events) if isinstance(event, MatchOver))]
        if step.seq == first:
            events = events[next(n for n, event in enumerate(events) if isinstance(event, MatchStarted)) :]
        shown = [event for event in map(_shown, events) if event is not None]
        yield {"seq": step.seq, "at": round(step.at - began.at, 3), "events": shown}


def _first(history: RoomHistory, last: int) -> int:
    """The step with which the match began that ended with step ``last``; in that one the next may have begun."""
    begun = 0
    for step in history.steps[:last]:
        for event in step.events:
            if isinstance(event, MatchOver) and step.seq == last:
                return begun
            if isinstance(event, MatchStarted):
                begun = step.seq
    raise ValueError(f"no match of {history.code} ended with step {last}")


def _shown(event: Event) -> Wire | None:
    if isinstance(event, Watchers):
        return None  # no part of the match
    return event_to_log(event) if isinstance(event, rules.Event) else event.public()
