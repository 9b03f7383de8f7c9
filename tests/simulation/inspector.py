"""Looks into the server's memory between its steps."""

from __future__ import annotations

from collections.abc import Callable

from server.housekeeping import INTERVAL
from server.room import Room
from server.table.play import has_room
from server.table.state import Phase, Presence, Table
from tests.simulation.history import Histories
from tests.simulation.node import STANDING_TASKS, Node


class Inspector:
    """Holds what the server has in memory against the log, and against itself."""

    def __init__(self, histories: Histories, complain: Callable[[str], None]) -> None:
        self._histories = histories
        self._complain = complain
        self._inspected: dict[str, Table] = {}

    def check_step(self, node: Node) -> None:
        """What must hold after every single step."""
        node.forget_lost_links()
        for room in node.rooms():
            if room.is_broken:
                continue
            self._check_table(room)
            for listener in room.audience.listeners.values():
                if not listener.is_open:
                    self._complain(f"{room.code} still tells {listener.actor.name}, whose connection is gone")

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
        if room.table != history.table:
            self._complain(f"{room.code} is not what its log makes it: {room.table} is not {history.table}")

    def check_rest(self, node: Node) -> None:
        """What must hold while nothing is under way."""
        for room in node.rooms():
            self._check_presence(room)
        self._check_index(node)
        for link in node.links:
            if link.is_open and link.delivered != link.answered:
                wanting, excess = link.delivered - link.answered, link.answered - link.delivered
                self._complain(f"#{link.number} has no answer to {dict(wanting)}, and too many to {dict(excess)}")

    def _check_presence(self, room: Room) -> None:
        """Who is present listens, and who listens is present and has heard of everything."""
        listeners = room.audience.listeners
        for place in room.table.places:
            if place.player is not None and (place.presence is Presence.PRESENT) != (place.player in listeners):
                self._complain(f"{room.code} has {place.name} as {place.presence}, listening are {list(listeners)}")
        for player in room.table.watchers:
            if player not in listeners:
                self._complain(f"{room.code} has a watcher {player} who does not listen")

    def _check_index(self, node: Node) -> None:
        """The registry knows who sits where, and what quick match may offer."""
        seats: dict[str, set[str]] = {}
        quick = set()
        for room in node.rooms():
            for place in room.table.places:
                if place.player is not None:
                    seats.setdefault(place.player, set()).add(room.code)
            if room.table.settings.public and room.table.phase is Phase.LOBBY and has_room(room.table):
                quick.add(room.code)
        if node.registry._seats != seats:
            self._complain(f"the registry has seats {node.registry._seats}, the tables {seats}")
        if set(node.registry._quick) != quick:
            self._complain(f"the registry offers {node.registry._quick}, the tables {quick}")

    def check_nothing_is_left(self, node: Node) -> None:
        """Everybody has gone."""
        left = {
            "tasks": [task.get_name() for task in node.loop.tasks[STANDING_TASKS:]],
            "rooms": list(node.rooms()),
            "seats": node.registry._seats,
            "promised seats": node.registry._coming,
            "quick": node.registry._quick,
            "sessions": node.sessions._current,
            "steps": node.journal._pending,
            "timers": [due for due in node.loop.dues if due > node.loop.now + INTERVAL],
        }
        for name, what in left.items():
            if what:
                self._complain(f"{name} are left: {what}")
