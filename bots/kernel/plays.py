"""What a player is asked, in the words of the kernel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bots.kernel.machine import Placement
from bots.kernel.rules import Rules, rules_of
from engine.actions import Action, Play
from engine.outcome import Choice
from engine.view import SeatView


def rules_for(view: SeatView) -> Rules:
    """The rules of the match that ``view`` is of."""
    return rules_of(view.game, view.seats, view.target)


def plays_of(view: SeatView, legal: Sequence[Choice]) -> Mapping[Placement, Action]:
    """The plays in ``legal``; of those that differ in nothing that may still happen, the first stands for all."""
    machine, plays = rules_for(view).machine, dict[Placement, Action]()
    for choice in legal:
        if isinstance(choice.action, Play):
            tile = choice.action.tile
            plays.setdefault(machine.placement(tile, view.layout.place(tile, choice.action.end)), choice.action)
    return plays
