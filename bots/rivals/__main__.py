"""`python -m bots.rivals`: a rival as a program that is asked on its standard input (see docs/bots.md)."""

from __future__ import annotations

import argparse
import json
import sys
from random import Random

from bots.rivals.ismcts import chosen_by_tree
from protocol.convert import action_to_wire, choices_from_wire, view_from_wire


def main() -> None:
    """Answer each question, until there are no more."""
    parser = argparse.ArgumentParser(prog="python -m bots.rivals", description=__doc__)
    parser.add_argument("--iterations", type=int, default=1000, help="of IS-MCTS, for each choice")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    rng = Random(given.seed)  # noqa: S311 - how bots choose is no secret
    for line in sys.stdin:
        question = json.loads(line)
        view = view_from_wire(question["view"], question["view"]["seat"])
        action = chosen_by_tree(view, choices_from_wire(question["legal"]), given.iterations, rng)
        sys.stdout.write(json.dumps({"action": action_to_wire(action)}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
