"""Which files are opened as a database, and which are refused and stay as they are."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from server.migrate.folder import FolderTarget
from server.store.base import DatabaseRefused
from server.store.database import Durability
from server.store.schema import APPLICATION_ID, VERSION
from server.store.sqlite import FILE_NAME, SqliteStore
from tests.store_contract import log, step


async def execute(store: SqliteStore, statement: str) -> None:
    """Do what only a fault would do to the file."""
    await store._thread.run(lambda: store._database._connection.execute(statement).fetchall())


def names_in(folder: Path) -> set[str]:
    return {file.name for file in folder.iterdir()}


async def test_the_file_says_whose_it_is(tmp_path: Path) -> None:
    await SqliteStore(tmp_path).close()

    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection:
        assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        assert connection.execute("PRAGMA user_version").fetchone() == (VERSION,)


def foreign(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE theirs (id INTEGER)")


def newer(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")
        connection.execute("CREATE TABLE steps (id INTEGER)")


def no_database(file: Path) -> None:
    file.write_bytes(b"Dear diary, " * 500)


@pytest.mark.parametrize(
    ("make", "says"),
    [(foreign, "another program"), (newer, "newer version"), (no_database, "not a database")],
)
@pytest.mark.parametrize("durability", ["power", "process"])
def test_a_file_that_is_not_ours_is_refused_and_stays_as_it_is(
    tmp_path: Path, make: Callable[[Path], None], says: str, durability: Durability
) -> None:
    file = tmp_path / FILE_NAME
    make(file)
    before = file.read_bytes()

    with pytest.raises(DatabaseRefused, match=says):
        SqliteStore(tmp_path, durability=durability)

    assert file.read_bytes() == before


async def test_a_damaged_file_is_refused_and_stays_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / FILE_NAME
    store = SqliteStore(tmp_path)
    await store.append([step("AAAAAA", seq, bytes(2000)) for seq in range(1, 100)])
    await store.close()
    damaged = bytearray(file.read_bytes())
    damaged[8192:40960] = bytes(range(256)) * 128
    file.write_bytes(damaged)

    with pytest.raises(DatabaseRefused, match=r"damaged|malformed"):
        SqliteStore(tmp_path)

    assert file.read_bytes() == damaged


@pytest.mark.parametrize(
    ("harm", "says"),
    [
        ("PRAGMA user_version = 0", "it says version 0"),
        ("PRAGMA user_version = -1", "it says version -1"),
        ("DROP TABLE players", "no such table: players"),
        ("DROP TABLE records", "no such table: records"),
        ("ALTER TABLE steps DROP COLUMN epoch", "no such column: epoch"),
    ],
)
async def test_a_file_in_which_something_is_missing_is_refused(tmp_path: Path, harm: str, says: str) -> None:
    store = SqliteStore(tmp_path)
    await store.append(log("AAAAAA", 3))
    await execute(store, harm)
    await store.close()

    with pytest.raises(DatabaseRefused, match=says):
        SqliteStore(tmp_path)


async def test_a_log_with_a_hole_is_refused(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    await store.append(log("AAAAAA", 3))
    await execute(store, "DELETE FROM steps WHERE seq = 2")
    await store.close()

    with pytest.raises(DatabaseRefused, match="room AAAAAA has a step 3, but not the one before"):
        SqliteStore(tmp_path)


@pytest.mark.parametrize("where", ["elsewhere/doublesix.db", FILE_NAME])
async def test_a_link_that_leads_nowhere_is_refused_and_stays(tmp_path: Path, where: str) -> None:
    link = tmp_path / FILE_NAME
    link.symlink_to(tmp_path / where)

    with pytest.raises(DatabaseRefused, match=r"is missing|cannot be opened"):
        SqliteStore(tmp_path)
    with pytest.raises(DatabaseRefused, match=r"is missing|cannot be opened"):
        FolderTarget(tmp_path)

    assert link.readlink() == tmp_path / where


async def test_a_refused_folder_can_be_used_once_it_is_in_order(tmp_path: Path) -> None:
    no_database(tmp_path / FILE_NAME)
    with pytest.raises(DatabaseRefused):
        SqliteStore(tmp_path)

    (tmp_path / FILE_NAME).unlink()
    store = SqliteStore(tmp_path)

    await store.ping()
    await store.close()


CHANGE_AND_DIE = """
import os, sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("PRAGMA journal_mode = " + sys.argv[2])
connection.execute("PRAGMA cache_size = 1")
connection.executescript(sys.argv[3])
os._exit(0)
"""


def change_and_die(file: Path, journal_mode: str, statements: str) -> None:
    """Another process changes the file and is killed before it has cleaned up behind itself."""
    subprocess.run([sys.executable, "-c", CHANGE_AND_DIE, str(file), journal_mode, statements], check=True)


async def test_a_newer_file_keeps_also_what_was_not_moved_into_it_yet(tmp_path: Path) -> None:
    await SqliteStore(tmp_path).close()
    file, changes = tmp_path / FILE_NAME, tmp_path / (FILE_NAME + "-wal")
    change_and_die(file, "WAL", f"CREATE TABLE later (id); PRAGMA user_version = {VERSION + 1}")
    before = file.read_bytes(), changes.read_bytes()
    assert before[1]

    with pytest.raises(DatabaseRefused, match="newer version"):
        SqliteStore(tmp_path)

    assert (file.read_bytes(), changes.read_bytes()) == before


async def test_a_file_that_lost_its_content_is_no_new_one(tmp_path: Path) -> None:
    await SqliteStore(tmp_path).close()
    (tmp_path / FILE_NAME).write_bytes(b"")

    with pytest.raises(DatabaseRefused, match="it is empty"):
        SqliteStore(tmp_path)

    assert (tmp_path / FILE_NAME).read_bytes() == b""


async def test_no_file_is_made_beside_the_changes_of_a_lost_one(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    await store.append(log("AAAAAA", 3))
    changes = (tmp_path / (FILE_NAME + "-wal")).read_bytes()
    await store.close()
    (tmp_path / FILE_NAME).unlink()
    (tmp_path / (FILE_NAME + "-wal")).write_bytes(changes)

    with pytest.raises(DatabaseRefused, match=r"is missing, but .*-wal is there"):
        SqliteStore(tmp_path)

    assert not (tmp_path / FILE_NAME).exists()


async def test_what_is_left_of_a_file_that_was_never_finished_is_no_hindrance(tmp_path: Path) -> None:
    (tmp_path / (FILE_NAME + ".new")).write_bytes(b"half a file")

    store = SqliteStore(tmp_path)

    assert list(await store.open_rooms()) == []
    await store.close()


async def test_a_backup_whose_first_opening_was_cut_off_is_opened(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    await store.append(log("AAAAAA", 3))
    await store.close()
    change_and_die(
        tmp_path / FILE_NAME,
        "DELETE",
        "BEGIN; CREATE TABLE more (a);" + "INSERT INTO more VALUES (zeroblob(4000));" * 20,
    )
    assert (tmp_path / (FILE_NAME + "-journal")).exists()

    store = SqliteStore(tmp_path)

    assert list(await store.load("AAAAAA")) == log("AAAAAA", 3)
    await store.close()


async def test_a_log_without_its_beginning_is_refused_unless_a_checkpoint_stands_for_it(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    await store.append(log("AAAAAA", 3))
    await execute(store, "DELETE FROM steps WHERE seq = 1")
    await store.close()

    with pytest.raises(DatabaseRefused, match="room AAAAAA begins with step 2"):
        SqliteStore(tmp_path)


@pytest.mark.parametrize("harm", ["PRAGMA user_version = 99", "PRAGMA application_id = 7"])
async def test_a_refused_file_has_nothing_beside_it_that_was_not_there_before(tmp_path: Path, harm: str) -> None:
    store = SqliteStore(tmp_path)
    await execute(store, harm)
    await store.close()
    before = names_in(tmp_path)

    with pytest.raises(DatabaseRefused):
        SqliteStore(tmp_path)

    assert names_in(tmp_path) == before


async def test_changes_that_are_none_are_refused_and_stay_as_they_are(tmp_path: Path) -> None:
    await SqliteStore(tmp_path).close()
    changes = tmp_path / (FILE_NAME + "-wal")
    changes.write_bytes(b"x" * 5000)

    with pytest.raises(DatabaseRefused, match=r"-wal is damaged"):
        SqliteStore(tmp_path)

    assert changes.read_bytes() == b"x" * 5000


@pytest.mark.parametrize("left", [b"", bytes(4096)])
async def test_changes_that_a_power_cut_has_left_empty_are_no_hindrance(tmp_path: Path, left: bytes) -> None:
    store = SqliteStore(tmp_path)
    await store.append(log("AAAAAA", 3))
    await store.close()
    (tmp_path / (FILE_NAME + "-wal")).write_bytes(left)

    store = SqliteStore(tmp_path)

    assert list(await store.load("AAAAAA")) == log("AAAAAA", 3)
    await store.close()
