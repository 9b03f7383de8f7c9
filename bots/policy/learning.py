"""How the policy learns: each play of deals against itself is played out, and its traits weighed by what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from bots.kernel.dealing import dealt
from bots.kernel.machine import Placement
from bots.kernel.playout import finish
from bots.kernel.position import Position
from bots.kernel.rules import Rules
from bots.policy.regression import Regression
from bots.policy.shown import Shown
from bots.policy.sight import Table, sight_of
from bots.policy.swift import Swift, SwiftWeights, usual_reply
from bots.policy.traits import Traits, traits
from bots.policy.weights import Weights
from engine.seats import Seat

NO_TARGET = 1_000_000
"""So far away that a point is a point."""
ROUNDS = 2
"""In the first one everybody plays and is judged by what is thought of the game beforehand."""

_ASTRAY = 0.12
"""How often a play of chance is made, so that the policy learns what it would not have played."""
_DECIMALS = 3

_BEFOREHAND = {
    True: Weights(Traits(gain=1, next_reply=-0.8, options=0.3, double=0.5), SwiftWeights(-0.1, 0.5, 0.2, -0.05, -0.5)),
    False: Weights(Traits(pips=0.5, next_stuck=5, options=1, double=3), SwiftWeights(0.5, 3, 1, -0.5, 0)),
}
"""By whether plays score in the game."""

_COLUMNS = len(Traits._fields) + 1
"""The traits, and the usual reply, which stands for the expected one in playouts."""
_SWIFT_COLUMNS = [Traits._fields.index(name) for name in ("pips", "double", "options", "hidden")] + [_COLUMNS - 1]
_GAIN = Traits._fields.index("gain")


def learn(game: str, seats: int, deals: int, rng: Random) -> Weights:
    """The weights after so many ``deals`` in each round."""
    rules = Rules(game, seats, NO_TARGET)
    weights = _BEFOREHAND[rules.machine.counts]
    for _ in range(ROUNDS):
        lesson = _Lesson(rules, weights, rng)
        for _ in range(deals):
            lesson.play_deal()
        weights = lesson.learned()
    return weights


class _Lesson:
    """Deals that are played with ``weights``."""

    def __init__(self, rules: Rules, weights: Weights, rng: Random) -> None:
        self._rules = rules
        self._weights = weights
        self._picks = [Swift(rules, weights.swift).pick] * rules.seats
        self._rng = rng
        self._regression = Regression(_COLUMNS)

    def play_deal(self) -> None:
        """One more."""
        lead = Seat(self._rng.randrange(self._rules.seats))
        position = dealt(self._rules, self._rng, lead, [0] * self._rules.sides)
        shown = Shown(self._rules.seats)
        while position.ended is None:
            every = position.placements()
            if every:
                position.play(every[0] if len(every) == 1 else self._chosen(position, every, shown))
                shown.played()
            elif position.can_draw:
                shown.drew(position.turn, position.fitting)
                position.draw()
            else:
                shown.knocked(position.turn, position.fitting)
                position.knock()

    def _chosen(self, position: Position, every: Sequence[Placement], shown: Shown) -> Placement:
        """What is played, after it has been seen what each play comes to."""
        tiles = [hand.bit_count() for hand in position.hands]
        table = Table(position.laid, tiles, len(position.stock), position.scores, shown)
        sight = sight_of(self._rules, table, position.turn, position.hands[position.turn])
        seen = [traits(sight, placement) for placement in every]
        rows = [(*row, usual_reply(self._rules.machine, after)) for row, (_, after, _) in zip(seen, every, strict=True)]
        self._regression.add(rows, [self._came_to(position, placement) for placement in every])
        if self._rng.random() < _ASTRAY:
            return self._rng.choice(every)
        weighed = [row.weighed(self._weights.traits) for row in seen]
        return every[weighed.index(max(weighed))]

    def _came_to(self, position: Position, placement: Placement) -> float:
        """Points of the side in turn beyond those of the others, when swift players have played on."""
        side, trial = self._rules.side_of[position.turn], position.copy()
        trial.play(placement)
        if trial.ended is None:
            finish(trial, self._picks)
        own = trial.scores[side]
        return own - (sum(trial.scores) - own) / (self._rules.sides - 1)

    def learned(self) -> Weights:
        """The weights that fit best what came of the plays."""
        weighed = self._regression.solved(range(len(Traits._fields)))
        gain, *swift = self._regression.solved([_GAIN, *_SWIFT_COLUMNS])
        point = gain or 1.0  # where nothing scores, there is no gain to be measured by
        return Weights(
            Traits(*[round(weight, _DECIMALS) for weight in weighed]),
            SwiftWeights(*[round(weight / point, _DECIMALS) for weight in swift]),
        )
