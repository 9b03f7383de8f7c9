"""Which hand of a device with several seats is uncovered on each connection, worked out from what is sent (H3)."""

from __future__ import annotations

from protocol.convert import Wire
from server.table.state import Presence, Table

ALL_NEW = {"deal_started", "undone", "redone", "restarted"}
"""Events after which no hand is known any more."""


class Curtains:
    """Follows `hand`, and what covers hands again."""

    def __init__(self) -> None:
        self._shown: dict[tuple[int, str], int] = {}
        """By connection and room, the seat."""

    def shown(self, link: int, room: str) -> int | None:
        """The seat whose hand is uncovered there, if there is one."""
        return self._shown.get((link, room))

    def uncover(self, link: int, room: str, seat: int) -> None:
        """The hand of ``seat`` is told."""
        self._shown[link, room] = seat

    def cover(self, link: int, room: str) -> None:
        """All of the table is told, or the client listens anew."""
        self._shown.pop((link, room), None)

    def hear_update(self, link: int, update: Wire, after: Table) -> None:
        """``update`` is told, which led to ``after``: a hand is covered when somebody else is to act, or all is new."""
        shown = self.shown(link, update["room"])
        is_new = any(event["type"] in ALL_NEW for event in update["events"])
        if is_new or (shown is not None and _is_with_another(after, shown)):
            self.cover(link, update["room"])


def _is_with_another(table: Table, shown: int) -> bool:
    if table.turn is None or table.turn == shown:
        return False
    place = table.places[table.turn]
    return place.player is not None and place.bot is None and place.presence is not Presence.BOT_IN
