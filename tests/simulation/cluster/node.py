"""One life of one node: a process whose store and whose neighbours are beyond a Redis."""

from __future__ import annotations

import random
from typing import cast

from server.cluster.cut_off import CutOff
from server.cluster.house import ClusterHouse
from server.cluster.redis_exchange import RedisExchange
from server.dispatch import House
from server.limits import Limits
from server.store.base import Store
from server.store.redis.client import Client
from server.store.redis.lease import Lease
from server.store.redis.store import RedisStore
from tests.simulation.cluster.line import Line, Site
from tests.simulation.node import Process


class ClusterNode(Process):
    """Called ``name``, which is the incarnation too: each life has another one."""

    standing_tasks = 12
    """Beside those of a single process the lease, the exchange with its four parts, the house, and what sends away."""

    def __init__(
        self,
        name: str,
        site: Site,
        limits: Limits,
        rng: random.Random,
        now: float,
        unix: float,
        *,
        bots_search: bool = False,
    ) -> None:
        self.name = name
        self.frozen_until: float | None = None
        """It does nothing until then, and does not know it."""
        self.is_cut_off = False
        self._lines = [Line(site) for _ in range(4)]
        super().__init__(limits, rng, now, unix, bots_search=bots_search)

    def _open_store(self) -> Store:
        reader, own, client, writer = (cast("Client", line) for line in self._lines)
        self.store = RedisStore(client, writer, Lease(writer, self.name, self.clock))
        self.exchange = RedisExchange(self.store, reader, own, self.clock)
        return self.store

    def _house(self) -> House:
        chance = random.Random(self.rng.random())
        self.house = ClusterHouse(
            self.registry,
            self.exchange,
            self.connected.replace,
            self.clock,
            self.limits,
            self.rng.randbytes,
            chance,
        )
        return self.house

    async def _take_rooms(self) -> None:
        """Those that nobody has, in time."""
        await self.store.lease.start()
        await self.exchange.start()
        self.loop.create_task(self.exchange.run(), name="exchange")
        self.loop.create_task(self.house.run(), name="cluster")
        self.loop.create_task(CutOff(self.exchange, self.clock, self._farewell.send_all_away).run(), name="cut off")

    @property
    def takes_connections(self) -> bool:
        """As `App` does: not where nobody could be served."""
        return self.is_up and self.house.is_sure

    @property
    def is_busy(self) -> bool:
        return any(line.busy for line in self._lines) or not self.exchange._speaker.is_idle

    @property
    def runs(self) -> bool:
        """It is not frozen."""
        return self.frozen_until is None

    def cut_off(self, *, is_cut_off: bool) -> None:
        """Redis cannot be reached from here, or can be again."""
        self.is_cut_off = is_cut_off
        for line in self._lines:
            line.is_cut = is_cut_off

    async def _stop(self) -> None:
        await self._farewell.say(self.house)
        await self.exchange.stop()
        await self.store.close()

    def _cut(self) -> None:
        for line in self._lines:
            line.is_dead = True
