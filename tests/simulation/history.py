"""The truth of a run: every durable step of each room, and what follows from it for everything that is ever told."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.events import DealEnded, MatchEnded, Played
from engine.tiles import full_set
from protocol.convert import Wire
from server import views
from server.limits import Limits
from server.store.base import Step as StoredStep
from server.table.events import Answered, Event, MatchOver, MatchStarted, PlayedAgain, Redone, Undone
from server.table.evolve import Step, created, evolve
from server.table.log import Cause, unpack
from server.table.state import PlayerId, Table
from tests.simulation.agreement import Agreement
from tests.simulation.fairness import Fairness
from tests.simulation.order import disorder
from tests.simulation.secrecy import Knowledge, Known
from tests.simulation.timing import Moments, caused_by_time, dues

FULL_SET = sorted(full_set())
EARLY = 1e-6
"""Seconds by which time in floating point may be off."""


@dataclass
class RoomHistory:
    """The durable log of one room; lists by step, the first step first."""

    code: str
    complain: Callable[[str], None]
    run_steps: Callable[[], int]
    limits: Limits
    steps: list[Step] = field(default_factory=list)
    causes: list[Cause | None] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    moments: list[Moments] = field(default_factory=list)
    during: list[Known] = field(default_factory=list)
    after: list[Known] = field(default_factory=list)
    public: dict[int, list[Wire]] = field(default_factory=dict)
    """What of a step is for everybody, once somebody has asked."""
    written: list[int] = field(default_factory=list)
    """When each step became durable: after how many steps of the run."""
    accepted: dict[tuple[str, str], int] = field(default_factory=dict)
    """By player and message id: the step that the message made."""
    _knowledge: Knowledge = field(default_factory=Knowledge)
    _agreement: Agreement = field(init=False)
    _fairness: Fairness = field(init=False)
    _sums: list[Any] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._agreement = Agreement(lambda what: self.complain(f"{self.code}: {what}"))
        self._fairness = Fairness(lambda what: self.complain(f"{self.code}: {what}"))

    @property
    def head(self) -> int:
        """The number of the newest durable step."""
        return len(self.steps)

    @property
    def table(self) -> Table:
        """The table after the newest durable step."""
        return self.tables[-1]

    def add(self, stored: StoredStep) -> None:
        """``stored`` has become durable."""
        step, cause = unpack(stored.seq, stored.epoch, stored.payload)
        self._check_order(step)
        self._check_cause(cause, step)
        if self.tables:
            self._check_time(step, cause)
        during, after = self._knowledge.follow(step)
        self.steps.append(step)
        self.written.append(self.run_steps())
        self.causes.append(cause)
        self._evolve(step, cause)
        self.during.append(during)
        self.after.append(after)
        for fault in disorder(self.table):
            self.complain(f"{self.code}: after step {self.head} {fault}: {self.table}")
        self._check_tiles()
        self._check_scores(step)

    def _evolve(self, step: Step, cause: Cause | None) -> None:
        if self.tables:
            after = evolve(self.table, step)
            self._agreement.follow(self.table, step, after, cause)
            self.moments.append(self.moments[-1].after(step, self.table, after))
        else:
            after = created(self.code, step)
            self.moments.append(Moments.created(step.at, len(after.places)))
        self.tables.append(after)
        for event in step.events:
            self._fairness.follow(event, after.settings)

    def snapshot(self, seq: int, player: str) -> Wire:
        """What ``player`` may know after step ``seq``."""
        return views.snapshot_for(self.tables[seq - 1], PlayerId(player), self.steps[seq - 1].at)

    def table_at(self, run_step: int) -> Table | None:
        """What was durable of the room before that step of the run, if anything."""
        steps = bisect_left(self.written, run_step)
        return self.tables[steps - 1] if steps else None

    def was_accepted_before(self, key: tuple[str, str], run_step: int) -> bool:
        """Whether the step that the message of that player and id made was durable before ``run_step``."""
        return key in self.accepted and self.written[self.accepted[key] - 1] < run_step

    def _check_order(self, step: Step) -> None:
        if step.seq != self.head + 1:
            self.complain(f"{self.code}: step {step.seq} was written after step {self.head}")
        if self.steps and step.epoch < self.steps[-1].epoch:
            self.complain(f"{self.code}: the epoch of step {step.seq} is lower than that before it")
        if self.steps and step.at < self.steps[-1].at:
            self.complain(f"{self.code}: step {step.seq} is {self.steps[-1].at - step.at} s older than the one before")

    def _check_cause(self, cause: Cause | None, step: Step) -> None:
        if cause is None:
            return
        key = (cause.player, cause.id)
        if key in self.accepted:
            self.complain(f"{self.code}: message {cause.id} made steps {self.accepted[key]} and {step.seq}")
        self.accepted[key] = step.seq

    def _check_time(self, step: Step, cause: Cause | None) -> None:
        """What happens without being asked for is due, and comes neither before its time nor for another seat."""
        wanted = caused_by_time(step.events[0])
        if cause is not None or wanted is None:
            return
        found = [
            due.at - step.at
            for due in dues(self.table, self.moments[-1], self.limits)
            if (due.what, due.seat) == (wanted.what, wanted.seat)
        ]
        if not found or min(found) > EARLY:
            self.complain(f"{self.code}: step {step.seq} is {wanted.what}, due in {found or 'no'} s: {step.events}")

    def _check_tiles(self) -> None:
        deal = None if self.table.match is None else self.table.match.deal
        if deal is None:
            return
        played = [event.tile for event in deal.events if isinstance(event, Played)]
        tiles = [*played, *deal.stock, *(tile for hand in deal.hands for tile in hand)]
        if sorted(tiles) != FULL_SET:
            self.complain(f"{self.code}: step {self.head} does not keep the 28 tiles")

    def _check_scores(self, step: Step) -> None:
        """Scores are what the events have given, no more and no less."""
        for event in step.events:
            match event:
                case MatchStarted():
                    self._sums = [0] * len(self.table.scores)
                case Played(seat=seat, points=points):
                    self._sums[seat % len(self._sums)] += points
                    self._check_sum(event.scores)
                case DealEnded(bonus=bonus, scores=scores):
                    if self.table.settings.game != "fives-threes":  # there the play has counted it (F7)
                        self._sums = [total + points for total, points in zip(self._sums, bonus, strict=True)]
                    self._check_sum(scores)
                case MatchOver(scores=scores) | MatchEnded(scores=scores):
                    self._check_sum(scores)
                case Undone() | Redone():
                    self._sums = list(self.table.scores)  # `tests.server.walk` holds them to the acts that count
                case PlayedAgain():
                    self._sums = [0] * len(self.table.scores)
                    self._check_sum(self.table.scores)
                case _:
                    pass

    def _check_sum(self, scores: Sequence[Any]) -> None:
        if list(scores) != self._sums:
            self.complain(f"{self.code}: step {self.head} says {list(scores)}, the events give {self._sums}")


class Histories:
    """The history of every room of a run, open or closed."""

    def __init__(self, complain: Callable[[str], None], run_steps: Callable[[], int], limits: Limits) -> None:
        self.rooms: dict[str, RoomHistory] = {}
        self._complain = complain
        self._run_steps = run_steps
        self._limits = limits

    def room(self, code: str) -> RoomHistory:
        """The history of room ``code``, empty if nothing of it is durable."""
        return self.rooms.setdefault(code, RoomHistory(code, self._complain, self._run_steps, self._limits))

    def kinds(self) -> Counter[str]:
        """How often there is what in all logs."""
        logs = [[event for step in history.steps for event in step.events] for history in self.rooms.values()]
        kinds = Counter(_kind(event) for log in logs for event in log)
        kinds["rematch"] = sum(max(0, sum(isinstance(event, MatchStarted) for event in log) - 1) for log in logs)
        return kinds

    def written(self, stored: StoredStep) -> None:
        """A step has become durable."""
        self.room(stored.room).add(stored)


def _kind(event: Event) -> str:
    return f"answered: {event.state}" if isinstance(event, Answered) else type(event).__name__
