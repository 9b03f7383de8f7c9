"""`python -m tests.bots.speed`: what the parts of the bots do in a second of processor time."""

from __future__ import annotations

import gc
import random
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial

from bots.kernel.dealing import dealt
from bots.kernel.playout import Pick, at_random, finish, greedy
from bots.kernel.position import Position
from bots.kernel.rules import Rules
from bots.levels import EVERY_LEVEL
from bots.sampling.worlds import Worlds
from engine import match as matches
from engine.games import GAMES
from engine.match import Match
from engine.seats import Seat
from engine.shuffle import Shuffle
from engine.view import SeatView
from tests.bots.positions import EVERY_TABLE, question, some_turns
from tests.engine.playing import deal_of, start_deal

DEALS = 3_000
ENGINE_DEALS = 300
POSITIONS, WORLDS = 150, 60
CHOICES = 20
SLOWEST_OF = 200
"""Choices of expert, of which the second slowest is its p99."""
ROUNDS = 7
"""The fastest one counts: what disturbs a machine only ever makes it slower."""


def main() -> None:
    """Measure and print."""
    for game, seats in EVERY_TABLE:
        rules = Rules(game, seats)
        rng = random.Random(1)
        starts = [dealt(rules, rng, Seat(0), [0] * rules.sides) for _ in range(DEALS)]
        for name, pick in (("random", at_random(random.Random(2))), ("greedy", greedy)):
            took = fastest(partial(_play, starts, pick))
            moves, deals = _moves(starts, pick) / took / 1e6, len(starts) / took
            _print(f"{game:12} {seats}  {name}: {moves:5.2f} M moves/s, {deals:7,.0f} deals/s")
        took = fastest(partial(_by_engine, openings := _openings(game, seats)))
        _print(
            f"{game:12} {seats}  engine: {_by_engine(openings) / took / 1e3:7,.0f} k moves/s, legal ones with outcomes"
        )
        views = [question(match)[0] for match in some_turns(POSITIONS, game, seats)]
        made, drawn, counted = (fastest(partial(work, views)) for work in (_make, _draw, _count))
        rate = len(views) * WORLDS / (drawn - made)
        counts = (counted - made) / len(views)
        _print(
            f"{game:12} {seats}  worlds: {rate:7,.0f} drawn/s after {made / len(views) * 1e3:.2f} ms,"
            f" chances in {counts * 1e3:.2f} ms"
        )
        gc.freeze()  # a process that chooses has no such heap of deals to look through for garbage
        _print(f"{game:12} {seats}  ms a choice: {', '.join(_choosing(level, game, seats) for level in EVERY_LEVEL)}")
        _print(f"{game:12} {seats}  p99 of expert: {_p99_of_expert(game, seats):.0f} ms")


def _openings(game: str, seats: int) -> Sequence[Match]:
    """Deals that have just begun."""
    rng = random.Random(1)
    match = matches.begin(GAMES[game], seats)
    return [start_deal(match, Shuffle(rng.randbytes(32))) for _ in range(ENGINE_DEALS)]


def _by_engine(openings: Sequence[Match]) -> int:
    """Play the first of the listed legal actions at every turn, each checked, as a table does."""
    moves = 0
    for match in openings:
        while (turn := deal_of(match).turn) is not None:
            _, match = matches.act(match, turn, matches.choices(match)[0].action)  # noqa: PLW2901 - one after the other
            moves += 1
    return moves


def _p99_of_expert(game: str, seats: int) -> float:
    """Milliseconds."""
    player, took = EVERY_LEVEL["expert"](random.Random(1)), []
    for view, legal in [question(match) for match in some_turns(SLOWEST_OF, game, seats)]:
        began = time.process_time()
        player.choose(view, legal)
        took.append(1e3 * (time.process_time() - began))
    return sorted(took)[-2]


def _choosing(level: str, game: str, seats: int) -> str:
    """How long ``level`` takes on average, once it has chosen in the same positions before."""
    player = EVERY_LEVEL[level](random.Random(1))
    asked = [question(match) for match in some_turns(CHOICES, game, seats)]

    def choose() -> None:
        for view, legal in asked:
            player.choose(view, legal)

    choose()
    began = time.process_time()
    choose()
    return f"{level} {1e3 * (time.process_time() - began) / CHOICES:.2f}"


def fastest(work: Callable[[], object]) -> float:
    """Seconds of processor time that ``work`` takes at best."""
    times = []
    for _ in range(ROUNDS):
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return min(times)


def _make(views: Sequence[SeatView]) -> None:
    for view in views:
        Worlds(view)


def _draw(views: Sequence[SeatView]) -> None:
    rng = random.Random(1)
    for view in views:
        worlds = Worlds(view)
        for _ in range(WORLDS):
            worlds.draw(rng)


def _count(views: Sequence[SeatView]) -> None:
    for view in views:
        worlds = Worlds(view)
        for seat in range(view.seats):
            if seat != view.seat:
                worlds.chances(Seat(seat))


def _play(starts: Sequence[Position], pick: Pick) -> None:
    for start in starts:
        finish(start.copy(), [pick] * start.rules.seats)


def _moves(starts: Sequence[Position], pick: Pick) -> int:
    """Plays, draws and knocks as the engine counts them."""
    moves = 0
    for start in starts:
        position = start.copy()
        while position.ended is None:
            every = position.placements()
            if every:
                position.play(pick(position.state, every, position.playable, 0, 0))
            elif position.can_draw:
                position.draw()
            else:
                position.knock()
            moves += 1
    return moves


def _print(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
