"""Advice to whoever is in turn, and why: keys on the wire, never renamed (H2)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.actions import Action


class HintReason(StrEnum):
    """What speaks most for an action, or against it, of what its seat may know: own hand, open table, unseen tiles.

    Each compares an action with what else could be done in the same turn.
    """

    MUST_DRAW = "must_draw"
    """Nothing fits, and there are tiles to draw (C8)."""
    MUST_KNOCK = "must_knock"
    """Nothing fits, and there is nothing to draw (C8)."""
    WINS = "wins"
    """Its points win the match (F9, A12)."""
    GOES_OUT = "goes_out"
    """It is the last tile of the hand."""
    ONLY_CHOICE = "only_choice"
    """Nothing else is legal."""

    SCORES_NOW = "scores_now"
    """Its points."""
    KEEPS_TARGET = "keeps_target"
    """The points of other plays would leave a number from which the exact target is farther (F8)."""
    GIVES_LITTLE = "gives_little"
    """Opponents can be expected to make less of it."""
    BLOCKS_OPPONENT = "blocks_opponent"
    """Opponents are less likely to have a tile that fits."""
    HELPS_PARTNER = "helps_partner"
    """The partner can be expected to have a better answer."""
    WINS_BLOCK = "wins_block"
    """If the deal is blocked by it, the count is likely to be won (A9, B5)."""
    AVOIDS_BLOCK = "avoids_block"
    """Others are more likely to lose the count of a blocked deal."""
    SHEDS_PIPS = "sheds_pips"
    """It is heavy, and pips left in hand count (A8, B4)."""
    KEEPS_HEAVY = "keeps_heavy"
    """It is light, and heavy tiles make more points (F3)."""
    SHEDS_DOUBLE = "sheds_double"
    """It is a double, which fits on one number alone."""
    KEEPS_OPTIONS = "keeps_options"
    """The tiles left in hand will fit more often."""

    WOULD_BE_DROPPED = "would_be_dropped"
    """Its points go past the exact target and do not count (F8)."""
    GIVES_POINTS = "gives_points"
    """Opponents can be expected to make more of it."""
    WEAKER = "weaker"
    """Others score more, do more for the hand or leave opponents less to play."""
    EVEN = "even"
    """Nothing in particular sets it apart."""


@dataclass(frozen=True, slots=True)
class Hint:
    """A legal action, the points that can be expected from it, and why."""

    action: Action
    value: float
    reason: HintReason
