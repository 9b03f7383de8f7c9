"""What nodes tell each other by way of a real Redis."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

import msgpack
import pytest
from redis.asyncio import Redis
from structlog.testing import capture_logs

from server.cluster.items import End, Tell
from server.cluster.redis_directory import pairs
from server.cluster.redis_reader import WAIT
from server.outgoing import Outgoing
from server.store.base import StoreError
from server.store.redis import keys
from server.store.redis.client import TIMEOUT
from server.store.redis.lease import TTL
from server.table.state import PlayerId
from tests.cluster.redis_nodes import SLEEPERS, A, B, C, Ear, node, until
from tests.redis_line import line_to
from tests.redis_servers import RedisServer
from tests.store_contract import log

ANN = PlayerId("ann")


async def test_what_is_posted_arrives_in_order_and_once(two: tuple[Ear, Ear]) -> None:
    a, b = two

    for number in range(3):
        a.exchange.post(B, End(number))
        await asyncio.sleep(0)
    a.exchange.tell(B, 7, Outgoing({"type": "ok"}))

    await until(lambda: Tell in b.kinds(A))
    assert b.items(End) == [End(0), End(1), End(2)]
    assert [(told.visits, told.message.message) for told in b.items(Tell)] == [([7], {"type": "ok"})]


async def test_what_concerns_the_node_itself_it_hears_at_once(two: tuple[Ear, Ear]) -> None:
    a, _ = two
    outgoing = Outgoing({"type": "ok"})

    a.exchange.post(A, End(1))
    a.exchange.tell(A, 7, outgoing)

    assert a.items(End) == [End(1)]
    (told,) = a.items(Tell)
    assert told.message is outgoing


async def test_what_is_written_twice_since_an_answer_was_lost_is_heard_once_and_in_order(redis: RedisServer) -> None:
    async with line_to(redis) as line, node(redis, A, line.url) as a, node(redis, B) as b:
        await a.look()
        await until(lambda: B in a.exchange.others)
        line.loses = lambda said: b"K7QM2X" in said and line.lost == 0
        a.exchange.directory.note_seats("K7QM2X", seated={ANN})
        a.exchange.post(B, End(1))
        a.exchange.tell(B, 7, Outgoing({"type": "ok"}))
        await until(lambda: line.lost and len(a.clock._due) > SLEEPERS)  # it waits to write all of it again

        await a.look()
        a.exchange.post(B, End(2))

        await until(lambda: End(2) in b.items(End))
        entries = await b.store._client.call("XRANGE", keys.inbox(B), "-", "+")
        batches = [msgpack.unpackb(dict(pairs(fields))[b"d"]) for _, fields in entries]
        assert [item["visit"] for batch in batches for item in batch if item["kind"] == "end"] == [1, 1, 2]
        assert [kind for kind in b.kinds(A) if kind is not None] == [End, Tell, End]
        assert await b.exchange.directory.rooms_of(ANN) == ["K7QM2X"]


async def test_what_redis_refuses_for_good_is_lost_and_holds_nothing_else_up(
    two: tuple[Ear, Ear], redis: RedisServer
) -> None:
    a, b = two
    with redis.client() as client, capture_logs() as logged:
        client.sadd(keys.NODES, C)
        client.set(keys.alive(C), "1")
        client.set(keys.inbox(C), "no stream")
        await a.look()
        await until(lambda: C in a.exchange.others)
        a.exchange.post(C, End(1))
        a.exchange.post(B, End(1))
        a.exchange.directory.note_seats("K7QM2X", seated={ANN})
        await until(lambda: a.exchange._speaker.is_idle)
        a.exchange.post(B, End(2))
        await until(lambda: End(2) in b.items(End))

    assert b.items(End) == [End(1), End(2)]
    assert await b.exchange.directory.rooms_of(ANN) == ["K7QM2X"]
    refused = [entry["error"] for entry in logged if entry["event"] == "exchange.refused"]
    assert refused == ["WRONGTYPE Operation against a key holding the wrong kind of value"]


async def test_the_inbox_is_waited_for_two_seconds_less_than_its_answer(two: tuple[Ear, Ear]) -> None:
    clients = two[0].exchange._clients
    pools = [client._redis.connection_pool for client in clients if isinstance(client._redis, Redis)]

    reader, writer = [pool.connection_kwargs["socket_timeout"] for pool in pools]

    assert WAIT + 2 < reader < TTL
    assert writer == TIMEOUT < TTL


async def test_what_was_lost_is_noticed_though_nothing_else_is_said(two: tuple[Ear, Ear], redis: RedisServer) -> None:
    a, b = two
    with redis.client() as client:
        a.exchange.post(B, End(1))
        batch = next(a.exchange._speaker.outbox.take())  # it is written, and then Redis loses it
        assert batch.number > 0
        assert client.exists(keys.inbox(B))

    await a.look()

    await until(lambda: None in b.kinds(A))
    assert b.items(End) == []
    assert b.exchange.losses == 1


@pytest.mark.parametrize(
    "entry",
    [
        {"f": "A", "n": 100, "d": b"\xc1\xff"},
        {"f": "A", "n": 100, "d": b"\x91"},
        {"f": "A", "n": 100, "d": msgpack.packb({"kind": "end"})},
        {"f": "A", "n": 100, "d": msgpack.packb(["end"])},
        {"f": "A", "n": "many", "d": msgpack.packb([])},
        {"f": b"\xff", "n": 100, "d": msgpack.packb([])},
        {"something": "else"},
    ],
)
async def test_an_entry_that_cannot_be_read_is_passed_over(
    two: tuple[Ear, Ear], redis: RedisServer, entry: dict[str, Any]
) -> None:
    a, b = two
    with redis.client() as client, capture_logs() as logs:
        client.xadd(keys.inbox(B), entry)
        a.exchange.post(B, End(1))

        await until(lambda: End in b.kinds(A))

    assert [entry["event"] for entry in logs] == ["inbox.unreadable"]


@pytest.mark.parametrize("is_cleared", [False, True], ids=["as it is", "cleared as if it had been read"])
async def test_a_redis_whose_clock_is_behind_that_of_the_one_before_keeps_nobody_from_hearing(
    two: tuple[Ear, Ear], redis: RedisServer, *, is_cleared: bool
) -> None:
    a, b = two
    with redis.client() as client:
        ahead = f"{(int(client.time()[0]) + 3600) * 1000}-0"
        client.xadd(keys.inbox(B), {"something": "else"}, id=ahead)
        await until(lambda: b.exchange._reader.last == ahead)
        client.delete(keys.inbox(B))  # what is posted from now on stands before what was read

        a.exchange.post(B, End(1))
        if is_cleared:
            await until(lambda: client.exists(keys.inbox(B)))
            client.xtrim(keys.inbox(B), minid=ahead, approximate=False)
        else:
            await until(lambda: End(1) in b.items(End))
        await until(lambda: b.exchange._reader.last != ahead)
        a.exchange.post(B, End(2))
        await until(lambda: End(2) in b.items(End))

    assert [end.visit for end in b.items(End)] in ([1, 2], [2])


async def test_rooms_are_found_whose_newest_steps_a_restart_of_redis_has_lost(
    two: tuple[Ear, Ear], redis: RedisServer
) -> None:
    a, _ = two
    rooms = {"AAAAAA": 3, "BBBBBB": 1, "CCCCCC": 2}
    await a.store.append([*log("AAAAAA", 3), *log("BBBBBB", 1)])
    before = await a.exchange.behind({"AAAAAA": 3, "BBBBBB": 1})
    with redis.client() as client:
        client.xdel(keys.log("AAAAAA"), "3-0")
    redis.kill()
    redis.start()

    with suppress(StoreError):  # an old connection is found to have ended when it is used
        await a.exchange.behind(rooms)
    found = await a.exchange.behind(rooms) or await a.exchange.behind(rooms)

    assert list(before) == []
    assert sorted(found) == ["AAAAAA", "CCCCCC"]


async def test_it_is_said_once_that_all_is_gone(two: tuple[Ear, Ear], redis: RedisServer) -> None:
    a, _ = two
    with redis.client() as client, capture_logs() as logs:
        client.flushall()
        await a.look()
        await until(lambda: client.exists(keys.FORMAT))
        await a.look()
        await a.look()

    assert [entry["event"] for entry in logs].count("redis.emptied") == 1
