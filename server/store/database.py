"""The SQLite file: rows in arrival order, one transaction a batch. Synchronous; for the one thread that opened it.

The rows of a room are found through an index in memory, so a commit dirties only the pages at the end of the table.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import Any, Literal, TypeAlias

import structlog

from server.store.base import SEEN_WITHIN, Claimed, DatabaseRefused, Outcome, Step, StoreError
from server.store.files import Files
from server.store.index import Index
from server.store.schema import check, create, is_there, upgrade

Durability: TypeAlias = Literal["power", "process"]
"""What a step survives once it is written: a power cut (synchronous FULL), or a killed process (NORMAL)."""

Player: TypeAlias = tuple[bytes, str, float]
"""Hash of the token, player, and when last seen."""

MAX_ROWS = 128
"""Rows of one INSERT."""

logger = structlog.get_logger(__name__)

_SYNCHRONOUS: dict[Durability, str] = {"power": "FULL", "process": "NORMAL"}


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
        """Rows of closed rooms, and from the beginnings of long logs, that nobody asks for any more."""
        self._path = path
        self._durability = durability
        self._lost: Sequence[Path] = ()
        """Files that are not in their place, as was found last: until they are back, nothing is written."""
        self._is_unsure = False
        """Whether something was committed and the files were not looked at since."""
        self._is_open = True
        try:
            if not is_there(path):
                create(path)
            check(path)
            self._connection = self._connect()
            try:
                self._open(path)
            except BaseException:
                self._connection.close()
                raise
        except (sqlite3.Error, OSError) as error:
            raise DatabaseRefused(f"{path} cannot be opened: {error}") from error

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self._path, timeout=0, isolation_level=None, cached_statements=2 * MAX_ROWS)

    def _open(self, path: Path) -> None:
        self._connection.execute("PRAGMA journal_mode = WAL")  # a backup may come without it
        upgrade(self._connection)
        self._set_up()
        self._read_index(path)

    def _set_up(self) -> None:
        """Once this has read, the files of WAL mode are there as long as the connection is."""
        self._connection.execute(f"PRAGMA synchronous = {_SYNCHRONOUS[self._durability]}")
        self._connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        self._files = Files(self._path)

    def _read_index(self, path: Path) -> None:
        """Walk through the table once. Closed rooms leave it: now nobody waits, and they are never loaded again."""
        closed: list[int] = []
        rows = self._connection.execute("SELECT room, seq, id, closes, checkpoint IS NOT NULL FROM steps ORDER BY id")
        for room, seq, number, closes, has_checkpoint in rows:
            log = self._index.find(room)
            if log is not None and seq != log.head + 1:
                raise DatabaseRefused(f"{path} is damaged: room {room} has a step {seq}, but not the one before")
            self._index.add(room, seq, number, has_checkpoint=has_checkpoint)
            if closes:
                closed += self._index.forget(room)
            self._next_id = number + 1
        for room in self._index.open_rooms():
            self._check_beginning(path, room)
        self._delete(closed)

    def _check_beginning(self, path: Path, room: str) -> None:
        """A log that was trimmed has a checkpoint; of the steps before it some may be left."""
        log = self._index.find(room)
        if log is None or log.first == 1:
            return
        if not log.checkpoints:
            raise DatabaseRefused(f"{path} is damaged: room {room} begins with step {log.first}")
        self._expired.extend(log.trim(log.checkpoints[0]))

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
            (number, step.room, step.seq, step.epoch, step.payload, step.closes, step.checkpoint)
            for number, step in enumerate(steps, self._next_id)
        ]
        with self._transaction():
            for start in range(0, len(rows), MAX_ROWS):
                chunk = rows[start : start + MAX_ROWS]
                self._connection.execute(_insert(len(chunk)), [value for row in chunk for value in row])
            # A room that is opened later under the same code has nothing to do with these.
            closed = [(step.room,) for step in steps if step.closes]
            self._connection.executemany("UPDATE records SET room = NULL WHERE room = ?", closed)
        for number, room, seq, *_, closes, checkpoint in rows:
            self._index.add(room, seq, number, has_checkpoint=checkpoint is not None)
            if closes:
                self._expired.extend(self._index.close(room))
        self._next_id += len(rows)

    def claim(self, room: str, now: float) -> Claimed | None:
        """The epoch under which an open room goes on, as `Store.claim` says."""
        with self._store_errors():
            return self._index.claim(room, now, self._read)

    def trim(self, needed: Mapping[str, int]) -> None:
        """Let `clear` delete the steps of open rooms that are not needed, as `Store.trim` says."""
        for room, seq in needed.items():
            self._expired.extend(self._index.trim(room, seq))

    def clear(self, limit: int) -> int:
        """Delete up to ``limit`` rows that nobody asks for any more, oldest first; returns how many."""
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
        """The end of an open room's log, as `Store.load` says."""
        with self._store_errors():
            return [self._read(row) for row in self._index.tail(room)]

    def history(self, room: str, first: int, limit: int | None) -> list[Step]:
        """The log of a room as far as it is there, as `Store.history` says."""
        with self._store_errors():
            return [self._read(row) for row in self._index.history(room, first, limit)]

    def rooms(self) -> list[str]:
        """The codes of the open rooms."""
        return list(self._index.open_rooms())

    def open_rooms(self) -> list[list[Step]]:
        """The end of each open room's log."""
        return [self.load(room) for room in self.rooms()]

    def add_players(self, players: Sequence[Player]) -> None:
        """Keep players, durably, in one transaction."""
        with self._store_errors(), self._transaction():
            self._connection.executemany("INSERT OR REPLACE INTO players VALUES (?, ?, ?)", players)

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
            return self._connection.execute(_FORGET_PLAYERS, (before, limit)).rowcount

    def add_record(self, record: str, room: str, payload: bytes, at: float) -> None:
        """Keep a record, durably, unless it is there."""
        open_room = None if self._index.find(room) is None else room
        with self._store_errors(), self._transaction():
            self._connection.execute(_ADD_RECORD, (record, open_room, payload, at))

    def record(self, record: str) -> bytes | None:
        """The payload of a record."""
        return self._payload("SELECT payload FROM records WHERE id = ?", record)

    def last_record(self, room: str) -> bytes | None:
        """The payload of an open room's last record."""
        return self._payload("SELECT payload FROM records WHERE room = ? ORDER BY at DESC, rowid DESC LIMIT 1", room)

    def _payload(self, query: str, key: str) -> bytes | None:
        with self._store_errors():
            payload: bytes | None = self._value(query, key)
            return payload

    def forget_records(self, before: float, limit: int) -> int:
        """Delete up to ``limit`` records of matches that ended before that; returns how many."""
        with self._store_errors(), self._transaction():
            return self._connection.execute(_FORGET_RECORDS, (before, limit)).rowcount

    def players(self) -> Iterator[Player]:
        """All there are."""
        with self._store_errors():
            yield from self._connection.execute("SELECT token_hash, player, last_seen FROM players")

    def records(self) -> Iterator[tuple[str, str | None, bytes, float]]:
        """Id, room if it is open, payload and end of the match, of all there are, in the order of their matches."""
        with self._store_errors():
            yield from self._connection.execute("SELECT id, room, payload, at FROM records ORDER BY at, rowid")

    def count_players(self) -> int:
        """How many there are."""
        with self._store_errors():
            return int(self._value("SELECT count(*) FROM players"))

    def count_records(self) -> int:
        """How many there are."""
        with self._store_errors():
            return int(self._value("SELECT count(*) FROM records"))

    def ping(self) -> None:
        """Read from the file and write to it: a full disk can still be read."""
        with self._store_errors(), self._transaction():
            self._connection.execute(f"PRAGMA user_version = {self._value('PRAGMA user_version')}")

    def close(self) -> None:
        """Close the file; one that is not in its place is saved beside it. Doing so again does nothing."""
        if self._is_open:
            self._is_open = False
            self._save()
            self._connection.close()

    def _save(self) -> None:
        try:
            saved = self._files.save(self._connection)
        except (sqlite3.Error, OSError) as error:
            logger.exception("store.not_saved", file=str(self._path), error=str(error))
        else:
            if saved is not None:
                logger.error("store.saved", file=str(self._path), saved=str(saved))

    def _check_files(self) -> None:
        lost = self._files.lost()
        if lost and self._files.is_whole_without(lost):
            self._reopen()
            logger.warning("store.files_renewed", files=[str(path) for path in lost])
            lost = ()
        if lost and not self._lost:
            logger.error("store.files_lost", files=[str(path) for path in lost])
        if self._lost and not lost:
            logger.warning("store.files_back", files=[str(path) for path in self._lost])
        self._lost = lost
        if lost:
            raise StoreError(f"{lost[0]} was moved, removed or replaced")
        self._is_unsure = False

    def _reopen(self) -> None:
        """Move all there is into the database file, and have SQLite make anew what should be beside it."""
        (is_busy, *_) = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if is_busy:
            raise StoreError(f"{self._path} is being read, and files that belong to it are missing")
        self._connection.close()
        self._connection = self._connect()
        self._set_up()

    def _read(self, row: int) -> Step:
        return _step(self._connection.execute(_ONE_STEP, (row,)).fetchone())

    def _value(self, query: str, *values: object) -> Any:  # noqa: ANN401 - whatever the query selects
        row = self._connection.execute(query, values).fetchone()
        return None if row is None else row[0]

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        if self._lost or not self._files.have_database:
            self._check_files()
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
            self._is_unsure = True
        except BaseException:
            # SQLite itself has rolled back after some errors (a full disk), not after others.
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    @contextmanager
    def _store_errors(self) -> Iterator[None]:
        """What was committed counts only if the files are in their place after it; nothing else is told before."""
        try:
            if self._is_unsure:
                self._check_files()
            yield
            if self._is_unsure:
                self._check_files()
        except sqlite3.Error as error:
            raise StoreError(str(error)) from error


_ONE_STEP = "SELECT room, seq, epoch, payload, closes, checkpoint FROM steps WHERE id = ?"


_ADD_RECORD = "INSERT OR IGNORE INTO records (id, room, payload, at) VALUES (?, ?, ?, ?)"

_FORGET_PLAYERS = """
DELETE FROM players WHERE token_hash IN (SELECT token_hash FROM players WHERE last_seen < ? ORDER BY last_seen LIMIT ?)
"""
_FORGET_RECORDS = """
DELETE FROM records WHERE rowid IN (SELECT rowid FROM records WHERE at < ? ORDER BY at LIMIT ?)
"""


def _step(row: tuple[str, int, int, bytes, int, bytes | None]) -> Step:
    room, seq, epoch, payload, closes, checkpoint = row
    return Step(room, seq, epoch, payload, bool(closes), checkpoint)


@cache
def _insert(rows: int) -> str:
    """One statement for ``rows`` rows. Few texts, so that their compiled forms stay in the connection's cache."""
    values = ", ".join(["(?, ?, ?, ?, ?, ?, ?)"] * rows)
    return f"INSERT INTO steps (id, room, seq, epoch, payload, closes, checkpoint) VALUES {values}"  # noqa: S608 - no foreign text
