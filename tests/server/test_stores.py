from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from server.store.base import DatabaseRefused, Step, Store, StoreError
from server.store.database import APPLICATION_ID, VERSION, Durability
from server.store.folder import DataFolder
from server.store.index import MAX_CLOSED
from server.store.memory import MemoryStore
from server.store.sqlite import FILE_NAME, SqliteStore
from tests.store_contract import ALREADY_THERE, CONFLICT, WRITTEN, StoreContract, log, step

BOTH = pytest.mark.parametrize("durability", ["power", "process"])


class TestMemoryStore(StoreContract):
    async def open(self) -> Store:
        return MemoryStore()

    async def test_only_the_rooms_closed_last_are_remembered(self) -> None:
        store = MemoryStore()
        rooms = [f"R{number:05}" for number in range(MAX_CLOSED + 1)]

        await store.append([step(room, 1, closes=True) for room in rooms])

        assert list(await store.append([step(rooms[-1], 1, closes=True)])) == [ALREADY_THERE]
        assert list(await store.append([step(rooms[0], 1, closes=True)])) == [WRITTEN]


class SqliteContract(StoreContract):
    durability: Durability

    @pytest.fixture(autouse=True)
    def in_a_folder(self, tmp_path: Path) -> None:
        self.folder = tmp_path / "new" / "data"

    async def open(self) -> Store:
        return SqliteStore(self.folder, durability=self.durability)

    async def reopened(self, store: Store) -> Store:
        await store.close()
        return await self.open()

    async def test_everything_is_there_after_a_restart(self, store: Store) -> None:
        steps = log("AAAAAA", 200)
        await store.append(steps)
        await store.add_player(b"hash", "p1")

        store = await self.reopened(store)

        assert [list(kept) for kept in await store.open_rooms()] == [steps]
        assert list(await store.load("AAAAAA")) == steps
        assert await store.find_player(b"hash") == "p1"
        await store.close()

    async def test_a_log_goes_on_after_a_restart(self, store: Store) -> None:
        steps = log("AAAAAA", 3)
        await store.append(steps[:2])

        store = await self.reopened(store)

        assert list(await store.append(steps)) == [ALREADY_THERE, ALREADY_THERE, WRITTEN]
        assert list(await store.append([step("AAAAAA", 2, b"other")])) == [CONFLICT]
        await store.close()

    async def test_a_closed_room_leaves_the_file_at_the_next_start(self, store: Store) -> None:
        other = log("BBBBBB", 2)
        await store.append([step("AAAAAA", 1), other[0], step("AAAAAA", 2, closes=True), other[1]])

        await (await self.reopened(store)).close()

        with closing(sqlite3.connect(self.folder / FILE_NAME)) as connection:
            assert connection.execute("SELECT room, seq FROM steps").fetchall() == [("BBBBBB", 1), ("BBBBBB", 2)]

    async def test_the_code_of_a_closed_room_is_free_again_after_a_restart(self, store: Store) -> None:
        await store.append([step("AAAAAA", 1, closes=True)])
        store = await self.reopened(store)

        outcomes = await store.append([step("AAAAAA", 1, b"new")])

        assert list(outcomes) == [WRITTEN]
        await store.close()

    async def test_a_full_disk_writes_nothing_and_passes(self, store: Store) -> None:
        assert isinstance(store, SqliteStore)
        steps = [step("AAAAAA", seq, bytes(4096)) for seq in range(1, 65)]
        await store.append(steps[:1])
        await limit_pages(store, 4)

        with pytest.raises(StoreError, match="full"):
            await store.append(steps)
        await store.ping()
        await limit_pages(store, 10_000)

        assert list(await store.append(steps)) == [ALREADY_THERE] + [WRITTEN] * 63
        assert list(await store.load("AAAAAA")) == steps

    async def test_a_commit_that_fails_is_rolled_back(self, store: Store) -> None:
        assert isinstance(store, SqliteStore)
        steps = log("AAAAAA", 3)
        await execute(store, "CREATE TABLE owners (id INTEGER PRIMARY KEY)")
        await execute(store, "CREATE TABLE owned (id INTEGER REFERENCES owners DEFERRABLE INITIALLY DEFERRED)")
        await execute(store, "CREATE TRIGGER fail AFTER INSERT ON steps BEGIN INSERT INTO owned VALUES (1); END")
        await execute(store, "PRAGMA foreign_keys = ON")

        with pytest.raises(StoreError, match="FOREIGN KEY"):
            await store.append(steps)
        await execute(store, "DROP TRIGGER fail")

        assert list(await store.append(steps)) == [WRITTEN] * 3


class TestSqliteStoreThatSurvivesAPowerCut(SqliteContract):
    durability = "power"


class TestSqliteStoreThatSurvivesAKilledProcess(SqliteContract):
    durability = "process"


async def execute(store: SqliteStore, statement: str) -> None:
    await store._thread.run(lambda: store._database._connection.execute(statement).fetchall())


async def limit_pages(store: SqliteStore, pages: int) -> None:
    """A disk that is full, as SQLite sees it."""
    await execute(store, f"PRAGMA max_page_count = {pages}")


@pytest.mark.parametrize(("durability", "synchronous"), [("power", 2), ("process", 1)])
async def test_durability_is_what_was_asked_for(tmp_path: Path, durability: Durability, synchronous: int) -> None:
    with closing_folder(tmp_path, durability) as store:
        connection = store._database._connection
        modes = [
            await store._thread.run(lambda pragma=pragma: connection.execute(f"PRAGMA {pragma}").fetchone()[0])  # type: ignore[misc]
            for pragma in ("journal_mode", "synchronous")
        ]

        assert modes == ["wal", synchronous]
