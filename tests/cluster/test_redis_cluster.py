"""Nodes whose Redis is a Redis Cluster of three primary servers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from server.store.redis import keys
from tests.cluster.nodes import Cluster, at_two_nodes, play, wait_for_listing
from tests.redis_cluster import RedisCluster, redis_cluster


@pytest.fixture
def primaries(tmp_path: Path) -> Iterator[RedisCluster]:
    """The servers."""
    (tmp_path / "redis").mkdir()
    with redis_cluster(tmp_path / "redis") as servers:
        yield servers


@pytest.fixture
async def cluster(primaries: RedisCluster, tmp_path: Path) -> AsyncIterator[Cluster]:
    """Two nodes that are told of one of them, and find the others."""
    nodes = Cluster(primaries.servers[0], tmp_path)
    await asyncio.gather(*(nodes.add("--store", primaries.url) for _ in range(2)))
    yield nodes
    await nodes.end()


async def test_tables_are_shared_and_outlive_their_node(cluster: Cluster, primaries: RedisCluster) -> None:
    first, second = cluster.nodes
    room, (ann, bob) = await at_two_nodes(cluster)
    listed = await ann.create(game="draw", seats=3, public=True)
    await play(room, [ann, bob], 2)
    await wait_for_listing(bob, listed)
    held = [client.keys("ds:*") for client in primaries.clients()]
    assert all(held)
    assert sum(keys.log(room) in names for names in held) == 1

    await first.kill()

    await bob.hear(room, "away")
    await ann.come_back(second.url)
    await ann.resume(room)
    await bob.hear(room, "back")
    await bob.reach(room, ann.tables[room]["seq"])
    await play(room, [ann, bob], 2)
