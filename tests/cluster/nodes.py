"""The nodes of a cluster as processes, on one Redis."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

from websockets.exceptions import InvalidStatus

from tests.redis_servers import RedisServer
from tests.system.client import PATIENCE, Client
from tests.system.servers import NO_LIMITS, Host, ServerProcess

BLOCK: dict[str, Any] = {"game": "block", "seats": 2, "lead": 0, "target": 1_000_000}
AGAIN = 0.05
"""Seconds until a node that takes nobody is tried again."""


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

    async def restore(self) -> None:
        """Let all that have died run again, with nobody connected."""
        for node in self.nodes:
            await node.send_all_away()
            node.clients.clear()
        await asyncio.gather(*(node.start() for node in self.nodes if not node.is_running))

    async def end(self) -> None:
        """Kill them all."""
        await asyncio.gather(*(node.kill() for node in self.nodes))
        for node in self.nodes:
            await node.send_all_away()


async def welcomed(node: Host, name: str) -> Client:
    """Who is connected as soon as ``node`` takes players: a test before may have taken its Redis away."""
    async with asyncio.timeout(PATIENCE):
        while True:
            with suppress(InvalidStatus):
                return await node.client(name)
            await asyncio.sleep(AGAIN)


async def accepted(client: Client, kind: str, **fields: Any) -> dict[str, Any]:
    """Say it, under one id, until it is accepted: a node that has little time may be without its lease for a moment."""
    message = {"id": f"{client.name}-{kind}-{len(client.heard)}", **fields}
    async with asyncio.timeout(PATIENCE):
        while (answer := await client.ask(kind, **message))["type"] == "error":
            assert answer["code"] in ("unavailable", "rate_limited"), answer
            await asyncio.sleep(AGAIN)
    return answer


async def resume(client: Client, room: str) -> None:
    """Hear what was missed of ``room``, and go on listening."""
    table = client.tables[room]
    await accepted(client, "sync", room=room, epoch=table["epoch"], after=table["seq"])


async def at_two_nodes(cluster: Cluster, **settings: Any) -> tuple[str, list[Client]]:
    """A match of two whose connections are at different nodes; its room is at the first."""
    first, second, *_ = cluster.nodes
    ann, bob = await welcomed(first, "Ann"), await welcomed(second, "Bob")
    room = await ann.create(**{**BLOCK, **settings})
    await bob.say("join", room=room)
    await ann.say("start", room=room)
    await bob.hear(room, "deal_started")
    return room, [ann, bob]


async def play(room: str, players: list[Client], acts: int) -> None:
    """Let whoever is in turn act so many times, and all hear of it; a deal that is over is followed by the next one."""
    for _ in range(acts):
        await go_to_next_deal(room, players)
        (actor,) = [player for player in players if (player.tables[room]["turn"] or {}).get("legal")]
        table = actor.tables[room]
        await accepted(actor, "act", room=room, seq=table["seq"], action=table["turn"]["legal"][0]["action"])
        for player in players:
            await player.reach(room, actor.tables[room]["seq"])


async def go_to_next_deal(room: str, players: list[Client]) -> None:
    """Where a deal is over: a double that nobody can follow ends one with its first tile."""
    if players[0].tables[room]["phase"] != "deal_over":
        return
    for player in players:
        if player.tables[room]["you"]["seats"]:
            await accepted(player, "next", room=room)
    newest = max(player.tables[room]["seq"] for player in players)
    for player in players:
        await player.reach(room, newest)


async def play_match(room: str, players: list[Client]) -> None:
    """Let them play to the end of the match."""
    while players[0].tables[room]["phase"] != "match_over":
        await play(room, players, 1)


async def wait_for_listing(client: Client, room: str) -> None:
    """Until the client's node lists ``room``."""
    listed = await client.say("rooms", subscribe=True)
    while room not in [shown["room"] for shown in listed["rooms"]]:
        listed = await client.receive()
    await client.say("rooms", subscribe=False)
