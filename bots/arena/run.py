"""A run: as many samples as were asked for, or as are needed."""

from __future__ import annotations

from collections.abc import Iterator

from bots.arena.contest import Contest, Outcome, Terms
from bots.arena.entrant import entered
from bots.arena.log import Log
from bots.arena.verdict import Verdict, verdict


class Run:
    """Up to ``samples`` on ``terms``; what ``log`` has already is not played again.

    ``gain``: stop as soon as it is known whether ``a`` wins 0.5 of the matches or so much more; None: play all.
    """

    def __init__(self, terms: Terms, samples: int, gain: float | None = None, log: Log | None = None) -> None:
        self._terms = terms
        self._samples = samples
        self._gain = gain
        self._log = log
        self.outcomes: list[Outcome] = [] if log is None else log.outcomes()[:samples]
        """Those played so far."""

    @property
    def verdict(self) -> Verdict | None:
        """What is known by now, if it was asked."""
        return None if self._gain is None else verdict([outcome.won for outcome in self.outcomes], self._gain)

    def play(self) -> Iterator[Outcome]:
        """Plays on, and gives each new outcome. Raises what `entered` raises."""
        terms = self._terms
        with entered(terms.a, terms.budget_ms / 1000) as a, entered(terms.b, terms.budget_ms / 1000) as b:
            contest = Contest(terms, a, b)
            while len(self.outcomes) < self._samples and self.verdict is None:
                outcome = contest.outcome(len(self.outcomes))
                self.outcomes.append(outcome)
                if self._log is not None:
                    self._log.add(outcome)
                yield outcome
