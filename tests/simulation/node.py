"""One life of a server process: everything of the server but sockets, threads and real time."""

from __future__ import annotations

import asyncio
import random
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import suppress

from websockets.asyncio.server import ServerConnection

from protocol.codecs import Codec
from server.addresses import Addresses
from server.app import SWEEP
from server.archive import Archive
from server.commands.serve import STOP_WITHIN
from server.connected import Connected
from server.connection import Connection, Shared
from server.dispatch import Dispatcher, House
from server.farewell import Farewell
from server.housekeeping import Housekeeping
from server.journal import Journal
from server.limits import Limits
from server.registry import Registry
from server.room import Room
from server.sessions import Sessions
from server.store.base import Store, StoreError
from server.world import World
from tests.simulation.disk import Disk, SimulatedStore
from tests.simulation.loop import VirtualClock, VirtualLoop
from tests.simulation.network import Link, server_protocol
from tests.simulation.searchers import SimulatedHouse, SimulatedSearchers


class Process(ABC):
    """A process. `start` it, let its ``loop`` turn, and `crash` it."""

    standing_tasks = 4
    """The journal, the archive, the sweep and the housekeeping."""

    def __init__(
        self, limits: Limits, rng: random.Random, now: float, unix: float, *, bots_search: bool = False
    ) -> None:
        self.loop = VirtualLoop(now)  # type: ignore[abstract]  # what is left out raises NotImplementedError
        self.clock = VirtualClock(self.loop, unix)
        self.loop.enter()
        self.limits = limits
        self.rng = rng
        self.links: list[Link] = []
        self.is_up = False
        """It takes connections."""
        self.has_failed = False
        """It could not start, and is to be started again."""
        self.has_stopped = False
        """Everything that was decided is written and told, as far as there was time for it."""
        store = self._open_store()
        self.journal = Journal(store)
        self.archive = Archive(store, self.clock)
        self._searchers = SimulatedSearchers(self.loop, rng) if bots_search else None
        bots = SimulatedHouse(rng, self._searchers, self.clock.monotonic)
        world = World(store, self.journal, self.archive, self.clock, limits, rng.randbytes, bots)
        self.registry = Registry(world)
        self.connected = Connected()
        sessions = Sessions(store, self._house(), self.archive, self.clock, rng.randbytes, self.connected)
        self._housekeeping = Housekeeping(store, self.registry, self.connected, self.clock, limits)
        self._shared = Shared(sessions, self.clock, limits, Addresses(limits))
        self._farewell = Farewell(self.registry, self.journal, self._shared.connections, self.clock, rng)
        self._server = _Server()

    @abstractmethod
    def _open_store(self) -> Store:
        """Where everything is kept."""

    @abstractmethod
    def _house(self) -> House:
        """What sessions ask of rooms."""

    @abstractmethod
    async def _take_rooms(self) -> None:
        """Go on with what there is. Raises StoreError if it is out of reach."""

    @property
    @abstractmethod
    def is_busy(self) -> bool:
        """Something is on its way to the store, or from it."""

    @abstractmethod
    def _cut(self) -> None:
        """The process is dead: what has not reached the store never will."""

    def start(self) -> None:
        """As `App.start` does, but for the port."""
        self.loop.create_task(self.journal.run(), name="journal")
        self.loop.create_task(self.archive.run(), name="archive")
        self.loop.create_task(self._load(), name="load")

    async def _load(self) -> None:
        try:
            await self._take_rooms()
        except StoreError:
            self.has_failed = True
            return
        self.is_up = True
        self.loop.create_task(self._sweep(), name="sweep")
        self.loop.create_task(self._housekeeping.run(), name="housekeeping")

    async def _sweep(self) -> None:
        while True:
            await self.clock.sleep(SWEEP)
            for link in self.links:
                if link.connection is not None:
                    link.connection.check_stalled()

    def accept(self, link: Link) -> None:
        """``link`` has done its handshake."""
        self.loop.enter()
        connection = Connection(server_protocol(self.limits.frame_bytes or None), self._server, shared=self._shared)
        self.links.append(link)
        self._server.codecs[connection] = link.client.codec
        link.open(connection)

    def forget_lost_links(self) -> None:
        """Keep no account of connections that both sides know to be gone."""
        self.links = [link for link in self.links if not (link.is_lost and not link.can_take)]

    @property
    def is_advising(self) -> bool:
        """Whether anybody may wait for advice that is searched here."""
        return self.is_up and self._searchers is not None and self._searchers.is_advising

    def rooms(self) -> Iterator[Room]:
        """The rooms in memory."""
        return iter(list(self.registry.index.rooms.values()))

    @property
    def is_settled(self) -> bool:
        """Nothing is on its way to the store, nor about to happen in this moment."""
        broken = any(room.is_broken for room in self.rooms())
        asked = any(job.waiting for job in self.archive._jobs.values())
        return self.loop.is_idle and not (self.is_busy or broken or asked or self.journal._pending)

    def stop(self) -> None:
        """Begin to stop as a server does that is told to. `has_stopped` says when."""
        self.loop.enter()
        self.is_up = False
        self.loop.create_task(self._stop_in_time(), name="stop")

    async def _stop_in_time(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(STOP_WITHIN):
                await self._stop()
        self.has_stopped = True

    async def _stop(self) -> None:
        await self._farewell.say()

    def crash(self) -> None:
        """The process is killed between two turns of its loop: nothing of it is left but what is on the disk."""
        self._cut()
        for link in self.links:
            link.die()
        self.loop.stop_all()
        asyncio.events._set_running_loop(None)


class Node(Process):
    """A process on ``disk``."""

    def __init__(
        self, disk: Disk, limits: Limits, rng: random.Random, now: float, unix: float, *, bots_search: bool = False
    ) -> None:
        self.store = SimulatedStore(disk)
        super().__init__(limits, rng, now, unix, bots_search=bots_search)

    def _open_store(self) -> Store:
        return self.store

    def _house(self) -> House:
        return Dispatcher(self.registry)

    async def _take_rooms(self) -> None:
        await self.registry.load()

    @property
    def is_busy(self) -> bool:
        return bool(self.store.busy)

    def _cut(self) -> None:
        self.store.cut()


class _Server:
    """What the library's connection knows of its server, and what `App` does with a connection."""

    def __init__(self) -> None:
        self.handler_tasks: set[asyncio.Task[None]] = set()
        self.codecs: dict[ServerConnection, Codec] = {}

    async def handler(self, connection: ServerConnection) -> None:
        """Hold the connection until it is closed."""
        assert isinstance(connection, Connection)
        connection.start(self.codecs.pop(connection))
        await connection.wait_closed()
