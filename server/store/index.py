"""Which steps each room has, and what a new step is to a log. Shared by the stores that live in this process."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, MutableSequence, Sequence
from typing import Generic, TypeVar

from server.store.base import TAIL, Claimed, Outcome, Step

Row = TypeVar("Row")

MAX_CLOSED = 1000
"""Closed rooms whose steps are still known when they are sent again."""


class Log(Generic[Row]):
    """Where the steps of one room are: one ``Row`` each, without a gap, from step ``first`` on."""

    __slots__ = ("checkpoints", "first", "rows")

    def __init__(self, first: int, rows: MutableSequence[Row]) -> None:
        self.first = first
        self.rows = rows
        self.checkpoints: list[int] = []
        """The steps that have one."""

    @property
    def head(self) -> int:
        """The number of the newest step."""
        return self.first + len(self.rows) - 1

    @property
    def start(self) -> int:
        """The step with which `Store.load` begins."""
        return self._last_beginning(self.head - TAIL)

    def _last_beginning(self, seq: int) -> int:
        """The last step up to step ``seq`` from which on the log can be folded."""
        older = bisect_right(self.checkpoints, seq)
        return self.checkpoints[older - 1] if older else self.first

    def since(self, seq: int, limit: int | None = None) -> Sequence[Row]:
        """The rows of up to ``limit`` steps from step ``seq`` on."""
        start = max(0, seq - self.first)
        return self.rows[start : None if limit is None else start + limit]

    def trim(self, before: int) -> Sequence[Row]:
        """Take out what is not needed to fold the steps from ``before`` and from `start` on; gives the rows."""
        before = self._last_beginning(min(before, self.start))
        gone = self.rows[: max(0, before - self.first)]
        del self.rows[: len(gone)]
        self.first += len(gone)
        self.checkpoints = [seq for seq in self.checkpoints if seq >= self.first]
        return gone


class Index(Generic[Row]):
    """The logs of the open rooms and of those closed last."""

    def __init__(self, new_rows: Callable[[], MutableSequence[Row]]) -> None:
        self._new_rows = new_rows
        self._open: dict[str, Log[Row]] = {}
        self._closed: dict[str, Log[Row]] = {}

    def add(self, room: str, seq: int, row: Row, *, has_checkpoint: bool) -> None:
        """Step ``seq`` of ``room``, the next one, is at ``row``."""
        log = self._open.get(room)
        if log is None:
            log = self._open[room] = Log(seq, self._new_rows())
        log.rows.append(row)
        if has_checkpoint:
            log.checkpoints.append(seq)

    def close(self, room: str) -> Sequence[Row]:
        """The last step of ``room`` was added; its rows are remembered for a while. Gives those forgotten for it."""
        self._closed[room] = self._open.pop(room)
        if len(self._closed) > MAX_CLOSED:
            return self._closed.pop(next(iter(self._closed))).rows
        return ()

    def forget(self, room: str) -> Sequence[Row]:
        """Take an open room out, and give its rows."""
        return self._open.pop(room).rows

    def find(self, room: str) -> Log[Row] | None:
        """The log of an open room."""
        return self._open.get(room)

    def tail(self, room: str) -> Sequence[Row]:
        """The rows that `Store.load` gives; none if there is no such room."""
        log = self._open.get(room)
        return () if log is None else log.since(log.start)

    def history(self, room: str, first: int = 1, limit: int | None = None) -> Sequence[Row]:
        """The rows that `Store.history` gives."""
        log = self._open.get(room) or self._closed.get(room)
        return () if log is None else log.since(first, limit)

    def trim(self, room: str, before: int) -> Sequence[Row]:
        """Take out steps of an open room that are no longer needed; gives their rows."""
        log = self._open.get(room)
        return () if log is None else log.trim(before)

    def claim(self, room: str, now: float, read: Callable[[Row], Step]) -> Claimed | None:
        """What `Store.claim` gives where nobody else can have a room. ``read`` fetches the step at a row."""
        log = self._open.get(room)
        if log is None:
            return None
        return Claimed(max(read(log.rows[-1]).epoch + 1, int(now)), log.head)

    def open_rooms(self) -> Iterator[str]:
        """The rooms that were not closed."""
        return iter(self._open)

    def sort_out(self, steps: Sequence[Step], read: Callable[[Row], Step]) -> list[Outcome]:
        """What each step is to the log as it is now, and as the steps before it in ``steps`` will have made it.

        ``read`` fetches the step at a row, to compare one that was sent again.
        """
        accepted: dict[str, list[Step]] = {}
        overtaken: set[str] = set()
        outcomes = []
        for step in steps:
            outcome = Outcome.CONFLICT
            if step.room not in overtaken:
                outcome = self._sort_out(step, accepted.setdefault(step.room, []), read)
            if outcome is Outcome.CONFLICT:
                overtaken.add(step.room)
            outcomes.append(outcome)
        return outcomes

    def _sort_out(self, step: Step, accepted: list[Step], read: Callable[[Row], Step]) -> Outcome:
        log = self._open.get(step.room) or self._closed.get(step.room)
        head = 0 if log is None else log.head
        is_closed = accepted[-1].closes if accepted else step.room in self._closed
        if step.seq == head + len(accepted) + 1 and not is_closed:
            accepted.append(step)
            return Outcome.WRITTEN
        if log is not None and log.first <= step.seq <= head:
            there = read(log.rows[step.seq - log.first])
        elif head < step.seq <= head + len(accepted):
            there = accepted[step.seq - head - 1]
        else:
            return Outcome.CONFLICT
        return Outcome.ALREADY_THERE if there == step else Outcome.CONFLICT
