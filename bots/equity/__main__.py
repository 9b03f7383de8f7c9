"""`python -m bots.equity`: makes the tables anew, from a seed."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from random import Random

from bots.equity.solve import solve
from bots.equity.table import FOLDER
from bots.kernel.rules import Rules
from bots.policy.swift import Swift
from bots.policy.weights import learned
from engine.games import GAMES

NODES = {
    2: {
        "fives-threes": (*range(1, 9), 10, 12, 15, 19, 25, 33, 45, 61),
        "all-fives": (5, 10, 15, 20, 25, 30, 40, 50, 65, 85, 110, 145, 190, 250),
        "block": (1, 6, 12, 18, 25, 33, 43, 56, 75, 100),
        "draw": (1, 6, 12, 18, 25, 33, 43, 56, 75, 100),
    },
    3: {
        "fives-threes": (1, 2, 3, 5, 9, 18, 35, 61),
        "all-fives": (5, 10, 20, 35, 60, 95, 140, 200),
        "block": (1, 10, 22, 40, 65, 100),
        "draw": (1, 10, 22, 40, 65, 100),
    },
}
"""By sides and game, the needs for which chances are kept."""


def main() -> None:
    """Solve every game for every number of seats."""
    parser = argparse.ArgumentParser(prog="python -m bots.equity", description=__doc__)
    parser.add_argument("--deals", type=int, default=400, help="for each entry; for three sides a half of it")
    parser.add_argument("--seed", type=int, default=1, help="everything hangs on it")
    given = parser.parse_args()
    FOLDER.mkdir(exist_ok=True)
    for game in GAMES:
        for seats in (2, 3, 4):
            kept = _solved(game, seats, given.deals, given.seed)
            (FOLDER / f"{game}-{seats}.json").write_text(kept, encoding="utf-8")
            sys.stderr.write(f"{game} for {seats}\n")


def _solved(game: str, seats: int, deals: int, seed: int) -> str:
    rules = Rules(game, seats)
    nodes: Sequence[int] = [*(need for need in NODES[rules.sides][game] if need < rules.target), rules.target]
    pick = Swift(rules, learned(game, seats).swift).pick
    rng = Random(f"{seed} {game} {seats}")  # noqa: S311 - nothing is secret here
    table = solve(rules, nodes, pick, deals if rules.sides == 2 else deals // 2, rng)
    chances = ",\n".join(map(json.dumps, table.dump()))
    return f'{{"nodes": {json.dumps(nodes)}, "chances": [\n{chances}\n]}}\n'


if __name__ == "__main__":
    main()
