"""What nodes tell each other by way of a real Redis, and what becomes of it when Redis or a node is away."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar

import msgpack
import pytest
from structlog.testing import capture_logs

from server.cluster.exchange import NodeId
from server.cluster.items import End, Here, Item, Listing, Replaced, Tell, Unknown
from server.cluster.redis_directory import MADE, pairs
from server.cluster.redis_exchange import WAIT, RedisExchange
from server.outgoing import Outgoing
from server.store.base import StoreError
from server.store.redis import keys
from server.store.redis.client import TIMEOUT
from server.store.redis.lease import RETRY_AFTER, TTL
from server.store.redis.store import RedisStore
from server.table.state import PlayerId
from tests.fakes import FakeClock
from tests.redis_line import line_to
from tests.redis_servers import RedisServer
from tests.store_contract import log

T = TypeVar("T")

ANN = PlayerId("ann")
A, B = NodeId("A"), NodeId("B")
SLEEPERS = 2
"""What waits for a node's clock: the next look, and the next renewal."""
SHOWN = {"room": "K7QM2X", "game": "draw"}


class Ear:
    """One node: it keeps what it hears. Its looks and renewals happen when its clock is moved."""

    def __init__(self, exchange: RedisExchange, store: RedisStore, clock: FakeClock) -> None:
        self.exchange = exchange
        self.store = store
        self.clock = clock
        self.heard: list[tuple[NodeId, Item | Unknown | None]] = []
        self.died: list[NodeId] = []
        exchange.listen(lambda node, item: self.heard.append((node, item)), self.died.append)

    def kinds(self, node: NodeId) -> list[Any]:
        """What ``node`` has posted here, but its being there; None where something was lost."""
        kinds = [None if item is None else type(item) for sender, item in self.heard if sender == node]
        return [kind for kind in kinds if kind is not Here]

    def items(self, kind: type[T]) -> list[T]:
        """All of one kind."""
        return [item for _, item in self.heard if isinstance(item, kind)]

    async def look(self) -> None:
        """See who is alive, and renew the lease."""
        await until(lambda: len(self.clock._due) >= SLEEPERS)
        self.clock.advance(TTL / 3 + 0.1)
        await asyncio.sleep(0)


async def until(is_so: Callable[[], object]) -> None:
    async with asyncio.timeout(10):
        while not is_so():  # noqa: ASYNC110 - it comes by way of another process
            await asyncio.sleep(0.005)


@asynccontextmanager
async def node(redis: RedisServer, name: NodeId, url: str | None = None) -> AsyncIterator[Ear]:
    """A node that listens and speaks, by way of ``url`` if that is not the server itself."""
    clock = FakeClock()
    store = await RedisStore.open(redis.url, incarnation=name, clock=clock)
    exchange = await RedisExchange.open(url or redis.url, store, clock)
    ear = Ear(exchange, store, clock)
    await exchange.start()
    running = asyncio.create_task(exchange.run())
    try:
        yield ear
    finally:
        await exchange.stop()
        running.cancel()
        await asyncio.wait([running])
        await store.close()


@pytest.fixture
async def two(redis: RedisServer) -> AsyncIterator[tuple[Ear, Ear]]:
    """Two nodes that know each other."""
    async with node(redis, A) as a, node(redis, B) as b:
        await a.look()
        await until(lambda: B in a.exchange.others)
        await until(lambda: A in b.exchange.others)
        yield a, b


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
        a.exchange.note_seats("K7QM2X", seated={ANN})
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
        assert await b.exchange.rooms_of(ANN) == ["K7QM2X"]


def test_a_wait_for_the_inbox_is_shorter_than_that_for_an_answer() -> None:
    assert WAIT + 1 < TIMEOUT < TTL


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


async def test_who_came_elsewhere_is_replaced_though_the_word_of_it_was_lost(two: tuple[Ear, Ear]) -> None:
    a, b = two
    await a.exchange.arrive(ANN, 1)
    assert (await b.exchange.arrive(ANN, 5)).elsewhere == (A, 1)
    b.exchange.post(A, Replaced(ANN, 1))
    list(b.exchange._speaker.outbox.take())

    await b.look()

    await until(lambda: None in a.kinds(B))
    assert a.items(Replaced) == [Replaced(ANN, 1)]


async def test_which_room_a_message_leads_to_is_kept_of_the_last_ones_of_a_player(
    two: tuple[Ear, Ear], redis: RedisServer
) -> None:
    a, b = two
    for number in range(MADE + 1):
        await a.exchange.keep_room_for(ANN, f"id {number}", f"ROOM{number:02}")

    first = await b.exchange.keep_room_for(ANN, "id 1", "OTHERS")
    instead = await b.exchange.keep_room_for(ANN, "id 2", "OTHERS", instead_of="ROOM02")

    assert (first, instead) == ("ROOM01", "OTHERS")
    found = [await a.exchange.room_for(ANN, f"id {number}") for number in range(4)]
    assert found == [None, "ROOM01", "OTHERS", "ROOM03"]
    with redis.client() as client:
        assert client.llen(keys.made(ANN)) == MADE
        assert client.ttl(keys.made(ANN)) > 0


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


async def test_what_another_version_has_noted_is_passed_over(two: tuple[Ear, Ear], redis: RedisServer) -> None:
    a, b = two
    await a.exchange.arrive(ANN, 1)
    with redis.client() as client:
        client.set(keys.connected(ANN), '{"node": "B"}')
        client.hset(keys.LISTED, mapping={"K7QM2X": '{"room": "K7QM2X", "game": "draw"}', "ABCDEF": "no JSON"})
        b.exchange.post(A, End(1))
        list(b.exchange._speaker.outbox.take())

        await b.look()

        await until(lambda: None in a.kinds(B))
    assert a.items(Replaced) == []
    assert a.items(Listing)[-1].rooms == {"K7QM2X": SHOWN}
    assert (await a.exchange.arrive(ANN, 2)).elsewhere is None


async def test_a_connection_that_has_ended_is_not_replaced(two: tuple[Ear, Ear]) -> None:
    a, b = two
    await a.exchange.arrive(ANN, 1)
    a.exchange.depart(ANN, 1)
    await b.exchange.arrive(ANN, 5)
    b.exchange.post(A, End(1))
    list(b.exchange._speaker.outbox.take())

    await b.look()

    await until(lambda: None in a.kinds(B))
    assert a.items(Replaced) == []


async def test_of_two_connections_the_newer_has_arrived_later(two: tuple[Ear, Ear]) -> None:
    a, b = two
    first = await a.exchange.arrive(ANN, 7)
    second = await b.exchange.arrive(ANN, 1)
    b.exchange.depart(ANN, 1)
    third = await a.exchange.arrive(ANN, 8)

    assert first.since < second.since < third.since


async def test_open_tables_are_listed_anew_where_the_word_of_them_was_lost(two: tuple[Ear, Ear]) -> None:
    a, b = two
    a.exchange.note_listed("K7QM2X", SHOWN)
    list(a.exchange._speaker.outbox.take())

    await a.look()

    await until(lambda: None in b.kinds(A))
    assert b.items(Listing)[-1].rooms == {"K7QM2X": SHOWN}


async def test_a_node_that_comes_is_told_of_no_table_in_vain(redis: RedisServer) -> None:
    async with node(redis, A) as a, node(redis, B) as b:
        a.exchange.note_listed("K7QM2X", SHOWN)  # A does not know of B yet
        await a.look()

        await until(lambda: any(item.rooms for item in b.items(Listing)))


async def test_a_player_is_replaced_at_a_node_that_has_just_come(redis: RedisServer) -> None:
    async with node(redis, A) as a, node(redis, B) as b:
        await b.exchange.arrive(ANN, 1)
        assert B not in a.exchange.others

        _, elsewhere = await a.exchange.arrive(ANN, 2)

        assert elsewhere == (B, 1)
        assert B in a.exchange.others


async def test_all_who_look_for_a_lobby_at_one_moment_are_sent_to_the_same(two: tuple[Ear, Ear]) -> None:
    a, b = (ear.exchange for ear in two)

    codes = await asyncio.gather(a.meet("draw", 2, "AAAAAA"), b.meet("draw", 2, "BBBBBB"), a.meet("draw", 3, "CCCCCC"))
    assert codes[0] == codes[1]
    assert codes[2] == "CCCCCC"

    others = await asyncio.gather(
        *(node.meet("draw", 2, code, codes[0]) for node, code in ((a, "DDDDDD"), (b, "EEEEEE")))
    )
    assert len(set(others)) == 1
    assert others[0] != codes[0]


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
            await until(lambda: a.exchange._stopping)
            await a.look()
            await until(lambda: a.died == [B])

    assert [entry["log_level"] for entry in logs if entry.get("node") == B] == ["info"]


async def test_nobody_is_taken_for_dead_whose_lease_ended_while_redis_was_away(
    two: tuple[Ear, Ear], redis: RedisServer
) -> None:
    a, _ = two
    redis.kill()
    await a.look()
    await until(lambda: a.clock.monotonic() < a.exchange._unsure_until)
    redis.start()
    with redis.client() as client:
        client.delete(keys.alive(B))

    await a.exchange.owners()
    assert a.died == []
    assert B in a.exchange.others

    a.clock.advance(TTL)
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
            a.exchange.depart(ANN, 1)
