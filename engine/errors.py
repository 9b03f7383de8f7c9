"""Refusals of the rules: expected, answered, never logged."""

from __future__ import annotations

from enum import StrEnum


class Reason(StrEnum):
    """Why an action was refused. Keys on the wire: never renamed."""

    NOT_YOUR_TURN = "not_your_turn"
    DEAL_OVER = "deal_over"
    NOT_IN_HAND = "not_in_hand"
    DOES_NOT_FIT = "does_not_fit"
    END_NOT_OPEN = "end_not_open"
    """No such end now: up and down open when both sides of the spinner are used (A4), an opening has none (C13)."""
    CAN_PLAY = "can_play"
    """A seat that can play may neither draw nor knock (C7)."""
    MUST_DRAW = "must_draw"
    """No knock while there are tiles to draw (C8, A2)."""
    NOTHING_TO_DRAW = "nothing_to_draw"
    """The stock is empty, or the game has no drawing (F1, B3)."""


class RuleViolation(Exception):
    """An action that the rules do not allow now. Nothing was changed."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.value)
        self.reason = reason
