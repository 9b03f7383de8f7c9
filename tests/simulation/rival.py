"""A second writer: what must never be, for a store has one process at a time, and must be noticed if it is.

It writes a step of its own under a number that a room has just given to another one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from server.limits import Limits
from server.room import Room
from server.store.base import Step as StoredStep
from server.store.base import StoreError
from server.table import log
from server.table.decide import Lost, decide_for_server
from server.table.draft import Moment
from server.table.events import Reacted
from server.table.evolve import Step
from server.table.state import PlayerId, Table
from tests.simulation.disk import Disk
from tests.simulation.history import Histories
from tests.simulation.node import Process


class NoRival:
    """Nobody else writes."""

    def has_overtaken(self, room: Room) -> bool:
        """See `Rival`."""
        return False


class Rival:
    """Strikes when it is asked to, as soon as a step is on its way to ``disk``."""

    def __init__(self, disk: Disk, histories: Histories, randbytes: Callable[[int], bytes]) -> None:
        self._disk = disk
        self._histories = histories
        self._randbytes = randbytes
        self._is_waiting = False
        self._overtaken: list[Room] = []
        """Rooms that go on from a table that is not the log's, until they notice."""
        self._first: dict[str, int] = {}
        """By room: the first number that was taken from it."""

    def strike(self) -> None:
        """Write before the next step that is on its way."""
        self._is_waiting = True

    def look(self, node: Process) -> str | None:
        """Use a chance if there is one; gives the code of the room that was overtaken."""
        rooms = list(node.rooms())
        self._overtaken = [room for room in self._overtaken if room in rooms]
        if not self._is_waiting:
            return None
        for room in rooms:
            history = self._histories.room(room.code)
            is_next = bool(room._untold) and history.head == room._untold[0][0].seq - 1
            if is_next and history.head and not room.is_broken:
                self._overtake(room, history.table)
                return room.code
        return None

    def has_overtaken(self, room: Room) -> bool:
        """Whether ``room`` may not have noticed yet that it has been overtaken."""
        return room in self._overtaken

    def explains(self, entry: Any) -> bool:
        """Whether the server had reason to log ``entry``."""
        is_conflict = entry["event"] == "journal.conflict"
        return is_conflict and bool(entry["seq"] >= self._first.get(entry["room"], math.inf))

    def _overtake(self, room: Room, table: Table) -> None:
        step = self._step(table)
        if step is None:
            return
        stored = StoredStep(room.code, step.seq, step.epoch, log.pack(step, None))
        try:
            self._disk.append([stored]).send(None)
        except StoreError:
            return
        except StopIteration:
            self._is_waiting = False
            self._overtaken.append(room)
            self._first.setdefault(room.code, step.seq)
        else:
            raise RuntimeError("the disk writes at once")

    def _step(self, table: Table) -> Step | None:
        """A step that is possible at ``table``: somebody is lost, or shows something."""
        moment = Moment(table.at, table.epoch, self._randbytes)
        seated = [place for place in table.places if place.player is not None]
        for place in seated:
            if place.is_here and place.player != table.host:
                return decide_for_server(table, Lost(PlayerId(place.player or "")), moment, Limits()).step
        return Step(table.seq + 1, table.epoch, table.at, (Reacted(seated[0].seat, "oops"),)) if seated else None
