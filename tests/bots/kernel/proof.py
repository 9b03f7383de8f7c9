"""`python -m tests.bots.kernel.proof --steps N`: kernel and engine side by side; exit status 1 if they differ."""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator

from tests.bots.kernel.lockstep import Lockstep
from tests.bots.positions import EVERY_TABLE

SHOWN = 20


def main() -> int:
    """Compare as many steps as the command line asks for, as many of each game and number of seats."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=5_000_000, help="how many in all; at least a deal at every table")
    parser.add_argument("--seed", type=int, default=1, help="everything hangs on it")
    given = parser.parse_args()
    began, rng = time.monotonic(), random.Random(given.seed)
    tables = [Lockstep(game, seats, rng) for game, seats in EVERY_TABLE]
    found = Counter(difference for table in tables for difference in _differences(table, given.steps / len(tables)))
    for difference, count in found.most_common(SHOWN):
        _print(f"{difference} ({count} times)")
    steps, took = sum(table.steps for table in tables), time.monotonic() - began
    _print(f"{steps} steps, {found.total()} differences, {took:.0f} s")
    return 1 if found else 0


def _differences(table: Lockstep, steps: float) -> Iterator[str]:
    """Plays as many ``steps``, or a whole deal, and says what there was at the table."""
    while table.steps == 0 or table.steps < steps:
        yield from (f"{table.game} for {table.seats}: {difference}" for difference in table.play_deal())
    endings = ", ".join(f"{ending} {count}" for ending, count in sorted(table.endings.items()))
    _print(f"{table.game} for {table.seats}: {table.steps} steps; {endings}")


def _print(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
