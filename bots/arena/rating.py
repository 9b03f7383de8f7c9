"""Ratings of several players from their meetings two by two: one number each, by Bradley and Terry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from statistics import stdev
from types import MappingProxyType
from typing import NamedTuple

from bots.duel import Estimate

SCALE = 400
"""So many more stand for odds of ten to one, as with Elo."""

_REPEATS = 200
"""How often everything is drawn again to see how far ratings move."""
_CLOSE = 0.01
_MOST_STEP = 200.0


class Meeting(NamedTuple):
    """Samples of ``a`` against ``b``: the share of the matches that ``a`` won in each."""

    a: str
    b: str
    won: Sequence[float]


NOTHING_KNOWN: Mapping[str, float] = MappingProxyType({})


class _Score(NamedTuple):
    """A meeting as the fit sees it."""

    a: str
    b: str
    samples: float
    won: float


def share(ahead: float, sides: int) -> float:
    """Of the matches that a player wins that is rated so much higher, in all seatings where both have a side."""
    odds = 10 ** (ahead / SCALE)
    if sides == 2:
        return float(odds / (odds + 1))
    return float((2 * odds / (2 * odds + 1) + odds / (odds + 2)) / 2)


def ratings(meetings: Sequence[Meeting], sides: int, zero: str) -> dict[str, float]:
    """Of everybody who met, ``zero`` at 0: those by which all would have won as much as they did.

    Each meeting counts an even sample more, so that who won all is not rated beyond all bounds.
    """
    return _fitted([_score(meeting, meeting.won) for meeting in meetings], sides, zero)


def estimates(meetings: Sequence[Meeting], sides: int, zero: str, rng: Random) -> dict[str, Estimate]:
    """The ratings, each with half the width of its 95 % interval: from samples drawn again from those that there are.

    A sample is a deal, or all deals of a match, in all seatings, and samples of one number have the same deals in all
    meetings: what was played with the same deals stays together.
    """
    fitted = ratings(meetings, sides, zero)
    numbers = range(max([len(meeting.won) for meeting in meetings]))
    repeats = [
        _fitted(_drawn(meetings, rng.choices(numbers, k=len(numbers))), sides, zero, fitted) for _ in range(_REPEATS)
    ]
    return {name: Estimate(rating, 1.96 * stdev([again[name] for again in repeats])) for name, rating in fitted.items()}


def _drawn(meetings: Sequence[Meeting], numbers: Sequence[int]) -> list[_Score]:
    """The meetings as if these samples had been played, some of them again and again."""
    return [
        _score(meeting, [meeting.won[number] for number in numbers if number < len(meeting.won)])
        for meeting in meetings
    ]


def _score(meeting: Meeting, won: Sequence[float]) -> _Score:
    return _Score(meeting.a, meeting.b, len(won) + 1, sum(won) + 0.5)


def _fitted(
    scores: Sequence[_Score], sides: int, zero: str, start: Mapping[str, float] = NOTHING_KNOWN
) -> dict[str, float]:
    """The ratings that fit; those of ``start`` are near them."""
    found = {name: start.get(name, 0.0) for score in scores for name in (score.a, score.b)}
    moved = _MOST_STEP
    while moved > _CLOSE:
        moved = max([_moved(name, found, scores, sides) for name in found])
    return {name: rating - found[zero] for name, rating in found.items()}


def _moved(name: str, found: dict[str, float], scores: Sequence[_Score], sides: int) -> float:
    """Moves the rating of ``name`` to where it would have won as much as it did, or nearer; by how much."""
    missing, slope = 0.0, 0.0
    for a, b, samples, won in scores:
        if name in (a, b):
            ahead = found[a] - found[b]
            expected = share(ahead, sides)
            missing += (won - samples * expected) * (1 if name == a else -1)
            slope += samples * (share(ahead + 1, sides) - expected)
    step = max(-_MOST_STEP, min(missing / slope, _MOST_STEP))
    found[name] += step
    return abs(step)
