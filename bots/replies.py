"""What a seat may answer to a play, judged from what it may hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeAlias

from bots.beliefs import Chances
from engine.outcome import Outcome

WorthOf: TypeAlias = Callable[[int], float]
"""What an answer that leads to this total would be worth to the seat that gives it."""


class Reply(NamedTuple):
    """The best answer of one seat."""

    worth: float
    """Expected, of its best play."""
    stuck: float
    """How likely it cannot play at all."""


def best_reply(outcome: Outcome, chances: Chances, worth: WorthOf) -> Reply:
    """How a seat with ``chances`` would answer to ``outcome``.

    Whether it holds one tile is taken to say nothing about another.
    """
    expected, stuck = 0.0, 1.0
    for best, chance in sorted(_answers(outcome, chances, worth), reverse=True):
        expected += stuck * chance * best
        stuck *= 1 - chance
    return Reply(expected, stuck)


def _answers(outcome: Outcome, chances: Chances, worth: WorthOf) -> Iterable[tuple[float, float]]:
    """For each tile that fits: what it is worth at its best end, and how likely the seat has it."""
    answers: dict[tuple[int, int], tuple[float, float]] = {}
    for pip, rest in _joints(outcome):
        for other, chance in enumerate(chances[pip]):
            if chance:
                tile = (pip, other) if pip < other else (other, pip)
                gained = worth(rest + (2 * pip if other == pip else other))
                answers[tile] = max(answers.get(tile, (gained, chance)), (gained, chance))
    return answers.values()


def _joints(outcome: Outcome) -> set[tuple[int, int]]:
    """The places that differ: the pip to match, and what the other ends count together once it is covered."""
    ends = outcome.ends
    if len(ends) == 2 and ends[0].value == ends[1].value and not ends[1].counts:
        return {(ends[0].value, outcome.total)}  # a lone double: covered on one side, it counts at the other (C14)
    return {(end.value, outcome.total - end.counts) for end in ends}
