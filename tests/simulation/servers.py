"""The server side of a run: one process and its disk, or, in `cluster.nodes`, many that share a Redis."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, MutableMapping, Sequence
from typing import Any, Protocol

from server.table.state import Phase
from tests.simulation.disk import Disk, Weather
from tests.simulation.files import FileDisk
from tests.simulation.inspector import Inspector
from tests.simulation.listing import Listings
from tests.simulation.network import Link
from tests.simulation.node import Node
from tests.simulation.rival import Rival
from tests.simulation.setting import UNIX, Setting

Strike = Callable[[], object]


class Servers(Protocol):
    """What connections lead to."""

    strikes: Sequence[Strike]
    """What can go wrong there."""

    def accept(self, link: Link) -> bool:
        """Take a connection, if there is anybody to take it."""
        ...

    def turn(self) -> bool:
        """One turn of a loop, if there is anything to do."""
        ...

    def arriving(self) -> list[Link]:
        """The connections on which something can arrive at a server."""
        ...

    def deliver(self, link: Link) -> None:
        """Let it arrive."""
        ...

    @property
    def next_due(self) -> float | None:
        """When something happens by itself."""
        ...

    def pass_until(self, when: float) -> None:
        """It is ``when`` now, and whatever is due may be late."""
        ...

    @property
    def is_idle(self) -> bool:
        """Nothing happens before time has passed, or something arrives."""
        ...

    def time(self) -> float:
        """Seconds of the server's clock."""
        ...

    def told(self, room: str) -> int | None:
        """The newest step of ``room`` that is taken for told where it is; None if there is no such room any more."""
        ...

    def is_in_doubt(self, room: str) -> bool:
        """Whether what is in memory of ``room`` is not trusted, or not told yet, and it is listed anew afterwards."""
        ...

    def explains(self, entry: MutableMapping[str, Any]) -> bool:
        """Whether there was reason to log ``entry``, though it says that something is wrong."""
        ...

    def look(self, heard: Counter[str]) -> None:
        """Start anew what has ended, and hold memory against what must hold after every step."""
        ...

    def look_closely(self, listings: Listings) -> None:
        """Hold everything against what must hold while nothing is under way."""
        ...

    def calm(self) -> Callable[[], None]:
        """Let nothing fail any more, until what is given back is called: then all is as it was."""
        ...

    @property
    def is_settled(self) -> bool:
        """Nothing is under way, as far as the servers go."""
        ...

    @property
    def no_match_runs(self) -> bool:
        """All are up, and no room is in a match."""
        ...

    @property
    def is_deserted(self) -> bool:
        """Nothing is under way, and there are no rooms."""
        ...

    def check_nothing_is_left(self) -> None:
        """Everybody has gone."""
        ...

    def end(self) -> None:
        """The run is over."""
        ...


class Single:
    """One process; should it fail or stop, another one takes its place."""

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        self._rng = setting.rng
        kind = FileDisk if setting.scenario.has_files else Disk
        self._disk = kind(setting.rng, setting.histories.written)
        self._disk.weather = setting.scenario.weather
        self._rival = Rival(self._disk, setting.histories, setting.rng.randbytes)
        self._inspector = Inspector(setting.histories, self._rival, setting.limits, setting.complain)
        self._clock_is_off = 0.0
        self.node = self._new_node()
        self.strikes: Sequence[Strike] = (
            self._change_weather, self._change_weather, self._kill, self._stop, self._rival.strike
        )  # fmt: skip

    def _new_node(self) -> Node:
        self._disk.begin_life()
        now = self._setting.now
        unix, bots_search = UNIX + now + self._clock_is_off, self._setting.scenario.bots_search
        node = Node(self._disk, self._setting.limits, self._rng, now, unix, bots_search=bots_search)
        node.start()
        return node

    def accept(self, link: Link) -> bool:
        if self.node.is_up:
            self.node.accept(link)
        return self.node.is_up

    def turn(self) -> bool:
        if self.node.loop.is_idle:
            return False
        self.node.loop.turn()
        return True

    def arriving(self) -> list[Link]:
        return [link for link in self.node.links if link.can_deliver]

    def deliver(self, link: Link) -> None:
        self._setting.note(f"the server hears #{link.number}")
        link.deliver()

    @property
    def next_due(self) -> float | None:
        return self.node.loop.next_due

    def pass_until(self, when: float) -> None:
        self.node.loop.now = when

    @property
    def is_idle(self) -> bool:
        return self.node.loop.is_idle

    def time(self) -> float:
        return self.node.clock.time()

    def told(self, room: str) -> int | None:
        return next((found.audience.told.seq for found in self.node.rooms() if found.code == room), None)

    def is_in_doubt(self, room: str) -> bool:
        return any(
            found.is_broken or found.audience.told.epoch < found.epoch
            for found in self.node.rooms()
            if found.code == room
        )

    def explains(self, entry: MutableMapping[str, Any]) -> bool:
        return self._rival.explains(entry)

    def look(self, heard: Counter[str]) -> None:
        if self.node.has_failed or self.node.has_stopped:
            self._restart()
        overtaken = self._rival.look(self.node)
        if overtaken is not None:
            self._setting.note(f"another process writes to {overtaken}")
            heard["overtaken"] += 1
        self._inspector.check_step(self.node)
        for fault in self.node.loop.faults:
            self._setting.complain(f"the loop caught {fault}")

    def look_closely(self, listings: Listings) -> None:
        self._inspector.check_rest(self.node)
        listings.check_rest(self.node)

    def calm(self) -> Callable[[], None]:
        before, self._disk.weather = self._disk.weather, Weather.FAIR

        def back() -> None:
            self._disk.weather = before

        return back

    @property
    def is_settled(self) -> bool:
        return self.node.is_up and self.node.is_settled

    @property
    def no_match_runs(self) -> bool:
        return self.node.is_up and not any(_is_in_match(node_room.table.phase) for node_room in self.node.rooms())

    @property
    def is_deserted(self) -> bool:
        return self.node.is_settled and not len(self.node.registry)

    def check_nothing_is_left(self) -> None:
        self._inspector.check_nothing_is_left(self.node)

    def end(self) -> None:
        self.node.crash()
        self._disk.throw_away()

    # What goes wrong

    def _restart(self, clock_jumps: float = 0.0) -> None:
        """Kill the server between two turns of its loop; another process takes over."""
        self.node.crash()
        self._clock_is_off += clock_jumps
        self.node = self._new_node()

    def _kill(self) -> None:
        self._setting.note("the server is killed")
        clock_jumps = self._rng.choice((0.0, 0.0, 0.0, 3600.0, -3600.0))
        self.node.crash()
        self._setting.wait(self._rng.choice((0.0, 1.0, 40.0)))
        self._clock_is_off += clock_jumps
        self.node = self._new_node()

    def _stop(self) -> None:
        if self.node.is_up:
            self._setting.note("the server stops")
            self.node.stop()

    def _change_weather(self) -> None:
        usual = self._setting.scenario.weather
        self._disk.weather = self._rng.choice((Weather.FAIR, Weather.FLAKY, Weather.DOWN, usual, usual))
        self._setting.note(f"the store is {self._disk.weather.value}")


def _is_in_match(phase: Phase) -> bool:
    return phase in (Phase.PLAYING, Phase.DEAL_OVER)
