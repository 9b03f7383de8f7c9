"""Files of the database that are moved, removed or replaced while a server has them open."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from pathlib import Path

import pytest
import pytest_asyncio
from structlog.testing import capture_logs

from server.store.base import DatabaseRefused, StoreError
from server.store.database import Durability
from server.store.files import Files
from server.store.sqlite import FILE_NAME, SqliteStore
from tests.store_contract import NOW, WRITTEN, log

FILES = (FILE_NAME, FILE_NAME + "-wal", FILE_NAME + "-shm")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest_asyncio.fixture(params=["power", "process"])
async def store(request: pytest.FixtureRequest, folder: Path) -> AsyncIterator[SqliteStore]:
    """One that has been told of a room of three steps, and of a player."""
    durability: Durability = request.param
    store = SqliteStore(folder, durability=durability)
    await store.append(log("AAAAAA", 3))
    await store.add_player(b"hash", "ann", NOW)
    yield store
    await store.close()


def as_a_killed_server_leaves_it(folder: Path, elsewhere: Path) -> SqliteStore:
    """What the next start finds, were the server killed now."""
    elsewhere.mkdir()
    for name in FILES[:2]:
        if (folder / name).exists():
            shutil.copy(folder / name, elsewhere / name)
    return SqliteStore(elsewhere)


def remove_the_database(folder: Path) -> None:
    (folder / FILE_NAME).unlink()


def remove_all_files(folder: Path) -> None:
    for name in FILES:
        (folder / name).unlink()


def rename_the_database(folder: Path) -> None:
    (folder / FILE_NAME).rename(folder / "old.db")


def put_another_there(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "other.db")) as other:
        other.execute("CREATE TABLE theirs (id INTEGER)")
    (folder / "other.db").replace(folder / FILE_NAME)


def remove_the_folder(folder: Path) -> None:
    shutil.rmtree(folder)


def move_the_folder(folder: Path) -> None:
    folder.rename(folder.with_name("moved"))


def put_a_file_in_place_of_the_folder(folder: Path) -> None:
    remove_the_folder(folder)
    folder.write_bytes(b"")


def put_another_log_there(folder: Path) -> None:
    (folder / "other").write_bytes(b"another")
    (folder / "other").replace(folder / FILES[1])


LOSSES = [
    remove_the_database,
    remove_all_files,
    rename_the_database,
    put_another_there,
    remove_the_folder,
    move_the_folder,
    put_another_log_there,
]


@pytest.mark.parametrize("lose", LOSSES)
async def test_nothing_is_taken_that_the_next_start_would_not_find(
    store: SqliteStore, folder: Path, lose: Callable[[Path], None]
) -> None:
    lose(folder)

    with pytest.raises(StoreError, match=r"doublesix\.db.* was moved, removed or replaced"):
        await store.append(log("BBBBBB", 1))
    for refused in (store.ping(), store.add_player(b"other", "bob", NOW), store.append(log("AAAAAA", 4)[3:])):
        with pytest.raises(StoreError):
            await refused


async def test_what_was_written_before_the_loss_is_read_and_nothing_that_came_after(
    store: SqliteStore, folder: Path
) -> None:
    rename_the_database(folder)
    with pytest.raises(StoreError):
        await store.append(log("AAAAAA", 4)[3:])

    assert list(await store.load("AAAAAA")) == log("AAAAAA", 3)
    assert await store.find_player(b"hash", NOW) == "ann"


async def test_what_was_written_in_the_moment_of_the_loss_is_not_told_until_the_file_is_back(
    store: SqliteStore, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Files, "have_database", True)
    rename_the_database(folder)
    with pytest.raises(StoreError):
        await store.append(log("AAAAAA", 4)[3:])
    with pytest.raises(StoreError):
        await store.load("AAAAAA")

    (folder / "old.db").rename(folder / FILE_NAME)

    assert list(await store.load("AAAAAA")) == log("AAAAAA", 4)


async def test_that_files_are_lost_is_said_once_with_their_names(store: SqliteStore, folder: Path) -> None:
    rename_the_database(folder)

    with capture_logs() as logs:
        for _ in range(3):
            with pytest.raises(StoreError):
                await store.ping()

    assert [(line["event"], line["log_level"]) for line in logs] == [("store.files_lost", "error")]
    assert logs[0]["files"] == [str(folder / FILE_NAME)]


async def test_a_file_that_is_put_back_is_gone_on_with(store: SqliteStore, folder: Path, tmp_path: Path) -> None:
    rename_the_database(folder)
    with pytest.raises(StoreError):
        await store.append(log("BBBBBB", 1))

    (folder / "old.db").rename(folder / FILE_NAME)
    outcomes = await store.append(log("BBBBBB", 2))

    assert all(outcome.counts for outcome in outcomes)
    copy = as_a_killed_server_leaves_it(folder, tmp_path / "copy")
    assert list(await copy.load("AAAAAA")) == log("AAAAAA", 3)
    assert list(await copy.load("BBBBBB")) == log("BBBBBB", 2)
    await copy.close()


async def test_a_folder_that_is_put_back_is_gone_on_with(store: SqliteStore, folder: Path) -> None:
    move_the_folder(folder)
    with pytest.raises(StoreError):
        await store.ping()

    folder.with_name("moved").rename(folder)

    await store.ping()


@pytest.mark.parametrize("names", [FILES[1:2], FILES[2:], FILES[1:]])
async def test_what_sqlite_keeps_beside_the_database_is_made_anew(
    store: SqliteStore, folder: Path, tmp_path: Path, names: tuple[str, ...]
) -> None:
    for name in names:
        (folder / name).unlink()

    outcomes = [*await store.append(log("BBBBBB", 1)), *await store.append(log("CCCCCC", 1))]

    assert outcomes == [WRITTEN, WRITTEN]
    copy = as_a_killed_server_leaves_it(folder, tmp_path / "copy")
    assert [len(await copy.load(room)) for room in ("AAAAAA", "BBBBBB", "CCCCCC")] == [3, 1, 1]
    assert await copy.find_player(b"hash", NOW) == "ann"
    await copy.close()


async def test_while_somebody_reads_the_rest_of_the_file_is_waited_for(store: SqliteStore, folder: Path) -> None:
    with closing(sqlite3.connect(folder / FILE_NAME, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM steps").fetchone()
        (folder / FILES[1]).unlink()
        with pytest.raises(StoreError, match="is being read"):
            await store.append(log("BBBBBB", 1))

    assert all(outcome.counts for outcome in await store.append(log("BBBBBB", 1)))


@pytest.mark.parametrize("lose", [remove_the_database, remove_all_files, rename_the_database, remove_the_folder])
async def test_a_server_that_is_stopped_saves_what_it_has_open(
    store: SqliteStore, folder: Path, lose: Callable[[Path], None]
) -> None:
    lose(folder)

    with capture_logs() as logs:
        await store.close()

    saved = folder / (FILE_NAME + ".saved-1")
    assert [(line["event"], line["saved"]) for line in logs] == [("store.saved", str(saved))]
    saved.rename(folder / FILE_NAME)
    again = SqliteStore(folder)
    assert list(await again.load("AAAAAA")) == log("AAAAAA", 3)
    assert await again.find_player(b"hash", NOW) == "ann"
    await again.close()


async def test_a_file_that_was_renamed_has_everything_once_the_server_is_stopped(
    store: SqliteStore, folder: Path
) -> None:
    rename_the_database(folder)
    await store.close()

    (folder / "old.db").rename(folder / FILE_NAME)

    again = SqliteStore(folder)
    assert list(await again.load("AAAAAA")) == log("AAAAAA", 3)
    await again.close()


async def test_no_empty_database_is_made_beside_one_that_was_saved(store: SqliteStore, folder: Path) -> None:
    remove_the_database(folder)
    await store.close()

    with pytest.raises(
        DatabaseRefused, match=r"saved-1 is there, which a server has saved: rename it to doublesix\.db"
    ):
        SqliteStore(folder)

    assert not (folder / FILE_NAME).exists()


async def test_a_saved_database_is_never_written_over(store: SqliteStore, folder: Path) -> None:
    remove_the_database(folder)
    (folder / (FILE_NAME + ".saved-1")).write_bytes(b"of last week")

    await store.close()

    assert (folder / (FILE_NAME + ".saved-1")).read_bytes() == b"of last week"
    assert (folder / (FILE_NAME + ".saved-2")).exists()


async def test_that_nothing_can_be_saved_is_said(store: SqliteStore, folder: Path) -> None:
    put_a_file_in_place_of_the_folder(folder)

    with capture_logs() as logs:
        await store.close()

    assert [(line["event"], line["log_level"]) for line in logs] == [("store.not_saved", "error")]


async def test_another_database_that_was_put_there_keeps_its_newest_changes(
    store: SqliteStore, folder: Path, tmp_path: Path
) -> None:
    other = SqliteStore(tmp_path / "other")
    await other.append(log("DDDDDD", 2))
    remove_all_files(folder)
    for name in FILES[:2]:
        shutil.copy(tmp_path / "other" / name, folder / name)
    await other.close()
    before = [(folder / name).read_bytes() for name in FILES[:2]]

    await store.close()

    assert [(folder / name).read_bytes() for name in FILES[:2]] == before
    again = SqliteStore(folder)
    assert list(await again.load("DDDDDD")) == log("DDDDDD", 2)
    await again.close()
