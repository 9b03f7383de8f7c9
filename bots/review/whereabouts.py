"""The tile map: how likely each unseen tile is where, exactly, over all deals that fit what the seat knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bots.kernel.bits import EVERY_TILE, SUITS, TileBit, TileSet, singles, tile_of
from bots.sampling.worlds import Worlds
from engine.seats import Seat
from engine.view import SeatView
from protocol.hints import TileMap, Whereabouts

Chances = Mapping[TileBit, float]


def tile_map(view: SeatView, tiles: TileSet = EVERY_TILE) -> TileMap:
    """That of the seat of ``view``, of the ``tiles`` that are played with. ValueError if it is a spectator's."""
    worlds = Worlds(view, tiles)
    by_seat = [_chances(view, worlds, Seat(seat)) for seat in range(view.seats)]
    return TileMap(
        tiles=tuple([_whereabouts(bit, by_seat) for bit in singles(worlds.unseen)]),
        none_of=tuple([_none_of(view, worlds, Seat(seat), chances) for seat, chances in enumerate(by_seat)]),
    )


def _chances(view: SeatView, worlds: Worlds, seat: Seat) -> Chances:
    if seat == view.seat or not view.tiles[seat]:
        return dict.fromkeys(singles(worlds.unseen), 0.0)
    return worlds.chances(seat)


def _whereabouts(bit: TileBit, by_seat: Sequence[Chances]) -> Whereabouts:
    seats = tuple([chances[bit] for chances in by_seat])
    return Whereabouts(tile_of(bit), seats, max(0.0, 1.0 - sum(seats)))


def _none_of(view: SeatView, worlds: Worlds, seat: Seat, chances: Chances) -> tuple[int, ...]:
    if seat == view.seat or not view.tiles[seat]:
        return ()
    return tuple(
        [
            pip
            for pip, suit in enumerate(SUITS)
            if worlds.unseen & suit and not any(chances[bit] for bit in singles(worlds.unseen & suit))
        ]
    )
