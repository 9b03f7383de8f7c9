"""The recorded matches in seeds/transcripts, and ways to damage them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

FOLDER = Path(__file__).parents[2] / "seeds" / "transcripts"
FILES = sorted(FOLDER.glob("*.jsonl"))

Place: TypeAlias = tuple[str | int, ...]
"""Keys and indexes that lead to a value of a transcript."""


def read(file: Path) -> list[dict[str, Any]]:
    """All transcripts of ``file``."""
    return [json.loads(line) for line in file.read_text(encoding="ascii").splitlines()]


def by_id(name: str) -> dict[str, Any]:
    """The transcript called ``name``."""
    file = "worked" if name.startswith("worked") else name.rpartition("-")[0]
    return next(record for record in read(FOLDER / f"{file}.jsonl") if record["id"] == name)


def places(value: object, place: Place = ()) -> Iterator[Place]:
    """Where each value in ``value`` is, containers included."""
    parts: Iterator[tuple[str | int, object]] = iter(())
    if isinstance(value, dict):
        parts = iter(value.items())
    elif isinstance(value, list):
        parts = iter(enumerate(value))
    for key, part in parts:
        yield (*place, key)
        yield from places(part, (*place, key))


def at(value: Any, place: Place) -> Any:
    """The value at ``place``."""
    for key in place:
        value = value[key]
    return value


def changed(value: Any, place: Place, to: object) -> Any:
    """A copy of ``value`` with another value at ``place``."""
    if not place:
        return to
    copy = value.copy()
    copy[place[0]] = changed(value[place[0]], place[1:], to)
    return copy


_EMPTY: tuple[object, ...] = (None, "", 0, [], {})


def others(value: Any) -> Iterator[object]:
    """Values that are not ``value``: of its type and of others, near it and far from it."""
    yield from (empty for empty in _EMPTY if not _is(empty, value))
    match value:
        case bool():
            yield not value
        case int() | float():
            yield from (value + 1, value - 1, value + 0.5, -1, 10**30, str(value), bool(value), [value], float("nan"))
            if isinstance(value, int):
                yield float(value)
        case str():
            yield from (f"{value}x", [value], next(word for word in ("left", "0-0", "out") if word != value))
        case list():
            yield from ([*value, 0], [*value, *value[-1:], *value[-1:]], value[1:], {"0": value})
        case dict():
            yield from ({**value, "unknown": 0}, [value])
            yield from ({key: value[key] for key in value if key != left_out} for left_out in value)


def _is(other: object, value: object) -> bool:
    return type(other) is type(value) and other == value
