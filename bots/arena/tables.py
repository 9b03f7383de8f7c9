"""What a ladder has found, as tables in Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from random import Random

from bots.arena.ladder import Rung, Setting
from bots.arena.rating import Meeting, estimates
from bots.duel import Estimate

ZERO = "club"
"""The level that is rated 0, if it has played."""


def rungs_table(rungs: Sequence[Rung]) -> str:
    """The share of the matches that each level won against the one below; in brackets how many samples there were."""
    rungs = _steps(rungs)
    names = [f"{rung.above} / {rung.below}" for rung in _of_first_setting(rungs)]
    rows = [(setting, [_said(rung) for rung in row]) for setting, row in _by_setting(rungs)]
    return _table(["game", "seats", *names], rows)


def ratings_table(rungs: Sequence[Rung], zero: str = ZERO) -> str:
    """One rating a level and setting, ``zero`` at 0, or the lowest level if it has not played."""
    names = [*dict.fromkeys([name for rung in _of_first_setting(rungs) for name in (rung.below, rung.above)])]
    if zero not in names:
        zero = next(iter(names), zero)
    rows = [(setting, _ratings(row, names, zero)) for setting, row in _by_setting(rungs)]
    return _table(["game", "seats", *names], rows)


def doubtful(rungs: Sequence[Rung]) -> list[Rung]:
    """Those of neighbours on which the upper level is not shown to win more: its interval reaches a half."""
    return [rung for rung in _steps(rungs) if _low(Estimate.of(rung.won)) <= 0.5]


def _steps(rungs: Sequence[Rung]) -> list[Rung]:
    """Those of neighbours."""
    return [rung for rung in rungs if rung.steps == 1]


def _low(estimate: Estimate) -> float:
    return estimate.mean - estimate.margin


def _of_first_setting(rungs: Sequence[Rung]) -> Sequence[Rung]:
    return next((row for _, row in _by_setting(rungs)), ())


def _by_setting(rungs: Sequence[Rung]) -> Iterator[tuple[Setting, Sequence[Rung]]]:
    for setting, row in groupby(rungs, key=lambda rung: rung.setting):
        yield setting, [*row]


def _said(rung: Rung) -> str:
    won = Estimate.of(rung.won)
    return f"{won.mean:.3f} ± {won.margin:.3f} ({len(rung.won)})"


def _ratings(row: Sequence[Rung], names: Sequence[str], zero: str) -> list[str]:
    meetings = [Meeting(rung.above, rung.below, rung.won) for rung in row]
    rng = Random(f"ratings {row[0].setting}")  # noqa: S311 - the same table again
    found: Mapping[str, Estimate] = estimates(meetings, row[0].setting.sides, zero, rng)
    return [f"{round(found[name].mean):+} ± {found[name].margin:.0f}" if name != zero else "0" for name in names]


def _table(heads: Sequence[str], rows: Sequence[tuple[Setting, Sequence[str]]]) -> str:
    lines = [heads, ["---"] * len(heads), *([setting.game, str(setting.seats), *cells] for setting, cells in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
