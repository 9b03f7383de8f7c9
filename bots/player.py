"""What a player is that is a program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from engine.actions import Action
from engine.outcome import Choice
from engine.view import SeatView


class Player(Protocol):
    """Chooses for one seat, from what that seat may know and from nothing else (H2)."""

    def choose(self, view: SeatView, legal: Sequence[Choice]) -> Action:
        """One of the actions in ``legal``, which holds at least one, for the seat of ``view``, whose turn it is.

        The same view must give the same choice, or the same distribution of choices, whatever the hidden tiles are.
        """
        ...
