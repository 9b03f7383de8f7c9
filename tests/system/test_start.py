"""A server that cannot start leaves everything as it was."""

from __future__ import annotations

import asyncio
import socket
import sys
from asyncio.subprocess import PIPE
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.store.sqlite import SqliteStore
from tests.redis_servers import redis_server
from tests.system.client import PATIENCE
from tests.system.secrecy import read_log
from tests.system.servers import server_process


@pytest.fixture
def taken() -> Iterator[int]:
    """A port at which somebody listens."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening.getsockname()[1]


async def start_at(port: int, *arguments: str) -> tuple[int | None, str]:
    """The exit status of a server that is to listen there, and what it says."""
    where = ("--host", "127.0.0.1", "--port", str(port))
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "server", "serve", *where, *arguments, stdout=PIPE, stderr=PIPE
    )
    async with asyncio.timeout(PATIENCE):
        _, said = await process.communicate()
    return process.returncode, said.decode()


async def test_where_its_port_is_taken_a_server_says_so_and_sends_nobody_away(tmp_path: Path, taken: int) -> None:
    async with server_process(tmp_path) as server:
        ann = await server.client("Ann")
        room = await ann.create(game="block", seats=2)
        await server.kill()

        status, said = await start_at(taken, "--data", str(tmp_path / "store"))

        store = SqliteStore(tmp_path / "store")
        log = await read_log(store, room)
        await store.close()
        assert status == 1
        assert f"doublesix: cannot listen on port {taken}: " in said
        assert [step.seq for step in log] == [1]


async def test_where_its_port_is_taken_a_node_gives_its_lease_back(tmp_path: Path, taken: int) -> None:
    with redis_server(tmp_path) as redis, redis.client() as client:
        status, _ = await start_at(taken, "--store", redis.url)

        assert status == 1
        assert client.keys("ds:node:*:alive") == []
