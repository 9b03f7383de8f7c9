"""Beginner: the most points now, and of equal plays the heaviest tile."""

from __future__ import annotations

from collections.abc import Sequence

from engine.actions import Action, Play
from engine.outcome import Choice
from engine.points import Points
from engine.view import SeatView


class Beginner:
    """Greedy, and blind to what comes after."""

    def choose(self, _view: SeatView, legal: Sequence[Choice]) -> Action:
        """See `bots.player.Player`."""
        return max(legal, key=_appeal).action


def _appeal(choice: Choice) -> tuple[Points, int]:
    """Points that count, then pips."""
    action, outcome = choice.action, choice.outcome
    if not isinstance(action, Play) or outcome is None:
        return 0, 0
    return outcome.event if outcome.accepted else 0, action.tile.pips
