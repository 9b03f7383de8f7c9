"""The store on real Redis servers, of each version at hand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import TypeAlias

import pytest
from redis.exceptions import ResponseError

from server.store.base import Store
from server.store.redis import keys, rooms
from server.store.redis.rooms import KEPT_CLOSED
from server.store.redis.store import RedisStore
from tests.documents import DOCS, section
from tests.redis_cluster import RedisCluster, redis_cluster
from tests.redis_servers import VERSIONS, RedisServer, redis_server
from tests.store_contract import StoreContract, step

Running: TypeAlias = RedisServer | RedisCluster


@pytest.fixture(scope="module", params=[*VERSIONS, "cluster"])
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

    async def test_of_closed_rooms_only_the_last_ones_are_kept(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(rooms, "MAX_CLOSED", 3)
        store = await self.open()
        for number in range(3):
            await store.append([step(f"{name}{number:05}", 1, closes=True) for name in "AB"])
        await store.append([step("OPENED", 1)])
        await store.close()

        kept = {key for client in self.redis.clients() for key in client.scan_iter("ds:{*:log")}

        assert kept == {keys.log(room) for room in ("B00001", "A00002", "B00002", "OPENED")}

    async def test_nothing_is_left_of_a_player_who_is_forgotten(self) -> None:
        store = await self.open()
        await store.add_player(b"hash", "ann", 1.0)
        for client in self.redis.clients():
            with suppress(ResponseError):  # it lies at another server of the cluster
                client.sadd(keys.seats("ann"), "AAAAAA")
        await store.forget_players(2.0, 10)
        await store.close()

        assert [key for client in self.redis.clients() for key in client.scan_iter("*ann*")] == []

    async def test_a_closed_room_is_kept_for_a_while_at_most(self) -> None:
        store = await self.open()
        await store.append([step("AAAAAA", 1), step("BBBBBB", 1), step("BBBBBB", 2, closes=True)])
        await store.close()

        lives = {key: client.ttl(key) for client in self.redis.clients() for key in client.scan_iter("ds:{*")}

        assert {key for key, life in lives.items() if life < 0} == {keys.owner("AAAAAA"), keys.log("AAAAAA")}
        assert all(life <= KEPT_CLOSED for life in lives.values())
