"""When enough has been played: Wald's sequential test, which may be asked after each sample."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from math import log
from statistics import fmean, variance

FEWEST = 20
"""Samples before which nothing is said: their spread is not known yet."""
ERROR = 0.05
"""How often either verdict may be wrong."""


class Verdict(StrEnum):
    """What is known of ``a``."""

    STRONGER = "stronger"
    """It wins a larger share than a half, by the gain that was asked about or more."""
    NOT_STRONGER = "not stronger"


def is_gain(gain: float) -> bool:
    """Whether that much more than a half can be asked about: a share that is larger, and smaller than all."""
    return 0 < gain < 0.5


def verdict(won: Sequence[float], gain: float) -> Verdict | None:
    """Whether the share won by ``a`` is 0.5 or ``0.5 + gain``; None while both are possible. See `is_gain`."""
    if len(won) < FEWEST:
        return None
    spread = variance(won)
    ahead = (fmean(won) - 0.5 - gain / 2) * len(won)
    bound = log((1 - ERROR) / ERROR) * spread / gain
    if spread == 0 or abs(ahead) >= bound:
        return Verdict.STRONGER if ahead > 0 else Verdict.NOT_STRONGER
    return None
