from __future__ import annotations

import asyncio
import os
import resource
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from server.store.base import SEEN_WITHIN, TAIL, DatabaseRefused, Store, StoreError
from server.store.database import MAX_ROWS, Durability
from server.store.folder import DataFolder
from server.store.index import MAX_CLOSED
from server.store.memory import MemoryStore
from server.store.schema import APPLICATION_ID
from server.store.sqlite import FILE_NAME, SqliteStore
from tests.store_contract import ALREADY_THERE, CONFLICT, NOW, WRITTEN, StoreContract, log, step


class TestMemoryStore(StoreContract):
    async def open(self) -> Store:
        return MemoryStore()

    async def test_only_the_rooms_closed_last_are_remembered(self) -> None:
        store = MemoryStore()
        rooms = [f"R{number:05}" for number in range(MAX_CLOSED + 1)]

        await store.append([step(room, 1, closes=True) for room in rooms])

        assert list(await store.append([step(rooms[-1], 1, closes=True)])) == [ALREADY_THERE]
        assert list(await store.append([step(rooms[0], 1, closes=True)])) == [WRITTEN]


VERSION_1 = f"""
CREATE TABLE steps (
    id INTEGER PRIMARY KEY,
    room TEXT NOT NULL,
    seq INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    payload BLOB NOT NULL,
    closes INTEGER NOT NULL
);
CREATE TABLE players (token_hash BLOB PRIMARY KEY, player TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO steps VALUES (1, 'AAAAAA', 1, 5, x'0073746570', 0);
INSERT INTO players VALUES (CAST('hash' AS BLOB), 'p1');
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = 1;
"""
"""A file as the first version wrote it, which did not know when players were seen."""
LONG_AGO, IN_CENTURIES = 1_700_000_000.0, 10_000_000_000.0
"""Before and after every upgrade; what is upgraded counts as seen then."""


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

    async def test_players_who_come_together_are_written_together(self, store: SqliteStore) -> None:
        commits: list[str] = []
        await store._thread.run(lambda: store._database._connection.set_trace_callback(commits.append))

        await asyncio.gather(*(store.add_player(b"%d" % number, f"p{number}", NOW) for number in range(50)))

        assert len([statement for statement in commits if statement == "COMMIT"]) <= 2
        assert [await store.find_player(b"%d" % number, NOW) for number in range(50)] == [f"p{n}" for n in range(50)]

    async def test_a_player_who_was_not_written_is_not_told_otherwise_and_the_next_is_written(
        self, store: SqliteStore
    ) -> None:
        await store._thread.run(lambda: store._database._connection.execute("PRAGMA query_only = 1"))
        outcomes = await asyncio.gather(
            *(store.add_player(b"%d" % number, f"p{number}", NOW) for number in range(3)), return_exceptions=True
        )
        await store._thread.run(lambda: store._database._connection.execute("PRAGMA query_only = 0"))

        await store.add_player(b"hash", "p1", NOW)

        assert [type(outcome) for outcome in outcomes] == [StoreError] * 3
        assert await store.find_player(b"0", NOW) is None
        assert await store.find_player(b"hash", NOW) == "p1"

    async def test_everything_is_there_after_a_restart(self, store: Store) -> None:
        steps = log("AAAAAA", 200)
        await store.append(steps)
        await store.add_player(b"hash", "p1", NOW)

        store = await self.reopened(store)

        assert [list(kept) for kept in await store.open_rooms()] == [steps]
        assert list(await store.load("AAAAAA")) == steps
        assert await store.find_player(b"hash", NOW) == "p1"
        await store.close()

    @pytest.mark.parametrize("steps", [MAX_ROWS - 1, MAX_ROWS, MAX_ROWS + 1, 2 * MAX_ROWS, 2 * MAX_ROWS + 1])
    async def test_a_batch_of_any_size_is_written_as_it_was_given(self, store: Store, steps: int) -> None:
        batch = log("AAAAAA", steps)

        outcomes = await store.append(batch)
        store = await self.reopened(store)

        assert list(outcomes) == [WRITTEN] * steps
        assert list(await store.history("AAAAAA")) == batch
        await store.close()

    async def test_a_batch_of_several_statements_is_written_wholly_or_not_at_all(self, store: Store) -> None:
        batch = log("AAAAAA", MAX_ROWS + 1)
        unstorable = replace(batch[-1], payload=object())  # type: ignore[arg-type]

        with pytest.raises(StoreError):
            await store.append([*batch[:-1], unstorable])

        assert list(await store.history("AAAAAA")) == []
        assert list(await store.append(batch)) == [WRITTEN] * len(batch)

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

    async def test_a_running_server_removes_the_rows_of_closed_rooms_some_at_a_time(self, store: Store) -> None:
        closing = [step(room, seq, closes=seq == 3) for room in ("AAAAAA", "BBBBBB") for seq in (1, 2, 3)]
        await store.append([*closing, step("CCCCCC", 1)])
        assert await store.clear(100) == 0
        await store.append([step(f"R{number:05}", 1, closes=True) for number in range(MAX_CLOSED)])

        removed = [await store.clear(4) for _ in range(3)]

        assert removed == [4, 2, 0]
        assert await rooms_in_file(store) == {"CCCCCC", *(f"R{number:05}" for number in range(MAX_CLOSED))}

    async def test_a_log_that_was_trimmed_leaves_the_file_and_is_whole_after_a_restart(self, store: Store) -> None:
        steps = log("AAAAAA", TAIL + 150, checkpoints=(100,))
        await store.append(steps)
        await store.trim({"AAAAAA": 10_000})

        removed = [await store.clear(70) for _ in range(3)]
        store = await self.reopened(store)

        assert removed == [70, 29, 0]
        assert list(await store.history("AAAAAA")) == steps[99:]
        assert await store.clear(100) == 0
        await store.close()

    async def test_what_a_restart_kept_from_being_removed_is_removed_after_it(self, store: Store) -> None:
        steps = log("AAAAAA", TAIL + 150, checkpoints=(100,))
        await store.append(steps)
        await store.trim({"AAAAAA": 10_000})
        await store.clear(70)

        store = await self.reopened(store)

        assert list(await store.history("AAAAAA")) == steps[99:]
        assert [await store.clear(70), await store.clear(70)] == [29, 0]
        await store.close()

    async def test_rows_that_could_not_be_removed_are_removed_later(self, store: Store) -> None:
        assert isinstance(store, SqliteStore)
        await store.append([step(f"R{number:05}", 1, closes=True) for number in range(MAX_CLOSED + 1)])
        await execute(store, "CREATE TRIGGER fail BEFORE DELETE ON steps BEGIN SELECT RAISE(ABORT, 'not now'); END")

        with pytest.raises(StoreError, match="not now"):
            await store.clear(100)
        await execute(store, "DROP TRIGGER fail")

        assert await store.clear(100) == 1
        assert "R00000" not in await rooms_in_file(store)

    async def test_a_player_is_found_although_it_cannot_be_noted(self, store: Store) -> None:
        assert isinstance(store, SqliteStore)
        await store.add_player(b"hash", "p1", NOW)
        await execute(store, "CREATE TRIGGER fail BEFORE UPDATE ON players BEGIN SELECT RAISE(ABORT, 'full'); END")

        assert await store.find_player(b"hash", NOW + 10 * SEEN_WITHIN) == "p1"

    async def test_a_player_who_comes_back_often_is_noted_once_a_day(self, store: Store) -> None:
        assert isinstance(store, SqliteStore)
        await store.add_player(b"hash", "p1", NOW)

        await store.find_player(b"hash", NOW + SEEN_WITHIN - 1)
        first = await value(store, "SELECT last_seen FROM players")
        await store.find_player(b"hash", NOW + SEEN_WITHIN)

        assert first == NOW
        assert await value(store, "SELECT last_seen FROM players") == NOW + SEEN_WITHIN

    async def test_a_file_of_the_version_before_is_brought_up_to_date(self, store: Store) -> None:
        await store.close()
        (self.folder / FILE_NAME).unlink()
        with closing(sqlite3.connect(self.folder / FILE_NAME)) as connection:
            connection.executescript(VERSION_1)

        store = await self.open()

        assert [list(kept) for kept in await store.open_rooms()] == [[step("AAAAAA", 1)]]
        assert await store.forget_players(LONG_AGO, 100) == 0
        assert await store.find_player(b"hash", 0) == "p1"
        assert await store.forget_players(IN_CENTURIES, 100) == 1
        store = await self.reopened(store)
        assert await store.find_player(b"hash", 0) is None
        await store.close()

    async def test_records_are_there_after_a_restart_and_in_a_file_that_had_none(self, store: Store) -> None:
        await store.close()
        (self.folder / FILE_NAME).unlink()
        with closing(sqlite3.connect(self.folder / FILE_NAME)) as connection:
            connection.executescript(VERSION_1)

        store = await self.open()
        await store.add_record("r1", "AAAAAA", b"one", NOW)
        store = await self.reopened(store)

        assert await store.record("r1") == b"one"
        assert await store.last_record("AAAAAA") == b"one"
        await store.close()

    async def test_the_code_of_a_closed_room_is_free_again_after_a_restart(self, store: Store) -> None:
        await store.append([step("AAAAAA", 1, closes=True)])
        store = await self.reopened(store)

        outcomes = await store.append([step("AAAAAA", 1, b"new")])

        assert list(outcomes) == [WRITTEN]
        await store.close()

    async def test_a_disk_that_can_only_be_read_answers_no_ping(self, store: Store) -> None:
        await store.append([step("AAAAAA", 1)])
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1, hard))
        try:
            with pytest.raises(StoreError):
                await store.ping()
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

        await store.ping()
        assert list(await store.append([step("AAAAAA", 2)])) == [WRITTEN]

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
    """Do what only a fault would do to the file."""
    await store._thread.run(lambda: store._database._connection.execute(statement).fetchall())


async def rooms_in_file(store: Store) -> set[str]:
    assert isinstance(store, SqliteStore)
    rows = await store._thread.run(
        lambda: store._database._connection.execute("SELECT DISTINCT room FROM steps").fetchall()
    )
    return {room for (room,) in rows}


async def limit_pages(store: SqliteStore, pages: int) -> None:
    """A disk that is full, as SQLite sees it."""
    await execute(store, f"PRAGMA max_page_count = {pages}")


async def value(store: SqliteStore, query: str) -> object:
    rows = await store._thread.run(lambda: store._database._connection.execute(query).fetchall())
    return rows[0][0]


@pytest.mark.parametrize(("durability", "synchronous"), [("power", 2), ("process", 1)])
async def test_durability_is_what_was_asked_for(tmp_path: Path, durability: Durability, synchronous: int) -> None:
    store = SqliteStore(tmp_path, durability=durability)

    assert await value(store, "PRAGMA journal_mode") == "wal"
    assert await value(store, "PRAGMA synchronous") == synchronous
    await store.close()


async def test_a_folder_has_one_server(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)

    with pytest.raises(DatabaseRefused, match="in use by another server"):
        SqliteStore(tmp_path / ".")

    await store.close()
    await SqliteStore(tmp_path).close()


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")

    with pytest.raises(DatabaseRefused, match="cannot be used"):
        SqliteStore(tmp_path / "file" / "data")


HOLD_AND_FORK = """
import os, signal, sys
from pathlib import Path
from server.store.folder import DataFolder
folder = DataFolder(Path(sys.argv[1]))
child = os.fork()
if child:
    print(child, flush=True)
signal.pause()
"""


def test_another_process_keeps_a_folder_until_it_is_killed_even_if_its_child_lives_on(tmp_path: Path) -> None:
    arguments = [sys.executable, "-c", HOLD_AND_FORK, str(tmp_path)]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        child = int(holder.stdout.readline())
        try:
            with pytest.raises(DatabaseRefused, match="in use by another server"):
                DataFolder(tmp_path)

            holder.kill()
            holder.wait()

            DataFolder(tmp_path).release()
        finally:
            holder.kill()
            os.kill(child, signal.SIGKILL)


WRITE_AND_DIE = """
import asyncio, os, signal, sys
from pathlib import Path
from server.store.sqlite import SqliteStore
from tests.store_contract import log
async def main():
    store = SqliteStore(Path(sys.argv[1]), durability=sys.argv[2])
    await store.append(log("AAAAAA", 20))
    os.kill(os.getpid(), signal.SIGKILL)
asyncio.run(main())
"""


@pytest.mark.parametrize("durability", ["power", "process"])
async def test_what_was_written_outlives_a_killed_server(tmp_path: Path, durability: Durability) -> None:
    writer = await asyncio.create_subprocess_exec(sys.executable, "-c", WRITE_AND_DIE, tmp_path, durability)
    assert await writer.wait() == -signal.SIGKILL

    store = SqliteStore(tmp_path, durability=durability)

    assert list(await store.load("AAAAAA")) == log("AAAAAA", 20)
    await store.close()
