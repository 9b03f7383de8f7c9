"""The record of a finished match, built from the log of its room by naming what is shown.

The log holds the seed of the match after it too, and may hold that match's hands in the very step in which this one was
broken off: a record ends with its `match_ended`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TypeVar

from engine import events as rules
from protocol.convert import Wire, event_to_log, scores_to_wire
from protocol.schema import PROTOCOL_VERSION
from server import views
from server.records.form import FORMAT
from server.store.base import Step as StoredStep
from server.table import checkpoint, log
from server.table.events import Event, MatchOver, MatchStarted, PlayedAgain, Watchers
from server.table.evolve import Step, created, evolve
from server.table.state import Table

Kind = TypeVar("Kind")

SERVER = "doublesix"
_MARKS = tuple(log.NAMES[kind].encode() for kind in (MatchStarted, PlayedAgain, MatchOver))
"""What a journal entry holds in which a match begins, begins again or ends; others need not be unpacked."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A match that has ended, by its place in the log."""

    base: int
    """The step from which on the table can be folded that the match began at."""
    first: Step
    """The step with `MatchStarted`."""
    last: Step
    """The step with `MatchOver`."""
    practice: bool
    """It was begun again in between."""

    @property
    def id(self) -> str:
        """Of the record."""
        return _of_kind(self.last.events, MatchOver).record


class Finder:
    """Goes through a log from a beginning as `Store.history` gives it, and finds the matches that have ended in it."""

    def __init__(self) -> None:
        self._base = 0
        self._begun: tuple[int, Step] | None = None
        self._practice = False

    def take(self, stored: StoredStep) -> Iterator[Finished]:
        """The next step of the log. Gives the match that it ended, if it did, unless its beginning was trimmed."""
        if stored.checkpoint is not None or not self._base:
            self._base = stored.seq
        if not any(mark in stored.payload for mark in _MARKS):
            return
        step = unpacked(stored)
        for event in step.events:
            if isinstance(event, MatchStarted):
                self._begun, self._practice = (self._base, step), False
            elif isinstance(event, PlayedAgain):
                self._practice = True
            elif isinstance(event, MatchOver) and self._begun is not None:
                base, first = self._begun
                self._begun = None
                yield Finished(base, first, step, self._practice)


def unpacked(stored: StoredStep) -> Step:
    """The step that lies in the journal."""
    step, _ = log.unpack(stored.seq, stored.epoch, stored.payload)
    return step


def folded(table: Table | None, stored: StoredStep) -> Table:
    """``table`` after the next step of its log. None: the log begins with it, at the first step or at a checkpoint."""
    if table is not None:
        return evolve(table, unpacked(stored))
    if stored.checkpoint is None:
        return created(stored.room, unpacked(stored))
    table, _ = checkpoint.unpack(stored.checkpoint)
    return table


def header(table: Table | None, match: Finished) -> Wire:
    """All of a record but its steps. ``table``: as it was after the step in which the match began."""
    if table is None:
        raise ValueError("there is no table to begin a match")
    started, ended = _of_kind(match.first.events, MatchStarted), _of_kind(match.last.events, MatchOver)
    return {
        "format": FORMAT,
        "id": ended.record,
        "game": table.settings.game,
        "seats": table.settings.seats,
        "settings": views.settings_for_all(table),
        "practice": match.practice,
        "players": [{"player": place.player, "bot": place.bot, "name": place.name} for place in table.places],
        "server": SERVER,
        "protocol": PROTOCOL_VERSION,
        "began": round(match.first.at, 3),
        "ended": round(match.last.at, 3),
        "commitment": started.commitment,
        "seed": ended.seed,
        "entropy": [{"player": player, "value": value} for player, value in started.entropy],
        "winner": ended.winner,
        "scores": scores_to_wire(ended.scores),
    }


def entry(step: Step, match: Finished) -> Wire:
    """One of the record's steps: what of ``step`` belongs to ``match``."""
    events = list(step.events)
    if step.seq == match.last.seq:
        events = events[: events.index(_of_kind(events, MatchOver)) + 1]
    if step.seq == match.first.seq:
        events = events[events.index(_of_kind(events, MatchStarted)) :]
    shown = (_shown(event) for event in events)
    return {
        "seq": step.seq,
        "at": round(step.at - match.first.at, 3),
        "events": [event for event in shown if event is not None],
    }


def records(steps: Sequence[StoredStep]) -> Iterator[Wire]:
    """The record of each match that has ended in a log as `Store.history` gives it."""
    finder = Finder()
    for match in [match for stored in steps for match in finder.take(stored)]:
        before = [stored for stored in steps if match.base <= stored.seq <= match.first.seq]
        table = reduce(folded, before, None)
        inside = (stored for stored in steps if match.first.seq <= stored.seq <= match.last.seq)
        yield {**header(table, match), "steps": [entry(unpacked(stored), match) for stored in inside]}


def _shown(event: Event) -> Wire | None:
    """``event`` of a match that is over: nothing of it is a secret any more but the seed of the next one.

    Who watched is no part of the match, and people who come and go would make records of any length.
    """
    if isinstance(event, Watchers):
        return None
    return event_to_log(event) if isinstance(event, rules.Event) else event.public()


def _of_kind(events: Iterable[Event], kind: type[Kind]) -> Kind:
    return next(event for event in events if isinstance(event, kind))
