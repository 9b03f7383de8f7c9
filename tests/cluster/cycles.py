"""Nodes that are killed, frozen and restarted, and a Redis that is, over and over, while matches are played on them.

Run as a program it does so as often as it is told, and prints for how long rooms stood still and what the checker has
found: `make cluster-cycles KILLS=100 FREEZES=30 REDIS_RESTARTS=20 DRAINS=12`.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import random
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import TypeAlias

from bots.load.drive import Load
from bots.load.history import Told
from bots.load.report import LoadSettings, Report
from bots.load.table import Move, Table
from server.commands.load import rare_collection
from server.store.base import StoreError
from server.store.redis import keys
from server.store.redis.lease import TTL
from server.store.redis.store import RedisStore
from tests.cluster.nodes import Cluster
from tests.cluster.standstill import Standstill, longest_gap
from tests.load.stored_log import steps_in
from tests.load.telling import say, tell
from tests.nginx_server import free_port, nginx
from tests.redis_servers import RedisServer, redis_server
from tests.system.servers import ServerProcess

NODES = 3
MOST_ACTS = 60
"""Acts between two faults, at most."""
PATIENCE = 120.0
"""Seconds after which a cluster that does not go on counts as lost."""
LONG_OUTAGES = 4
"""Of so many restarts of Redis one takes longer than a lease."""
LOOK = 0.02
READS = 5
"""So often the logs are read in the end until that succeeds."""

Tell: TypeAlias = Callable[[str], None]
Fault: TypeAlias = Callable[[], Awaitable[None]]


class Cycles:
    """The cluster under load, and what is done to it."""

    def __init__(self, cluster: Cluster, load: Load, rng: random.Random, tell: Tell) -> None:
        self.standstill = Standstill()
        self._cluster = cluster
        self._load = load
        self._rng = rng
        self._tell = tell
        self._names: dict[ServerProcess, str] = {}
        """The incarnation of each node."""
        self._known: set[str] = set()
        self._done = 0
        self._freezes = 0
        self._redis_restarts = 0

    @property
    def redis(self) -> RedisServer:
        """Where all of it is kept."""
        return self._cluster.redis

    async def add_nodes(self, ports: Sequence[int]) -> None:
        """Start them, one after another so that it is known which is which."""
        for port in ports:
            self._meet(await self._cluster.add("--port", str(port)))

    def _meet(self, node: ServerProcess) -> None:
        with self._cluster.redis.client() as client:
            names = {str(name) for name in client.smembers(keys.NODES)}
        (self._names[node],) = names - self._known
        self._known |= names

    # Faults

    async def kill(self) -> None:
        """SIGKILL a node, and start it again while another one takes its rooms."""
        node, tables = self._choose()
        since = monotonic()
        await node.kill()
        await self._start(node)
        moves = await self._moved(tables, since)
        self.standstill.killed += [move.heard - since for move in moves]
        self.standstill.killed_acts += [longest_gap(table.acts, since) for table in tables]
        self._told(f"killed with {len(tables)} rooms")

    async def freeze(self) -> None:
        """SIGSTOP a node. It goes on while its players still wait for it, or only when all are elsewhere, in turn."""
        self._freezes += 1
        node, tables = self._choose()
        since = monotonic()
        node.signal(signal.SIGSTOP)
        if self._freezes % 2:
            moves = await self._moved(tables, since)
            self.standstill.frozen += [move.heard - since for move in moves]
            self.standstill.frozen_acts += [longest_gap(table.acts, since) for table in tables]
            node.signal(signal.SIGCONT)
        else:
            await self._left(self._names[node])
            await asyncio.sleep(max(0.0, since + TTL * self._rng.uniform(1.2, 1.6) - monotonic()))
            node.signal(signal.SIGCONT)
            await self._moved(tables, since)
        self._told(f"frozen with {len(tables)} rooms for {monotonic() - since:.1f} s")

    async def drain(self) -> None:
        """SIGTERM a node and start it again."""
        node, tables = self._choose()
        since = monotonic()
        assert await node.terminate() == 0
        took = monotonic() - since
        await self._start(node)
        moves = await self._moved(tables, since)
        self.standstill.drained += [move.heard - move.heard_before for move in moves]
        self.standstill.drained_acts += [longest_gap(table.acts, since) for table in tables]
        self._told(f"drained of {len(tables)} rooms in {took:.1f} s")

    async def restart_redis(self) -> None:
        """SIGKILL Redis and start it again, at times only after all leases have ended."""
        self._redis_restarts += 1
        is_long = self._redis_restarts % LONG_OUTAGES == 0
        since = monotonic()
        self._cluster.redis.kill()
        await asyncio.sleep(self._rng.uniform(1.1, 1.4) * TTL if is_long else self._rng.uniform(0, 1))
        await asyncio.to_thread(self._cluster.redis.start)
        outage = monotonic() - since
        await self._all_play()
        self.standstill.without_redis += [longest_gap(table.acts, since) - outage for table in self._load.tables]
        self._told(f"restarted Redis after {outage:.1f} s")

    def _told(self, what: str) -> None:
        self._done += 1
        self.standstill.done[what.split(maxsplit=1)[0]] += 1
        self._tell(f"{self._done}: {what}; {self._load.tally.acknowledged} acknowledged plays")

    def _choose(self) -> tuple[ServerProcess, list[Table]]:
        """A node, of those that have a room, and the tables that it has."""
        owned = self._owned()
        node = self._rng.choice([node for node in self._cluster.nodes if owned[self._names[node]]])
        return node, owned[self._names[node]]

    def _owned(self) -> dict[str, list[Table]]:
        owned: dict[str, list[Table]] = {name: [] for name in self._names.values()}
        with self._cluster.redis.client() as client:
            for table in self._load.tables:
                owned[str(client.hget(keys.owner(str(table.room)), "n"))].append(table)
        return owned

    async def _start(self, node: ServerProcess) -> None:
        await node.start()
        self._meet(node)

    # What is waited for

    async def let_play(self) -> None:
        """Let the matches go on for a while."""
        async with asyncio.timeout(PATIENCE):
            await self._load.tally.more(self._rng.randint(1, MOST_ACTS))

    async def _left(self, name: str) -> None:
        """No room is at the node of that name any more; who is connected to it does not hear of that yet."""
        await _until(lambda: not self._owned()[name])

    async def _moved(self, tables: Sequence[Table], since: float) -> list[Move]:
        """How each of ``tables`` has gone on at another node; somebody has acted everywhere since then."""
        await _until(lambda: all(table.moves and table.moves[-1].heard > since for table in tables))
        moves = [next(move for move in table.moves if move.heard > since) for table in tables]
        await self._all_play()
        return moves

    async def _all_play(self) -> None:
        """In each room somebody has acted from now on."""
        since = monotonic()
        await _until(lambda: all(table.acts and table.acts[-1] > since for table in self._load.tables))


async def _until(is_so: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not is_so():  # noqa: ASYNC110 - what happens here happens in other processes
            await asyncio.sleep(LOOK)


@asynccontextmanager
async def cluster_under_load(
    folder: Path, rooms: int, think: float, rng: random.Random, tell: Tell
) -> AsyncIterator[tuple[Cycles, Load]]:
    """Three nodes on one Redis behind nginx, and matches that are played on them."""
    ports = [free_port() for _ in range(NODES)]
    for name in ("redis", "nginx"):
        (folder / name).mkdir()
    with (
        redis_server(folder / "redis") as redis,
        nginx(folder / "nginx", [f"127.0.0.1:{port}" for port in ports]) as front,
    ):
        cluster = Cluster(redis, folder)
        load = Load(LoadSettings(front.url, rooms, seconds=0, think=think), rng)
        cycles = Cycles(cluster, load, rng, tell)
        await cycles.add_nodes(ports)
        try:
            await load.start()
            yield cycles, load
        finally:
            await cluster.end()


async def cluster_cycles(
    folder: Path, plan: Plan, rooms: int, rng: random.Random, tell: Tell, think: float = 0.05
) -> tuple[Report, Standstill]:
    """Let all that is planned happen, in any order, each time in the middle of play.

    What every client saw is held against the logs in the end.
    """
    async with cluster_under_load(folder, rooms, think, rng, tell) as (cycles, load):
        faults = plan.faults(cycles)
        rng.shuffle(faults)
        until = monotonic() + 60 * plan.minutes
        for fault in faults:
            if monotonic() < until:
                await cycles.let_play()
                await fault()
        await cycles.let_play()
        await load.finish()
        report = load.report(await _stored(cycles.redis.url))
    return report, cycles.standstill


async def _stored(url: str) -> Mapping[str, Sequence[Told]]:
    """All logs. The machine has a history in memory that it may take longer to look through than an answer may take."""
    for _ in range(READS):
        store = await RedisStore.open(url)
        try:
            return await steps_in(store)
        except StoreError:
            await asyncio.sleep(1)
        finally:
            await store.close()
    raise StoreError("the logs cannot be read")


@dataclass(frozen=True, slots=True)
class Plan:
    """How often each fault is to happen."""

    kills: int
    freezes: int
    redis_restarts: int
    drains: int
    minutes: float = math.inf
    """After these no other one begins."""

    def faults(self, cycles: Cycles) -> list[Fault]:
        """One for each time."""
        return [
            *[cycles.kill] * self.kills,
            *[cycles.freeze] * self.freezes,
            *[cycles.restart_redis] * self.redis_restarts,
            *[cycles.drain] * self.drains,
        ]


def main() -> int:
    """Run as many cycles as the command line says; 1 for a violation."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    for name, usual in (("kills", 100), ("freezes", 30), ("redis-restarts", 20), ("drains", 12), ("rooms", 12)):
        parser.add_argument(f"--{name}", type=int, default=usual)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=math.inf)
    given = parser.parse_args()
    plan = Plan(given.kills, given.freezes, given.redis_restarts, given.drains, given.minutes)
    with TemporaryDirectory() as folder, rare_collection():
        cycles = cluster_cycles(Path(folder), plan, given.rooms, random.Random(given.seed), say)
        report, standstill = asyncio.run(cycles)
    return tell(report, standstill.summary, standstill.lines())


if __name__ == "__main__":
    raise SystemExit(main())
