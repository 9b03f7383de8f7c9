"""The data folder: made if it is missing, and owned by one process at a time."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import ClassVar

from server.store.base import DatabaseRefused


class DataFolder:
    """A folder that nobody else uses until `release`.

    The lock belongs to the process, not to the open file: a worker process that outlives a killed server does not
    keep the next one out. Since such a lock means nothing within one process, the folders of this one are listed too.
    """

    _owned: ClassVar[set[Path]] = set()

    def __init__(self, path: Path) -> None:
        """Take the folder, made if need be.

        Raises:
            DatabaseRefused: another server has it, or it cannot be made or written to.
        """
        self.path = path.resolve()
        in_use = DatabaseRefused(f"the data folder {path} is in use by another server or `doublesix migrate`")
        if self.path in self._owned:
            raise in_use
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self._file = (self.path / "lock").open("a")
        except OSError as error:
            raise DatabaseRefused(f"the data folder {path} cannot be used: {error.strerror}") from error
        try:
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._file.close()
            raise in_use from None
        self._owned.add(self.path)

    def release(self) -> None:
        """Let others have it. Doing so again does nothing."""
        if not self._file.closed:
            self._owned.discard(self.path)
            self._file.close()


def sync_folder(path: Path) -> None:
    """Make durable which files are in the folder, and under which names."""
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
