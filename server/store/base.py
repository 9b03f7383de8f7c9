"""What a store is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Protocol

TAIL = 256
"""Steps at the end of a log that are always given: who comes back is told them again."""
SEEN_WITHIN = 24 * 60 * 60.0
"""Seconds: a player who comes back sooner than this after the last time is not noted again."""
CLOCK_ERROR = 300.0
"""Seconds by which the clocks of who share a store may differ."""


@dataclass(frozen=True, slots=True)
class Step:
    """One entry of a room's log. ``seq`` counts from 1; the store does not look into ``payload``, which holds seeds."""

    room: str
    seq: int
    epoch: int
    payload: bytes = field(repr=False)
    closes: bool = False
    """The room's last step: the room is not loaded again."""
    checkpoint: bytes | None = field(default=None, repr=False)
    """What the log up to here has made of the room, if this was written down: then nobody need fold it again."""


class Outcome(Enum):
    """What became of a step."""

    WRITTEN = auto()
    ALREADY_THERE = auto()
    """The very same step stands in the log: it was written before."""
    CONFLICT = auto()
    """``seq`` is not the room's next and the log holds no such step, or follows one of which that is true.

    Nothing was written.
    """
    FENCED = auto()
    """Another process has taken the room since, or follows a step of which that is true. Nothing was written."""

    @property
    def counts(self) -> bool:
        """Whether the step stands in the log."""
        return self in {Outcome.WRITTEN, Outcome.ALREADY_THERE}


@dataclass(frozen=True, slots=True)
class Claimed:
    """A room is ours to write to, from the step after ``head`` on, under ``epoch``."""

    epoch: int
    head: int


@dataclass(frozen=True, slots=True)
class Held:
    """Another process has the room."""

    by: str
    seconds: float
    """For how long at most, should that process be dead."""


class Store(Protocol):
    """An append-only log of each room, the players, and records of finished matches.

    Every method raises `StoreError` if it cannot do its work.
    """

    async def append(self, steps: Sequence[Step]) -> Sequence[Outcome]:
        """Write the steps of one turn of the event loop, of any rooms, all together; durable when it returns.

        One outcome a step, in order. What is refused keeps back no other room, but the later steps of its own: they
        were decided on a step that does not count.

        Raises:
            StoreError: out of reach. No step counts; appending the same steps again is safe.
        """
        ...

    async def load(self, room: str) -> Sequence[Step]:
        """The end of an open room's log, oldest step first; empty if there is no such room.

        It begins with the last checkpoint that has `TAIL` steps after it, or with the room's first step.
        """
        ...

    async def history(self, room: str, first: int = 1, limit: int | None = None) -> Sequence[Step]:
        """Up to ``limit`` steps of a room's log from step ``first`` on, oldest first; none where there are no more.

        What was trimmed is not there. What is there begins with the room's first step or with a checkpoint. A room
        that has closed has its log as long as steps of it that are sent again are known.
        """
        ...

    async def open_rooms(self) -> Sequence[Sequence[Step]]:
        """The end of each open room's log, as `load` gives it."""
        ...

    async def claim(self, room: str, now: float) -> Claimed | Held | None:
        """Take an open room, before its steps are loaded, to write to it; None if there is no such room.

        The epoch is new: above those of all steps in the log, and at least ``now``, Unix time in seconds, so that a
        store that was restored from a backup or has lost its last steps repeats none. What this process sent under an
        older one and is still on its way may not count any more. Who writes a room's first step has claimed it.
        """
        ...

    async def release(self, room: str) -> None:
        """Let another process take the room, if this one has it."""
        ...

    async def trim(self, needed: Mapping[str, int]) -> None:
        """Let `clear` remove the steps of these open rooms before the given one.

        The last checkpoint before it and what `load` gives stay.
        """
        ...

    async def clear(self, limit: int) -> int:
        """Remove up to ``limit`` steps that were trimmed, or whose room closed long ago; returns how many."""
        ...

    async def add_player(self, token_hash: bytes, player: str, at: float) -> None:
        """Keep that who knows the token of this hash is ``player``, seen ``at``; durable when it returns.

        Times are Unix time in seconds.
        """
        ...

    async def find_player(self, token_hash: bytes, at: float) -> str | None:
        """The player of a token's hash, who is seen ``at``. Whether that can be noted changes nothing."""
        ...

    async def seen(self, players: Sequence[str], at: float) -> None:
        """Note that ``players`` were seen ``at``."""
        ...

    async def forget_players(self, before: float, limit: int) -> int:
        """Forget up to ``limit`` players who were last seen before that time; returns how many."""
        ...

    async def add_record(self, record: str, room: str, payload: bytes, at: float) -> None:
        """Keep the record of that id, of a match in ``room`` that ended ``at``; durable when it returns.

        One that is there already stays as it is. The store does not look into ``payload``.
        """
        ...

    async def record(self, record: str) -> bytes | None:
        """The payload of the record of that id."""
        ...

    async def last_record(self, room: str) -> bytes | None:
        """The payload of the record of the last match of an open room."""
        ...

    async def forget_records(self, before: float, limit: int) -> int:
        """Remove up to ``limit`` records of matches that ended before that time; returns how many."""
        ...

    async def time(self, now: float) -> float:
        """Unix time in seconds as those count it who share the store; ``now``, by our clock, if nobody does."""
        ...

    async def ping(self) -> None:
        """Return if the store answers."""
        ...

    async def close(self) -> None:
        """Release everything. The store answers no more; closing again does nothing."""
        ...


class StoreError(Exception):
    """The store is out of reach, full or closed."""


class DatabaseRefused(Exception):
    """There is something in the place of the database that must not be touched, or somebody else uses it."""
