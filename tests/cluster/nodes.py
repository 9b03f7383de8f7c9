"""The nodes of a cluster as processes, on one Redis."""

from __future__ import annotations

import asyncio
from itertools import count
from pathlib import Path

from tests.redis_servers import RedisServer
from tests.system.client import Client
from tests.system.servers import NO_LIMITS, ServerProcess


class Cluster:
    """Nodes, in the order in which they were started."""

    def __init__(self, redis: RedisServer, folder: Path) -> None:
        self.redis = redis
        self.nodes: list[ServerProcess] = []
        self._folder = folder
        self._numbers = count()

    async def add(self, *arguments: str) -> ServerProcess:
        """One more node."""
        folder = self._folder / f"node-{next(self._numbers)}"
        folder.mkdir()
        limits = [f"--limit={name}={value}" for name, value in NO_LIMITS.items()]
        node = ServerProcess(folder, "--store", self.redis.url, *limits, *arguments)
        await node.start()
        self.nodes.append(node)
        return node

    async def end(self) -> None:
        """Kill them all."""
        await asyncio.gather(*(node.kill() for node in self.nodes))
        for node in self.nodes:
            await node.send_all_away()


async def play(room: str, players: list[Client], acts: int) -> None:
    """Let whoever is in turn act so many times, and all hear of it."""
    for _ in range(acts):
        actor = next(player for player in players if (player.tables[room]["turn"] or {}).get("legal"))
        table = actor.tables[room]
        await actor.say("act", room=room, seq=table["seq"], action=table["turn"]["legal"][0]["action"])
        for player in players:
            await player.reach(room, actor.tables[room]["seq"])


async def wait_for_listing(client: Client, room: str) -> None:
    """Until the client's node lists ``room``."""
    listed = await client.say("rooms", subscribe=True)
    while room not in [shown["room"] for shown in listed["rooms"]]:
        listed = await client.receive()
    await client.say("rooms", subscribe=False)
