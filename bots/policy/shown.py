"""What draws and knocks have shown of each hand: tiles that it surely has not, simple enough to be kept in playouts."""

from __future__ import annotations

from collections.abc import Sequence

from bots.kernel.bits import SUITS, TileSet
from engine.events import Drew, Event, Knocked, Played
from engine.seats import Seat


class Shown:
    """By seat, the tiles that it cannot hold for what it has shown since its newest tile came."""

    def __init__(self, seats: int) -> None:
        self.lacks: list[TileSet] = [0] * seats
        self._has_drawn = False
        """Whether the seat in turn has drawn."""

    @classmethod
    def by(cls, seats: int, events: Sequence[Event]) -> Shown:
        """What the record of a deal shows."""
        shown, fitting = cls(seats), 0
        for event in events:
            match event:
                case Played(ends=ends):
                    shown.played()
                    fitting = 0
                    for end in ends:
                        fitting |= SUITS[end.value]
                case Drew(seat=seat):
                    shown.drew(seat, fitting)
                case Knocked(seat=seat):
                    shown.knocked(seat, fitting)
                case _:
                    pass
        return shown

    def played(self) -> None:
        """A tile was played; after a draw it was the one just drawn (A2), so the hand is as it was."""
        self._has_drawn = False

    def drew(self, seat: Seat, fitting: TileSet) -> None:
        """``seat`` drew when ``fitting`` were the tiles that fit."""
        self._lacks(seat, fitting)
        self._has_drawn = True

    def knocked(self, seat: Seat, fitting: TileSet) -> None:
        """``seat`` knocked."""
        self._lacks(seat, fitting)
        self._has_drawn = False

    def _lacks(self, seat: Seat, fitting: TileSet) -> None:
        """A tile that was drawn and not played has come since: what was shown before does not bind it."""
        self.lacks[seat] = fitting if self._has_drawn else self.lacks[seat] | fitting
