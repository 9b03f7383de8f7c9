"""Whether the files of an open database still have their names: what is written to one that has none, nobody finds.

The system lets a program write to a file that was moved or removed, and SQLite does not ask.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path

from server.store.folder import sync_folder


class Files:
    """The database and the two files that SQLite keeps beside it, as they are when this is made."""

    def __init__(self, database: Path) -> None:
        self._database = database
        real = database.resolve()
        self._beside = files_beside(real)
        self._paths = [database, *self._beside]
        self._opened = [_identity(path) for path in self._paths]

    @property
    def have_database(self) -> bool:
        """Whether the database itself is in its place."""
        return _identity(self._database) == self._opened[0]

    def lost(self) -> Sequence[Path]:
        """Those in whose place there is nothing any more, or something else. Cheap: asked with every transaction."""
        found = [_identity(path) for path in self._paths]
        if found == self._opened:
            return ()
        return [path for path, now, then in zip(self._paths, found, self._opened, strict=True) if now != then]

    def is_whole_without(self, lost: Sequence[Path]) -> bool:
        """Whether the database is there, and nothing in the place of what was lost beside it."""
        return self._database not in lost and not any(path.exists() for path in lost)

    def save(self, connection: sqlite3.Connection) -> Path | None:
        """If the database itself was lost, write what is open to a new file beside its place, and give that.

        The lost file has all of it too then, wherever it is.

        Raises:
            sqlite3.Error, OSError: it cannot be written.
        """
        lost = self.lost()
        if self._database not in lost:
            return None
        self._database.parent.mkdir(parents=True, exist_ok=True)
        saved = next(path for path in _saved_names(self._database) if not path.exists())
        part = saved.with_name(saved.name + ".part")
        part.unlink(missing_ok=True)
        connection.execute("VACUUM INTO ?", (str(part),))
        with part.open("rb") as file:
            os.fsync(file)
        part.rename(saved)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        for path in self._beside:
            if path not in lost:
                path.unlink()  # beside another database it would spoil that
        sync_folder(saved.parent)
        return saved


def files_beside(database: Path) -> list[Path]:
    """Where SQLite keeps the changes that are not in ``database`` yet, and the index of them (its WAL mode)."""
    return [database.with_name(database.name + end) for end in ("-wal", "-shm")]


def saved_files(database: Path) -> Sequence[Path]:
    """What `Files.save` has written in the place of ``database``, and nobody has taken away."""
    return sorted(database.parent.glob(f"{database.name}.saved-*"))


def _saved_names(database: Path) -> Iterator[Path]:
    return (database.with_name(f"{database.name}.saved-{number}") for number in count(1))


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = os.stat(path)  # noqa: PTH116 - half the time of Path.stat, and asked with every transaction
    except OSError:
        return None
    return found.st_dev, found.st_ino
