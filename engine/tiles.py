"""The double-six set (C1)."""

from __future__ import annotations

from typing import NamedTuple, Self


class _Halves(NamedTuple):
    low: int
    high: int


class Tile(_Halves):
    """An unordered pair of pips (C1), kept low before high. Tiles ascend by low half, then by high half.

    A tuple of its halves: ``pip in tile`` tells whether it matches (C6).
    """

    __slots__ = ()

    def __new__(cls, low: int, high: int) -> Self:
        """ValueError if there is no such tile."""
        if not 0 <= low <= high <= 6:
            raise ValueError(f"no tile of a double-six set: {low}-{high}")
        return super().__new__(cls, low, high)

    @classmethod
    def of(cls, a: int, b: int) -> Tile:
        """The tile with halves ``a`` and ``b``, in either order."""
        return cls(min(a, b), max(a, b))

    @property
    def is_double(self) -> bool:
        """Whether both halves are equal."""
        return self.low == self.high

    @property
    def pips(self) -> int:
        """What the tile weighs in a count (A8): both halves together."""
        return self.low + self.high

    def other(self, pip: int) -> int:
        """The half left open once ``pip`` is matched (C6). ValueError if neither half shows it."""
        if pip not in self:
            raise ValueError(f"{self} shows no {pip}")
        return self.low + self.high - pip

    def __str__(self) -> str:
        return f"{self.low}-{self.high}"


_FULL_SET = tuple(Tile(low, high) for low in range(7) for high in range(low, 7))


def full_set() -> tuple[Tile, ...]:
    """All 28 tiles, ascending from 0-0 to 6-6 (C1)."""
    return _FULL_SET
