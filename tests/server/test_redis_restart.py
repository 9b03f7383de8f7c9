"""A Redis that is killed and started again under a server that stays."""

from __future__ import annotations

import asyncio
import shutil
from contextlib import suppress
from pathlib import Path

import pytest

from server.rereading import RELOAD_AFTER
from server.store.base import StoreError
from server.store.redis.store import RedisStore
from tests.faults.waiting import until
from tests.redis_cluster import redis_cluster
from tests.redis_servers import every_version, redis_server
from tests.store_contract import ALREADY_THERE, FENCED, NOW, WRITTEN, log, step
from tests.system.servers import serving


@every_version
async def test_nothing_that_was_written_is_lost_when_redis_is_killed_and_the_store_goes_on(
    tmp_path: Path, version: str
) -> None:
    steps = log("AAAAAA", 30, checkpoints=(10,))
    with redis_server(tmp_path, version) as redis:
        store = await RedisStore.open(redis.url)
        written = [await store.append([one]) for one in steps[:-1]]
        await store.add_player(b"hash", "p1", NOW)
        redis.kill()

        with pytest.raises(StoreError):
            await store.append(steps)
        with pytest.raises(StoreError):
            await store.load("AAAAAA")
        redis.start()
        again = await store.append(steps)

        assert written == [[WRITTEN]] * 29
        assert again == [ALREADY_THERE] * 29 + [WRITTEN]
        assert await store.load("AAAAAA") == steps
        assert await store.find_player(b"hash", NOW) == "p1"
        await store.close()


async def test_rooms_belong_to_who_had_them_before_redis_was_killed(tmp_path: Path) -> None:
    with redis_server(tmp_path) as redis:
        ann, bob = await RedisStore.open(redis.url), await RedisStore.open(redis.url)
        await ann.append([step("AAAAAA", 1)])

        redis.kill()
        redis.start()

        assert await bob.append([step("AAAAAA", 2)]) == [FENCED]
        assert await ann.append([step("AAAAAA", 2)]) == [WRITTEN]
        await ann.close()
        await bob.close()


async def test_a_cluster_of_which_a_server_was_killed_and_started_again_goes_on(tmp_path: Path) -> None:
    rooms = [f"ROOM{number:02}" for number in range(20)]
    with redis_cluster(tmp_path) as cluster:
        store = await RedisStore.open(cluster.url)
        await store.append([step(room, 1) for room in rooms])
        cluster.servers[1].kill()

        with pytest.raises(StoreError):
            await store.append([step(room, 2) for room in rooms])
        cluster.servers[1].start()
        cluster.wait()
        outcomes = await store.append([step(room, 2) for room in rooms])

        assert {WRITTEN} <= set(outcomes) <= {WRITTEN, ALREADY_THERE}
        with suppress(StoreError):  # a reader's old connections are found to have ended when they are used
            await store.open_rooms()
        logs = await store.open_rooms()
        assert sorted(log[0].room for log in logs) == rooms
        assert {len(log) for log in logs} == {2}
        await store.close()


async def test_a_table_waits_for_redis_says_so_and_goes_on(tmp_path: Path) -> None:
    with redis_server(tmp_path) as redis:
        async with serving(await RedisStore.open(redis.url)) as server:
            ann = await server.client("Ann")
            room = await ann.create(game="draw", seats=2)
            redis.kill()

            lost = await ann.send("add_bot", room=room, seat=1)
            await until(lambda: server.app.registry.find(room).is_broken)
            refused = await ann.refused("start", room=room)
            redis.start()
            answering = asyncio.create_task(ann.answer(lost))
            while not answering.done():
                server.let_pass(RELOAD_AFTER)  # it tries again and again
                await asyncio.wait([answering], timeout=0.05)
            answer = answering.result()
            await ann.say("add_bot", room=room, seat=1)
            await ann.look(room)

            assert (refused["code"], answer["code"]) == ("unavailable", "unavailable")
            assert ann.tables[room]["seats"][1]["bot"] is not None


async def test_who_has_seen_steps_that_redis_has_lost_is_told_so(tmp_path: Path) -> None:
    kept = "appendonlydir"
    with redis_server(tmp_path) as redis:
        async with serving(await RedisStore.open(redis.url)) as server:
            ann = await server.client("Ann")
            room = await ann.create(game="draw", seats=4)
            redis.kill()
            shutil.copytree(tmp_path / kept, tmp_path / "older")
            redis.start()
            await ann.say("add_bot", room=room, seat=1)
            redis.kill()
            shutil.rmtree(tmp_path / kept)
            (tmp_path / "older").rename(tmp_path / kept)
            redis.start()

            refused = await ann.refused("add_bot", room=room, seat=2)
            again = await ann.say("add_bot", room=room, seat=2)

            told = [message for message in ann.heard if message["type"] in {"snapshot", "update"}]
            assert refused["code"] == "unavailable"
            assert [message["seq"] for message in told] == [1, 2, 1, 2]
            assert told[2]["reset"] is True
            assert told[3]["epoch"] > told[1]["epoch"]
            assert again["seq"] == 2
            await ann.look(room)
