"""Every deal behind a view, one by one: those in which the engine, asked the same, would have shown the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations
from math import factorial, prod

from bots.kernel.bits import TileBit, TileSet, bits_of
from engine.deal import Deal
from engine.events import DealStarted, Drew, Hand, Played
from engine.match import Match
from engine.seats import Seat
from engine.tiles import Tile
from engine.view import view_for
from tests.bots.redeal import replayed
from tests.engine.playing import deal_of

Hands = tuple[TileSet, ...]


@dataclass(frozen=True)
class Enumeration:
    """What one seat cannot tell apart."""

    total: int
    """The number of deals, a tile in each place."""
    worlds: dict[Hands, int]
    """How many histories lead to the hands as they are now."""

    def chance(self, seat: Seat, bit: TileBit) -> float:
        """How likely ``seat`` holds that tile."""
        held = sum(count for hands, count in self.worlds.items() if hands[seat] & bit)
        return held / sum(self.worlds.values())


def enumerated(match: Match, seat: Seat) -> Enumeration:
    """All deals that ``seat`` cannot tell from ``match``."""
    deal, view = deal_of(match), view_for(match, seat)
    worlds = Counter[Hands]()
    for started in _starts(deal, seat):
        other = replayed(match, started)
        if other is not None and view_for(other, seat) == view:
            worlds[tuple(map(bits_of, deal_of(other).hands))] += 1
    sizes = [size for holder, size in enumerate(_started(deal).tiles) if holder != seat]
    orders = prod(map(factorial, sizes)) * factorial(len(deal.stock))
    return Enumeration(worlds.total() * orders, dict(worlds))


def _started(deal: Deal) -> DealStarted:
    started = deal.events[0]
    assert isinstance(started, DealStarted)
    return started


def _starts(deal: Deal, seat: Seat) -> Iterator[DealStarted]:
    """Each way to deal in which who played a tile had it: hands as sets, the stock in order as far as it was drawn."""
    started = _started(deal)
    hands, stock = [hand or () for hand in started.hands], started.stock_tiles or ()
    drawers = [event.seat for event in deal.events if isinstance(event, Drew)]
    mine = {*hands[seat], *(tile for tile, drawer in zip(stock, drawers, strict=False) if drawer == seat)}
    hidden = [tile for tile in (*(tile for hand in hands for tile in hand), *stock) if tile not in mine]
    sizes = [0 if holder == seat else len(hand) for holder, hand in enumerate(hands)]
    for dealt, left in _handed_out(sizes, hidden):
        for drawn in permutations(left, sum(drawer != seat for drawer in drawers)):
            foreign = iter(drawn)
            top = [tile if drawer == seat else next(foreign) for tile, drawer in zip(stock, drawers, strict=False)]
            if _had_what_it_played(deal, seat, dealt, list(zip(drawers, top, strict=True))):
                rest = [tile for tile in left if tile not in drawn]
                anew = tuple(hands[seat] if holder == seat else hand for holder, hand in enumerate(dealt))
                yield replace(started, hands=anew, stock_tiles=(*top, *rest))


def _handed_out(sizes: Sequence[int], tiles: Sequence[Tile]) -> Iterator[tuple[list[Hand], Sequence[Tile]]]:
    """Every way to give so many of ``tiles`` to each, and what is left."""
    if not sizes:
        yield [], tiles
        return
    for hand in combinations(tiles, sizes[0]):
        for others, left in _handed_out(sizes[1:], [tile for tile in tiles if tile not in hand]):
            yield [hand, *others], left


def _had_what_it_played(deal: Deal, seat: Seat, dealt: Sequence[Hand], drawn: Sequence[tuple[Seat, Tile]]) -> bool:
    """Whether the tiles that each other seat got hold those that it played: saves replaying what cannot be."""
    return all(
        event.tile in dealt[event.seat] or (event.seat, event.tile) in drawn
        for event in deal.events
        if isinstance(event, Played) and event.seat != seat
    )
