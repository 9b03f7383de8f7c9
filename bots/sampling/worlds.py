"""Every deal that fits what a seat knows, each as likely as the others: to draw from, and to count tiles in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

from bots.kernel.bits import EVERY_TILE, SUITS, TileBit, TileSet, bits_of
from bots.sampling.deals import Deals, Group
from bots.sampling.filling import Counts, packed
from bots.sampling.places import Free, hidden, holders_of
from engine.games import GAMES
from engine.seats import Seat
from engine.view import SeatView


class World(NamedTuple):
    """One way in which all tiles may lie."""

    hands: list[TileSet]
    """One a seat, that of the view too."""
    stock: list[TileBit]
    """What is neither dealt nor drawn, in any order that is as likely as the others."""


class Worlds:
    """The deals that the seat of ``view`` cannot tell apart; ``tiles`` are those of the set that is played with.

    A deal is a tile in each place to which tiles were dealt, the stock in its order. So of two worlds that one is more
    likely which can have come about in more ways. ValueError if the view is a spectator's.
    """

    def __init__(self, view: SeatView, tiles: TileSet = EVERY_TILE) -> None:
        if view.seat is None:
            raise ValueError("who watches has no hand to judge from")
        self._seat, self._seats, self._draws = view.seat, view.seats, GAMES[view.game].draws
        self._hand = bits_of(view.hand)
        self.unseen: TileSet = tiles & ~self._hand & ~bits_of(view.layout.tiles)
        """The tiles that are hidden from the seat."""
        groups, starts = _hidden_places(view, self.unseen)
        self._deals = Deals(self.unseen, groups, starts)
        self._needed = _needed(view)
        self._blocked: Deals | None = None
        """The deals that would have ended by now: to be left out."""
        if self._needed:
            bound = [Group(seat, lacks if seat is None else lacks | self._needed) for seat, lacks in groups]
            self._blocked = Deals(self.unseen, bound, starts)

    @property
    def total(self) -> int:
        """How many deals there are."""
        return self._deals.total - (self._blocked.total if self._blocked else 0)

    def draw(self, rng: Random) -> World:
        """A world by chance, each deal as likely as the others."""
        while True:
            hands = [0] * self._seats
            stock = self._deals.draw(rng, hands)
            if not self._needed or any(hand & self._needed for hand in hands):
                break
        hands[self._seat] = self._hand
        if self._draws:
            rng.shuffle(stock)
        return World(hands, stock)

    def chances(self, seat: Seat) -> Mapping[TileBit, float]:
        """How likely another ``seat`` has each of the unseen tiles."""
        chances = self._deals.chances(seat)
        if self._blocked is None or not self._blocked.total:
            return chances
        every, blocked, left_out = self._deals.total, self._blocked.total, self._blocked.chances(seat)
        return {bit: (chance * every - left_out[bit] * blocked) / self.total for bit, chance in chances.items()}


def _hidden_places(view: SeatView, unseen: TileSet) -> tuple[Sequence[Group], Mapping[Counts, int]]:
    """The groups of hidden places, the stock last, and how many places are free in each, with the ways to that."""
    groups: list[Group] = []
    ways: Mapping[Free, int] = {(): 1}
    for number, holder in enumerate(holders_of(view.events)):
        if number != view.seat:
            places = hidden(holder, unseen)
            groups += [Group(Seat(number), lacks) for lacks in places.lacks]
            ways = {
                (*free, *more): count * times for free, count in ways.items() for more, times in places.ways.items()
            }
    in_no_hand = unseen.bit_count() - sum([tiles for seat, tiles in enumerate(view.tiles) if seat != view.seat])
    if in_no_hand:
        groups.append(Group(None, 0))
        ways = {(*free, in_no_hand): count for free, count in ways.items()}
    return groups, {packed(free): count for free, count in ways.items()}


def _needed(view: SeatView) -> TileSet:
    """Tiles of which another seat has one, as the deal goes on (C9); none where that says nothing."""
    if view.turn is None or view.layout.is_empty or (view.stock and GAMES[view.game].draws):
        return 0
    fitting = 0
    for end in view.layout.ends:
        fitting |= SUITS[end.value]
    return 0 if fitting & bits_of(view.hand) else fitting
