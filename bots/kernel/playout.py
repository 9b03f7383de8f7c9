"""Deals played to their end as fast as may be."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import TypeAlias

from bots.kernel.bits import TileSet
from bots.kernel.machine import Placement, State
from bots.kernel.position import Position
from bots.kernel.rules import Score

Pick: TypeAlias = Callable[[State, Sequence[Placement], TileSet, TileSet, Score], Placement]
"""Takes one of the placements for which the hand has the tile, one at least: from the state, all that lead on from it
(`Machine.leads`), the hand, the tiles on the table, and the points that the side needs to reach the target."""


def finish(position: Position, picks: Sequence[Pick]) -> None:  # noqa: C901 - parted, the loop takes half as long again
    """Play ``position``, which is running, to the end of its deal; ``picks`` has one a seat, which takes what it plays.

    Steps that end nothing are taken here, in one loop over plain numbers; all others by the position itself.
    """
    rules, hands, stock, scores = position.rules, position.hands, position.stock, position.scores
    machine, following, side_of, target = rules.machine, rules.following, rules.side_of, rules.target
    fits, leads, explore = machine.fits, machine.leads, machine.explore
    seat, state, laid, can_draw = position.turn, position.state, position.laid, position.can_draw
    held = 0
    for hand in hands:
        held |= hand
    while True:
        hand = hands[seat]
        playable = hand & fits[state]
        if not playable:
            if can_draw:
                while stock and not playable:
                    drawn = stock.pop()
                    hand |= drawn
                    held |= drawn
                    playable = drawn & fits[state]
                hands[seat] = hand
                can_draw = bool(stock)
                if not can_draw and not held & fits[state]:
                    position.state, position.laid = state, laid
                    position.close_if_blocked()
                    return
            if not playable:  # a knock, or a seat that is out
                seat = following[seat]
                continue
        every = leads[state] or explore(state)
        placement = picks[seat](state, every, hand, laid, target - scores[side_of[seat]])
        bit, after, points = placement
        hand ^= bit
        held ^= bit
        if hand and (can_draw or held & fits[after]):
            side = side_of[seat]
            if not points or scores[side] + points < target:
                scores[side] += points
                laid |= bit
                hands[seat], state, seat = hand, after, following[seat]
                continue
        position.turn, position.state, position.laid = seat, state, laid
        position.play(placement)
        if position.ended is not None:
            return
        seat, state, laid = position.turn, position.state, position.laid


def at_random(rng: random.Random) -> Pick:
    """Takes any placement, each as likely as the others."""
    chance = rng.random

    def pick(_state: State, leads: Sequence[Placement], hand: TileSet, _laid: TileSet, _need: Score) -> Placement:
        every = [placement for placement in leads if placement[0] & hand]
        return every[int(chance() * len(every))]

    return pick


def greedy(_state: State, leads: Sequence[Placement], hand: TileSet, _laid: TileSet, _need: Score) -> Placement:
    """Takes most points now; of equal plays the heaviest tile."""
    for placement in leads:
        if placement[0] & hand:
            return placement
    raise ValueError("nothing in the hand fits")
