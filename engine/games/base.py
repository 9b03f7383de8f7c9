"""What a game is: its numbers and its scoring functions. The rest of the engine knows games only by this."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from engine.events import Part
from engine.points import Points
from engine.seats import Seat, Side, next_seat

NextLead: TypeAlias = Seat | Literal["lot"]
"""Who leads the next deal: a seat, or whomever the lot falls on."""

Bonus: TypeAlias = tuple[Points, ...]
"""What the end of a deal gives, one entry a side."""


class BySeats(NamedTuple):
    """A number that depends on how many play (C2)."""

    two: int
    three: int
    four: int


@dataclass(frozen=True, slots=True)
class Game:
    """One set of rules.

    ``end_parts`` gives what a total is worth; ``count_out`` (pips left by side, side that went out) and
    ``count_blocked`` (pips left by side) what the hands give at the end of a deal; ``next_lead`` (last lead, seat that
    went out or None, seats) who leads then.
    """

    name: str
    """The word on the wire."""
    hand_sizes: BySeats
    targets: BySeats
    draws: bool
    """Whether a seat that cannot play draws from the stock (C8)."""
    branches: bool
    """Whether the first double is a spinner (A3)."""
    end_parts: Callable[[int], tuple[Part, ...]]
    count_out: Callable[[Sequence[int], Side], Bonus]
    count_blocked: Callable[[Sequence[int]], Bonus]
    next_lead: Callable[[Seat, Seat | None, int], NextLead]
    out_points: int = 0
    """What going out adds to the play that does it (F4)."""
    exact_target: bool = False
    """Whether an event that would exceed the target is dropped (F8)."""
    teams_go_out: bool = False
    """Whether a deal with four seats goes on until both partners are out (F5)."""

    def hand_size(self, seats: int) -> int:
        """Tiles dealt to each of ``seats`` (F1, A1, B2)."""
        return self.hand_sizes[seats - 2]

    def target(self, seats: int) -> int:
        """The usual target with ``seats`` (F8, A12, B6)."""
        return self.targets[seats - 2]

    def accepts(self, score: Points, event: Points, target: int) -> bool:
        """Whether ``event`` counts for a side that has ``score`` (F8)."""
        return not self.exact_target or score + event <= target


def winner(scores: Sequence[Points], target: int) -> Side | None:
    """The sole leader at or above ``target`` (A12, A13, B6); with an exact target, the side that is there (F9)."""
    best = max(scores)
    if best < target or scores.count(best) > 1:
        return None
    return Side(scores.index(best))


def lead_moves_on(lead: Seat, _out: Seat | None, seats: int) -> NextLead:
    """The lead passes clockwise, however the deal ended (F10)."""
    return next_seat(lead, seats)


def lead_goes_out(_lead: Seat, out: Seat | None, _seats: int) -> NextLead:
    """The seat that went out leads; after a block the lot decides (A14, B7)."""
    return "lot" if out is None else out
