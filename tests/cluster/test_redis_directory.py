"""What all nodes look up in a real Redis."""

from __future__ import annotations

import asyncio

from server.cluster.items import End, Listing, Replaced
from server.cluster.redis_directory import MADE
from server.store.redis import keys
from server.table.state import PlayerId
from tests.cluster.redis_nodes import A, B, Ear, node, until
from tests.redis_servers import RedisServer

ANN = PlayerId("ann")
SHOWN = {"room": "K7QM2X", "game": "draw"}


async def test_who_came_elsewhere_is_replaced_though_the_word_of_it_was_lost(two: tuple[Ear, Ear]) -> None:
    a, b = two
    await a.exchange.directory.arrive(ANN, 1)
    since, elsewhere = await b.exchange.directory.arrive(ANN, 5)
    b.exchange.post(A, Replaced(ANN, since))
    list(b.exchange._speaker.outbox.take())

    await b.look()

    await until(lambda: None in a.kinds(B))
    assert elsewhere == A
    assert a.items(Replaced) == [Replaced(ANN, since)]


async def test_which_room_a_message_leads_to_is_kept_of_the_last_ones_of_a_player(
    two: tuple[Ear, Ear], redis: RedisServer
) -> None:
    a, b = two
    for number in range(MADE + 1):
        await a.exchange.directory.keep_room_for(ANN, f"id {number}", f"ROOM{number:02}")

    first = await b.exchange.directory.keep_room_for(ANN, "id 1", "OTHERS")
    instead = await b.exchange.directory.keep_room_for(ANN, "id 2", "OTHERS", instead_of="ROOM02")

    assert (first, instead) == ("ROOM01", "OTHERS")
    found = [await a.exchange.directory.room_for(ANN, f"id {number}") for number in range(4)]
    assert found == [None, "ROOM01", "OTHERS", "ROOM03"]
    with redis.client() as client:
        assert client.llen(keys.made(ANN)) == MADE
        assert client.ttl(keys.made(ANN)) > 0


async def test_what_another_version_has_noted_is_passed_over(two: tuple[Ear, Ear], redis: RedisServer) -> None:
    a, b = two
    await a.exchange.directory.arrive(ANN, 1)
    with redis.client() as client:
        client.set(keys.connected(ANN), '{"node": "B"}')
        client.hset(keys.LISTED, mapping={"K7QM2X": '{"room": "K7QM2X", "game": "draw"}', "ABCDEF": "no JSON"})
        b.exchange.post(A, End(1))
        list(b.exchange._speaker.outbox.take())

        await b.look()

        await until(lambda: None in a.kinds(B))
    assert a.items(Replaced) == []
    assert a.items(Listing)[-1].rooms == {"K7QM2X": SHOWN}
    assert (await a.exchange.directory.arrive(ANN, 2)).elsewhere is None


async def test_a_connection_that_has_ended_is_not_replaced(two: tuple[Ear, Ear]) -> None:
    a, b = two
    await a.exchange.directory.arrive(ANN, 1)
    a.exchange.directory.depart(ANN, 1)
    await b.exchange.directory.arrive(ANN, 5)
    b.exchange.post(A, End(1))
    list(b.exchange._speaker.outbox.take())

    await b.look()

    await until(lambda: None in a.kinds(B))
    assert a.items(Replaced) == []


async def test_of_two_connections_the_newer_has_arrived_later(two: tuple[Ear, Ear]) -> None:
    a, b = two
    first = await a.exchange.directory.arrive(ANN, 7)
    second = await b.exchange.directory.arrive(ANN, 1)
    b.exchange.directory.depart(ANN, 1)
    third = await a.exchange.directory.arrive(ANN, 8)

    assert first.since < second.since < third.since


async def test_a_connection_is_newer_though_the_clock_has_gone_back(two: tuple[Ear, Ear], redis: RedisServer) -> None:
    """As where another server has taken over, whose clock is behind."""
    a, b = two
    since, _ = await a.exchange.directory.arrive(ANN, 7)
    ahead = since + 3_600_000_000
    with redis.client() as client:
        client.set(keys.connected(ANN), f"{A} 7 {ahead}")

    newer = await b.exchange.directory.arrive(ANN, 1)

    assert newer == (ahead + 1, A)


async def test_open_tables_are_listed_anew_where_the_word_of_them_was_lost(two: tuple[Ear, Ear]) -> None:
    a, b = two
    a.exchange.directory.note_listed("K7QM2X", SHOWN)
    list(a.exchange._speaker.outbox.take())

    await a.look()

    await until(lambda: None in b.kinds(A))
    assert b.items(Listing)[-1].rooms == {"K7QM2X": SHOWN}


async def test_a_node_that_comes_is_told_of_no_table_in_vain(redis: RedisServer) -> None:
    async with node(redis, A) as a, node(redis, B) as b:
        a.exchange.directory.note_listed("K7QM2X", SHOWN)  # A does not know of B yet
        await a.look()

        await until(lambda: any(item.rooms for item in b.items(Listing)))


async def test_a_player_is_replaced_at_a_node_that_has_just_come(redis: RedisServer) -> None:
    async with node(redis, A) as a, node(redis, B) as b:
        await b.exchange.directory.arrive(ANN, 1)
        assert B not in a.exchange.others

        _, elsewhere = await a.exchange.directory.arrive(ANN, 2)

        assert elsewhere == B
        assert B in a.exchange.others


async def test_all_who_look_for_a_lobby_at_one_moment_are_sent_to_the_same(two: tuple[Ear, Ear]) -> None:
    a, b = (ear.exchange.directory for ear in two)

    codes = await asyncio.gather(a.meet("draw", 2, "AAAAAA"), b.meet("draw", 2, "BBBBBB"), a.meet("draw", 3, "CCCCCC"))
    assert codes[0] == codes[1]
    assert codes[2] == "CCCCCC"

    others = await asyncio.gather(
        *(node.meet("draw", 2, code, codes[0]) for node, code in ((a, "DDDDDD"), (b, "EEEEEE")))
    )
    assert len(set(others)) == 1
    assert others[0] != codes[0]
