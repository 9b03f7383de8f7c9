"""A run on disk, sample by sample, so that it can be stopped at any time and taken up again."""

from __future__ import annotations

import fcntl
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any, BinaryIO

from bots.arena.contest import Outcome, Terms
from bots.arena.entrant import Effort
from bots.arena.makeup import makeup


class OtherRun(Exception):
    """The file is of a run on other terms, by another version, or of other players."""

    def __init__(self, path: Path, why: str = "other settings, or another version") -> None:
        super().__init__(f"{path} is of another run: {why}")


class RunGoesOn(Exception):
    """Another process plays this run."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} is being played by another arena")


class Log:
    """JSON lines in ``file``: first the terms and of what players (see `makeup`), then each outcome.

    It is had from `kept`.
    """

    def __init__(self, path: Path, file: BinaryIO, terms: Terms) -> None:
        self._path = path
        self._file = file
        self._head = {"version": version("doublesix"), "players": makeup(terms.a, terms.b), **asdict(terms)}

    def outcomes(self) -> list[Outcome]:
        """Those that are there. A last line that was cut off is removed, if the rest is of this run.

        Raises:
            OtherRun: the file is of another run, or of none; it is as it was.
            OSError: it cannot be read or written.
        """
        self._file.seek(0)
        whole, end, torn = self._file.read().rpartition(b"\n")
        if not end and _line(self._head).startswith(torn):
            self._file.truncate(0)
            self._write(self._head)
            return []
        outcomes = self._parsed(whole)
        if torn:
            self._file.truncate(len(whole + end))
        return outcomes

    def _parsed(self, whole: bytes) -> list[Outcome]:
        try:
            head, *lines = [json.loads(line) for line in whole.splitlines()]
            self._check(head)
            return [_outcome(line) for line in lines]
        except (ValueError, TypeError):
            raise OtherRun(self._path) from None

    def _check(self, head: Mapping[str, object]) -> None:
        """OtherRun if a file that begins with ``head`` must not be played on. TypeError if that is no object."""
        if {**head, "players": self._head["players"]} != self._head:
            raise OtherRun(self._path)
        if "players" not in head:
            raise OtherRun(
                self._path,
                f'it does not say of what players; add "players": "{self._head["players"]}" '
                "to its first line if they were these",
            )
        if head != self._head:
            raise OtherRun(self._path, "the weights or the work of its players have changed since")

    def add(self, outcome: Outcome) -> None:
        """Write one more. OSError if it cannot be."""
        self._write(outcome)

    def _write(self, value: object) -> None:
        self._file.write(_line(value))
        self._file.flush()


@contextmanager
def kept(path: Path, terms: Terms) -> Iterator[Log]:
    """The log of a run on ``terms`` in the file ``path``, begun if there is none; nobody else may write it meanwhile.

    Raises:
        RunGoesOn: somebody does.
        OSError: the file cannot be opened.
    """
    with path.open("a+b") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RunGoesOn(path) from None
        yield Log(path, file, terms)


def _line(value: object) -> bytes:
    return json.dumps(value).encode() + b"\n"


def _outcome(line: list[Any]) -> Outcome:
    points, won, a, b = line
    return Outcome(points, won, Effort(*a), Effort(*b))
