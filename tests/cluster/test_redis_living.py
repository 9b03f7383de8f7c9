"""Which nodes live, as the others see it by way of a real Redis, and how they come and go."""

from __future__ import annotations

import asyncio

import pytest
from structlog.testing import capture_logs
from structlog.typing import EventDict

from server.cluster.items import End
from server.cluster.redis_exchange import RedisExchange
from server.rates import MINUTE
from server.store.redis import keys
from server.store.redis.lease import RETRY_AFTER, TTL
from server.store.redis.store import RedisStore
from server.table.state import PlayerId
from tests.cluster.redis_nodes import SLEEPERS, A, B, Ear, node, until
from tests.fakes import FakeClock
from tests.redis_servers import RedisServer

ANN = PlayerId("ann")


async def test_a_node_whose_lease_cannot_be_renewed_any_more_ends(
    redis: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = FakeClock()
    store = await RedisStore.open(redis.url, incarnation=A, clock=clock)
    exchange = await RedisExchange.open(redis.url, store, clock)

    async def breaks() -> None:
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr(store.lease, "renew", breaks)
    running = asyncio.create_task(exchange.run())
    await until(lambda: len(clock._due) >= SLEEPERS)
    clock.advance(TTL / 3 + 0.1)

    async with asyncio.timeout(5):
        with pytest.raises(ExceptionGroup) as ended:
            await running
    assert isinstance(ended.value.exceptions[0], RuntimeError)
    await exchange.stop()
    await store.close()


async def test_a_node_whose_lease_has_ended_is_dead(two: tuple[Ear, Ear], redis: RedisServer) -> None:
    a, _ = two
    with redis.client() as client:
        client.delete(keys.alive(B))

    await a.look()

    await until(lambda: a.died == [B])


async def test_a_lease_is_held_again_soon_after_redis_is_back(redis: RedisServer) -> None:
    clock = FakeClock()
    store = await RedisStore.open(redis.url, incarnation=A, clock=clock)
    redis.kill()
    await until(lambda: clock._due)
    with capture_logs() as logs:
        clock.advance(TTL)
        await until(lambda: logs and clock._due)
        redis.start()
        clock.advance(RETRY_AFTER)

        await until(lambda: store.lease.is_valid)

    assert [entry["event"] for entry in logs] == ["lease.failed"]
    await store.close()


async def test_who_stops_is_not_called_dead_in_the_log(redis: RedisServer) -> None:
    async with node(redis, A) as a:
        with capture_logs() as logs:
            async with node(redis, B) as b:
                await b.look()
                await until(lambda: A in b.exchange.others and B in a.exchange.others)
            await until(lambda: a.exchange._neighbours._stopping)
            await a.look()
            await until(lambda: a.died == [B])

    assert [entry["log_level"] for entry in logs if entry.get("node") == B] == ["info"]


async def test_the_log_of_a_node_that_stops_calls_nothing_a_failure(redis: RedisServer) -> None:
    with capture_logs() as logs:
        async with node(redis, A) as a:
            await a.look()

    assert logs == []


async def test_that_redis_is_away_is_logged_once_a_minute(redis: RedisServer) -> None:
    async with node(redis, A) as a:
        redis.kill()
        began = a.clock.monotonic()
        with capture_logs() as logs:

            def has_said_it_again() -> bool:
                a.clock.advance(0.5)
                return len(times_said(logs, "inbox.failed")) > 1

            await until(has_said_it_again)

        first, second = times_said(logs, "inbox.failed")
        assert a.clock.monotonic() - began >= MINUTE
        assert first == 1 < second
        assert all(times_said(logs, event)[0] == 1 for event in {entry["event"] for entry in logs})
        assert len(times_said(logs, "lease.failed")) <= 2


def times_said(logs: list[EventDict], event: str) -> list[int]:
    """How often ``event`` has happened, each time that the log says so."""
    return [entry["times"] for entry in logs if entry["event"] == event]


async def test_nobody_is_taken_for_dead_whose_lease_ended_while_redis_was_away(
    two: tuple[Ear, Ear], redis: RedisServer
) -> None:
    a, _ = two
    redis.kill()
    await a.look()
    await until(lambda: a.clock.monotonic() < a.exchange._neighbours._unsure_until)
    redis.start()
    with redis.client() as client:
        client.delete(keys.alive(B))

    await a.exchange.owners()
    assert a.died == []
    assert B in a.exchange.others

    await a.look()
    await until(lambda: not a.store.lease.is_failing)
    await a.look(TTL)
    await until(lambda: a.died == [B])


async def test_nobody_is_taken_for_dead_whose_lease_ended_while_redis_was_full(
    two: tuple[Ear, Ear], redis: RedisServer
) -> None:
    a, _ = two
    with redis.client() as client:
        client.config_set("maxmemory", 1)
        await a.look()
        await until(lambda: a.store.lease.is_failing)
        client.delete(keys.alive(B))

        await a.exchange.owners()
        assert a.died == []
        assert B in a.exchange.others

        client.config_set("maxmemory", 0)
        await a.look()
        await until(lambda: not a.store.lease.is_failing)
        await a.look(TTL)
        await until(lambda: a.died == [B])


async def test_the_inbox_of_a_dead_node_goes_away(two: tuple[Ear, Ear], redis: RedisServer) -> None:
    a, _ = two
    with redis.client() as client:
        client.delete(keys.alive(B))
        client.persist(keys.inbox(B))
        await a.look()

        await until(lambda: client.ttl(keys.inbox(B)) > 0)


async def test_what_is_still_to_be_said_is_said_before_the_end(redis: RedisServer) -> None:
    async with node(redis, A) as a:
        async with node(redis, B) as b:
            await b.look()
            await until(lambda: A in b.exchange.others)
            b.exchange.post(A, End(1))

        await until(lambda: a.items(End))


async def test_a_node_ends_though_redis_does_not_answer(redis: RedisServer) -> None:
    async with asyncio.timeout(10):
        async with node(redis, A) as a:
            redis.kill()
            a.exchange.directory.depart(ANN, 1)
