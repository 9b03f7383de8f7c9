"""Advice to whoever is in turn, and why: keys on the wire, never renamed (H2)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.actions import Action, Play
from engine.points import Points
from engine.seats import Seat
from engine.tiles import Tile


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
class Odds:
    """What a play comes to, by worlds of chance that fit all that is known, each played out.

    ``points`` are those of the own side from here to the end of the deal, less those of another side (of two others,
    their mean). ``chance``: to win the match; ``error``: its standard error. ``close``: too close to call, the best
    play may be no better.
    """

    points: float
    chance: float
    error: float
    close: bool


@dataclass(frozen=True, slots=True)
class Reply:
    """The most that the next seat could score: a ``total``, and its ``points``."""

    total: int
    points: Points


@dataclass(frozen=True, slots=True)
class Facts:
    """What can be seen of a play beforehand, where the deal goes on after it.

    ``answers``: how many unseen tiles fit then. ``shut``: seats with tiles of which surely none does. ``reply``: where
    points are made in play and the next seat is an opponent that may make some.
    """

    answers: int
    shut: tuple[Seat, ...]
    reply: Reply | None


@dataclass(frozen=True, slots=True)
class Hint:
    """A legal action, the points that can be expected from it, and why."""

    action: Action
    value: float
    reason: HintReason
    odds: Odds | None = None
    facts: Facts | None = None


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """How likely an unseen ``tile`` is at each of the ``seats``, and undealt or in the ``stock``: exact."""

    tile: Tile
    seats: tuple[float, ...]
    stock: float


@dataclass(frozen=True, slots=True)
class TileMap:
    """Where the tiles may be that a seat has not seen.

    ``none_of``: by seat, the pips that it surely has on no tile, as it drew or knocked, though unseen tiles show them.
    """

    tiles: tuple[Whereabouts, ...]
    none_of: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Advice:
    """All that is said to a seat in turn: every legal action, best first, and the unseen tiles."""

    hints: tuple[Hint, ...]
    map: TileMap


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A play of a deal that is over, judged by what its seat saw when it was ``played``.

    ``best``: what would have been better, or the same. ``regret``: how much of the chance to win the match it cost.
    ``close``: too close to call, it may have cost nothing. ``odds``: its own; None where nothing hung on the play.
    """

    played: Play
    best: Play
    regret: float
    close: bool
    blunder: bool
    odds: Odds | None


@dataclass(frozen=True, slots=True)
class Review:
    """The ``plays`` of one seat in a deal that is over, oldest first.

    ``result``: points that its side made more than the others (of two others, their mean). ``par``: what that would
    have been if all had seen all tiles and played perfectly; None where tiles are still hidden, and with three sides.
    """

    plays: tuple[Reviewed, ...]
    result: float
    par: float | None
