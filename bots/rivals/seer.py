"""`python -m bots.rivals.seer`: what one side gains on beginner who sees all tiles. No player without them comes near.

It counts on being answered as well as it plays itself, so that it is no bound, but a measure of how far there is to go.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Container
from functools import partial
from random import Random

from bots.duel import Estimate
from bots.kernel.dealing import dealt
from bots.kernel.machine import Placement
from bots.kernel.position import Position
from bots.kernel.rules import Rules, Score
from bots.review.par import par
from engine.games import GAMES
from engine.seats import Seat

NO_TARGET = 1_000_000
"""So far away that a point is a point."""
_POSITIONS = 10_000_000


def best_seen(position: Position) -> Placement:
    """The play of the seat in turn that is best where everybody sees all tiles; of equal ones the greediest."""
    every = position.placements()
    return max(every, key=partial(_lead_after, position)) if len(every) > 1 else every[0]


def _lead_after(position: Position, placement: Placement) -> Score:
    """What the side in turn is ahead when all is over."""
    after = position.copy()
    after.play(placement)
    to_come = par(after, _POSITIONS)
    if to_come is None:
        raise MemoryError("too many positions")
    lead = after.scores[0] - after.scores[1] + to_come
    return lead if position.rules.side_of[position.turn] == 0 else -lead


def lead_with(start: Position, seers: Container[int]) -> Score:
    """What the first side is ahead after ``start``, where ``seers`` see all tiles; others take the most points now."""
    position = start.copy()
    while position.ended is None:
        if not position.playable:
            position.knock()
        elif position.rules.side_of[position.turn] in seers:
            position.play(best_seen(position))
        else:
            position.play(position.placements()[0])
    return position.scores[0] - position.scores[1]


def gain(start: Position) -> float:
    """Points that a side makes more than beginner by seeing all tiles, on average over both sides."""
    return (lead_with(start, (0,)) - lead_with(start, (1,))) / 2


def main() -> None:
    """Play deals of chance, each with both sides in turn as the one who sees."""
    parser = argparse.ArgumentParser(prog="python -m bots.rivals.seer", description=__doc__)
    parser.add_argument("--game", choices=[name for name, game in GAMES.items() if not game.draws], required=True)
    parser.add_argument("--seats", type=int, choices=(2, 4), required=True)
    parser.add_argument("--deals", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1, help="everything hangs on it")
    given = parser.parse_args()
    rules = Rules(given.game, given.seats, NO_TARGET)
    rng = Random(f"seer {given.seed}")  # noqa: S311 - nothing is secret here
    leads = [Seat(rng.randrange(given.seats)) for _ in range(given.deals)]
    gains = [gain(dealt(rules, rng, lead, [0, 0])) for lead in leads]
    mean, margin = Estimate.of(gains)
    sys.stdout.write(f"{given.game} for {given.seats}: {mean:+.2f} ± {margin:.2f} points a deal\n")


if __name__ == "__main__":
    main()
