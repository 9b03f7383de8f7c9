"""A real Redis, and nodes that are processes of their own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.cluster.nodes import Cluster
from tests.redis_servers import RedisServer, redis_server


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[RedisServer]:
    """A server that keeps what it is given."""
    folder = tmp_path / "redis"
    folder.mkdir()
    with redis_server(folder) as server:
        yield server


@pytest.fixture
async def cluster(redis: RedisServer, tmp_path: Path) -> AsyncIterator[Cluster]:
    """Two nodes that know each other."""
    nodes = Cluster(redis, tmp_path)
    await asyncio.gather(nodes.add(), nodes.add())
    yield nodes
    await nodes.end()
