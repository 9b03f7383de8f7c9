"""The SQLite file: rows in arrival order, one transaction a batch. Synchronous; for the one thread that opened it.

The rows of a room are found through an index in memory, so a commit dirties only the pages at the end of the table.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import Any, Literal, TypeAlias

from server.store.base import SEEN_WITHIN, DatabaseRefused, Outcome, Step, StoreError
from server.store.index import Index

Durability: TypeAlias = Literal["power", "process"]
"""What a step survives once it is written: a power cut (synchronous FULL), or a killed process (NORMAL)."""

APPLICATION_ID = 0x6D366436
"""Marks the file as ours."""
VERSION = 2
"""Of the schema."""
MAX_ROWS = 128
"""Rows of one INSERT."""

_SYNCHRONOUS: dict[Durability, str] = {"power": "FULL", "process": "NORMAL"}
_SCHEMA = f"""
BEGIN;
CREATE TABLE steps (
    id INTEGER PRIMARY KEY,
    room TEXT NOT NULL,
    seq INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    payload BLOB NOT NULL,
    closes INTEGER NOT NULL
);
CREATE TABLE players (token_hash BLOB PRIMARY KEY, player TEXT NOT NULL, last_seen REAL NOT NULL) WITHOUT ROWID;
CREATE INDEX players_by_name ON players (player);
CREATE INDEX players_by_last_seen ON players (last_seen);
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {VERSION};
COMMIT;
"""
_NEEDED = (
    "SELECT id, room, seq, epoch, payload, closes FROM steps LIMIT 0",
    "SELECT token_hash, player, last_seen FROM players LIMIT 0",
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
}
"""What makes the next version of a file of that version."""


class Database:
    """An open database file."""

    def __init__(self, path: Path, durability: Durability) -> None:
        """Open the file, made if it is missing.

        Raises:
            DatabaseRefused: it is damaged, not ours, or of a newer version; it stays as it is.
        """
        self._index: Index[int] = Index(partial(array, "q"))
        self._next_id = 1
        self._expired: deque[int] = deque()
        """Rows of closed rooms that nobody asks for any more."""
        try:
            self._connection = sqlite3.connect(path, timeout=0, isolation_level=None, cached_statements=2 * MAX_ROWS)
            try:
                self._open(path, durability)
            except BaseException:
                self._connection.close()
                raise
        except sqlite3.Error as error:
            raise DatabaseRefused(f"{path} cannot be opened: {error}") from error

    def _open(self, path: Path, durability: Durability) -> None:
        if not self._value("SELECT count(*) FROM sqlite_schema") and self._value("PRAGMA application_id") == 0:
            self._connection.executescript(_SCHEMA)
        self._check(path)
        for version in range(self._value("PRAGMA user_version"), VERSION):
            self._connection.executescript(_UPGRADES[version])
        for query in _NEEDED:  # sqlite3.Error, and so refused, where a table or a column is missing
            self._connection.execute(query)
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute(f"PRAGMA synchronous = {_SYNCHRONOUS[durability]}")
        self._read_index(path)

    def _check(self, path: Path) -> None:
        if self._value("PRAGMA application_id") != APPLICATION_ID:
            raise DatabaseRefused(f"{path} is a database of another program")
        version = self._value("PRAGMA user_version")
        if version > VERSION:
            raise DatabaseRefused(f"{path} was written by a newer version of this server")
        if version < 1:
            raise DatabaseRefused(f"{path} is damaged: it says version {version}")
        fault = self._value("PRAGMA quick_check(1)")
        if fault != "ok":
            raise DatabaseRefused(f"{path} is damaged: {fault}")

    def _read_index(self, path: Path) -> None:
        """Walk through the table once. Closed rooms leave it: now nobody waits, and they are never loaded again."""
        closed: list[int] = []
        rows = self._connection.execute("SELECT room, seq, id, closes FROM steps ORDER BY id")
        for room, seq, number, closes in rows:
            if seq != len(self._index.rows(room)) + 1:
                raise DatabaseRefused(f"{path} is damaged: room {room} has a step {seq}, but not the one before")
            self._index.add(room, number)
            if closes:
                closed += self._index.forget(room)
            self._next_id = number + 1
        self._delete(closed)

    def append(self, steps: Sequence[Step]) -> list[Outcome]:
        """Write the steps that are next in their rooms, in one transaction. StoreError: none was written."""
        with self._store_errors():
            outcomes = self._index.sort_out(steps, self._read)
            new = [step for step, outcome in zip(steps, outcomes, strict=True) if outcome is Outcome.WRITTEN]
            if new:
                self._write(new)
        return outcomes

    def _write(self, steps: Sequence[Step]) -> None:
        rows = [
            (number, step.room, step.seq, step.epoch, step.payload, step.closes)
            for number, step in enumerate(steps, self._next_id)
        ]
        with self._transaction():
            for start in range(0, len(rows), MAX_ROWS):
                chunk = rows[start : start + MAX_ROWS]
                self._connection.execute(_insert(len(chunk)), [value for row in chunk for value in row])
        for number, room, *_, closes in rows:
            self._index.add(room, number)
            if closes:
                self._expired.extend(self._index.close(room))
        self._next_id += len(rows)

    def remove_closed(self, limit: int) -> int:
        """Delete up to ``limit`` rows of rooms that closed long ago; returns how many."""
        expired = list(islice(self._expired, limit))
        if expired:
            with self._store_errors():
                self._delete(expired)
            for _ in expired:
                self._expired.popleft()
        return len(expired)

    def _delete(self, rows: Sequence[int]) -> None:
        with self._transaction():
            self._connection.executemany("DELETE FROM steps WHERE id = ?", [(row,) for row in rows])

    def load(self, room: str) -> list[Step]:
        """The log of an open room, oldest step first."""
        with self._store_errors():
            return [self._read(row) for row in self._index.rows(room)]

    def open_rooms(self) -> list[list[Step]]:
        """The log of each open room, in one walk through the table."""
        logs: dict[str, list[Step]] = {room: [] for room in self._index.open_rooms()}
        with self._store_errors():
            for row in self._connection.execute(_ALL_STEPS):
                step = _step(row)
                if step.room in logs:
                    logs[step.room].append(step)
        return list(logs.values())

    def add_player(self, token_hash: bytes, player: str, at: float) -> None:
        """Keep a player, durably."""
        with self._store_errors(), self._transaction():
            self._connection.execute("INSERT OR REPLACE INTO players VALUES (?, ?, ?)", (token_hash, player, at))

    def find_player(self, token_hash: bytes, at: float) -> str | None:
        """The player of a token's hash. Now and then it is noted that the player was seen; a full disk is no matter."""
        query = "SELECT player, last_seen FROM players WHERE token_hash = ?"
        with self._store_errors():
            found = self._connection.execute(query, (token_hash,)).fetchone()
        if found is None:
            return None
        player, last_seen = found
        if at - last_seen >= SEEN_WITHIN:
            with suppress(StoreError):
                self.seen([player], at)
        return str(player)

    def seen(self, players: Sequence[str], at: float) -> None:
        """Note when ``players`` were seen."""
        with self._store_errors(), self._transaction():
            rows = [(at, player) for player in players]
            self._connection.executemany("UPDATE players SET last_seen = ? WHERE player = ?", rows)

    def forget_players(self, before: float, limit: int) -> int:
        """Delete up to ``limit`` players who were last seen before that; returns how many."""
        with self._store_errors(), self._transaction():
            return self._connection.execute(_FORGET, (before, limit)).rowcount

    def ping(self) -> None:
        """Read from the file and write to it: a full disk can still be read."""
        with self._store_errors(), self._transaction():
            self._connection.execute(f"PRAGMA user_version = {self._value('PRAGMA user_version')}")

    def close(self) -> None:
        """Close the file. Doing so again does nothing."""
        self._connection.close()

    def _read(self, row: int) -> Step:
        return _step(self._connection.execute(_ONE_STEP, (row,)).fetchone())

    def _value(self, query: str, *values: object) -> Any:  # noqa: ANN401 - whatever the query selects
        row = self._connection.execute(query, values).fetchone()
        return None if row is None else row[0]

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            # SQLite itself has rolled back after some errors (a full disk), not after others.
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    @contextmanager
    def _store_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise StoreError(str(error)) from error


_ALL_STEPS = "SELECT room, seq, epoch, payload, closes FROM steps ORDER BY id"
_ONE_STEP = "SELECT room, seq, epoch, payload, closes FROM steps WHERE id = ?"


_FORGET = """
DELETE FROM players WHERE token_hash IN (SELECT token_hash FROM players WHERE last_seen < ? ORDER BY last_seen LIMIT ?)
"""


def _step(row: tuple[str, int, int, bytes, int]) -> Step:
    room, seq, epoch, payload, closes = row
    return Step(room, seq, epoch, payload, bool(closes))


@cache
def _insert(rows: int) -> str:
    """One statement for ``rows`` rows. Few texts, so that their compiled forms stay in the connection's cache."""
    values = ", ".join(["(?, ?, ?, ?, ?, ?)"] * rows)
    return f"INSERT INTO steps (id, room, seq, epoch, payload, closes) VALUES {values}"  # noqa: S608 - no foreign text
