"""The truth of a run: every durable step of each room, and what follows from it for everything that is ever told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.events import DealEnded, Drew, Knocked, MatchEnded, Played
from engine.tiles import full_set
from server import views
from server.store.base import Step as StoredStep
from server.table import timers
from server.table.events import MatchOver, MatchStarted, TimedOut
from server.table.evolve import Step, created, evolve
from server.table.log import Cause, unpack
from server.table.state import PlayerId, Table
from tests.simulation.secrecy import Knowledge, Known

Wire = dict[str, Any]

FULL_SET = sorted(full_set())
EARLY = 1e-6
"""Seconds by which floating-point time may be off."""


@dataclass
class RoomHistory:
    """The durable log of one room; lists by step, the first step first."""

    code: str
    complain: Callable[[str], None]
    run_steps: Callable[[], int]
    steps: list[Step] = field(default_factory=list)
    causes: list[Cause | None] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    during: list[Known] = field(default_factory=list)
    after: list[Known] = field(default_factory=list)
    told: dict[int, list[Wire]] = field(default_factory=dict)
    """What all were told alike of each step."""
    written: list[int] = field(default_factory=list)
    """When each step became durable: after how many steps of the run."""
    accepted: dict[tuple[str, str], int] = field(default_factory=dict)
    """By player and message id: the step that the message made."""
    _knowledge: Knowledge = field(default_factory=Knowledge)
    _sums: list[Any] = field(default_factory=list)

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
        self.tables.append(evolve(self.table, step) if self.tables else created(self.code, step))
        self.during.append(during)
        self.after.append(after)
        self._check_places()
        self._check_tiles()
        self._check_scores(step)

    def snapshot(self, seq: int, player: str) -> Wire:
        """What ``player`` may know after step ``seq``."""
        return views.snapshot_for(self.tables[seq - 1], PlayerId(player), self.steps[seq - 1].at)

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
        """Who acts without being asked is a bot whose time has come, or one for whom it has run out."""
        if cause is not None or not any(isinstance(event, Played | Drew | Knocked) for event in step.events):
            return
        if any(isinstance(event, TimedOut) for event in step.events):
            early = timers.time_left(self.table, step.at)
        else:
            due = timers.bot_turn(self.table)
            early = None if due is None else due - step.at
        if early is None or early > EARLY:
            self.complain(f"{self.code}: the bot of step {step.seq} acted out of its time ({early} s)")

    def _check_places(self) -> None:
        """Nobody has two seats, or one and the promise of another."""
        places = self.table.places
        holders = [place.player for place in places if place.player is not None]
        holders += [place.coming.player for place in places if place.coming is not None]
        if len(set(holders)) < len(holders):
            self.complain(f"{self.code}: somebody has two places after step {self.head}: {places}")

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
                case _:
                    pass

    def _check_sum(self, scores: Sequence[Any]) -> None:
        if list(scores) != self._sums:
            self.complain(f"{self.code}: step {self.head} says {list(scores)}, the events give {self._sums}")


class Histories:
    """The history of every room of a run, open or closed."""

    def __init__(self, complain: Callable[[str], None], run_steps: Callable[[], int]) -> None:
        self.rooms: dict[str, RoomHistory] = {}
        self._complain = complain
        self._run_steps = run_steps

    def room(self, code: str) -> RoomHistory:
        """The history of room ``code``, empty if nothing of it is durable."""
        return self.rooms.setdefault(code, RoomHistory(code, self._complain, self._run_steps))

    def written(self, stored: StoredStep) -> None:
        """A step has become durable."""
        self.room(stored.room).add(stored)
