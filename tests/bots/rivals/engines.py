"""`python -m tests.bots.rivals.engines`: a level against engines of other projects, in Block with hands of seven.

They are packages that nothing else here needs: `pip install dominoes==6.1.0` or `open_spiel==2.0.2`, in an environment
of their own. Every deal is played in both seatings, which are one sample together.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from statistics import fmean
from typing import NamedTuple, Protocol

from bots.arena.entrant import Timed, entered
from bots.duel import Estimate, play_match, seatings
from bots.guarded import Guarded
from bots.levels import EVERY_LEVEL
from bots.player import Player
from engine import match as matches
from engine.games import GAMES
from engine.games.base import BySeats
from engine.seats import seat_range, side_of
from engine.shuffle import Shuffle
from tests.bots.rivals.searchers import Searcher
from tests.bots.rivals.trees import Tree

BLOCK = replace(GAMES["block"], hand_sizes=BySeats(7, 7, 7))


class Engine(Player, Protocol):
    """Of another project."""

    def told(self, shuffle: Shuffle) -> None:
        """What will be dealt; only who looks into the others' hands listens."""


ENGINES: Mapping[str, Callable[[int], Engine]] = {
    "alphabeta": lambda _simulations: Searcher(1, sees_all=False),
    "omniscient": lambda _simulations: Searcher(1, sees_all=True),
    "block": lambda simulations: Tree(2, simulations, 1),
    "team": lambda simulations: Tree(4, simulations, 1),
}
"""By name: the first two of `dominoes`, the others IS-MCTS of OpenSpiel. All but ``block`` are for four."""


class Result(NamedTuple):
    """Of a deal, for the level, as the mean over both seatings."""

    won: float
    """1 if it made points, a half if nobody did."""
    points: float


def result_of(shuffle: Shuffle, level: Player, rival: Player, seats: int) -> Result:
    """One deal of ``shuffle``."""
    ahead = []
    for seating in seatings(seats):
        chairs = [level if seating[side_of(seat, seats)] == "a" else rival for seat in seat_range(seats)]
        first, second = play_match(matches.begin(BLOCK, seats), shuffle, chairs, deals=1).scores
        ahead.append(float(first - second) * (1 if seating[0] == "a" else -1))
    return Result(fmean([0.5 + 0.5 * (lead > 0) - 0.5 * (lead < 0) for lead in ahead]), fmean(ahead))


def main() -> None:
    """Play, and tell how it stands after every ten deals."""
    parser = argparse.ArgumentParser(prog="python -m tests.bots.rivals.engines", description=__doc__)
    parser.add_argument("engine", choices=ENGINES)
    parser.add_argument("--level", default="expert", choices=EVERY_LEVEL)
    parser.add_argument("--simulations", type=int, default=40, help="of IS-MCTS, for each choice")
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    seats = 2 if given.engine == "block" else 4
    engine, results = ENGINES[given.engine](given.simulations), list[Result]()
    with entered(given.level, budget=1.0) as entrant:
        level = entrant.player(random.Random(given.seed))
        rival = Timed(Guarded(engine), entrant.clock)
        for number in range(given.deals):
            shuffle = Shuffle(sha256(f"engines {given.seed} {number}".encode()).digest())
            engine.told(shuffle)
            results.append(result_of(shuffle, level, rival, seats))
            if len(results) % 10 == 0 or len(results) == given.deals:
                sys.stdout.write(f"{told_of(results)}; {cost_of(level)} against {cost_of(rival)}\n")
                sys.stdout.flush()


def told_of(results: Sequence[Result]) -> str:
    """How it stands, with half the widths of the 95 % intervals."""
    won, points = (Estimate.of(values) for values in zip(*results, strict=True))
    return f"won {won.mean:.3f} ± {won.margin:.3f}, {points.mean:+.2f} ± {points.margin:.2f} points ({len(results)})"


def cost_of(player: Timed) -> str:
    """Of a choice, on average."""
    effort = player.effort
    return f"{1e3 * effort.seconds / max(effort.choices, 1):.0f} ms, {effort.faults} faults"


if __name__ == "__main__":
    main()
