"""What the public record tells of the hidden tiles: who may hold which, and how likely (H1)."""

from __future__ import annotations

from typing import TypeAlias

from bots.kernel.bits import pips_in, tile_of, tiles_of
from bots.sampling.worlds import Worlds
from engine.seats import Seat, seat_range
from engine.tiles import Tile
from engine.view import SeatView

Chances: TypeAlias = list[list[float]]
"""``chances[a][b]``: how likely one holder has the tile a-b; the same as ``chances[b][a]``, 0 for a tile seen."""


class Beliefs:
    """The hidden tiles as the seat of ``view`` must judge them: exact, over all deals that fit what it knows."""

    def __init__(self, view: SeatView) -> None:
        worlds = Worlds(view)
        self.unseen: tuple[Tile, ...] = tiles_of(worlds.unseen)
        self.mean_pips = pips_in(worlds.unseen) / len(self.unseen) if self.unseen else 0.0
        """Of a hidden tile."""
        self.chances = {
            seat: _table(worlds, seat) for seat in seat_range(view.seats) if seat != view.seat and view.tiles[seat]
        }
        """By seat; none for the seat of the view."""


def _table(worlds: Worlds, seat: Seat) -> Chances:
    table = [[0.0] * 7 for _ in range(7)]
    for bit, chance in worlds.chances(seat).items():
        tile = tile_of(bit)
        table[tile.low][tile.high] = table[tile.high][tile.low] = chance
    return table
