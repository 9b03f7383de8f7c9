"""Counting and drawing the ways to fill places with tiles, where not every tile may be everywhere. No dominoes here.

Tiles are told apart by kinds only: those of one kind are allowed in the same groups of places. A way is a tile in each
place, so kinds are handled by how many of each go into which group, and binomials count the rest.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise
from math import comb, factorial, prod
from random import Random
from typing import NamedTuple, TypeAlias

Counts: TypeAlias = int
"""One number a group, packed: free places, or tiles of one kind; group g begins at bit ``WIDTH * g``."""

WIDTH = 5
"""Bits a group: enough for a double-six set."""
_MASK = (1 << WIDTH) - 1
_SHARES_KEPT = 1 << 15


class Kind(NamedTuple):
    """So many ``tiles``, allowed in ``groups``."""

    tiles: int
    groups: tuple[int, ...]


class _Step(NamedTuple):
    """What can become of one kind in the room that the kinds before it have left."""

    spreads: Sequence[Counts]
    limits: Sequence[int]
    """The ways of each spread, with those of the kinds that follow, added up."""


_NO_WAY = _Step((), ())


def packed(counts: Iterable[int]) -> Counts:
    """``counts`` by group as one number."""
    return sum([count << WIDTH * group for group, count in enumerate(counts)])


def count_in(counts: Counts, group: int) -> int:
    """The number of one group."""
    return counts >> WIDTH * group & _MASK


class Fillings:
    """All ways to fill exactly the free places of one of ``starts``, which come with their weights.

    There are ``groups`` of places. It is fastest when the kinds that are allowed nearly everywhere come last.
    """

    def __init__(self, groups: int, kinds: Sequence[Kind], starts: Mapping[Counts, int]) -> None:
        self._groups = groups
        self._kinds = kinds
        self._steps: list[dict[Counts, _Step]] = [{} for _ in kinds]
        self._starts = [*starts]
        self._limits = [*accumulate(starts[room] * self._orders(room) * self._ways(0, room) for room in starts)]

    @property
    def total(self) -> int:
        """How many ways there are."""
        return self._limits[-1]

    def draw(self, rng: Random) -> list[Counts]:
        """By kind, its spread in a way of chance; each way is as likely as the others."""
        room = self._starts[_chosen(self._limits, rng)]
        drawn = []
        for steps in self._steps:
            spreads, limits = steps[room]
            spread = spreads[_chosen(limits, rng)]
            drawn.append(spread)
            room -= spread
        return drawn

    @cached_property
    def expected(self) -> list[list[float]]:
        """By kind and group, how many of its tiles are there, on average over all ways."""
        reached = dict(zip(self._starts, _parts(self._limits), strict=True))
        means = []
        for steps in self._steps:
            sums, following = [0] * self._groups, dict[Counts, int]()
            for room, ways in reached.items():
                if not ways:
                    continue
                step = steps[room]
                for spread, part in zip(step.spreads, _parts(step.limits), strict=True):
                    through = ways // step.limits[-1] * part  # what leads here is a factor of ``ways``
                    following[room - spread] = following.get(room - spread, 0) + through
                    for group in range(self._groups):
                        sums[group] += count_in(spread, group) * through
            means.append([total / self.total for total in sums])
            reached = following
        return means

    def _orders(self, room: Counts) -> int:
        return prod([factorial(count_in(room, group)) for group in range(self._groups)])

    def _ways(self, number: int, room: Counts) -> int:
        """The ways of the kinds from ``number`` on to fill ``room``, the order within a group apart."""
        if number == len(self._kinds):
            return 0 if room else 1
        step = self._steps[number].get(room)
        if step is None:
            step = self._steps[number][room] = self._step(number, room)
        return step.limits[-1] if step.limits else 0

    def _step(self, number: int, room: Counts) -> _Step:
        tiles, groups = self._kinds[number]
        free = tuple([min(room >> WIDTH * group & _MASK, tiles) for group in groups])
        if number == len(self._kinds) - 1:
            return self._last(room, tiles, groups, free)
        spreads, ways = [], []
        for spread, choices in _shares(tiles, groups, free):
            following = self._ways(number + 1, room - spread)
            if following:
                spreads.append(spread)
                ways.append(choices * following)
        return _Step(spreads, [*accumulate(ways)])

    @staticmethod
    def _last(room: Counts, tiles: int, groups: Sequence[int], free: Sequence[int]) -> _Step:
        """The last kind has to fill all that is left."""
        if sum(free) != tiles or room != sum(
            [count << WIDTH * group for group, count in zip(groups, free, strict=True)]
        ):
            return _NO_WAY
        return _Step((room,), (factorial(tiles) // prod([factorial(count) for count in free]),))


@lru_cache(_SHARES_KEPT)
def _shares(tiles: int, groups: tuple[int, ...], free: tuple[int, ...]) -> Sequence[tuple[Counts, int]]:
    """Every way to part ``tiles`` among ``groups`` with ``free`` places, and the choices of tiles that it leaves."""
    if not groups:
        return ()
    group, places = groups[0], free[0]
    if len(groups) == 1:
        return ((tiles << WIDTH * group, 1),) if tiles <= places else ()
    return tuple(
        [
            (spread + (here << WIDTH * group), choices * comb(tiles, here))
            for here in range(min(tiles, places) + 1)
            for spread, choices in _shares(tiles - here, groups[1:], free[1:])
        ]
    )


def _parts(limits: Sequence[int]) -> list[int]:
    return [high - low for low, high in pairwise((0, *limits))]


def _chosen(limits: Sequence[int], rng: Random) -> int:
    """An index by chance, each as likely as its part of ``limits``."""
    if len(limits) == 1:
        return 0
    return bisect_right(limits, rng.randrange(limits[-1]))
