"""Human weakness: not blunders, but taking lightly what speaks for one play and against another."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from random import Random
from typing import TypeVar

T = TypeVar("T")


def chosen(options: Sequence[T], weights: Sequence[float], softness: float, rng: Random | None) -> T:
    """One of ``options``: that with ``softness`` less in ``weights`` is chosen e times more seldom.

    With no softness or no ``rng`` the one that weighs most, of equal ones the first.
    """
    most = max(weights)
    if rng is None or not softness:
        return options[weights.index(most)]
    [option] = rng.choices(options, [exp((weight - most) / softness) for weight in weights])
    return option
