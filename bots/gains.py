"""What points are worth: more than they count when they win or bring a good number within reach, nothing when lost.

In a game with an exact target (F8) not every score is as good as the one below it plus a point: who needs 2 finishes
sooner than who needs 1. So points are valued by the turns that they save.
"""

from __future__ import annotations

from functools import lru_cache

from engine.games import GAMES
from engine.points import Points

WIN = 25.0
"""What winning the match is worth beside the points that do it."""

_MOST_TOTAL = 100
"""No layout counts so much."""

POINTS_BY_TOTAL = {
    name: tuple(sum(part.points for part in game.end_parts(total)) for total in range(_MOST_TOTAL))
    for name, game in GAMES.items()
}
"""By game: what a layout of that total gives (F3, A5)."""

_CHANCE_OF_EVENT = {1: 0.24, 2: 0.27, 3: 0.11, 4: 0.08, 6: 0.013, 8: 0.024}
"""How often a turn in Fives and Threes offers an event of just so many points: counted in 170 matches of beginners."""

_TABLED = 100
"""Beyond this need each point saves as much as any other."""


def _turns_from(need: int, fewer: list[float]) -> float:
    """Turns that the best plan takes when ``fewer`` tells those of each smaller need.

    A plan takes some events and lets the others pass; the best one takes those that lead nearest.
    """
    best = float("inf")
    chance = ahead = 0.0
    for after, offered in sorted((fewer[need - event], p) for event, p in _CHANCE_OF_EVENT.items() if event <= need):
        ahead += (1 - chance) * offered * after
        chance += (1 - chance) * offered
        best = min(best, (1 + ahead) / chance)
    return best


def _all_turns() -> list[float]:
    turns = [0.0]
    for need in range(1, _TABLED + 1):
        turns.append(_turns_from(need, turns))
    return turns


_TURNS = _all_turns()
_TURNS_PER_POINT = (_TURNS[_TABLED] - _TURNS[_TABLED // 2]) / (_TABLED - _TABLED // 2)


def turns_to_go(need: Points) -> float:
    """Turns of a side, on average, until it lands exactly on a target that is ``need`` points away."""
    points = int(need)
    if points <= _TABLED:
        return _TURNS[points]
    return _TURNS[_TABLED] + (points - _TABLED) * _TURNS_PER_POINT


@lru_cache(maxsize=8192)
def gain(game: str, target: int, score: Points, event: Points, rival: Points = 0) -> float:
    """What an ``event`` is worth to a side that has ``score``, in points; 0 if the exact target drops it.

    ``rival``: the best score of another side. Drawing level with it at the target wins nothing (A13).
    """
    rules = GAMES[game]
    if not event or not rules.accepts(score, event, target):
        return 0.0
    after = score + event
    won = WIN if after >= target and after > rival else 0.0
    if not rules.exact_target:
        return float(event) + won
    return (turns_to_go(target - score) - turns_to_go(target - after)) / _TURNS_PER_POINT + won
