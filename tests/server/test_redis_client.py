"""What redis-py would do by itself, and what it is told to do here."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis
from redis.utils import HIREDIS_AVAILABLE

from server.event_loop import run_loop
from server.store.base import StoreError
from server.store.redis import client as client_module
from server.store.redis import keys
from server.store.redis.client import Client
from server.store.redis.store import RedisStore
from tests.redis_line import Line, line_to, tcp_line_to
from tests.redis_servers import RedisServer
from tests.store_contract import ALREADY_THERE, WRITTEN, log, step

ROOM = "AAAAAA"
SEED = b"a seed that nobody may read"


@pytest.fixture
async def line(one_redis: RedisServer) -> AsyncIterator[Line]:
    async with line_to(one_redis) as line:
        yield line


@pytest.fixture
async def store(line: Line) -> AsyncIterator[RedisStore]:
    store = await RedisStore.open(line.url)
    yield store
    await store.close()


def is_append(said: bytes) -> bool:
    return b"EVALSHA" in said and b"step" in said


async def test_an_append_whose_answer_is_lost_was_sent_once_and_counts_once(
    store: RedisStore, line: Line, one_redis: RedisServer
) -> None:
    await store.append([step(ROOM, 1)])
    line.loses = is_append

    with pytest.raises(StoreError):
        await store.append([step(ROOM, 2)])
    sent = line.lost
    line.loses = lambda _said: False
    again = await store.append([step(ROOM, 2)])

    assert sent == 1
    assert list(again) == [ALREADY_THERE]
    with one_redis.client() as client:
        assert client.xlen(keys.log(ROOM)) == 2


async def test_an_answer_that_does_not_come_is_waited_for_for_a_short_time(
    store: RedisStore, line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_module, "TIMEOUT", 0.1)
    impatient = await RedisStore.open(line.url)
    line.loses, line.is_silent = is_append, True

    async with asyncio.timeout(client_module.CONNECT_TIMEOUT):
        with pytest.raises(StoreError, match="Timeout"):
            await impatient.append([step(ROOM, 1)])
    line.loses = lambda _said: False

    assert list(await impatient.append([step(ROOM, 1)])) == [ALREADY_THERE]
    await impatient.close()


async def test_more_commands_than_there_are_connections_wait_for_their_turn(one_redis: RedisServer) -> None:
    client = await Client.connect(one_redis.url, connections=3)

    answers = await asyncio.gather(*[client.call("ECHO", number) for number in range(50)])

    assert answers == [str(number).encode() for number in range(50)]
    with one_redis.client() as looking:
        assert len(looking.client_list()) == 3 + 1
    await client.close()


async def test_a_cancelled_append_goes_on_and_nobody_gets_the_answer_of_another(store: RedisStore) -> None:
    steps = log(ROOM, 50)
    for one in steps:
        task = asyncio.ensure_future(store.append([one]))
        for _ in range(one.seq % 7):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
        assert await store.record("none") is None

    outcomes = await store.append(steps)

    assert set(outcomes) <= {ALREADY_THERE, WRITTEN}
    assert ALREADY_THERE in outcomes
    assert list(await store.load(ROOM)) == steps


async def test_who_is_cancelled_at_any_moment_does_stop(one_redis: RedisServer) -> None:
    client = await Client.connect(one_redis.url)

    async def endless() -> None:
        while True:
            await client.call("PING")

    for turns in range(200):
        task = asyncio.create_task(endless())
        for _ in range(turns % 40):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task], timeout=5)
        assert task.done()
    await client.close()


async def test_scripts_that_a_server_has_forgotten_are_sent_again(store: RedisStore, one_redis: RedisServer) -> None:
    await store.append([step(ROOM, 1), step("BBBBBB", 1)])
    with one_redis.client() as client:
        client.script_flush()

    outcomes = await store.append([step(ROOM, 2), step("BBBBBB", 2)])

    assert list(outcomes) == [WRITTEN, WRITTEN]


async def test_the_shape_of_answers_is_not_left_to_the_library(one_redis: RedisServer) -> None:
    client = await Client.connect(one_redis.url)

    assert isinstance(client._redis, Redis)
    assert client._redis.connection_pool.connection_kwargs["protocol"] == 2
    await client.close()


def test_a_line_that_is_closed_as_soon_as_it_is_opened_is_out_of_reach_and_passes(one_redis: RedisServer) -> None:
    async def ask() -> tuple[list[object], list[object]]:
        async with tcp_line_to(one_redis) as line:
            client = await Client.connect(line.url, connections=4)
            await line.part()
            answers = [
                answer
                for _ in range(20)
                for answer in await asyncio.gather(*[client.call("PING") for _ in range(8)], return_exceptions=True)
            ]
            line.is_cut = False
            later = await asyncio.gather(*[client.call("PING") for _ in range(8)], return_exceptions=True)
            await client.close()
            return answers, later

    answers, later = run_loop(ask())  # as servers do: uvloop raises other errors than asyncio's own loop

    assert {type(answer) for answer in answers} == {StoreError}
    assert later == [True] * 8


@pytest.mark.parametrize("broken", [RuntimeError("closed"), AttributeError("None"), ValueError(SEED)])
async def test_whatever_the_library_raises_is_out_of_reach_without_its_text(
    one_redis: RedisServer, monkeypatch: pytest.MonkeyPatch, broken: Exception
) -> None:
    client = await Client.connect(one_redis.url)

    async def breaks(*_: object) -> None:
        raise broken

    monkeypatch.setattr(client._redis.connection_pool, "get_connection", breaks)  # type: ignore[union-attr]
    with pytest.raises(StoreError) as refused:
        await client.call("PING")

    assert str(refused.value) == type(broken).__name__
    await client.close()


def test_answers_are_read_by_the_fast_parser() -> None:
    assert HIREDIS_AVAILABLE


async def test_a_server_that_was_made_a_replica_takes_no_steps_and_is_asked_anew(
    store: RedisStore, line: Line, one_redis: RedisServer
) -> None:
    await store.append([step(ROOM, 1)])
    with one_redis.client() as client:
        client.replicaof("127.0.0.1", 1)

        with pytest.raises(StoreError, match="replica"):
            await store.append([step(ROOM, 2)])
        idle = store._writer._redis.connection_pool._available_connections  # type: ignore[union-attr]
        assert not any(connection.is_connected for connection in idle)

        client.replicaof("NO", "ONE")
    assert list(await store.append([step(ROOM, 2)])) == [WRITTEN]


async def test_what_goes_wrong_is_told_without_what_was_sent(
    store: RedisStore, one_redis: RedisServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with one_redis.client() as client:
        client.set(keys.owner(ROOM), "not a hash")

        with pytest.raises(StoreError, match="WRONGTYPE") as refused:
            await store.append([step(ROOM, 1, SEED)])

    assert all(SEED.decode() not in text for text in [str(refused.value), *caplog.messages])


async def test_a_full_memory_writes_nothing_and_passes(store: RedisStore, one_redis: RedisServer) -> None:
    steps = log(ROOM, 3)
    await store.append(steps[:1])
    with one_redis.client() as client:
        client.config_set("maxmemory", "1")

        with pytest.raises(StoreError, match="maxmemory"):
            await store.append(steps)
        with pytest.raises(StoreError, match="maxmemory"):
            await store.ping()

        client.config_set("maxmemory", "0")
    assert list(await store.append(steps)) == [ALREADY_THERE, WRITTEN, WRITTEN]


async def test_a_command_that_a_server_does_not_know_is_told_without_what_was_sent(store: RedisStore) -> None:
    with pytest.raises(StoreError, match="unknown command") as refused:
        await store._client.call("EVALSHAS", SEED)

    assert SEED.decode() not in str(refused.value)


async def test_the_password_comes_from_the_environment_where_the_address_has_none(
    one_redis: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with one_redis.client() as looking:
        looking.config_set("requirepass", "right")
        with pytest.raises(StoreError, match="Authentication"):
            await Client.connect(one_redis.url)

        monkeypatch.setenv("DOUBLESIX_REDIS_PASSWORD", "right")
        client = await Client.connect(one_redis.url)
        with pytest.raises(StoreError, match="invalid username-password"):
            await Client.connect(one_redis.url.replace("unix://", "unix://:wrong@"))

        assert await client.call("PING")
        looking.config_set("requirepass", "")
    await client.close()


async def test_who_is_not_taken_at_first_is_told_what_redis_may_want(one_redis: RedisServer) -> None:
    async with tcp_line_to(one_redis) as line:
        await line.part()

        with pytest.raises(StoreError, match="requirepass"):
            await Client.connect(line.url)


async def test_where_no_server_is_there_is_no_store(one_redis: RedisServer) -> None:
    with pytest.raises(StoreError):
        await RedisStore.open(f"unix://{one_redis.folder}/nothing.sock")
