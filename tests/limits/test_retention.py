"""What a running server clears away: players, and the rows of closed rooms."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from protocol.convert import Wire
from server.housekeeping import BATCH, INTERVAL, PAUSE, RECORD_BATCH
from server.store import index
from server.store.base import StoreError
from server.store.memory import MemoryStore
from server.store.sqlite import SqliteStore
from tests.system.client import Client
from tests.system.servers import Server, serving

DAY = 24 * 60 * 60.0
FOR_EVER = {"idle_lobby": 0, "abandoned_room": 0}


async def let_days_pass(server: Server, days: float) -> None:
    """Time passes, and the server clears away what is due."""
    await asyncio.sleep(0)  # who has just begun to wait, waits from now on
    server.let_pass(days * DAY)
    for _ in range(50):
        await asyncio.sleep(0)
        server.let_pass(PAUSE)


async def come_back(client: Client) -> Wire:
    """What who has been away hears on saying hello."""
    await client.open()
    return await client.ask("hello", name=client.name, token=client.token)


async def test_a_player_without_a_seat_is_forgotten_a_month_after_having_been_here_last() -> None:
    async with serving() as server:
        ann, bob = await server.client("Ann"), await server.client("Bob")
        for client in (ann, bob):
            await client.drop()

        await let_days_pass(server, 30)
        in_time = await come_back(bob)
        await bob.drop()
        await let_days_pass(server, 2)
        late, again = await come_back(ann), await come_back(bob)

        assert in_time["player"] == again["player"] == bob.player
        assert (late["type"], late["code"]) == ("error", "unauthorized")


async def test_the_month_counts_from_the_last_visit_also_where_that_was_too_soon_after_another_to_be_noted(
    tmp_path: Path,
) -> None:
    async with serving(SqliteStore(tmp_path, durability="process")) as server:
        ann = await server.client("Ann")
        await ann.drop()
        await let_days_pass(server, 0.9)
        await come_back(ann)
        await ann.drop()

        await let_days_pass(server, 29.6)

        assert (await come_back(ann))["player"] == ann.player


async def test_a_player_with_a_seat_in_an_open_room_is_never_forgotten() -> None:
    async with serving(limits=FOR_EVER) as server:
        ann = await server.client("Ann")
        room = await ann.create(game="draw", seats=3)
        await ann.drop()

        for _ in range(3):
            await let_days_pass(server, 40)

        assert (await come_back(ann))["rooms"] == [room]


async def test_who_stays_connected_is_seen_all_the_time() -> None:
    async with serving() as server:
        ann = await server.client("Ann")
        for _ in range(40):
            await let_days_pass(server, 1)
        await ann.drop()

        await let_days_pass(server, 25)

        assert (await come_back(ann))["player"] == ann.player


async def test_without_a_limit_nobody_is_forgotten() -> None:
    async with serving(limits={"absent_player": 0}) as server:
        ann = await server.client("Ann")
        await ann.drop()

        await let_days_pass(server, 1000)

        assert (await come_back(ann))["player"] == ann.player


async def test_more_players_than_one_batch_are_forgotten() -> None:
    store = MemoryStore()
    async with serving(store) as server:
        for number in range(2 * BATCH + 1):
            await store.add_player(bytes(str(number), "ascii"), f"p{number}", server.clock.time())

        await let_days_pass(server, 32)

        assert not store._players


async def test_more_records_than_one_batch_are_forgotten() -> None:
    store = MemoryStore()
    async with serving(store) as server:
        for number in range(2 * RECORD_BATCH + 1):
            await store.add_record(f"r{number}", "AAAAAA", b"", server.clock.time())

        await let_days_pass(server, 91)

        assert [await store.record(f"r{number}") for number in (0, 2 * RECORD_BATCH)] == [None, None]


class ElsewhereStore(MemoryStore):
    """A store of many, who count another time."""

    error = 0.0

    async def time(self, now: float) -> float:
        return now - self.error


@pytest.mark.parametrize(("error", "left"), [(100 * DAY, 1), (-100 * DAY, 1), (60.0, 0)])
async def test_by_a_clock_that_differs_from_that_of_the_others_nobody_is_forgotten(error: float, left: int) -> None:
    store = ElsewhereStore()
    store.error = error
    async with serving(store) as server:
        await store.add_player(b"token", "ann", server.clock.time())
        await store.add_record("record", "AAAAAA", b"payload", server.clock.time())

        await let_days_pass(server, 100)

        assert len(store._players) == left
        assert (await store.record("record") is not None) == bool(left)


async def test_a_running_server_removes_the_rows_of_rooms_that_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index, "MAX_CLOSED", 2)
    store = SqliteStore(tmp_path, durability="process")
    async with serving(store, limits={"rooms_per_player": 0}) as server:
        ann = await server.client("Ann")
        rooms = [await ann.create(game="draw", seats=2) for _ in range(10)]
        server.let_pass(30 * 60)
        for room in rooms:
            await ann.hear(room, "closed")
        open_room = await ann.create(game="draw", seats=2)

        for _ in range(2):
            await let_days_pass(server, INTERVAL / DAY)

        kept = {row[0] for row in store._database._connection.execute("SELECT DISTINCT room FROM steps")}
        assert kept == {*rooms[-2:], open_room}


class SometimesAway(MemoryStore):
    """A store that does not clear away at first."""

    def __init__(self) -> None:
        super().__init__()
        self.failures = 2

    async def forget_players(self, before: float, limit: int) -> int:
        if self.failures:
            self.failures -= 1
            raise StoreError("out of reach")
        return await super().forget_players(before, limit)


async def test_what_could_not_be_cleared_away_is_found_a_minute_later() -> None:
    store: Any = SometimesAway()
    async with serving(store) as server:
        ann = await server.client("Ann")
        await ann.drop()
        await let_days_pass(server, 32)
        before = len(store._players)

        for _ in range(2):
            await let_days_pass(server, INTERVAL / DAY)

        assert (before, len(store._players)) == (1, 0)
