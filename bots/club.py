"""Club: looks one turn ahead.

It values points by the way to the target, fears the best answer of the next opponent, likes to leave opponents
without an answer and its partner with one, keeps its own hand playable and gets rid of heavy tiles where they count.
"""

from __future__ import annotations

from collections.abc import Sequence

from bots.judge import Judge
from bots.weights import CLUB
from engine.actions import Action, Play
from engine.outcome import Choice
from engine.view import SeatView


class Club:
    """Takes the play that weighs most; of equal ones the first."""

    def choose(self, view: SeatView, legal: Sequence[Choice]) -> Action:
        """See `bots.player.Player`."""
        if len(legal) == 1 or view.seat is None:
            return legal[0].action
        judge = Judge(view, view.seat)
        weights = CLUB[view.game][view.seats - 2]

        def weight(choice: Choice) -> float:
            action, outcome = choice.action, choice.outcome
            if not isinstance(action, Play) or outcome is None:
                return 0.0
            return judge.traits(action, outcome).weighed(weights)

        return max(legal, key=weight).action
