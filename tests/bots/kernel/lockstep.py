"""The kernel beside the engine: the same deal in both, step by step, and every difference."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce

from bots.kernel.bits import TileSet, bit_of, bits_of
from bots.kernel.machine import Placement, State
from bots.kernel.playout import finish
from bots.kernel.position import Position
from bots.kernel.rules import Rules, Score, plain
from engine import deal as deals
from engine.actions import Action, Draw, Knock, Play
from engine.deal import Deal
from engine.events import DealStarted, MatchEnded
from engine.games import GAMES
from engine.seats import Seat, side_count
from engine.shuffle import Shuffle


def position_of(rules: Rules, deal: Deal) -> Position:
    """``deal``, which is running, as the kernel has it."""
    assert deal.turn is not None
    hands = [bits_of(hand) for hand in deal.hands]
    stock = [bit_of(tile) for tile in reversed(deal.stock)]
    scores = [plain(score) for score in deal.scores]
    return Position(
        rules, hands, stock, deal.turn, scores, rules.machine.state_of(deal.layout), bits_of(deal.layout.tiles)
    )


def chance_deal(rng: random.Random, game: str, seats: int) -> Deal:
    """A deal that has just begun, with any lead and scores, some of them close to the target or past it."""
    rules = GAMES[game]
    hands, stock = Shuffle(rng.randbytes(32)).deal(1, seats, rules.hand_size(seats))
    lead = Seat(rng.randrange(seats))
    started = DealStarted(1, lead, tuple(map(len, hands)), len(stock), hands, stock)
    return deals.opened(rules, rules.target(seats), _chance_scores(rng, game, seats), started)


def _chance_scores(rng: random.Random, game: str, seats: int) -> tuple[int, ...]:
    rules = GAMES[game]
    target, sides = rules.target(seats), side_count(seats)
    if rng.random() < 0.6:
        return tuple(rng.randrange(target) for _ in range(sides))
    if rules.exact_target or rng.random() < 0.7:
        return tuple(target - rng.randrange(1, 20) for _ in range(sides))
    return (target + 5,) * sides  # level beyond the target: the match goes on (A13)


@dataclass
class Lockstep:
    """Plays deals in both. The choices are of chance; so that they can be repeated, they hang on ``salt`` and hand."""

    game: str
    seats: int
    rng: random.Random
    steps: int = 0
    endings: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    def __post_init__(self) -> None:
        self.rules = Rules(self.game, self.seats)
        self._salt = 0

    def play_deal(self) -> Iterator[str]:
        """The differences of one deal."""
        self._salt = self.rng.getrandbits(60)
        deal = chance_deal(self.rng, self.game, self.seats)
        position = position_of(self.rules, deal)
        started = [position.copy()]
        while deal.turn is not None:
            legal = _Legal(self.rules, deal)
            yield from legal.differences(position)
            placement = self._pick(position)
            self._step(position, placement)
            deal = reduce(deals.evolve, deals.decide(deal, deal.turn, legal.action(placement)), deal)
            self.steps += 1
            yield from _differences(position, deal)
            if position.ended is None and self.rng.random() < 0.1:
                started.append(position.copy())
        self.endings[str(position.ended)] += 1
        yield from self._finished(started, position)

    def _pick(self, position: Position) -> Placement | None:
        every = position.placements()
        if not every:
            return None
        if len(every) == 1:
            return every[0]
        need = self.rules.target - position.scores[self.rules.side_of[position.turn]]
        leads, hand = self.rules.machine.leads[position.state], position.hands[position.turn]
        return self._choose(position.state, leads, hand, position.laid, need)

    def _choose(self, state: State, leads: Sequence[Placement], hand: TileSet, laid: TileSet, need: Score) -> Placement:
        every = [placement for placement in leads if placement[0] & hand]
        return every[hash((self._salt, state, hand, laid, need)) % len(every)]

    @staticmethod
    def _step(position: Position, placement: Placement | None) -> None:
        if placement is not None:
            position.play(placement)
        elif position.can_draw:
            position.draw()
        else:
            position.knock()

    def _finished(self, started: Sequence[Position], end: Position) -> Iterator[str]:
        """Whether the fast loop comes to the same ``end`` from any place on the way."""
        for position in started:
            finish(position, [self._choose] * position.rules.seats)
            for name in ("hands", "stock", "laid", "scores", "ended", "out", "winner"):
                if getattr(position, name) != getattr(end, name):
                    yield f"finish: {name} {getattr(position, name)}, not {getattr(end, name)}"


class _Legal:
    """What the engine allows, and the placements that it comes to."""

    def __init__(self, rules: Rules, deal: Deal) -> None:
        self._actions: dict[Placement | None, Action] = {}
        self._points: dict[Placement, int] = {}
        for choice in deal.choices:
            placement = None
            if isinstance(choice.action, Play):
                assert choice.outcome is not None
                after = deal.layout.place(choice.action.tile, choice.action.end)
                placement = rules.machine.placement(choice.action.tile, after)
                self._points[placement] = choice.outcome.points
            self._actions[placement] = choice.action

    def action(self, placement: Placement | None) -> Action:
        return self._actions[placement]

    def differences(self, position: Position) -> Iterator[str]:
        every = position.placements()
        if len(set(every)) != len(every) or set(every) != self._points.keys():
            yield f"legal: {sorted(every)}, not {sorted(self._points)}"
        for placement, points in self._points.items():
            if placement[2] != points:
                yield f"points: {placement}, not {points}"
        only = self._actions.get(None)
        if not every and isinstance(only, Draw) != position.can_draw:
            yield f"draws: {position.can_draw}, not {only}"
        if not every and not isinstance(only, Draw | Knock):
            yield f"nothing to play, not {only}"


def _differences(position: Position, deal: Deal) -> Iterator[str]:
    """Where ``position`` is not ``deal``."""
    ended, last = deal.ended, deal.events[-1]
    expected = {
        "hands": [bits_of(hand) for hand in deal.hands],
        "stock": [bit_of(tile) for tile in reversed(deal.stock)],
        "laid": bits_of(deal.layout.tiles),
        "state": position.rules.machine.state_of(deal.layout),
        "scores": list(deal.scores),
        "ended": None if ended is None else ended.reason,
        "out": ended.seat if ended is not None and ended.reason == "out" else None,
        "winner": last.winner if isinstance(last, MatchEnded) else None,
    }
    if deal.turn is not None:
        expected["turn"] = deal.turn
    for name, value in expected.items():
        if getattr(position, name) != value:
            yield f"{name}: {getattr(position, name)}, not {value}"
