"""The schema of the SQLite file: how a new file is made, an older one brought up to date, any other one refused."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from server.store.base import DatabaseRefused
from server.store.files import files_beside, saved_files
from server.store.folder import sync_folder

APPLICATION_ID = 0x6D366436
"""Marks the file as ours."""
_APPLICATION_ID_AT = 68
"""Bytes from the beginning of an SQLite file (https://www.sqlite.org/fileformat.html, 1.3)."""
_CHANGES_BEGIN = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83", bytes(4))
"""How a file of changes begins (4.1 there)."""
VERSION = 4
"""Of the schema."""
_RECORDS = """
CREATE TABLE records (id TEXT PRIMARY KEY, room TEXT, payload BLOB NOT NULL, at REAL NOT NULL);
CREATE INDEX records_by_room ON records (room, at) WHERE room IS NOT NULL;
CREATE INDEX records_by_time ON records (at);
"""
"""``room`` is null when the room has closed."""
_SCHEMA = f"""
BEGIN;
CREATE TABLE steps (
    id INTEGER PRIMARY KEY,
    room TEXT NOT NULL,
    seq INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    payload BLOB NOT NULL,
    closes INTEGER NOT NULL,
    checkpoint BLOB
);
CREATE TABLE players (token_hash BLOB PRIMARY KEY, player TEXT NOT NULL, last_seen REAL NOT NULL) WITHOUT ROWID;
CREATE INDEX players_by_name ON players (player);
CREATE INDEX players_by_last_seen ON players (last_seen);
{_RECORDS}
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {VERSION};
COMMIT;
"""
_NEEDED = (
    "SELECT id, room, seq, epoch, payload, closes, checkpoint FROM steps LIMIT 0",
    "SELECT token_hash, player, last_seen FROM players LIMIT 0",
    "SELECT id, room, payload, at FROM records LIMIT 0",
)
"""What a file of this version can be asked."""
_UPGRADES = {
    1: """
BEGIN;
ALTER TABLE players ADD COLUMN last_seen REAL NOT NULL DEFAULT 0;
UPDATE players SET last_seen = CAST(strftime('%s', 'now') AS REAL);
CREATE INDEX players_by_name ON players (player);
CREATE INDEX players_by_last_seen ON players (last_seen);
PRAGMA user_version = 2;
COMMIT;
""",
    2: """
BEGIN;
ALTER TABLE steps ADD COLUMN checkpoint BLOB;
PRAGMA user_version = 3;
COMMIT;
""",
    3: f"""
BEGIN;
{_RECORDS}
PRAGMA user_version = 4;
COMMIT;
""",
}
"""What makes the next version of a file of that version."""


def unfinished(path: Path) -> Path:
    """Where the database is that another store is moved into, until it is whole."""
    return path.with_name(path.name + ".unfinished")


def is_there(path: Path) -> bool:
    """Whether there is a file.

    Raises:
        DatabaseRefused: there is a link that leads nowhere, perhaps to a disk that is missing.
    """
    if path.is_symlink() and not path.exists():
        raise DatabaseRefused(f"{path} is a link to {path.readlink()}, which is missing")
    return path.exists()


def create(path: Path) -> None:
    """Make an empty database. It gets its name when it is whole: an empty file of that name is none of ours."""
    for saved in saved_files(path):
        raise DatabaseRefused(
            f"{path} is missing, but {saved} is there, which a server has saved: rename it to {path.name}, or remove it"
        )
    rest, _ = files_beside(path)
    if rest.exists():
        raise DatabaseRefused(f"{path} is missing, but {rest} is there, which belongs to it")
    if unfinished(path).exists():
        raise DatabaseRefused(
            f"{path.parent} holds a part of another store: say `doublesix migrate` again, to its end, "
            f"or remove {unfinished(path)}"
        )
    empty = path.with_name(path.name + ".new")
    empty.unlink(missing_ok=True)
    with closing(sqlite3.connect(empty, isolation_level=None)) as connection:
        connection.executescript(_SCHEMA)
    empty.rename(path)
    sync_folder(path.parent)


def check(path: Path) -> None:
    """Refuse what is damaged or not for this version, through a connection that cannot write, not even at its end."""
    if path.stat().st_size == 0:
        raise DatabaseRefused(f"{path} is damaged: it is empty")
    changes, _ = files_beside(path)
    _check_changes(changes)
    with _nothing_left_beside(path):
        _check_content(path)


def _check_changes(changes: Path) -> None:
    """Refuse what was never written by SQLite, which would pass it over and write to it. A power cut leaves zeros."""
    if changes.exists():
        with changes.open("rb") as file:
            begins = file.read(4)
        if begins and begins not in _CHANGES_BEGIN:
            raise DatabaseRefused(f"{changes} is damaged: it does not hold changes of a database")


@contextmanager
def _nothing_left_beside(path: Path) -> Iterator[None]:
    """Who only reads makes the files of WAL mode where they are missing, and cannot remove them."""
    beside = files_beside(path)
    missing = [one for one in beside if not one.exists()]
    try:
        yield
    finally:
        if not (beside[0].exists() and beside[0].stat().st_size):  # else somebody has written just now
            for one in missing:
                one.unlink(missing_ok=True)


def _check_content(path: Path) -> None:
    mode = "rw" if _is_half_changed(path) else "ro"
    with closing(sqlite3.connect(f"{path.as_uri()}?mode={mode}", uri=True, timeout=0)) as connection:
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        if application != APPLICATION_ID:
            raise DatabaseRefused(f"{path} is a database of another program")
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version > VERSION:
            raise DatabaseRefused(f"{path} was written by a newer version of this server")
        if version < 1:
            raise DatabaseRefused(f"{path} is damaged: it says version {version}")
        (fault,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if fault != "ok":
            raise DatabaseRefused(f"{path} is damaged: {fault}")


def _is_half_changed(path: Path) -> bool:
    """Whether a server of ours was killed while it turned a backup into a file in WAL mode: SQLite takes that back."""
    with path.open("rb") as file:
        file.seek(_APPLICATION_ID_AT)
        is_ours = file.read(4) == APPLICATION_ID.to_bytes(4, "big")
    return is_ours and path.with_name(path.name + "-journal").exists()


def upgrade(connection: sqlite3.Connection) -> None:
    """Bring a file of an older version up to date.

    Raises:
        sqlite3.Error: a table or a column is missing in it.
    """
    (before,) = connection.execute("PRAGMA user_version").fetchone()
    for version in range(before, VERSION):
        connection.executescript(_UPGRADES[version])
    for query in _NEEDED:
        connection.execute(query)
