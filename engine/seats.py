"""Places at the table and the sides that own the scores (C2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NewType

Seat = NewType("Seat", int)
"""A place at the table, 0 upwards, clockwise."""

Side = NewType("Side", int)
"""Who owns a score: a team of two with four seats, else a lone seat (C2)."""


def seat_range(seats: int) -> Sequence[Seat]:
    """Every seat of a table with ``seats`` places, in turn order (C3)."""
    return [Seat(number) for number in range(seats)]


def side_count(seats: int) -> int:
    """Two sides with four seats, else one for each seat (C2)."""
    return 2 if seats == 4 else seats


def side_of(seat: Seat, seats: int) -> Side:
    """The side that ``seat`` scores for (C2)."""
    return Side(seat % 2 if seats == 4 else seat)


def next_seat(seat: Seat, seats: int) -> Seat:
    """The seat to the left, clockwise (C3)."""
    return Seat((seat + 1) % seats)
