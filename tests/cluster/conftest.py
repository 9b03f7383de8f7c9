"""A real Redis, nodes that are processes of their own, and houses that do without both."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from tests.cluster.houses import Houses, open_houses
from tests.cluster.nodes import Cluster
from tests.cluster.places import Place
from tests.cluster.redis_nodes import A, B, Ear, node, until
from tests.redis_servers import RedisServer, redis_server


@pytest.fixture(scope="module")
def shared_redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    """A server that keeps what it is given; all tests of a module have it, one after the other."""
    with redis_server(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture
def redis(shared_redis: RedisServer) -> RedisServer:
    """The same, with nothing in it."""
    if not shared_redis.is_running:
        shared_redis.start()
    with shared_redis.client() as client:
        client.flushall()
    return shared_redis


@pytest.fixture
async def two(redis: RedisServer) -> AsyncIterator[tuple[Ear, Ear]]:
    """Two nodes that know each other."""
    async with node(redis, A) as a, node(redis, B) as b:
        await a.look()
        await until(lambda: B in a.exchange.others)
        await until(lambda: A in b.exchange.others)
        await until(lambda: a.exchange._speaker.is_idle)  # it has said that it is there
        yield a, b


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def nodes(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Cluster]:
    """Two nodes that know each other; all tests of a module have them together."""
    folder = tmp_path_factory.mktemp("cluster")
    (folder / "redis").mkdir()
    with redis_server(folder / "redis") as server:
        nodes = Cluster(server, folder)
        await asyncio.gather(nodes.add(), nodes.add())
        yield nodes
        await nodes.end()


@pytest_asyncio.fixture(loop_scope="module")
async def cluster(nodes: Cluster) -> AsyncIterator[Cluster]:
    """The same, for one test: what it has killed is started again, and whom it has connected is sent away."""
    yield nodes
    await nodes.restore()


@pytest.fixture
async def houses() -> AsyncIterator[Houses]:
    """Two nodes in this process, with a clock of their own and what they share in memory."""
    async with open_houses() as houses:
        yield houses


@pytest.fixture
def place() -> Place:
    """An edge with one visitor, whose room is at node B."""
    return Place()
