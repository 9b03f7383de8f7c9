"""Faults of the embedded store, which only runs on real files can find."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence

import pytest

from server.store.base import Step
from server.store.database import Database


def steps_of_a_failed_commit_are_found(patch: pytest.MonkeyPatch) -> None:
    """The index has rows that the full disk had no room for."""
    write = Database._write

    def write_and_add(database: Database, steps: Sequence[Step]) -> None:
        try:
            write(database, steps)
        except sqlite3.Error:
            for number, step in enumerate(steps, database._next_id):
                database._index.add(step.room, step.seq, number, has_checkpoint=step.checkpoint is not None)
            raise

    patch.setattr(Database, "_write", write_and_add)


def rows_vanish_from_the_file(patch: pytest.MonkeyPatch) -> None:
    """What a process knows to be written is not all there for the next one."""
    write = Database._write

    def write_and_lose(database: Database, steps: Sequence[Step]) -> None:
        write(database, steps)
        database._connection.execute("DELETE FROM steps WHERE id % 7 = 0")

    patch.setattr(Database, "_write", write_and_lose)


PLANTS: Mapping[str, Callable[[pytest.MonkeyPatch], None]] = {
    plant.__name__: plant
    for plant in (
        steps_of_a_failed_commit_are_found,
        rows_vanish_from_the_file,
    )
}
