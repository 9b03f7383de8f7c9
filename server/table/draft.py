"""A step in the making: events added one by one, with the table they have led to so far."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from server.table.events import Event
from server.table.evolve import Step, apply, settle, stamped
from server.table.state import Table

RandomBytes: TypeAlias = Callable[[int], bytes]
"""Gives that many unpredictable bytes; a seeded one in tests."""


@dataclass(frozen=True, slots=True)
class Moment:
    """What a decision may use beside the table and the request: the time, the room's epoch and randomness."""

    at: float
    epoch: int
    random_bytes: RandomBytes


class Draft:
    """Collects the events of one step on top of ``before``. Throw it away and nothing has happened."""

    def __init__(self, before: Table, moment: Moment) -> None:
        self.before = before
        self.moment = moment
        self._events: list[Event] = []
        self._table = stamped(before, before.seq + 1, moment.epoch, moment.at)

    @property
    def table(self) -> Table:
        """The table after the events so far."""
        return self._table

    def add(self, *events: Event) -> None:
        """Let ``events`` happen, in order."""
        for event in events:
            self._events.append(event)
            self._table = apply(self._table, event)

    @property
    def is_empty(self) -> bool:
        """Nothing happened: there is no step."""
        return not self._events

    def holds_only(self, kinds: tuple[type[Event], ...]) -> bool:
        """Whether something happened, and nothing but events of ``kinds``."""
        return bool(self._events) and all(isinstance(event, kinds) for event in self._events)

    def step(self) -> Step:
        """The step made of all events."""
        return Step(self._table.seq, self.moment.epoch, self.moment.at, tuple(self._events))

    def after(self) -> Table:
        """The table after the step: what `evolve` makes of it."""
        return settle(self.before, self._table, self._events)
