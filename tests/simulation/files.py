"""The embedded store on real files, as a disk of a run: what a killed process leaves is opened by the next one."""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from server.store.base import Step
from server.store.sqlite import FILE_NAME, SqliteStore
from tests.simulation.disk import Disk


class FileDisk(Disk):
    """Each process has a copy of the files as they were in the moment in which the one before ended."""

    def __init__(self, rng: random.Random, written: Callable[[Step], None]) -> None:
        super().__init__(rng, written)
        self._folders = TemporaryDirectory(prefix="simulation-")
        self._lives = 0
        self._open()

    def begin_life(self) -> None:
        before, left = self._folder, self._files
        self._lives += 1
        self._folder.mkdir()
        for name in (FILE_NAME, FILE_NAME + "-wal"):
            shutil.copy(before / name, self._folder / name)
        left.leave()
        shutil.rmtree(before)
        self._open()

    def throw_away(self) -> None:
        self._files.leave()
        self._folders.cleanup()

    @property
    def _folder(self) -> Path:
        return Path(self._folders.name) / str(self._lives)

    def _open(self) -> None:
        self.store = self._files = _Files(self._folder, self.fails)


class _Files(SqliteStore):
    """Written to without another thread. Its disk is full when ``fails`` says so."""

    def __init__(self, folder: Path, fails: Callable[[], bool]) -> None:
        super().__init__(folder, durability="process")
        self._database._connection = _Unreliable(self._database._connection, fails)  # type: ignore[assignment]

    def leave(self) -> None:
        """Close it outside of any loop: that of its process is gone."""
        self._database.close()
        self._folder.release()


class _Unreliable:
    """A connection on which no room may be left for a transaction, as SQLite says at its end."""

    def __init__(self, connection: sqlite3.Connection, fails: Callable[[], bool]) -> None:
        self._connection = connection
        self._fails = fails

    def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
        if statement == "COMMIT" and self._fails():
            raise sqlite3.OperationalError("database or disk is full")
        return self._connection.execute(statement, *values)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)
