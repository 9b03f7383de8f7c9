"""A run on disk, sample by sample, so that it can be stopped at any time and taken up again."""

from __future__ import annotations

import json
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

from bots.arena.contest import Outcome, Terms
from bots.arena.entrant import Effort


class OtherRun(Exception):
    """The file is of a run on other terms, or by another version."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} is of another run: other settings, or another version")


class Log:
    """JSON lines in the file ``path``: first the terms, then each outcome in order.

    Raises:
        OtherRun: the file is of another run, or of none.
        OSError: it cannot be read or written.
    """

    def __init__(self, path: Path, terms: Terms) -> None:
        self._path = path
        self._head = {"version": version("doublesix"), **asdict(terms)}

    def outcomes(self) -> list[Outcome]:
        """Those that are there; a new file is begun if there is none. A last line that was cut off is removed."""
        if not self._path.exists():
            self._path.write_text(json.dumps(self._head) + "\n", encoding="utf-8")
            return []
        whole, end, _ = self._path.read_text(encoding="utf-8").rpartition("\n")
        self._path.write_text(whole + end, encoding="utf-8")
        head, *lines = _parsed(whole) or [None]
        if head != self._head:
            raise OtherRun(self._path)
        return [_outcome(line) for line in lines]

    def add(self, outcome: Outcome) -> None:
        """Write one more."""
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(outcome) + "\n")


def _parsed(text: str) -> list[Any]:
    try:
        return [json.loads(line) for line in text.splitlines()]
    except ValueError:
        return []


def _outcome(line: list[Any]) -> Outcome:
    points, won, a, b = line
    return Outcome(points, won, Effort(*a), Effort(*b))
