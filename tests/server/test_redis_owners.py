"""Who may write to a room of several processes that share a Redis server."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeAlias

import pytest

from server.store.base import Claimed, Held
from server.store.redis import keys
from server.store.redis.lease import MARGIN, TTL
from server.store.redis.rooms import ABANDONED
from server.store.redis.store import RedisStore
from tests.fakes import FakeClock
from tests.redis_servers import RedisServer
from tests.store_contract import ALREADY_THERE, FENCED, NOW, WRITTEN, log, step

Opens: TypeAlias = Callable[[str], Awaitable[RedisStore]]
ROOM = "AAAAAA"


@pytest.fixture
async def opens(each_redis: RedisServer) -> AsyncIterator[Opens]:
    """Opens the store of a process of that name. Its lease is renewed only when its clock is moved."""
    opened: list[RedisStore] = []

    async def opens(name: str) -> RedisStore:
        store = await RedisStore.open(each_redis.url, incarnation=name, clock=FakeClock())
        opened.append(store)
        return store

    yield opens
    for store in opened:
        await store.close()


def die(each_redis: RedisServer, name: str) -> None:
    """The lease of the process of that name ends."""
    with each_redis.client() as client:
        assert client.delete(keys.alive(name)) == 1


async def taken(store: RedisStore, now: float = NOW) -> Claimed:
    claim = await store.claim(ROOM, now)
    assert isinstance(claim, Claimed)
    return claim


async def test_who_writes_the_first_step_has_the_room(opens: Opens) -> None:
    ann, bob = await opens("ann"), await opens("bob")
    await ann.append([step(ROOM, 1)])

    held = await bob.claim(ROOM, NOW)

    assert isinstance(held, Held)
    assert held.by == "ann"
    assert TTL / 2 < held.seconds <= TTL
    assert await bob.owner(ROOM) == "ann"


async def test_a_room_of_a_living_process_takes_no_steps_of_another(opens: Opens) -> None:
    ann, bob = await opens("ann"), await opens("bob")
    await ann.append([step(ROOM, 1)])

    outcomes = await bob.append([step(ROOM, 2), step(ROOM, 3), step("BBBBBB", 1)])

    assert list(outcomes) == [FENCED, FENCED, WRITTEN]
    assert list(await ann.append([step(ROOM, 2)])) == [WRITTEN]


async def test_the_room_of_a_dead_process_is_free(opens: Opens, each_redis: RedisServer) -> None:
    ann, bob = await opens("ann"), await opens("bob")
    await ann.append(log(ROOM, 2))
    die(each_redis, "ann")

    claimed = await taken(bob)

    assert claimed == Claimed(int(NOW), 2)
    assert list(await bob.append([step(ROOM, 3, epoch=claimed.epoch)])) == [WRITTEN]
    assert await bob.owner(ROOM) == "bob"


async def test_a_process_that_only_seemed_dead_writes_nothing_more_but_what_it_wrote_counts(
    opens: Opens, each_redis: RedisServer
) -> None:
    ann, bob = await opens("ann"), await opens("bob")
    written = log(ROOM, 2)
    await ann.append(written)
    die(each_redis, "ann")
    claimed = await taken(bob)

    before = await ann.append([*written, step(ROOM, 3)])
    await bob.append([step(ROOM, 3, epoch=claimed.epoch)])
    after = await ann.append([step(ROOM, 3), step(ROOM, 4)])

    assert list(before) == [ALREADY_THERE, ALREADY_THERE, FENCED]
    assert list(after) == [FENCED, FENCED]


async def test_a_room_is_claimed_again_by_who_has_it_and_steps_of_the_older_epoch_do_not_count(opens: Opens) -> None:
    ann = await opens("ann")
    await ann.append([step(ROOM, 1, epoch=5)])
    first = await taken(ann)

    second = await taken(ann)

    assert second.epoch > first.epoch > 5
    assert list(await ann.append([step(ROOM, 2, epoch=first.epoch)])) == [FENCED]
    assert list(await ann.append([step(ROOM, 2, epoch=second.epoch)])) == [WRITTEN]


async def test_of_two_who_see_a_room_free_one_gets_it(
    opens: Opens, each_redis: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob, cat = [await opens(name) for name in ("ann", "bob", "cat")]
    await ann.append([step(ROOM, 1)])
    die(each_redis, "ann")
    look = bob._rooms._held

    async def look_and_be_late(by: str) -> Held | None:
        seen = await look(by)
        if by == "ann":
            await taken(cat)
        return seen

    monkeypatch.setattr(bob._rooms, "_held", look_and_be_late)

    held = await bob.claim(ROOM, NOW)

    assert isinstance(held, Held)
    assert held.by == "cat"


async def test_a_released_room_is_free_at_once_and_its_epoch_goes_on(opens: Opens) -> None:
    ann, bob = await opens("ann"), await opens("bob")
    await ann.append([step(ROOM, 1, epoch=5)])
    before = await taken(ann)

    await bob.release(ROOM)
    still = await ann.owner(ROOM)
    await ann.release(ROOM)

    assert (still, await ann.owner(ROOM)) == ("ann", None)
    assert (await taken(bob, 0)).epoch == before.epoch + 1
    assert list(await ann.append([step(ROOM, 2, epoch=before.epoch)])) == [FENCED]


async def test_an_epoch_is_above_that_of_the_log_where_who_gave_it_out_is_forgotten(
    opens: Opens, each_redis: RedisServer
) -> None:
    ann = await opens("ann")
    await ann.append([step(ROOM, 1, epoch=77)])
    with each_redis.client() as client:
        client.delete(keys.owner(ROOM))

    claimed = await taken(ann, 0)

    assert claimed == Claimed(78, 1)


async def test_a_process_that_is_closed_leaves_its_rooms_to_the_others(opens: Opens) -> None:
    ann, bob = await opens("ann"), await opens("bob")
    await ann.append([step(ROOM, 1)])

    await ann.close()

    assert (await taken(bob)).head == 1


async def test_a_lease_is_renewed_as_time_passes_and_counts_until_a_while_before_its_end(opens: Opens) -> None:
    ann = await opens("ann")
    clock = ann.lease._clock
    assert isinstance(clock, FakeClock)
    ann.lease._task.cancel()  # type: ignore[union-attr]  # it renews no more

    valid = []
    for seconds in (TTL * (1 - MARGIN) - 0.01, 0.02):
        clock.advance(seconds)
        valid.append(ann.lease.is_valid)
    await ann.lease.renew()

    assert valid == [True, False]
    assert ann.lease.is_valid


async def test_it_is_counted_how_often_a_lease_had_ended_before_it_was_renewed(opens: Opens) -> None:
    ann = await opens("ann")
    clock = ann.lease._clock
    assert isinstance(clock, FakeClock)
    ann.lease._task.cancel()  # type: ignore[union-attr]  # it renews no more

    lapses = []
    for seconds in (0.0, TTL / 3, TTL, TTL / 3):
        clock.advance(seconds)
        await ann.lease.renew()
        lapses.append(ann.lease.lapses)

    assert lapses == [0, 0, 1, 1]


async def test_who_has_each_open_room_is_known_and_codes_without_a_log_are_left_out(
    opens: Opens, each_redis: RedisServer
) -> None:
    ann, bob = await opens("ann"), await opens("bob")
    await ann.append([step(ROOM, 1)])
    await ann.append([step("BBBBBB", 1)])
    await ann.release("BBBBBB")
    await ann.append([step("CCCCCC", 1), step("CCCCCC", 2, closes=True)])
    with each_redis.client() as client:
        client.zadd(keys.OPEN_ROOMS, {"NEWNEW": client.time()[0], "OLDOLD": 1})

        assert await bob.owners() == {ROOM: "ann", "BBBBBB": ""}
        assert "OLDOLD" not in client.zrange(keys.OPEN_ROOMS, 0, -1)
    assert [await bob.is_over(room) for room in (ROOM, "CCCCCC", "NEWNEW")] == [False, True, False]


async def test_a_room_that_is_claimed_is_in_the_list_of_rooms_again(opens: Opens, each_redis: RedisServer) -> None:
    ann = await opens("ann")
    await ann.append([step(ROOM, 1)])
    with each_redis.client() as client:
        client.delete(keys.OPEN_ROOMS)

    await taken(ann)

    assert await ann.owners() == {ROOM: "ann"}


async def test_those_who_live_know_of_each_other(opens: Opens, each_redis: RedisServer) -> None:
    ann, _, cat = [await opens(name) for name in ("ann", "bob", "cat")]
    await cat.close()
    await opens("dan")
    die(each_redis, "dan")

    living = await ann.living()

    assert living == {"ann", "bob"}
    with each_redis.client() as client:
        assert client.smembers(keys.NODES) == {"ann", "bob"}


async def test_what_a_newer_version_says_of_itself_is_passed_over(opens: Opens, each_redis: RedisServer) -> None:
    ann = await opens("ann")
    with each_redis.client() as client:
        for name, said in (("bob", '{"version": 2, "rooms": 17}'), ("cat", "no JSON")):
            client.set(keys.alive(name), said, px=60_000)
            client.sadd(keys.NODES, name)

    assert await ann.living() == {"ann", "bob", "cat"}


async def test_codes_of_rooms_that_never_came_to_be_are_forgotten_after_a_while(
    opens: Opens, each_redis: RedisServer
) -> None:
    ann = await opens("ann")
    await ann.append([step(ROOM, 1)])
    with each_redis.client() as client:
        now = client.time()[0]
        client.zadd(keys.OPEN_ROOMS, {"NEWNEW": now - ABANDONED / 2, "OLDOLD": now - 2 * ABANDONED})

        rooms = [kept[0].room for kept in await ann.open_rooms()]

        assert rooms == [ROOM]
        assert set(client.zrange(keys.OPEN_ROOMS, 0, -1)) == {ROOM, "NEWNEW"}


async def test_what_belongs_to_a_closed_room_has_an_end(opens: Opens, each_redis: RedisServer) -> None:
    ann = await opens("ann")
    await ann.append([step(ROOM, 1), step(ROOM, 2, checkpoint=b"so far")])
    await ann.add_record("r1", ROOM, b"one", NOW)

    await ann.append([step(ROOM, 3, closes=True)])

    with each_redis.client() as client:
        left = {key: client.ttl(key) for key in client.scan_iter("ds:{*")}
        assert left.keys() == {keys.owner(ROOM), keys.log(ROOM), keys.checkpoints(ROOM)}
        assert all(0 < seconds <= 600 for seconds in left.values())
        assert client.zcard(keys.OPEN_ROOMS) == 0
