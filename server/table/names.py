"""Names at a table: two people may be called the same, but are told apart."""

from __future__ import annotations

from engine.seats import Seat
from protocol.names import MAX_NAME, as_seen
from server.table.state import Table

COMPUTER = "Computer"
"""What a bot in process is called."""


def distinct(name: str, table: Table, seat: Seat) -> str:
    """``name``, with a number behind it where another seat of ``table`` has one that looks the same: "Ann (2)"."""
    others = [place for place in table.places if place.seat != seat]
    taken = {as_seen(place.name) for place in others if place.name is not None}
    taken |= {as_seen(place.coming.name) for place in others if place.coming is not None}
    candidate, number = name, 1
    while as_seen(candidate) in taken:
        number += 1
        suffix = f" ({number})"
        candidate = name[: MAX_NAME - len(suffix)].rstrip() + suffix
    return candidate
