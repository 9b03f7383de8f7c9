"""The ladder: each level against the one below, or against all others, in every game and number of seats."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from bots.arena.contest import Terms
from bots.arena.log import kept
from bots.arena.run import Run
from bots.levels import EVERY_LEVEL
from engine.games import GAMES
from engine.seats import side_count

LEVELS: Sequence[str] = tuple(EVERY_LEVEL)
"""Weakest first."""

_NO_PROGRAM_MS = 1000


class Setting(NamedTuple):
    """A game at a table of so many seats."""

    game: str
    seats: int

    @property
    def sides(self) -> int:
        """That play against each other."""
        return side_count(self.seats)


EVERY_SETTING: Sequence[Setting] = tuple(Setting(game, seats) for game in GAMES for seats in (2, 3, 4))


@dataclass(frozen=True, slots=True)
class Rung:
    """``above`` against ``below``, so many ``steps`` under it; ``won`` by sample, the share of the matches that it won.

    Samples of one number have the same deals on all rungs of a setting.
    """

    setting: Setting
    above: str
    below: str
    won: Sequence[float]
    steps: int = 1


@dataclass(frozen=True, slots=True)
class Ladder:
    """What is played, and where it is kept: each rung in a file of ``folder``, a line a sample.

    Each rung is played in up to ``samples``, and ends before that where it is known whether the upper level wins half
    of the matches or ``gain`` more. A ladder that was stopped goes on where it was; what is there already counts, be it
    more than was asked for.

    A round robin if there are ``far`` samples: so many at most of levels that are more than one step apart.
    """

    folder: Path
    samples: int
    gain: float
    seed: int = 1
    levels: Sequence[str] = LEVELS
    settings: Sequence[Setting] = field(default=EVERY_SETTING)
    far: int = 0

    def play(self, watch: Callable[[Rung], None]) -> Iterator[Rung]:
        """Every rung in turn, each when it has been played; ``watch`` is told of it after each sample.

        OSError, OtherRun, RunGoesOn: as `bots.arena.log` raises them.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        for setting in self.settings:
            for steps in range(1, len(self.levels) if self.far else 2):
                for below, above in zip(self.levels, self.levels[steps:], strict=False):
                    yield self._played(Rung(setting, above, below, (), steps), watch)

    def _played(self, rung: Rung, watch: Callable[[Rung], None]) -> Rung:
        (game, seats), above, below = rung.setting, rung.above, rung.below
        most = self.samples if rung.steps == 1 else self.far
        terms = Terms(game, seats, above, below, self.seed, single=False, budget_ms=_NO_PROGRAM_MS)
        with kept(self.folder / f"{game}-{seats}-{above}-{below}.jsonl", terms) as log:
            run = Run(terms, max(most, len(log.outcomes())), self.gain, log)
            for _ in run.play():
                watch(replace(rung, won=[outcome.won for outcome in run.outcomes]))
        return replace(rung, won=[outcome.won for outcome in run.outcomes])
