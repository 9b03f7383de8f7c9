"""Which steps each room has, and what a new step is to a log. Shared by the stores that live in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableSequence, Sequence
from typing import Generic, TypeVar

from server.store.base import Outcome, Step

Row = TypeVar("Row")

MAX_CLOSED = 1000
"""Closed rooms whose steps are still known when they are sent again."""


class Index(Generic[Row]):
    """For each open room and those closed last, one ``Row`` a step: where the step is."""

    def __init__(self, new_rows: Callable[[], MutableSequence[Row]]) -> None:
        self._new_rows = new_rows
        self._open: dict[str, MutableSequence[Row]] = {}
        self._closed: dict[str, MutableSequence[Row]] = {}

    def add(self, room: str, row: Row) -> None:
        """The next step of ``room`` is at ``row``."""
        if room not in self._open:
            self._open[room] = self._new_rows()
        self._open[room].append(row)

    def close(self, room: str) -> Sequence[Row]:
        """The last step of ``room`` was added; its rows are remembered for a while. Gives those forgotten for it."""
        self._closed[room] = self._open.pop(room)
        if len(self._closed) > MAX_CLOSED:
            return self._closed.pop(next(iter(self._closed)))
        return ()

    def forget(self, room: str) -> Sequence[Row]:
        """Take an open room out, and give its rows."""
        return self._open.pop(room)

    def rows(self, room: str) -> Sequence[Row]:
        """The rows of an open room, oldest first; empty if there is no such room."""
        return self._open.get(room, ())

    def open_rooms(self) -> Iterator[str]:
        """The rooms that were not closed."""
        return iter(self._open)

    def sort_out(self, steps: Sequence[Step], read: Callable[[Row], Step]) -> list[Outcome]:
        """What each step is to the log as it is now, and as the steps before it in ``steps`` will have made it.

        ``read`` fetches the step at a row, to compare one that was sent again.
        """
        accepted: dict[str, list[Step]] = {}
        return [self._sort_out(step, accepted.setdefault(step.room, []), read) for step in steps]

    def _sort_out(self, step: Step, accepted: list[Step], read: Callable[[Row], Step]) -> Outcome:
        rows: Sequence[Row] = self._open.get(step.room) or self._closed.get(step.room) or ()
        is_closed = accepted[-1].closes if accepted else step.room in self._closed
        if step.seq == len(rows) + len(accepted) + 1 and not is_closed:
            accepted.append(step)
            return Outcome.WRITTEN
        if 1 <= step.seq <= len(rows):
            there = read(rows[step.seq - 1])
        elif len(rows) < step.seq <= len(rows) + len(accepted):
            there = accepted[step.seq - len(rows) - 1]
        else:
            return Outcome.CONFLICT
        return Outcome.ALREADY_THERE if there == step else Outcome.CONFLICT
