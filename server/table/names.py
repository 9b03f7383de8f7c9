"""Names at a table: two people may be called the same, but are told apart."""

from __future__ import annotations

from engine.seats import Seat
from server.table.state import Table

COMPUTER = "Computer"
"""What a bot in process is called."""

NAME_LIMIT = 20


def distinct(name: str, table: Table, seat: Seat) -> str:
    """``name``, with a number behind it where another seat of ``table`` has it already: "Ann (2)"."""
    taken = {place.name for place in table.places if place.seat != seat}
    taken |= {place.coming.name for place in table.places if place.coming is not None and place.seat != seat}
    candidate, number = name, 1
    while candidate in taken:
        number += 1
        suffix = f" ({number})"
        candidate = name[: NAME_LIMIT - len(suffix)].rstrip() + suffix
    return candidate
