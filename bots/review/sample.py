"""Means over worlds that count more than once, and how far off they may be."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

TOO_CLOSE = 2.0
"""A difference of fewer standard errors may be chance."""
_NOTHING = 1e-9
"""Smaller differences come from adding floats."""


class Mean(NamedTuple):
    """A mean and its standard error."""

    mean: float
    error: float

    @property
    def is_nothing(self) -> bool:
        """Whether 0 is as good a guess."""
        return abs(self.mean) <= max(TOO_CLOSE * self.error, _NOTHING)


def mean_of(values: Sequence[float], counts: Sequence[int]) -> Mean:
    """Of ``values``, each of which counts so many times though it was drawn once."""
    total, drawn = sum(counts), len(counts)
    mean = sum([value * count for value, count in zip(values, counts, strict=True)]) / total
    if drawn == 1:
        return Mean(mean, 0.0)
    off = sum([(count * (value - mean)) ** 2 for value, count in zip(values, counts, strict=True)])
    return Mean(mean, sqrt(off * drawn / (drawn - 1)) / total)


def difference(these: Sequence[float], those: Sequence[float], counts: Sequence[int]) -> Mean:
    """How much more ``these`` are than ``those``, which were seen in the same worlds."""
    return mean_of([one - other for one, other in zip(these, those, strict=True)], counts)
