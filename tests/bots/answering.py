"""`python -m tests.bots.answering LEVEL SEED`: a level as a program, which is told nothing but lines of JSON.

Each choice begins with the chance of ``SEED`` again.
"""

from __future__ import annotations

import json
import random
import sys

from bots.levels import EVERY_LEVEL
from protocol.convert import action_to_wire, choices_from_wire, view_from_wire


def main(level: str, seed: int) -> None:
    """Answer each question, until there are no more."""
    for line in sys.stdin:
        question = json.loads(line)
        view = view_from_wire(question["view"], question["view"]["seat"])
        action = EVERY_LEVEL[level](random.Random(seed)).choose(view, choices_from_wire(question["legal"]))
        sys.stdout.write(json.dumps({"action": action_to_wire(action)}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
