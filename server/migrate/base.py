"""What is moved, and what it is moved between."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from server.store.base import Step

AT_ONCE = 500
"""Players, or steps, of one piece of work."""
RECORDS_AT_ONCE = 50
"""Records of one: they are longer."""


@dataclass(frozen=True, slots=True)
class Player:
    """Who knows the token of that hash. ``last_seen`` is Unix time in seconds."""

    token_hash: bytes = field(repr=False)
    name: str
    last_seen: float


@dataclass(frozen=True, slots=True)
class Record:
    """The record of a match that ended ``at``. ``room``: the open room whose last record it may be, None if none."""

    name: str
    room: str | None
    payload: bytes = field(repr=False)
    at: float


@dataclass(frozen=True, slots=True)
class Counts:
    """How much there is, or was moved."""

    rooms: int = 0
    players: int = 0
    records: int = 0


class Source(Protocol):
    """A store that is read to its end. The coroutines raise `StoreError` if it is out of reach."""

    async def count(self) -> Counts:
        """How much there is, about."""
        ...

    def rooms(self) -> AsyncIterator[Sequence[Step]]:
        """The whole log of each open room, as far as it is there: from its first step or a checkpoint on."""
        ...

    def players(self) -> AsyncIterator[Sequence[Player]]:
        """All players, some at a time."""
        ...

    def records(self) -> AsyncIterator[Sequence[Record]]:
        """All records, some at a time, and those of each room in the order of their matches."""
        ...

    async def check_stopped(self) -> None:
        """Look whether a server runs on it.

        Raises:
            DatabaseRefused: one does.
        """
        ...

    async def close(self) -> None:
        """Let others have it."""
        ...


class Target(Protocol):
    """A store that is filled. No server starts on it from the first thing that is added until `finish`.

    The coroutines raise `StoreError` if it is out of reach or full.
    """

    async def add_room(self, log: Sequence[Step]) -> None:
        """Keep an open room."""
        ...

    async def add_players(self, players: Sequence[Player]) -> None:
        """Keep players."""
        ...

    async def add_records(self, records: Sequence[Record]) -> None:
        """Keep records: the last one of a room that is added is the room's last."""
        ...

    async def finish(self) -> None:
        """All is there: a server may start on it.

        Raises:
            DatabaseRefused: one has done so already.
        """
        ...

    async def close(self) -> None:
        """Let others have it. What was not finished is begun anew the next time."""
        ...
