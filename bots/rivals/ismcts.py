"""IS-MCTS: one tree of plays over all worlds, where the levels that search have no tree (see `bots.search`).

Each iteration draws a world and walks down the tree by the plays that are possible in it. A node knows how often it
could have been chosen, so that plays of tiles that are seldom there are not taken for untried (Cowling, Powley and
Whitehouse 2012, single observer).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log, sqrt
from random import Random

from bots.equity.equity import Result, equity_of
from bots.kernel.bits import bits_of
from bots.kernel.machine import Placement
from bots.kernel.playout import finish
from bots.kernel.plays import plays_of, rules_for
from bots.kernel.position import Position
from bots.kernel.rules import plain
from bots.policy.weights import swift_of
from bots.sampling.worlds import Worlds
from engine.actions import Action
from engine.outcome import Choice
from engine.seats import Side
from engine.view import SeatView

EXPLORATION = 0.7
"""How much the unknown draws, in parts of the range of all that was seen to come of the turn."""


class Node:
    """A play, after all plays on the way to it, and what came of it for the ``side`` that chose it."""

    __slots__ = ("available", "children", "side", "total", "visits")

    def __init__(self, side: Side) -> None:
        self.side = side
        self.children: dict[Placement, Node] = {}
        self.visits = self.available = 0
        self.total = 0.0


class Tree:
    """The tree of one turn, of the seat of ``view``."""

    def __init__(self, view: SeatView, rng: Random) -> None:
        if view.seat is None:
            raise ValueError("who watches has nothing to choose")
        self._rules, self._lead, self._seat = rules_for(view), view.lead, view.seat
        self._worlds, self._rng = Worlds(view), rng
        self._state, self._laid = self._rules.machine.state_of(view.layout), bits_of(view.layout.tiles)
        self._scores = [plain(score) for score in view.scores]
        self._picks = [swift_of(self._rules).pick] * view.seats
        self._equity = equity_of(self._rules)
        self.root = Node(self._rules.side_of[view.seat])
        self._least, self._most = 1.0, 0.0
        """Of the chances that were seen."""

    def iterate(self) -> None:
        """One more world: down the tree, one node more, and played out from there."""
        hands, stock = self._worlds.draw(self._rng)
        position = Position(self._rules, hands, stock, self._seat, self._scores[:], self._state, self._laid)
        path = [self.root]
        while path[-1].visits or len(path) == 1:
            _take_what_is_forced(position)
            if position.ended is not None:
                break
            placement, node = self._step(path[-1], position)
            position.play(placement)
            path.append(node)
        if position.ended is None:
            finish(position, self._picks)
        self._learn(path, self._equity.after(Result.of(position), self._lead))

    def _step(self, node: Node, position: Position) -> tuple[Placement, Node]:
        """A play that was never tried, or the one that promises most."""
        every, side = position.placements(), self._rules.side_of[position.turn]
        children = [node.children.setdefault(placement, Node(side)) for placement in every]
        for child in children:
            child.available += 1
        untried = [at for at, child in enumerate(children) if not child.visits]
        at = (
            self._rng.choice(untried) if untried else max(range(len(every)), key=lambda at: self._promise(children[at]))
        )
        return every[at], children[at]

    def _promise(self, child: Node) -> float:
        spread = self._most - self._least
        return child.total / child.visits + EXPLORATION * spread * sqrt(log(child.available) / child.visits)

    def _learn(self, path: Sequence[Node], chances: Sequence[float]) -> None:
        own = chances[self.root.side]
        self._least, self._most = min(self._least, own), max(self._most, own)
        for node in path:
            node.visits += 1
            node.total += chances[node.side]


def chosen_by_tree(view: SeatView, legal: Sequence[Choice], iterations: int, rng: Random) -> Action:
    """The action of ``legal`` that was tried most in so many ``iterations``."""
    plays = plays_of(view, legal)
    if len(plays) < 2:
        return next(iter(plays.values()), legal[0].action)
    tree = Tree(view, rng)
    for _ in range(iterations):
        tree.iterate()
    return plays[max(tree.root.children, key=lambda placement: tree.root.children[placement].visits)]


def _take_what_is_forced(position: Position) -> None:
    """Draw and knock until somebody can play or the deal is over."""
    while position.ended is None and not position.playable:
        if position.can_draw:
            position.draw()
        else:
            position.knock()
