"""Looks into the memory of nodes: the one that has a room must be right about it, the others need only notice."""

from __future__ import annotations

from collections.abc import Callable

from server.limits import Limits
from server.room import Room
from tests.simulation.cluster.node import ClusterNode
from tests.simulation.cluster.redis_server import RedisServer
from tests.simulation.history import Histories
from tests.simulation.inspector import Inspector
from tests.simulation.node import Process
from tests.simulation.rival import NoRival


class ClusterInspector(Inspector):
    """Holds every node against the log."""

    def __init__(
        self, histories: Histories, server: RedisServer, limits: Limits, complain: Callable[[str], None]
    ) -> None:
        super().__init__(histories, NoRival(), limits, complain)
        self._server = server

    def _is_judged(self, node: Process, room: Room) -> bool:
        """Not where another node has the room since: that is noticed with the next step, or by and by."""
        assert isinstance(node, ClusterNode)
        found = self._server.rooms.room(room.code)
        return found.owner == node.name and found.epoch <= room.epoch

    def _check_places(self, node: Process) -> None:
        """How many places somebody has is known to nodes some time after it changed."""
        rooms = list(node.rooms())
        for room in rooms:
            self._check_opened_once(room, rooms)

    def check_nothing_is_left(self, node: Process) -> None:
        """Everybody has gone."""
        super().check_nothing_is_left(node)
        assert isinstance(node, ClusterNode)
        left = {
            "visits": node.house._edge._visits,
            "guests": [guests for guests in node.house._guests._guests.values() if guests],
            "seats of people": self._server.keys("ds:seats:"),
            "seats known here": node.house._people._seats,
        }
        for name, what in left.items():
            if what:
                self._complain(f"{name} are left at {node.name}: {what}")
