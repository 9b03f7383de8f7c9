"""What becomes of tables when something happens to a node or to Redis: they go on, and nobody is told two stories."""

from __future__ import annotations

import asyncio
import shutil
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus

from tests.cluster.nodes import BLOCK, Cluster, accepted, at_two_nodes, play, resume
from tests.redis_line import line_to, tcp_line_to
from tests.redis_servers import RedisServer
from tests.system.client import PATIENCE, Client
from tests.system.servers import ServerProcess

AGAIN = 0.05
"""Seconds until something is tried again."""

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def come_back(client: Client, url: str, room: str) -> None:
    """A new connection, after the old one has ended."""
    await client.close_code()
    await client.come_back(url)
    await resume(client, room)


async def react(client: Client, room: str) -> None:
    """React: for a while nothing is known, or it was too soon after the last time."""
    await accepted(client, "react", room=room, key="nice")


async def refused_at_last(client: Client, room: str) -> None:
    """Ask until it is said that nothing can be told: at first that is not known, and what is asked waits."""
    asked: list[str] = []
    async with asyncio.timeout(PATIENCE):
        while not any(answer.get("re") in asked and answer.get("code") == "unavailable" for answer in client.heard):
            asked.append(await client.send("sync", room=room))
            await client.say("ping")
            await asyncio.sleep(AGAIN)


async def agree(room: str, players: list[Client]) -> None:
    """All have heard the same steps, and see what a fresh look shows."""
    newest = max(player.tables[room]["seq"] for player in players)
    for player in players:
        await player.reach(room, newest)
        await player.look(room)
    first, *others = [player.tables[room] for player in players]
    for other in others:
        assert other["seq"] == first["seq"]
        assert other["deal"]["layout"] == first["deal"]["layout"]


async def test_a_table_goes_on_where_its_node_was_stopped(cluster: Cluster) -> None:
    room, (ann, bob) = await at_two_nodes(cluster)
    await play(room, [ann, bob], 2)

    assert await cluster.nodes[0].terminate() == 0

    await come_back(ann, cluster.nodes[1].url, room)
    await bob.reach(room, ann.tables[room]["seq"])
    await play(room, [ann, bob], 2)


async def test_a_table_goes_on_where_its_node_was_killed(cluster: Cluster) -> None:
    room, (ann, bob) = await at_two_nodes(cluster)
    await play(room, [ann, bob], 2)
    asked = await bob.send("react", room=room, key="nice")

    await cluster.nodes[0].kill()

    assert (await bob.answer(asked))["type"] == "ok"
    await come_back(ann, cluster.nodes[1].url, room)
    await react(bob, room)
    await ann.reach(room, bob.tables[room]["seq"])
    await play(room, [ann, bob], 2)
    await agree(room, [ann, bob])


async def test_a_node_that_was_stopped_for_longer_than_its_lease_writes_no_second_history(cluster: Cluster) -> None:
    frozen = cluster.nodes[0]
    room, (ann, bob) = await at_two_nodes(cluster)
    await play(room, [ann, bob], 2)
    frozen.signal(signal.SIGSTOP)
    asked = await ann.send("react", room=room, key="nice")  # it lies there, to be done when the node wakes
    await bob.hear(room, "away")
    await react(bob, room)

    frozen.signal(signal.SIGCONT)

    answer = await ann.answer(asked)
    assert answer["type"] == "ok" or answer["code"] == "unavailable"
    await react(ann, room)
    await bob.reach(room, ann.tables[room]["seq"])
    await play(room, [ann, bob], 2)
    await agree(room, [ann, bob])


async def test_a_node_that_is_cut_off_from_redis_says_so_and_the_others_go_on(cluster: Cluster) -> None:
    async with line_to(cluster.redis) as line:
        lonely = await cluster.add("--store", line.url)
        try:
            cat, bob = await lonely.client("Cat"), await cluster.nodes[1].client("Bob")
            room = await cat.create(game="block", seats=2)
            await bob.say("join", room=room)
            await line.part()

            await refused_at_last(cat, room)
            await bob.hear(room, "away")

            await react(bob, room)
            line.is_cut = False
            await react(cat, room)
            await bob.reach(room, cat.tables[room]["seq"])
            assert cat.tables[room]["seq"] == bob.tables[room]["seq"]
        finally:
            await lonely.kill()
            await lonely.send_all_away()
            cluster.nodes.remove(lonely)


@pytest.mark.parametrize("hangs", [False, True], ids=["refused", "unanswered"])
async def test_players_of_a_node_that_is_cut_off_from_redis_are_sent_to_the_others_and_nobody_comes(
    cluster: Cluster, *, hangs: bool
) -> None:
    async with tcp_line_to(cluster.redis) as line:
        lonely = await cluster.add("--store", line.url)
        try:
            cat, bob = await lonely.client("Cat"), await cluster.nodes[1].client("Bob")
            room = await cat.create(**BLOCK)
            await bob.say("join", room=room)
            await cat.say("start", room=room)
            line.is_silent, line.loses = hangs, lambda _: hangs
            if not hangs:
                await line.part()

            assert await cat.close_code() == 1012
            assert cat.heard[-1]["retry_after"] < 3
            with pytest.raises(InvalidStatus):
                await cat.come_back(lonely.url)

            await cat.come_back(cluster.nodes[0].url)
            await resume(cat, room)
            await play(room, [cat, bob], 2)
            line.is_cut, line.loses = False, lambda _: False
            await opened_again(lonely)
            await cat.come_back(lonely.url)
            await resume(cat, room)
            await play(room, [cat, bob], 2)
        finally:
            await lonely.kill()
            await lonely.send_all_away()
            cluster.nodes.remove(lonely)


async def opened_again(node: ServerProcess) -> None:
    """Until ``node`` takes connections."""
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                await node.client("Eve")
            except (InvalidStatus, AssertionError):
                await asyncio.sleep(AGAIN)
            else:
                return


@asynccontextmanager
async def no_leases(redis: RedisServer) -> AsyncIterator[None]:
    """Nobody's lease is to be seen there, as if all had ended while Redis was away."""

    async def end() -> None:
        with redis.client() as client:
            while True:
                for lease in client.keys("ds:node:*:alive"):
                    client.delete(lease)
                await asyncio.sleep(AGAIN / 5)

    ending = asyncio.create_task(end())
    try:
        yield
    finally:
        ending.cancel()
        await asyncio.wait([ending])


async def test_tables_wait_while_redis_is_away_for_longer_than_all_leases_and_nobody_is_away_then(
    cluster: Cluster,
) -> None:
    room, (ann, bob) = await at_two_nodes(cluster)
    await play(room, [ann, bob], 2)
    heard = len(bob.updates(room))

    cluster.redis.kill()
    for player in (ann, bob):
        await refused_at_last(player, room)  # by then their nodes are without a lease
    cluster.redis.start()
    async with no_leases(cluster.redis):  # each node looks who is alive before it answers
        await react(ann, room)
        await react(bob, room)

    await agree(room, [ann, bob])
    assert [event["type"] for update in bob.updates(room)[heard:] for event in update["events"]] == ["reacted"] * 2
    await play(room, [ann, bob], 2)


def keep(redis: RedisServer) -> Path:
    """What there is now, in a folder of its own."""
    older = redis.folder.with_name("older")
    redis.kill()
    shutil.copytree(redis.folder, older, ignore=shutil.ignore_patterns("*.sock"))
    redis.start()
    return older


def go_back(redis: RedisServer, older: Path) -> None:
    """All that was written since is lost."""
    redis.kill()
    shutil.rmtree(redis.folder)
    shutil.move(older, redis.folder)
    redis.start()


async def test_a_redis_that_has_lost_its_last_moments_is_not_papered_over(cluster: Cluster) -> None:
    room, (ann, bob) = await at_two_nodes(cluster)
    older = keep(cluster.redis)
    await react(bob, room)
    await ann.reach(room, bob.tables[room]["seq"])
    await play(room, [ann, bob], 3)
    lost = bob.tables[room]["seq"]

    go_back(cluster.redis, older)
    await react(ann, room)
    await react(bob, room)

    for player in (ann, bob):
        shown = [message for message in player.heard if message["type"] == "snapshot" and message.get("reset")]
        assert [snapshot["room"] for snapshot in shown] == [room]
        assert shown[0]["seq"] < lost
    await play(room, [ann, bob], 2)
    await agree(room, [ann, bob])


async def test_people_are_told_what_redis_has_lost_though_nobody_acts(cluster: Cluster) -> None:
    room, (ann, bob) = await at_two_nodes(cluster)
    older = keep(cluster.redis)
    await react(bob, room)
    await ann.reach(room, lost := bob.tables[room]["seq"])

    go_back(cluster.redis, older)

    for player in (ann, bob):
        while not (shown := [message for message in player.heard if message.get("reset")]):
            await player.receive()
        assert shown[0]["seq"] < lost


async def test_all_matches_are_there_after_everything_was_killed_at_once(cluster: Cluster) -> None:
    tables = [await at_two_nodes(cluster) for _ in range(3)]
    for room, players in tables:
        await play(room, players, 2)
    before = [(await ann.look(room))["deal"] for room, (ann, _) in tables]

    for node in cluster.nodes:
        await node.kill()
    cluster.redis.kill()
    cluster.redis.start()
    await asyncio.gather(*(node.start() for node in cluster.nodes))

    for (room, (ann, bob)), deal in zip(tables, before, strict=True):
        for player, node in ((ann, cluster.nodes[1]), (bob, cluster.nodes[0])):
            await come_back(player, node.url, room)
        await ann.reach(room, bob.tables[room]["seq"])
        assert (await ann.look(room))["deal"] == deal
        await play(room, [ann, bob], 1)
