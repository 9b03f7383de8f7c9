"""Unseen tiles in hidden places: counted, drawn, and how likely each is where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

from bots.kernel.bits import TileBit, TileSet, singles
from bots.sampling.filling import Counts, Fillings, Kind, count_in
from engine.seats import Seat


class Group(NamedTuple):
    """Hidden places that are bound alike: those of ``seat`` that have no tile of ``lacks``; None is the stock."""

    seat: Seat | None
    lacks: TileSet


class Deals:
    """All ways for the tiles of ``unseen`` to lie in places of ``groups``; ``starts``: how many of each are free."""

    def __init__(self, unseen: TileSet, groups: Sequence[Group], starts: Mapping[Counts, int]) -> None:
        self._groups = groups
        kinds: dict[tuple[int, ...], list[TileBit]] = {}
        for bit in singles(unseen):
            allowed = tuple([number for number, group in enumerate(groups) if not group.lacks & bit])
            kinds.setdefault(allowed, []).append(bit)
        strictest_first = sorted(kinds, key=len)
        self._tiles = [kinds[allowed] for allowed in strictest_first]
        sizes = [Kind(len(kinds[allowed]), allowed) for allowed in strictest_first]
        self._fillings = Fillings(len(groups), sizes, starts)
        self._shares: dict[Counts, Sequence[tuple[Seat, int]]] = {}

    @property
    def total(self) -> int:
        """How many ways there are."""
        return self._fillings.total

    def draw(self, rng: Random, hands: list[TileSet]) -> list[TileBit]:
        """Add tiles by chance to ``hands``, each way as likely as the others. Gives what is in no hand, in no order."""
        chance = rng.random
        stock: list[TileBit] = []
        for tiles, spread in zip(self._tiles, self._fillings.draw(rng), strict=True):
            pool, left = tiles[:], len(tiles)
            for seat, count in self._shares.get(spread) or self._share(spread):
                for _ in range(count):
                    at = int(chance() * left)
                    left -= 1
                    hands[seat] |= pool[at]
                    pool[at] = pool[left]
            stock += pool[:left]
        return stock

    def chances(self, seat: Seat) -> Mapping[TileBit, float]:
        """How likely ``seat`` has each of the tiles."""
        mine = [number for number, group in enumerate(self._groups) if group.seat == seat]
        return {
            bit: sum([means[number] for number in mine]) / len(tiles)
            for tiles, means in zip(self._tiles, self._fillings.expected, strict=True)
            for bit in tiles
        }

    def _share(self, spread: Counts) -> Sequence[tuple[Seat, int]]:
        """How many tiles of a ``spread`` each seat has."""
        counts: dict[Seat, int] = {}
        for number, group in enumerate(self._groups):
            count = count_in(spread, number)
            if group.seat is not None and count:
                counts[group.seat] = counts.get(group.seat, 0) + count
        share = self._shares[spread] = tuple(counts.items())
        return share
