"""`python -m bots.policy`: learns the weights anew, from a seed."""

from __future__ import annotations

import argparse
import json
import sys
from random import Random

from bots.policy.learning import learn
from bots.policy.weights import FILE
from engine.games import GAMES


def main() -> None:
    """Learn for every game and number of seats, and keep what was learned."""
    parser = argparse.ArgumentParser(prog="python -m bots.policy", description=__doc__)
    parser.add_argument("--deals", type=int, default=4000, help="in each of the two rounds")
    parser.add_argument("--seed", type=int, default=1, help="everything hangs on it")
    parser.add_argument("--print", action="store_true", help="print what was learned, and keep nothing")
    given = parser.parse_args()
    weights = {
        game: {str(seats): _learned(game, seats, given.deals, given.seed) for seats in (2, 3, 4)} for game in GAMES
    }
    text = json.dumps(weights, indent=1) + "\n"
    if given.print:
        sys.stdout.write(text)
    else:
        FILE.write_text(text, encoding="utf-8")


def _learned(game: str, seats: int, deals: int, seed: int) -> dict[str, dict[str, float]]:
    weights = learn(game, seats, deals, Random(f"{seed} {game} {seats}"))  # noqa: S311 - nothing is secret here
    sys.stderr.write(f"{game} for {seats}\n")
    return weights.dump()


if __name__ == "__main__":
    main()
