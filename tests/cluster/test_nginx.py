"""What docker/nginx-cluster.conf does, with a real nginx before servers of this process."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, suppress
from http import HTTPStatus
from pathlib import Path
from socket import create_server

import pytest
from websockets.asyncio.client import ClientConnection
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from server.app import PING_INTERVAL
from tests.nginx_server import Nginx, nginx
from tests.system.client import JSON, socket_to

CODES = [f"K7QM{first}{second}" for first in "23456" for second in "ABCDEF"]
FAIL_OVER = 6.0
"""Seconds in which a newcomer must come to a node that answers; a page of ours gives up after ten."""
NOTICED = 15.0
"""Seconds after which nobody may be left with a node that is frozen."""


class Node:
    """What stands for a server: it says its number to whoever connects, and keeps what nginx told it of them."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.is_draining = False
        self.is_frozen = False
        """It pings nobody."""
        self.requests: list[Request] = []
        self.server: Server | None = None

    async def start(self) -> str:
        """Listen; the address."""
        self.server = await serve(
            self._greet,
            "127.0.0.1",
            0,
            process_request=self._look,
            subprotocols=[Subprotocol(JSON)],
            ping_interval=None,
        )
        return f"127.0.0.1:{self.server.sockets[0].getsockname()[1]}"

    async def stop(self) -> None:
        """Be gone."""
        assert self.server is not None
        self.server.close()
        await self.server.wait_closed()

    async def _look(self, connection: ServerConnection, request: Request) -> Response | None:
        if "Upgrade" in request.headers:
            self.requests.append(request)
        if self.is_draining:
            return connection.respond(HTTPStatus.SERVICE_UNAVAILABLE, "about to stop\n")
        return None if "Upgrade" in request.headers else connection.respond(HTTPStatus.OK, f"{self.number}\n")

    async def _greet(self, connection: ServerConnection) -> None:
        await connection.send(str(self.number))
        pinging = asyncio.create_task(self._ping(connection))
        with suppress(ConnectionClosed):
            async for frame in connection:
                await connection.send(frame)
        pinging.cancel()

    async def _ping(self, connection: ServerConnection) -> None:
        """As often as a server does."""
        while True:
            await asyncio.sleep(PING_INTERVAL)
            if not self.is_frozen:
                await connection.ping()


class Front:
    """nginx and the nodes behind it."""

    def __init__(self, proxy: Nginx, nodes: list[Node]) -> None:
        self.proxy = proxy
        self.nodes = nodes

    async def node_of(self, path: str) -> int:
        """Which node a connection to ``path`` comes to."""
        async with socket_to(f"ws://127.0.0.1:{self.proxy.port}{path}", JSON) as line:
            return int(await line.recv())


@pytest.fixture
async def front(tmp_path: Path) -> AsyncIterator[Front]:
    nodes = [Node(number) for number in range(3)]
    async with AsyncExitStack() as running:
        addresses = []
        for node in nodes:
            addresses.append(await node.start())
            running.push_async_callback(node.stop)
        yield Front(running.enter_context(nginx(tmp_path, addresses)), nodes)


async def test_who_names_the_same_room_comes_to_the_same_node(front: Front) -> None:
    found = {code: {await front.node_of(f"/ws/{code}") for _ in range(3)} for code in CODES[:6]}

    assert all(len(nodes) == 1 for nodes in found.values())


async def test_rooms_and_connections_without_one_are_spread_over_all_nodes(front: Front) -> None:
    by_room = Counter([await front.node_of(f"/ws/{code}") for code in CODES])
    by_chance = Counter([await front.node_of("/ws") for _ in CODES])

    assert set(by_room) == {0, 1, 2}
    assert set(by_chance) == {0, 1, 2}


async def test_nobody_is_sent_to_a_node_that_is_gone(front: Front) -> None:
    await front.nodes[1].stop()

    found = {await front.node_of(f"/ws/{code}") for code in CODES}

    assert found == {0, 2}


async def test_nobody_is_sent_to_a_node_that_is_about_to_stop(front: Front) -> None:
    front.nodes[0].is_draining = True

    found = {await front.node_of(f"/ws/{code}") for code in CODES}

    assert found == {1, 2}


async def test_nobody_waits_long_for_a_node_that_is_frozen(tmp_path: Path) -> None:
    node = Node(0)
    with create_server(("127.0.0.1", 0)) as frozen:  # the kernel takes connections, and nobody ever answers
        addresses = [await node.start(), f"127.0.0.1:{frozen.getsockname()[1]}"]
        with nginx(tmp_path, addresses) as proxy:
            front = Front(proxy, [node])

            async with asyncio.timeout(FAIL_OVER):
                found = await asyncio.gather(*(front.node_of(f"/ws/{code}") for code in CODES))
    await node.stop()

    assert set(found) == {0}


async def test_a_connection_ends_whose_node_is_frozen_and_no_other_however_little_is_said_there(front: Front) -> None:
    frozen, *others = front.nodes
    frozen.is_frozen = True
    async with AsyncExitStack() as lines:
        by_node: dict[int, list[ClientConnection]] = {node.number: [] for node in front.nodes}
        for code in CODES:
            line = await lines.enter_async_context(socket_to(f"{front.proxy.url}/{code}", JSON, ping_interval=None))
            by_node[int(await line.recv())].append(line)

        async with asyncio.timeout(NOTICED):
            await asyncio.gather(*(line.wait_closed() for line in by_node[frozen.number]))

        for node in others:
            for line in by_node[node.number]:
                await line.send("still there")
                assert await line.recv() == "still there"


async def test_who_finds_no_node_at_all_is_told_so_and_finds_one_that_comes_back(front: Front) -> None:
    for node in front.nodes:
        node.is_draining = True
    with pytest.raises(InvalidStatus):
        await front.node_of("/ws")
    front.nodes[2].is_draining = False

    async with asyncio.timeout(20):
        while True:
            try:
                assert await front.node_of("/ws") == 2
                break
            except InvalidStatus:
                continue


async def test_nodes_are_told_what_they_ask_of_a_proxy(front: Front) -> None:
    url = f"ws://127.0.0.1:{front.proxy.port}/ws/{CODES[0]}"
    told = {"X-Forwarded-For": "203.0.113.9"}

    async with socket_to(url, JSON, additional_headers=told) as line:
        await line.recv()
        chosen = line.subprotocol

    (request,) = [request for node in front.nodes for request in node.requests]
    assert chosen == JSON
    assert request.headers["Host"] == f"127.0.0.1:{front.proxy.port}"
    assert request.headers["X-Forwarded-Proto"] == "http"
    assert [hop.strip() for hop in request.headers["X-Forwarded-For"].split(",")] == ["203.0.113.9", "127.0.0.1"]


async def test_frames_pass_in_both_directions_as_they_come(front: Front) -> None:
    async with socket_to(front.proxy.url, JSON) as line:
        await line.recv()

        for frame in ("a", b"\x00\xff", "x" * 16_000):
            await line.send(frame)
            assert await line.recv() == frame
