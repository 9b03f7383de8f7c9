"""`python -m tests.bots.kernel.proof --steps N`: kernel and engine side by side; exit status 1 if they differ."""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from itertools import cycle

from tests.bots.kernel.lockstep import Lockstep
from tests.bots.positions import EVERY_TABLE

DEALS_AT_ONCE = 100
SHOWN = 20


def main() -> int:
    """Compare as many steps as the command line asks for, of every game and number of seats in turn."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=5_000_000, help="how many")
    parser.add_argument("--seed", type=int, default=1, help="everything hangs on it")
    given = parser.parse_args()
    began, rng, found = time.monotonic(), random.Random(given.seed), Counter[str]()
    tables = [Lockstep(game, seats, rng) for game, seats in EVERY_TABLE]
    for table in cycle(tables):
        for _ in range(DEALS_AT_ONCE):
            found.update(f"{table.game} for {table.seats}: {difference}" for difference in table.play_deal())
        if sum(table.steps for table in tables) >= given.steps:
            break
    for difference, count in found.most_common(SHOWN):
        _print(f"{difference} ({count} times)")
    for table in tables:
        endings = ", ".join(f"{ending} {count}" for ending, count in sorted(table.endings.items()))
        _print(f"{table.game} for {table.seats}: {table.steps} steps; {endings}")
    steps, took = sum(table.steps for table in tables), time.monotonic() - began
    _print(f"{steps} steps, {found.total()} differences, {took:.0f} s")
    return 1 if found else 0


def _print(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
