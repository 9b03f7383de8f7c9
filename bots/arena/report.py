"""What a run has found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import reduce
from importlib.metadata import version
from math import log10
from typing import Any

from bots.arena.contest import Outcome, Terms
from bots.arena.entrant import Effort
from bots.arena.verdict import Verdict
from bots.duel import Estimate
from engine.seats import side_count


@dataclass(frozen=True, slots=True)
class Report:
    """Of the ``outcomes`` of a run, at least two; ``verdict`` if it was to stop as soon as there is one."""

    terms: Terms
    outcomes: Sequence[Outcome]
    verdict: Verdict | None = None

    @property
    def points(self) -> Estimate:
        """That ``a`` makes more than ``b``, a deal and side."""
        return Estimate.of([outcome.points for outcome in self.outcomes])

    @property
    def won(self) -> Estimate:
        """The share of matches that ``a`` wins."""
        return Estimate.of([outcome.won for outcome in self.outcomes])

    @property
    def _is_outnumbered(self) -> bool:
        """Whether ``a`` would win less than half of the matches if it were as good as ``b``."""
        return self.terms.alone and side_count(self.terms.seats) > 2

    def effort(self, who: str) -> Effort:
        """Of ``a`` or ``b`` in all samples."""
        return reduce(Effort.plus, [getattr(outcome, who) for outcome in self.outcomes], Effort())

    def to_json(self) -> dict[str, Any]:
        """The report, and what it hangs on."""
        won = self.won
        is_even = not self.terms.single and not self._is_outnumbered
        return {
            "version": version("doublesix"),
            "settings": asdict(self.terms),
            "samples": len(self.outcomes),
            "points": _rounded(self.points),
            "won": None if self.terms.single else _rounded(won),
            "elo": [elo(won.mean + part * won.margin) for part in (-1, 0, 1)] if is_even else None,
            "ms": {who: milliseconds(self.effort(who)) for who in "ab"},
            "faults": {who: self.effort(who).faults for who in "ab"},
            "verdict": self.verdict,
        }


def _rounded(estimate: Estimate) -> dict[str, float]:
    return {name: round(value, 4) for name, value in estimate._asdict().items()}


def milliseconds(effort: Effort) -> float | None:
    """A choice, on average; None if there was none."""
    return round(1000 * effort.seconds / effort.choices, 3) if effort.choices else None


def elo(won: float) -> int | None:
    """The difference in rating that this share stands for; None where it is all or nothing."""
    return round(400 * log10(won / (1 - won))) if 0 < won < 1 else None
