"""Exact scores: whole numbers, or halves of five in All Fives with three seats (A11, A15)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

Points: TypeAlias = int | Fraction
"""A score or a part of one. Never a float: a half stays a half (A15)."""


def exact(value: int | float | Fraction) -> Points:
    """``value`` as points, whole numbers as ``int``. Floats are read exactly (7.5 is exact in binary)."""
    if type(value) is int:
        return value
    fraction = Fraction(value)
    return fraction.numerator if fraction.denominator == 1 else fraction


def add(scores: Sequence[Points], gained: Sequence[Points]) -> tuple[Points, ...]:
    """Side by side, ``scores`` with ``gained`` added."""
    return tuple([exact(score + points) for score, points in zip(scores, gained, strict=True)])
