"""`python -m bots.arena`: plays the ladder, and prints its tables in Markdown."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from bots.arena.ladder import EVERY_SETTING, LEVELS, Ladder, Rung
from bots.arena.log import OtherRun, RunGoesOn
from bots.arena.tables import doubtful, ratings_table, rungs_table
from bots.arena.verdict import is_gain
from bots.duel import Estimate
from engine.games import GAMES

FEWEST = 2
"""Samples for an interval."""


def main() -> None:
    """Play what is not in the logs yet, and print all of it."""
    parser = argparse.ArgumentParser(prog="python -m bots.arena", description=__doc__)
    parser.add_argument(
        "--logs", type=Path, required=True, help="folder of the matches; a ladder that is there goes on"
    )
    parser.add_argument("--matches", type=int, default=200, help="at most, a rung; each is played in every seating")
    parser.add_argument("--gain", type=float, default=0.03, help="a rung ends when known: a half won, or so much more?")
    parser.add_argument("--seed", type=int, default=1, help="what is dealt, and the chance of the levels, hang on it")
    parser.add_argument("--games", nargs="+", choices=GAMES, default=[*GAMES])
    parser.add_argument("--seats", nargs="+", type=int, choices=(2, 3, 4), default=[2, 3, 4])
    parser.add_argument("--levels", nargs="+", choices=LEVELS, default=[*LEVELS], help="weakest first")
    parser.add_argument("--far", type=int, default=0, help="a round robin: so many at most of levels further apart")
    given = parser.parse_args()
    if not is_gain(given.gain):
        parser.error("--gain is between 0 and 0.5")
    if given.matches < FEWEST:
        parser.error(f"--matches is {FEWEST} at least")
    if 0 < given.far < FEWEST:
        parser.error(f"--far is {FEWEST} at least, or 0")
    settings = [setting for setting in EVERY_SETTING if setting.game in given.games and setting.seats in given.seats]
    ladder = Ladder(given.logs, given.matches, given.gain, given.seed, given.levels, settings, given.far)
    try:
        rungs = [_told(rung) for rung in ladder.play(_watch)]
    except (OtherRun, RunGoesOn, OSError) as error:
        sys.exit(f"ladder: {error}")
    sys.stdout.write(f"{rungs_table(rungs)}\n{ratings_table(rungs)}")
    sys.stdout.writelines(f"not shown: {_said(rung)}\n" for rung in doubtful(rungs))


def _watch(rung: Rung) -> None:
    """Where it stands, on a line that is written over."""
    if sys.stderr.isatty() and len(rung.won) >= FEWEST:
        sys.stderr.write(f"\r{_said(rung)}")


def _told(rung: Rung) -> Rung:
    """``rung``, which stays to be read."""
    sys.stderr.write(f"\r{_said(rung)}\n")
    return rung


def _said(rung: Rung) -> str:
    won, (game, seats) = Estimate.of(rung.won), rung.setting
    return f"{game} for {seats}: {rung.above} over {rung.below} {won.mean:.3f} ± {won.margin:.3f} in {len(rung.won)}"


if __name__ == "__main__":
    main()
