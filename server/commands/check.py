"""`doublesix check`: replays files of rule transcripts through the engine."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO, cast

import typer

from engine.transcript import Replay, replay


def run(paths: Sequence[Path]) -> int:
    """Print each difference in ``paths`` (.jsonl or .jsonl.gz), then the sums. 1 if there is any difference, else 0.

    What cannot be read, a file without transcripts and an id used twice in a file are differences too.
    """
    files = [_check_file(path) for path in paths]
    transcripts, steps = sum(file.transcripts for file in files), sum(file.steps for file in files)
    differences = sum(file.differences for file in files)
    typer.echo(f"{transcripts} transcripts, {steps} steps, {differences} differences")
    return 1 if differences else 0


@dataclass(slots=True)
class _File:
    """What was found in one file so far."""

    path: Path
    transcripts: int = 0
    steps: int = 0
    differences: int = 0
    ids: set[str] = field(default_factory=set)

    def tell(self, where: str, difference: str) -> None:
        self.differences += 1
        typer.echo(f"{self.path}: {where}: {difference}")

    def check_line(self, line: str, where: str) -> None:
        try:
            transcript = json.loads(line)
            result = replay(transcript)
        except (ValueError, RecursionError) as problem:
            self.tell(where, f"not a transcript: {problem}")
            return
        self.transcripts += 1
        self.add(result, self.name(transcript, where))

    def name(self, transcript: object, where: str) -> str:
        """The id of ``transcript``, or ``where`` it stands if it has none of its own."""
        name = transcript.get("id") if isinstance(transcript, dict) else None
        if not isinstance(name, str) or not name.isprintable():
            return where
        if name in self.ids:
            self.tell(where, f"id {name} is used twice")
        self.ids.add(name)
        return name

    def add(self, result: Replay, name: str) -> None:
        self.steps += result.steps
        for difference in result.differences:
            self.tell(name, difference)


def _check_file(path: Path) -> _File:
    file = _File(path)
    try:
        with _opened(path) as lines:
            for number, line in enumerate(lines, 1):
                file.check_line(line, f"line {number}")
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as problem:
        file.tell("file", f"cannot be read: {problem}")
    if not file.transcripts and not file.differences:
        file.tell("file", "no transcripts")
    return file


def _opened(path: Path) -> TextIO:
    """The lines of ``path``, unpacked if its name ends in .gz."""
    if path.suffix == ".gz":
        return cast("TextIO", gzip.open(path, "rt", encoding="utf-8"))
    return path.open(encoding="utf-8")
