"""Where hidden tiles can be: the places of each other seat, by the time at which it got them.

A seat that draws or knocks shows that none of its tiles fits (C7, C8). That binds what it held then, not what it drew
later. So places are told apart by what their tiles have been shown not to be. A tile that was played left one of the
places that it can have been in, and which one it was matters for those that stay.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from bots.kernel.bits import SUITS, TileBit, TileSet, bit_of
from engine.events import DealStarted, Drew, Event, Knocked, Played


@dataclass(slots=True)
class Group:
    """Places that came at one time: so many ``places``, whose tiles are none of ``lacks`` since."""

    places: int
    lacks: TileSet = 0


@dataclass(frozen=True, slots=True)
class Laid:
    """A tile that was played; ``origins`` are the numbers of the groups that it can have come from."""

    bit: TileBit
    origins: tuple[int, ...]


class Holder:
    """One seat: its places, oldest first, and what it has played."""

    def __init__(self, tiles: int) -> None:
        self.groups = [Group(tiles)]
        self.laid: list[Laid] = []

    def lack(self, tiles: TileSet) -> None:
        """It has shown that it holds none of ``tiles``."""
        for group in self.groups:
            group.lacks |= tiles

    def draw(self) -> None:
        """It got one more tile."""
        if self.groups[-1].lacks:
            self.groups.append(Group(1))
        else:
            self.groups[-1].places += 1

    def lay(self, bit: TileBit) -> None:
        """It played a tile."""
        self.laid.append(Laid(bit, tuple([n for n, group in enumerate(self.groups) if not group.lacks & bit])))


def holders_of(events: Sequence[Event]) -> list[Holder]:
    """By seat, what the record of a deal tells of its places."""
    reader = _Reader()
    for event in events:
        reader.read(event)
    return reader.holders


class _Reader:
    """Reads the events of a deal in order."""

    def __init__(self) -> None:
        self.holders: list[Holder] = []
        self._fitting: TileSet = 0

    def read(self, event: Event) -> None:
        match event:
            case DealStarted(tiles=tiles):
                self.holders = [Holder(count) for count in tiles]
            case Played(seat=seat, tile=tile, ends=ends):
                self.holders[seat].lay(bit_of(tile))
                self._fitting = 0
                for end in ends:
                    self._fitting |= SUITS[end.value]
            case Drew(seat=seat):
                self.holders[seat].lack(self._fitting)
                self.holders[seat].draw()
            case Knocked(seat=seat):
                self.holders[seat].lack(self._fitting)
            case _:
                pass


Free: TypeAlias = tuple[int, ...]
"""Places that are free, by group."""


class Hidden(NamedTuple):
    """The places of a seat that hide a tile, those together that are bound alike."""

    lacks: Sequence[TileSet]
    """By group, which of the unseen tiles cannot be there."""
    ways: Mapping[Free, int]
    """How many places of each group can be left by what was laid, and in how many ways."""


def hidden(holder: Holder, unseen: TileSet) -> Hidden:
    """The places of ``holder`` that hide one of ``unseen``."""
    ways: Mapping[Free, int] = {tuple([group.places for group in holder.groups]): 1}
    for laid in sorted(holder.laid, key=lambda laid: len(laid.origins)):
        ways = _left_by(laid, ways)
    alike: dict[TileSet, list[int]] = {}
    for number, group in enumerate(holder.groups):
        if any(free[number] for free in ways):
            alike.setdefault(group.lacks & unseen, []).append(number)
    merged: dict[Free, int] = {}
    for free, count in ways.items():
        together = tuple([sum([free[number] for number in numbers]) for numbers in alike.values()])
        merged[together] = merged.get(together, 0) + count
    return Hidden([*alike], merged)


def _left_by(laid: Laid, ways: Mapping[Free, int]) -> Mapping[Free, int]:
    """``ways`` after ``laid`` has left any of the places that it can have been in."""
    left: dict[Free, int] = {}
    for free, count in ways.items():
        for group in laid.origins:
            if free[group]:
                after = (*free[:group], free[group] - 1, *free[group + 1 :])
                left[after] = left.get(after, 0) + count * free[group]
    return left
