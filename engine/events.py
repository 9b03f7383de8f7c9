"""Facts of a deal and a match, in the past tense. State is a fold over them.

An event may hold secrets; `engine.view.redact` blanks what a receiver may not see (H1) by setting the fields
marked *secret* to None.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, NamedTuple, TypeAlias

from engine.layout import End, OpenEnd
from engine.points import Points
from engine.seats import Seat, Side
from engine.tiles import Tile

Hand: TypeAlias = tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """How points arise: ``points`` for a total that ``by`` divides (3 or 5), or for going out (``by`` 1)."""

    by: Literal[1, 3, 5]
    points: int


class DealReason(StrEnum):
    """How a deal ended."""

    OUT = "out"
    BLOCKED = "blocked"
    TARGET = "target"


@dataclass(frozen=True, slots=True)
class LotDrawn:
    """A lot among all seats fell on ``seat`` (C4, A14, L3)."""

    purpose: Literal["lead"]
    seat: Seat


@dataclass(frozen=True, slots=True)
class DealStarted:
    """Deal ``number`` (from 1) was dealt; ``lead`` opens.

    ``tiles`` and ``stock`` are public sizes. *Secret*: ``hands`` (one entry a seat, None where not to be seen) and
    ``stock_tiles`` (in the order in which they are drawn).
    """

    number: int
    lead: Seat
    tiles: tuple[int, ...]
    stock: int
    hands: tuple[Hand | None, ...]
    stock_tiles: Hand | None


class Played(NamedTuple):
    """``seat`` laid ``tile`` on ``end``; the rest is what followed from it.

    ``ends``, ``total`` and ``spinner`` describe the layout after it. ``parts`` are those of the whole event, whether it
    counted or not; ``points`` is what was added to the side's score, ``dropped`` the whole event if the exact target
    refused it (F8). ``scores`` after it, one a side.
    """

    seat: Seat
    tile: Tile
    end: End | None
    ends: tuple[OpenEnd, ...]
    total: int
    spinner: Tile | None
    parts: tuple[Part, ...]
    points: Points
    dropped: Points
    scores: tuple[Points, ...]


@dataclass(frozen=True, slots=True)
class Drew:
    """``seat`` drew; ``stock`` tiles are left. *Secret*: ``tile``."""

    seat: Seat
    stock: int
    tile: Tile | None


@dataclass(frozen=True, slots=True)
class Knocked:
    """``seat`` passed."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class DealEnded:
    """The deal is over and the hands are shown (C10).

    ``seat``: who went out, or whose play reached the target; None if blocked. ``bonus`` one a side: what the end gave
    (in Fives and Threes the accepted 1 for going out, already in ``scores`` of the play). ``dropped``: the event that
    was dropped with the going out (F8). ``scores`` after the bonus. ``next_lead`` is None when the match is won.
    """

    reason: DealReason
    seat: Seat | None
    bonus: tuple[Points, ...]
    dropped: Points
    hands: tuple[Hand, ...]
    scores: tuple[Points, ...]
    next_lead: Seat | Literal["lot"] | None


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """``winner`` has won; None for a match that was broken off."""

    winner: Side | None
    scores: tuple[Points, ...]


Event: TypeAlias = LotDrawn | DealStarted | Played | Drew | Knocked | DealEnded | MatchEnded
