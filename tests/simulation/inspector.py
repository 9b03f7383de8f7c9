"""Looks into the server's memory between its steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from weakref import WeakSet

from server.housekeeping import INTERVAL
from server.limits import Limits
from server.room import Room
from server.table.play import has_room
from server.table.state import Phase, PlayerId, Presence, Table
from tests.simulation.history import Histories
from tests.simulation.network import Link
from tests.simulation.node import Process
from tests.simulation.rival import NoRival, Rival
from tests.simulation.timing import dues

LATE = 0.001
"""Seconds by which something may be overdue: time in floating point is not exact."""

ENDLESS = Limits(idle_lobby=10**9, finished_room=10**9, abandoned_room=10**9)
"""Under which no room of a run ends."""


class Inspector:
    """Holds what the server has in memory against the log, and against itself."""

    def __init__(
        self, histories: Histories, rival: Rival | NoRival, limits: Limits, complain: Callable[[str], None]
    ) -> None:
        self._histories = histories
        self._rival = rival
        self._limits = limits
        self._complain = complain
        self._inspected: dict[str, Table] = {}
        self._processes: WeakSet[Process] = WeakSet()

    def check_step(self, node: Process) -> None:
        """What must hold after every single step."""
        self._processes.add(node)
        node.forget_lost_links()
        for room in node.rooms():
            if room.is_broken or not self._is_judged(node, room):
                continue
            self._check_table(room)
            for listener in room.audience.listeners.values():
                if not listener.is_open:
                    self._complain(f"{room.code} still tells {listener.actor.name}, whose connection is gone")

    def _is_judged(self, node: Process, room: Room) -> bool:
        """Whether what is in memory must be what the log makes."""
        return True

    def _check_table(self, room: Room) -> None:
        """What is in memory is what the log makes, or runs ahead of it by what is being written."""
        history = self._histories.rooms.get(room.code)
        head = 0 if history is None else history.head
        if room.audience.told.seq > max(head, 1):  # the creation is in memory before anybody listens
            self._complain(f"{room.code} takes step {room.audience.told.seq} for durable, the log ends at {head}")
        if room.table.seq < head:
            self._complain(f"{room.code} is at step {room.table.seq}, the log already at {head}")
        if history is None or room.table.seq != head or self._inspected.get(room.code) is room.table:
            return
        self._inspected[room.code] = room.table
        if room.table != history.table and not self._rival.has_overtaken(room):
            self._complain(f"{room.code} is not what its log makes it: {room.table} is not {history.table}")

    def check_rest(self, node: Process) -> None:
        """What must hold while nothing is under way."""
        for room in node.rooms():
            self._check_presence(room)
            self._check_overdue(room, node.clock.time(), ENDLESS if node.archive.is_behind(room.code) else self._limits)
        self._check_index(node)
        self._check_places(node)
        for link in node.links:
            if link.is_open and link.delivered != link.answered:
                wanting, excess = link.delivered - link.answered, link.answered - link.delivered
                if not excess and all(self._is_searched(link, message_id) for message_id in wanting):
                    continue
                self._complain(f"#{link.number} has no answer to {dict(wanting)}, and too many to {dict(excess)}")

    def _is_searched(self, link: Link, message_id: str | None) -> bool:
        """Whether the answer to what was asked has to be found, which takes time, by whatever process has the room."""
        asked = link.asked.get(message_id or "", {"type": None})
        return asked["type"] in ("hint", "review") and any(process.is_advising for process in self._processes)

    def _check_presence(self, room: Room) -> None:
        """Who is present listens, and who listens is present and has heard of everything."""
        listeners = room.audience.listeners
        for place in room.table.places:
            if place.player is not None and (place.presence is Presence.PRESENT) != (place.player in listeners):
                self._complain(f"{room.code} has {place.name} as {place.presence}, listening are {list(listeners)}")
        for player in room.table.watchers:
            if player not in listeners:
                self._complain(f"{room.code} has a watcher {player} who does not listen")

    def _check_overdue(self, room: Room, now: float, limits: Limits) -> None:
        """What the table was to do by itself has been done; but it does not end before its records are kept."""
        history = self._histories.rooms[room.code]
        for due in dues(history.table, history.moments[-1], limits):
            if due.at < now - LATE:
                self._complain(f"{room.code} is {now - due.at} s late with {due}: {room.table}")

    def _check_index(self, node: Process) -> None:
        """The registry knows who sits where, who waits for a seat, and what quick match may offer."""
        seats: dict[PlayerId, set[str]] = {}
        coming: dict[PlayerId, set[str]] = {}
        quick = set()
        for room in node.rooms():
            for place in room.table.places:
                if place.player is not None:
                    seats.setdefault(place.player, set()).add(room.code)
                if place.coming is not None:
                    coming.setdefault(place.coming.player, set()).add(room.code)
            if room.table.settings.public and room.table.phase is Phase.LOBBY and has_room(room.table):
                quick.add(room.code)
        for what, places, true in (
            ("seats", node.registry.index.seats, seats),
            ("coming", node.registry.index.coming, coming),
        ):
            if places.by_player != true:
                self._complain(f"the registry has {what} {places.by_player}, the tables {true}")
        if set(node.registry.index.quick) != quick:
            self._complain(f"the registry offers {node.registry.index.quick}, the tables {quick}")

    def _check_places(self, node: Process) -> None:
        """Nobody has places at more tables than are allowed, nor has opened two with one message."""
        rooms = list(node.rooms())
        tables: Counter[PlayerId] = Counter()
        for room in rooms:
            tables.update({place.player for place in room.table.places if place.player is not None})
            tables.update({place.coming.player for place in room.table.places if place.coming is not None})
            self._check_opened_once(room, rooms)
        for player, count in tables.items():
            if count > self._limits.rooms_per_player:
                self._complain(f"{player} has places at {count} tables")

    def _check_opened_once(self, room: Room, rooms: Sequence[Room]) -> None:
        """The message that has opened ``room`` had not led to another one in which its sender then sat."""
        opened = self._histories.rooms[room.code]
        cause = opened.causes[0]
        for other in rooms:
            history = self._histories.rooms[other.code]
            if cause is None or other is room or (cause.player, cause.id) not in history.accepted:
                continue
            before = history.table_at(opened.written[0])
            if before is not None and before.place_of(PlayerId(cause.player)):
                self._complain(f"{cause.id} has opened {room.code}, and had led to {other.code}")

    def check_nothing_is_left(self, node: Process) -> None:
        """Everybody has gone."""
        left = {
            "tasks": [task.get_name() for task in node.loop.tasks[node.standing_tasks :]],
            "rooms": list(node.rooms()),
            "seats": node.registry.index.seats.by_player,
            "promised seats": node.registry.index.coming.by_player,
            "quick": node.registry.index.quick,
            "listed tables": node.registry.open_tables._listed,
            "who lists them": node.registry.open_tables._staying,
            "sessions": node.connected._newest,
            "steps": node.journal._pending,
            "timers": [due for due in node.loop.dues if due > node.loop.now + INTERVAL],
        }
        for name, what in left.items():
            if what:
                self._complain(f"{name} are left: {what}")
