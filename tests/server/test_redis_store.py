"""The store on real Redis servers, of each version at hand."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from server.store.base import Store
from server.store.redis.rooms import KEPT_CLOSED
from server.store.redis.store import RedisStore
from tests.redis_servers import PROGRAMS, RedisServer, redis_server
from tests.store_contract import StoreContract


@pytest.fixture(scope="module", params=sorted(PROGRAMS))
def running(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with redis_server(tmp_path_factory.mktemp("redis"), request.param) as server:
        yield server


@pytest.fixture
def server(running: RedisServer) -> Iterator[RedisServer]:
    """One that is empty."""
    yield running
    with running.client() as client:
        client.flushall()


class TestRedisStore(StoreContract):
    @pytest.fixture(autouse=True)
    def on_a_server(self, server: RedisServer) -> None:
        self.server = server

    async def open(self) -> Store:
        return await RedisStore.open(self.server.url)

    async def let_closed_rooms_go(self, store: Store) -> None:
        """Let that much time pass, as far as keys with an end know."""
        with self.server.client() as client:
            for key in client.scan_iter("ds:{*"):
                left = client.ttl(key)
                if 0 <= left <= KEPT_CLOSED:
                    client.delete(key)
