"""Least squares, where only the differences within a group count."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

_RIDGE = 1e-4
"""Of two columns that say the same each gets a half."""
_NOTHING = 1e-6


class Regression:
    """Collects groups of rows of ``columns`` numbers, and what each row came to."""

    def __init__(self, columns: int) -> None:
        self._squares = [[0.0] * columns for _ in range(columns)]
        self._products = [0.0] * columns

    def add(self, rows: Sequence[Sequence[float]], values: Sequence[float]) -> None:
        """One group."""
        means, usual = [fmean(column) for column in zip(*rows, strict=True)], fmean(values)
        for row, value in zip(rows, values, strict=True):
            ahead = [
                (at, have - usual) for at, (have, usual) in enumerate(zip(row, means, strict=True)) if have != usual
            ]
            for at, have in ahead:
                self._products[at] += have * (value - usual)
                squares = self._squares[at]
                for other, has in ahead:
                    squares[other] += have * has

    def solved(self, columns: Sequence[int]) -> list[float]:
        """The weight of each of ``columns`` that fits best; 0 for one that never differed."""
        used = [column for column in columns if self._squares[column][column] > _NOTHING]
        matrix = [[self._squares[row][column] for column in used] + [self._products[row]] for row in used]
        for at, row in enumerate(matrix):
            row[at] *= 1 + _RIDGE
        weights = dict(zip(used, _eliminated(matrix), strict=True))
        return [weights.get(column, 0.0) for column in columns]


def _eliminated(matrix: list[list[float]]) -> list[float]:
    """The solution of a system that is symmetric and positive, its right side last in each row."""
    for at, pivot in enumerate(matrix):
        pivot[:] = [value / pivot[at] for value in pivot]
        for row in matrix[:at] + matrix[at + 1 :]:
            factor = row[at]
            row[:] = [value - factor * by for value, by in zip(row, pivot, strict=True)]
    return [row[-1] for row in matrix]
