"""`doublesix verify`: what can be proved of a finished match from its record."""

from __future__ import annotations

import gzip
import json
import sys
import zlib
from pathlib import Path
from typing import Any

import typer

from server.records.form import Record, read
from server.records.verify import verify

STANDARD_INPUT = "-"
_GZIP = b"\x1f\x8b"


def run(path: str, commitment: str | None = None) -> int:
    """Verify the record in the file ``path`` (JSON, gzipped or not; ``-``: standard input). 1 if anything is wrong.

    ``commitment``: what was told before the match.
    """
    try:
        record = _load(path)
    except (OSError, EOFError, zlib.error, ValueError, RecursionError) as problem:
        typer.echo(f"{path}: not a record: {problem}", err=True)
        return 1
    verdict = verify(record, None if commitment is None else commitment.lower())
    typer.echo(f"Record {record.id}: {record.game} for {record.seats}, {len(record.steps)} steps")
    for line in verdict.proved:
        typer.echo(f"  proved: {line}")
    for line in verdict.unproved:
        typer.echo(f"  not proved: {line}")
    for line in verdict.faults:
        typer.echo(f"  wrong: {line}")
    typer.echo("not verified" if verdict.faults else "verified")
    return 1 if verdict.faults else 0


def _load(path: str) -> Record:
    content = _content(path)
    if content.startswith(_GZIP):
        content = gzip.decompress(content)
    value = json.loads(content, object_pairs_hook=_named_once)
    if isinstance(value, dict) and value.get("type") == "record":
        value = value.get("record")  # the whole message in which the server has told it
    return read(value)


def _named_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Programs differ in which of two fields of one name they take: a record has none."""
    fields: dict[str, Any] = {}
    for name, value in pairs:
        if name in fields:
            raise ValueError(f"two fields of one name: {name}")
        fields[name] = value
    return fields


def _content(path: str) -> bytes:
    if path == STANDARD_INPUT:
        return sys.stdin.buffer.read()
    return Path(path).read_bytes()
