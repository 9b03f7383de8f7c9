"""Reading values that nobody vouches for, and noting each that is not as it should be."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NoReturn, TypeAlias

from engine.notation import parse_tile
from engine.points import Points, exact
from engine.tiles import Tile
from engine.transcript.form import as_set, same

Record: TypeAlias = Mapping[str, object]
"""An object of JSON."""


class _Nothing:
    """Stands for a value that is not there."""

    def __repr__(self) -> str:
        return "nothing"


_NOTHING = _Nothing()

_LONGEST = 400
"""Characters of a value that are shown in a difference."""


class LostError(Exception):
    """The transcript cannot be followed any further; why is among the notes."""


@dataclass(slots=True)
class Notes:
    """The differences found so far; ``place`` says where in the transcript the next one is."""

    differences: list[str] = field(default_factory=list)
    place: str = ""

    def note(self, key: str, expected: str, got: object) -> None:
        """Add a difference in ``key`` at the current place; ``expected`` is a description."""
        where = f"{self.place}: {key}" if self.place else key
        self.differences.append(f"{where}: expected {expected}, got {_short(got)}")

    def lose(self, key: str, expected: str, got: object) -> NoReturn:
        """Add a difference after which nothing can be compared. Raises LostError."""
        self.note(key, expected, got)
        raise LostError

    def compare(self, key: str, expected: object, got: object) -> None:
        """Note ``got`` if it is not the same as ``expected``; the legal actions are a set."""
        if not (same(as_set(expected), as_set(got)) if key == "legal" else same(expected, got)):
            self.note(key, _short(expected), got)

    def compare_each(self, expected: Record, got: Record) -> None:
        """Compare key by key; one that is missing or unknown is a difference."""
        for key, value in expected.items():
            self.compare(key, value, got.get(key, _NOTHING))
        for key in sorted(got.keys() - expected.keys()):
            self.note(key, "nothing", got[key])

    def record(self, key: str, value: object) -> Record:
        """``value`` if it is an object. Raises LostError."""
        if not isinstance(value, dict):
            self.lose(key, "an object", value)
        return value

    def record_of(self, key: str, value: object, keys: Sequence[str], optional: Container[str] = ()) -> Record:
        """``value`` if it is an object with ``keys``; other keys are noted. Raises LostError."""
        record = self.record(key, value)
        for name in keys:
            if name not in record:
                self.lose(key, f"the key {name}", list(record))
        for name in record:
            if name not in keys and name not in optional:
                self.note(name, "nothing", record[name])
        return record

    def items(self, key: str, value: object) -> Sequence[object]:
        """``value`` if it is a list. Raises LostError."""
        if not isinstance(value, list):
            self.lose(key, "a list", value)
        return value

    def filled(self, key: str, value: object) -> Sequence[object]:
        """``value`` if it is a list that is not empty. Raises LostError."""
        items = self.items(key, value)
        if not items:
            self.lose(key, "at least one", value)
        return items

    def whole(self, key: str, value: object, allowed: Sequence[int]) -> int:
        """``value`` if it is one of the whole numbers ``allowed``. Raises LostError."""
        if type(value) is not int or value not in allowed:
            self.lose(key, f"one of {[*allowed]}", value)
        return value

    def points(self, key: str, value: object) -> Points:
        """``value`` as an exact score, if it is written as one (A15). Raises LostError."""
        if type(value) is int:
            return value
        if type(value) is not float or value.is_integer() or not (2 * value).is_integer():
            self.lose(key, "numbers in steps of 0.5, whole ones without a point", value)
        return exact(value)

    def tiles(self, key: str, value: object) -> tuple[Tile, ...]:
        """``value`` as tiles, if it is a list of their names. Raises LostError."""
        try:
            return tuple([parse_tile(str(name)) for name in self.items(key, value)])
        except ValueError:
            self.lose(key, "tiles", value)


def _short(value: object) -> str:
    text = ascii(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
