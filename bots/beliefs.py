"""What the public record tells of the hidden tiles: who may hold which, and how likely (H1).

A hidden place, in a hand or in the stock, can hold any tile that nobody has seen, save those that its holder would
have had to play (C7): a seat that draws or knocks shows that it has none of the open pips. A tile drawn later may show
them again, so each hand is a list of groups of places that are bound alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from engine.events import DealStarted, Drew, Event, Knocked, Played
from engine.layout import OpenEnd
from engine.seats import Seat
from engine.tiles import Tile, full_set
from engine.view import SeatView

PipSet: TypeAlias = int
"""Pips as bits: 1 << 6 for sixes."""

Chances: TypeAlias = list[list[float]]
"""``chances[a][b]``: how likely one holder has the tile a-b; the same as ``chances[b][a]``, 0 for a tile seen."""

_BITS = {tile: 1 << tile.low | 1 << tile.high for tile in full_set()}
_HELD_BY_NO_SEAT = -1


@dataclass(slots=True)
class _Places:
    """Hidden places that hold no tile with a pip of ``without``; fractions, as a tile may have left any of several."""

    count: float
    without: PipSet


class Beliefs:
    """The hidden tiles as the seat of ``view`` may judge them.

    Each place that a tile may be in is taken for as likely as any other.
    """

    def __init__(self, view: SeatView) -> None:
        seen = {*view.hand, *view.layout.tiles}
        self.unseen: tuple[Tile, ...] = tuple([tile for tile in full_set() if tile not in seen])
        self.mean_pips = sum([tile.pips for tile in self.unseen]) / len(self.unseen) if self.unseen else 0.0
        """Of a hidden tile."""
        self.chances = _chances(self.unseen, _hidden_places(view))
        """By seat; none for the seat of the view."""


def _chances(unseen: Iterable[Tile], places: dict[int, list[_Places]]) -> dict[Seat, Chances]:
    chances = {Seat(holder): [[0.0] * 7 for _ in range(7)] for holder in places if holder != _HELD_BY_NO_SEAT}
    for tile in unseen:
        bits = _BITS[tile]
        room = {
            holder: sum([group.count for group in groups if not group.without & bits])
            for holder, groups in places.items()
        }
        total = sum(room.values())
        if total <= 0:
            continue
        low, high = tile.low, tile.high
        for holder, table in chances.items():
            table[low][high] = table[high][low] = room[holder] / total
    return chances


def _hidden_places(view: SeatView) -> dict[int, list[_Places]]:
    """The groups of places by holder: the other seats, and under `_HELD_BY_NO_SEAT` what was not dealt or drawn."""
    record = _Record()
    for event in view.events:
        record.add(event)
    places: dict[int, list[_Places]] = {
        seat: groups for seat, groups in enumerate(record.hands) if seat != view.seat and view.tiles[seat]
    }
    places[_HELD_BY_NO_SEAT] = [_Places(view.stock, 0)]
    return places


class _Record:
    """Reads the events of a deal in order."""

    def __init__(self) -> None:
        self.hands: list[list[_Places]] = []
        self._open: PipSet = 0
        self._drawn_by: Seat | None = None

    def add(self, event: Event) -> None:
        if isinstance(event, Played):
            self._lay(self.hands[event.seat], event)
            self._open, self._drawn_by = _pips_of(event.ends), None
        elif isinstance(event, Drew):
            self._bind(event.seat)
            self.hands[event.seat].append(_Places(1, 0))
            self._drawn_by = event.seat
        elif isinstance(event, Knocked):
            self._bind(event.seat)
            self._drawn_by = None
        elif isinstance(event, DealStarted):
            self.hands = [[_Places(size, 0)] for size in event.tiles]

    def _bind(self, seat: Seat) -> None:
        for group in self.hands[seat]:
            group.without |= self._open

    def _lay(self, groups: list[_Places], event: Played) -> None:
        """Take the tile out of the places where it can have been."""
        if self._drawn_by == event.seat:  # the tile just drawn was the only one that fitted (A2)
            groups.pop()
            return
        bits = _BITS[event.tile]
        rest = _take(1.0, [group for group in groups if not group.without & bits])
        _take(rest, groups)


def _take(count: float, groups: Sequence[_Places]) -> float:
    """Take ``count`` places from ``groups``, from each in proportion. What could not be taken for want of places."""
    places = sum([group.count for group in groups])
    taken = min(count, places)
    for group in groups:
        group.count -= taken * group.count / places if taken else 0.0
    return count - taken


def _pips_of(ends: Sequence[OpenEnd]) -> PipSet:
    pips = 0
    for end in ends:
        pips |= 1 << end.value
    return pips
