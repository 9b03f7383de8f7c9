"""Redis servers for the tests that ask for one. Each test finds its server empty."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.redis_cluster import RedisCluster, redis_cluster
from tests.redis_servers import VERSIONS, RedisServer, redis_server


@pytest.fixture(scope="module", params=VERSIONS)
def _each_redis(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with redis_server(tmp_path_factory.mktemp("redis"), request.param) as server:
        yield server


@pytest.fixture
def each_redis(_each_redis: RedisServer) -> Iterator[RedisServer]:
    """A server of each version."""
    yield _each_redis
    _empty(_each_redis)


@pytest.fixture(scope="module")
def _one_redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with redis_server(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture
def one_redis(_one_redis: RedisServer) -> Iterator[RedisServer]:
    """A server of the newest version."""
    yield _one_redis
    _empty(_one_redis)


@pytest.fixture(scope="module")
def _cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisCluster]:
    with redis_cluster(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


@pytest.fixture
def cluster(_cluster: RedisCluster) -> Iterator[RedisCluster]:
    """Three primary servers."""
    yield _cluster
    _empty(_cluster)


def _empty(servers: RedisServer | RedisCluster) -> None:
    for client in servers.clients():
        client.flushall()
