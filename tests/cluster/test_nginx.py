"""What docker/nginx-cluster.conf does, with a real nginx before servers of this process."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from http import HTTPStatus
from pathlib import Path

import pytest
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import InvalidStatus
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from tests.nginx_server import Nginx, nginx
from tests.system.client import JSON, socket_to

CODES = [f"K7QM{first}{second}" for first in "23456" for second in "ABCDEF"]


class Node:
    """What stands for a server: it says its number to whoever connects, and keeps what nginx told it."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.is_draining = False
        self.requests: list[Request] = []
        self.server: Server | None = None

    async def start(self) -> str:
        """Listen; the address."""
        self.server = await serve(
            self._greet, "127.0.0.1", 0, process_request=self._look, subprotocols=[Subprotocol(JSON)]
        )
        return f"127.0.0.1:{self.server.sockets[0].getsockname()[1]}"

    async def stop(self) -> None:
        """Be gone."""
        assert self.server is not None
        self.server.close()
        await self.server.wait_closed()

    async def _look(self, connection: ServerConnection, request: Request) -> Response | None:
        self.requests.append(request)
        if self.is_draining:
            return connection.respond(HTTPStatus.SERVICE_UNAVAILABLE, "about to stop\n")
        return None if "Upgrade" in request.headers else connection.respond(HTTPStatus.OK, f"{self.number}\n")

    async def _greet(self, connection: ServerConnection) -> None:
        await connection.send(str(self.number))
        async for frame in connection:
            await connection.send(frame)


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
