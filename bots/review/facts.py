"""What can be seen of a play beforehand: how many answers it leaves, who surely has none, the worst reply."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple, Self

from bots.kernel.bits import SUITS, TileSet, tiles_of
from bots.sampling.worlds import Worlds
from engine.actions import Play
from engine.games import GAMES
from engine.layout import Layout
from engine.outcome import Outcome
from engine.seats import Seat, next_seat, side_of
from engine.view import SeatView
from protocol.hints import Facts, Reply


class Sight(NamedTuple):
    """A view, and which of the ``unseen`` tiles each other seat may hold that holds any."""

    view: SeatView
    unseen: TileSet
    possible: Mapping[Seat, TileSet]

    @classmethod
    def of(cls, view: SeatView) -> Self:
        """What ``view`` tells."""
        worlds = Worlds(view)
        others = [Seat(seat) for seat, tiles in enumerate(view.tiles) if tiles and seat != view.seat]
        possible = {seat: sum([bit for bit, chance in worlds.chances(seat).items() if chance]) for seat in others}
        return cls(view, worlds.unseen, possible)


def facts(sight: Sight, play: Play, outcome: Outcome) -> Facts | None:
    """Those of ``play``, which leads to ``outcome``; None where nothing comes after it."""
    view = sight.view
    if outcome.wins or _ends_deal(view):
        return None
    fitting = 0
    for end in outcome.ends:
        fitting |= SUITS[end.value]
    return Facts(
        answers=(sight.unseen & fitting).bit_count(),
        shut=tuple([seat for seat, possible in sight.possible.items() if not possible & fitting]),
        reply=_worst_reply(sight, view.layout.place(play.tile, play.end), fitting),
    )


def _ends_deal(view: SeatView) -> bool:
    """Whether any play of the seat would end the deal by going out (F4, F5, A8)."""
    if len(view.hand) > 1 or view.seat is None:
        return False
    partner_is_in = view.seats == 4 and view.tiles[(view.seat + 2) % 4] > 0
    return not (GAMES[view.game].teams_go_out and partner_is_in)


def _worst_reply(sight: Sight, after: Layout, fitting: TileSet) -> Reply | None:
    view = sight.view
    following = _following(view)
    if following is None or view.seat is None or side_of(following, view.seats) == side_of(view.seat, view.seats):
        return None
    end_parts = GAMES[view.game].end_parts
    replies = [
        (sum([part.points for part in end_parts(total)]), total)
        for total in _totals(after, sight.possible[following] & fitting)
    ]
    points, total = max(replies, default=(0, 0))
    return Reply(total, points) if points else None


def _totals(layout: Layout, tiles: TileSet) -> Iterator[int]:
    for tile in tiles_of(tiles):
        for end in layout.ends_for(tile):
            yield layout.place(tile, end).total


def _following(view: SeatView) -> Seat | None:
    """The next seat that holds tiles."""
    seat = view.seat
    for _ in range(view.seats - 1):
        seat = next_seat(seat or Seat(0), view.seats)
        if view.tiles[seat]:
            return seat
    return None
