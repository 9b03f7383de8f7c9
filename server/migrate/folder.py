"""A data folder that is moved from, or to."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TypeVar

from server.migrate.base import AT_ONCE, RECORDS_AT_ONCE, Counts, Player, Record
from server.store import schema
from server.store.base import DatabaseRefused, Step, StoreError
from server.store.database import Database
from server.store.folder import DataFolder, sync_folder
from server.store.sqlite import FILE_NAME

Item = TypeVar("Item")


class FolderSource:
    """The database in a folder, which nobody else opens meanwhile. It stays as a server leaves it at its start."""

    def __init__(self, path: Path) -> None:
        """Take the folder.

        Raises:
            DatabaseRefused: there is no database of ours, or a server uses it.
        """
        file = path / FILE_NAME
        if not file.exists():
            raise DatabaseRefused(f"there is no database in {path}")
        self._folder = DataFolder(path)
        try:
            self._database = Database(file, "power")
        except BaseException:
            self._folder.release()
            raise

    async def count(self) -> Counts:
        """See `Source`."""
        return _count(self._database)

    async def rooms(self) -> AsyncIterator[Sequence[Step]]:
        """See `Source`."""
        for room in self._database.rooms():
            yield self._database.history(room, 1, None)

    async def players(self) -> AsyncIterator[Sequence[Player]]:
        """See `Source`."""
        for rows in _pieces(self._database.players(), AT_ONCE):
            yield [Player(*row) for row in rows]

    async def records(self) -> AsyncIterator[Sequence[Record]]:
        """See `Source`."""
        for rows in _pieces(self._database.records(), RECORDS_AT_ONCE):
            yield [Record(*row) for row in rows]

    async def check_stopped(self) -> None:
        """See `Source`. The folder is ours: no server can start on it."""

    async def close(self) -> None:
        """See `Source`."""
        self._database.close()
        self._folder.release()


class FolderTarget:
    """A database that gets its name when it is whole."""

    def __init__(self, path: Path) -> None:
        """Take the folder, made if it is missing.

        Raises:
            DatabaseRefused: it holds something, or a server uses it.
        """
        self._folder = DataFolder(path)
        self._file = self._folder.path / FILE_NAME
        self._unfinished = schema.unfinished(self._file)
        try:
            self._make_way(path)
            with _store_errors():
                self._connection = _new_database(self._unfinished)
        except BaseException:
            self._folder.release()
            raise

    def _make_way(self, path: Path) -> None:
        """Remove what an attempt before has left, and a database in which there is nothing."""
        self._unfinished.unlink(missing_ok=True)
        if schema.is_there(self._file):
            database = Database(self._file, "power")
            is_empty = _count(database) == Counts()
            database.close()
            if not is_empty:
                raise DatabaseRefused(f"{path} holds something already: name a folder that is empty or new")
            self._file.unlink()

    async def add_room(self, log: Sequence[Step]) -> None:
        """See `Target`."""
        rows = [(step.room, step.seq, step.epoch, step.payload, step.closes, step.checkpoint) for step in log]
        self._insert("steps (room, seq, epoch, payload, closes, checkpoint) VALUES (?, ?, ?, ?, ?, ?)", rows)

    async def add_players(self, players: Sequence[Player]) -> None:
        """See `Target`."""
        rows = [(player.token_hash, player.name, player.last_seen) for player in players]
        self._insert("players (token_hash, player, last_seen) VALUES (?, ?, ?)", rows)

    async def add_records(self, records: Sequence[Record]) -> None:
        """See `Target`."""
        rows = [(record.name, record.room, record.payload, record.at) for record in records]
        self._insert("records (id, room, payload, at) VALUES (?, ?, ?, ?)", rows)

    def _insert(self, into: str, rows: Sequence[tuple[object, ...]]) -> None:
        with _store_errors():
            self._connection.executemany(f"INSERT INTO {into}", rows)

    async def finish(self) -> None:
        """See `Target`."""
        with _store_errors():
            self._connection.execute("COMMIT")
            self._connection.close()
            self._unfinished.rename(self._file)
            sync_folder(self._folder.path)

    async def close(self) -> None:
        """See `Target`."""
        self._connection.close()
        self._folder.release()


def _count(database: Database) -> Counts:
    return Counts(len(database.rooms()), database.count_players(), database.count_records())


def _new_database(path: Path) -> sqlite3.Connection:
    """An empty one, which is written to in one transaction."""
    schema.create(path)
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("BEGIN IMMEDIATE")
    return connection


@contextmanager
def _store_errors() -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise StoreError(str(error)) from error


def _pieces(items: Iterable[Item], size: int) -> Iterator[Sequence[Item]]:
    rest = iter(items)
    while piece := list(islice(rest, size)):
        yield piece
