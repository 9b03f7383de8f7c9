"""Several migrations into one store: one of them moves, however late another one is."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from server.migrate.base import Player
from server.migrate.folder import FolderTarget
from server.migrate.redis import RedisTarget
from server.store.base import DatabaseRefused, StoreError
from server.store.redis import keys
from tests.redis_cluster import RedisCluster
from tests.redis_servers import RedisServer
from tests.store_contract import NOW, log
from tests.stores_to_move import check_filled, do, end_lease, fill, move_and_die, moved, opened


@pytest.fixture
async def source(tmp_path: Path) -> str:
    """A data folder."""
    folder = str(tmp_path / "data")
    await do(folder, fill)
    return folder


async def move_two(source: str, target: str, tmp_path: Path) -> None:
    """Two at once: one is whole, the other refused."""
    other = str(tmp_path / "other")
    await do(other, fill)

    ends = await asyncio.gather(*(moved(folder, target) for folder in (source, other)), return_exceptions=True)

    assert sorted(type(end).__name__ for end in ends) == ["Counts", "DatabaseRefused"]
    assert any("another `doublesix migrate` fills this Redis" in str(end) for end in ends)
    await do(target, check_filled)


async def test_of_two_at_once_into_one_redis_one_is_whole_and_the_other_refused(
    source: str, each_redis: RedisServer, tmp_path: Path
) -> None:
    await move_two(source, each_redis.url, tmp_path)


async def test_of_two_at_once_into_one_redis_cluster_too(source: str, cluster: RedisCluster, tmp_path: Path) -> None:
    await move_two(source, cluster.url, tmp_path)


async def test_of_two_into_one_folder_the_second_is_refused(source: str, tmp_path: Path) -> None:
    target = tmp_path / "new"
    first = FolderTarget(target)

    with pytest.raises(DatabaseRefused, match="in use by another server or `doublesix migrate`"):
        await moved(source, str(target))

    await first.add_room(log("OTHERS", 1))
    await first.finish()
    await first.close()
    store = await opened(str(target))
    assert [kept[0].room for kept in await store.open_rooms()] == ["OTHERS"]
    await store.close()


async def test_until_the_lease_of_one_that_was_killed_has_ended_no_other_begins(
    source: str, one_redis: RedisServer
) -> None:
    await move_and_die(source, one_redis.url, 2)

    with pytest.raises(DatabaseRefused, match="was killed less than 5 seconds ago"):
        await moved(source, one_redis.url)

    with one_redis.client() as client:
        assert 0 < client.pttl(keys.MOVING) <= 5000


async def test_one_that_was_broken_off_is_said_again_at_once(
    source: str, one_redis: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> None:
        raise StoreError("out of reach")

    with monkeypatch.context() as broken:
        broken.setattr(RedisTarget, "add_players", fail)
        with pytest.raises(StoreError):
            await moved(source, one_redis.url)

    await moved(source, one_redis.url)

    await do(one_redis.url, check_filled)


async def test_one_that_stood_still_and_was_thought_dead_spoils_nothing(source: str, each_redis: RedisServer) -> None:
    still = await RedisTarget.open(each_redis.url)
    await still.add_room(log("OTHERS", 3))
    end_lease(each_redis.url)
    later = await RedisTarget.open(each_redis.url)

    for goes_on in (still.add_room(log("OTHERS", 3)), still.add_players([Player(b"x", "x", NOW)]), still.finish()):
        with pytest.raises(DatabaseRefused, match="has begun on this Redis meanwhile"):
            await goes_on
    await still.close()

    with pytest.raises(DatabaseRefused, match="another `doublesix migrate` fills this Redis"):
        await moved(source, each_redis.url)
    await later.close()
    await moved(source, each_redis.url)
    await do(each_redis.url, check_filled)
    with each_redis.client() as client:
        assert client.exists(keys.log("OTHERS"), keys.MOVING) == 0
