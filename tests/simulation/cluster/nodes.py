"""The server side of a run with many nodes on one Redis: what they do, what goes wrong, and when all is well."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, MutableMapping, Sequence
from itertools import count, permutations
from typing import Any

from server.table.state import Phase
from tests.simulation.cluster.inspector import ClusterInspector
from tests.simulation.cluster.line import Site
from tests.simulation.cluster.node import ClusterNode
from tests.simulation.cluster.redis_server import RedisServer
from tests.simulation.disk import Weather
from tests.simulation.listing import Listings
from tests.simulation.network import Link
from tests.simulation.servers import Strike
from tests.simulation.setting import UNIX, Setting

DOWN_FOR = (0.0, 1.0, 8.0)
"""Seconds until a killed node is started anew."""
FROZEN_FOR = (0.5, 4.0, 7.0, 20.0)
"""Some of them longer than a lease."""


class Nodes:
    """So many nodes; each that fails, stops or is killed is started anew."""

    def __init__(self, setting: Setting, size: int) -> None:
        self._setting = setting
        self._rng = setting.rng
        self.server = RedisServer(lambda: setting.now, setting.histories.written)
        self._site = Site(self.server, setting.rng, lambda: setting.now, setting.scenario.weather)
        self._inspector = ClusterInspector(setting.histories, self.server, setting.limits, setting.complain)
        self._lives = count(1)
        self._nodes: list[ClusterNode | None] = [self._new_node(slot) for slot in range(size)]
        self._back_at = [0.0] * size
        self.strikes: Sequence[Strike] = (
            self._change_weather, self._kill, self._kill, self._stop, self._freeze, self._freeze, self._cut_off,
            self._lose_batches, self._delay_steps, self._delay_steps, self._delay_steps,
        )  # fmt: skip

    def _new_node(self, slot: int) -> ClusterNode:
        now = self._setting.now
        name = f"node-{slot}.{next(self._lives)}"
        setting = self._setting
        node = ClusterNode(
            name, self._site, setting.limits, self._rng, now, UNIX + now, bots_search=setting.scenario.bots_search
        )
        node.start()
        return node

    @property
    def nodes(self) -> list[ClusterNode]:
        """Those that are not dead."""
        return [node for node in self._nodes if node is not None]

    @property
    def _running(self) -> list[ClusterNode]:
        return [node for node in self.nodes if node.runs]

    # What happens

    def accept(self, link: Link) -> bool:
        open_nodes = [node for node in self._running if node.takes_connections]
        if open_nodes:
            node = self._rng.choice(open_nodes)
            self._setting.note(f"#{link.number} leads to {node.name}")
            node.accept(link)
        return bool(open_nodes)

    def turn(self) -> bool:
        busy = [node for node in self._running if not node.loop.is_idle]
        if busy:
            self._rng.choice(busy).loop.turn()
        return bool(busy)

    def arriving(self) -> list[Link]:
        return [link for node in self._running for link in node.links if link.can_deliver]

    def deliver(self, link: Link) -> None:
        node = next(node for node in self.nodes if link in node.links)
        self._setting.note(f"{node.name} hears #{link.number}")
        node.loop.enter()
        link.deliver()

    @property
    def next_due(self) -> float | None:
        dues = [node.loop.next_due for node in self._running]
        dues += [node.frozen_until for node in self.nodes]
        dues += [back_at for back_at, node in zip(self._back_at, self._nodes, strict=True) if node is None]
        return min((due for due in (*dues, self._site.next_due) if due is not None), default=None)

    def pass_until(self, when: float) -> None:
        for node in self._running:
            node.loop.now = when

    @property
    def is_idle(self) -> bool:
        return all(node.loop.is_idle for node in self._running)

    def time(self) -> float:
        return UNIX + self._setting.now

    def told(self, room: str) -> int | None:
        return None

    def is_in_doubt(self, room: str) -> bool:
        return any(node.registry.find(room).is_broken for node in self.nodes if node.registry.has(room))

    def explains(self, entry: MutableMapping[str, Any]) -> bool:
        return False

    def look(self, heard: Counter[str]) -> None:
        self._site.catch_up()
        for slot, node in enumerate(self._nodes):
            if node is None:
                if self._back_at[slot] <= self._setting.now:
                    self._nodes[slot] = self._new_node(slot)
            elif node.frozen_until is not None and node.frozen_until <= self._setting.now:
                self._thaw(node)
            elif node.has_failed or node.has_stopped:
                heard["stopped"] += node.has_stopped
                node.crash()
                self._nodes[slot] = self._new_node(slot)
        for node in self.nodes:
            self._inspector.check_step(node)
            for fault in node.loop.faults:
                self._setting.complain(f"the loop of {node.name} caught {fault}")

    def _thaw(self, node: ClusterNode) -> None:
        node.frozen_until = None
        node.loop.now = self._setting.now
        self._setting.note(f"{node.name} goes on")

    # Whether all is well

    def look_closely(self, listings: Listings) -> None:
        for node in self.nodes:
            self._inspector.check_rest(node)
            listings.check_rest(node)
            self._check_guests(node)
        self._check_connections()

    def _check_connections(self) -> None:
        """Nobody is connected to two nodes."""
        nodes = Counter(player for node in self.nodes for player in node.connected.players)
        for player, times in nodes.items():
            if times > 1:
                self._setting.complain(f"{player} is connected to {times} nodes")

    def _check_guests(self, node: ClusterNode) -> None:
        """No room has a guest whose visit is over."""
        edges = {other.name: other.house._edge for other in self.nodes}
        for name, guests in node.house._guests._guests.items():
            for number, guest in guests.items():
                if name not in edges or number not in edges[name]._visits:
                    self._setting.complain(f"{node.name} has {guest.actor.name} in {guest.room} who is not at {name}")

    def calm(self) -> Callable[[], None]:
        before, self._site.weather = self._site.weather, Weather.FAIR
        self.server.losing = 0
        self._site.is_delaying = False
        for node in self.nodes:
            node.cut_off(is_cut_off=False)
            if not node.runs:
                self._thaw(node)

        def back() -> None:
            self._site.weather = before

        return back

    @property
    def is_settled(self) -> bool:
        """All nodes are up, know each other, and have heard of everything; each open room is at one of them."""
        names = {node.name for node in self.nodes}
        return (
            all(self._nodes)
            and not self._site.late
            and all(node.is_up and node.is_settled and node.runs for node in self.nodes)
            and all({node.name, *node.exchange.others} == names for node in self.nodes)
            and not any(self.server.unread(node.name, node.exchange._reader.last) for node in self.nodes)
            and not any(_has_work(node) for node in self.nodes)
            and all(_has_heard(node, other) for node in self.nodes for other in self.nodes)
            and all(self._is_at_its_node(code) for code in self.server.open_rooms())
        )

    def _is_at_its_node(self, code: str) -> bool:
        holders = [node.name for node in self.nodes if node.registry.has(code)]
        return holders == [self.server.rooms.room(code).owner]

    @property
    def no_match_runs(self) -> bool:
        """As far as the log tells."""
        histories = self._setting.histories
        phases = [histories.rooms[code].table.phase for code in self.server.open_rooms()]
        return not any(phase in (Phase.PLAYING, Phase.DEAL_OVER) for phase in phases)

    @property
    def is_deserted(self) -> bool:
        return self.is_settled and not self.server.open_rooms()

    def check_nothing_is_left(self) -> None:
        for node in self.nodes:
            self._inspector.check_nothing_is_left(node)

    def end(self) -> None:
        for node in self.nodes:
            node.crash()

    # What goes wrong

    def _one_of(self, nodes: Sequence[ClusterNode]) -> Iterator[tuple[int, ClusterNode]]:
        """Half of the time one that waits for an answer from another, or owes it one."""
        if nodes:
            waiting = [pair for pair in permutations(self.nodes, 2) if _waits_for(*pair)]
            ends = [node for node in nodes if any(node in pair for pair in waiting)]
            node = self._rng.choice(ends if ends and self._rng.random() < 0.5 else nodes)
            yield self._nodes.index(node), node

    def _kill(self) -> None:
        for slot, node in self._one_of(self.nodes):
            self._setting.note(f"{node.name} is killed")
            node.crash()
            self._nodes[slot] = None
            self._back_at[slot] = self._setting.now + self._rng.choice(DOWN_FOR)

    def _stop(self) -> None:
        for _, node in self._one_of([node for node in self._running if node.is_up]):
            self._setting.note(f"{node.name} stops")
            node.stop()

    def _freeze(self) -> None:
        for _, node in self._one_of(self._running):
            node.frozen_until = self._setting.now + self._rng.choice(FROZEN_FOR)
            self._setting.note(f"{node.name} is frozen until {node.frozen_until:.3f}")

    def _cut_off(self) -> None:
        for _, node in self._one_of(self.nodes):
            node.cut_off(is_cut_off=not node.is_cut_off)
            self._setting.note(f"{node.name} is {'cut off' if node.is_cut_off else 'no longer cut off'}")

    def _lose_batches(self) -> None:
        self.server.losing += self._rng.choice((1, 3))
        self._setting.note("batches are lost")

    def _delay_steps(self) -> None:
        self._site.is_delaying = True

    def _change_weather(self) -> None:
        usual = self._setting.scenario.weather
        self._site.weather = self._rng.choice((Weather.FAIR, Weather.FLAKY, Weather.DOWN, usual, usual))
        self._setting.note(f"Redis is {self._site.weather.value}")


def _has_work(node: ClusterNode) -> bool:
    """Something is asked, or to be told, that waits for another node, or for its time."""
    edge = node.house._edge
    waits = any(visit.asked.pending or visit.resuming for visit in edge._visits.values())
    asks = any(task.get_name() == "waiting" for task in node.loop.tasks)  # of who has gone since, too
    return waits or asks or bool(edge._searches)


def _waits_for(node: ClusterNode, owner: ClusterNode) -> bool:
    """Whether something that was asked at ``node`` waits for an answer of ``owner``."""
    return any(visit.owner == owner.name and visit.asked.pending for visit in node.house._edge._visits.values())


def _has_heard(node: ClusterNode, other: ClusterNode) -> bool:
    """Whether ``node`` has got the newest batch of ``other``, and so knows what it has missed."""
    sent = other.exchange._speaker.outbox._numbers.get(node.exchange.me, 0)
    return node is other or node.exchange._reader.newest_of(other.exchange.me) == sent
