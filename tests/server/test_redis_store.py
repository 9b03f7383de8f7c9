"""The store on real Redis servers, of each version at hand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeAlias

import pytest

from server.store.base import Store
from server.store.redis.rooms import KEPT_CLOSED
from server.store.redis.store import RedisStore
from tests.documents import DOCS, section
from tests.redis_cluster import RedisCluster, redis_cluster
from tests.redis_servers import PROGRAMS, RedisServer, redis_server
from tests.store_contract import StoreContract

Running: TypeAlias = RedisServer | RedisCluster


@pytest.fixture(scope="module", params=[*sorted(PROGRAMS), "cluster"])
def redis(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server of each version, and a cluster."""
    folder = tmp_path_factory.mktemp("redis")
    running = redis_cluster(folder) if request.param == "cluster" else redis_server(folder, request.param)
    with running as started:
        yield started


USER = re.search(r"^user (\S+) on >(\S+) (.+)$", section(DOCS / "operations.md", "Redis"), re.MULTILINE)
"""Who needs no more than is allowed there: name, password and permissions."""


class TestRedisStore(StoreContract):
    @pytest.fixture(autouse=True)
    def on_redis(self, redis: Running) -> Iterator[None]:
        self.redis = redis
        assert USER is not None
        name, password, allowed = USER.groups()
        for client in redis.clients():
            client.acl_setuser(name, enabled=True, passwords=f"+{password}", reset=True)
            client.execute_command("ACL SETUSER", name, *allowed.split())  # type: ignore[no-untyped-call]
        self.url = redis.url.replace("://", f"://{name}:{password}@")
        yield
        for client in redis.clients():
            client.flushall()

    async def open(self) -> Store:
        return await RedisStore.open(self.url)

    async def let_closed_rooms_go(self, store: Store) -> None:
        """Let that much time pass, as far as keys with an end know."""
        for client in self.redis.clients():
            for key in client.scan_iter("ds:{*"):
                if 0 <= client.ttl(key) <= KEPT_CLOSED:
                    client.delete(key)
