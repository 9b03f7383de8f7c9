"""What is wrong with a sampler, judged by all deals there are."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from math import isclose, sqrt

from bots.kernel.bits import TileSet, singles
from bots.sampling.worlds import Worlds
from engine.match import Match
from engine.seats import Seat
from engine.view import view_for
from tests.bots.sampling.enumeration import Enumeration, Hands, enumerated

PER_WORLD = 40
"""Samples for each world there is."""
FAR = 5.0
"""So many standard deviations off is no chance: it comes once in a million."""


def faults_at(match: Match, seat: Seat, tiles: TileSet) -> Iterator[str]:
    """What `Worlds` gets wrong of what ``seat`` may think at ``match``, played with ``tiles``."""
    every, worlds = enumerated(match, seat), Worlds(view_for(match, seat), tiles)
    if worlds.total != every.total:
        yield f"counts {worlds.total} deals, not {every.total}"
    if not worlds.total:
        return
    for other in range(match.seats):
        if other != seat:
            yield from _wrong_chances(every, worlds, Seat(other))
    yield from _wrong_samples(every, worlds)


def _wrong_chances(every: Enumeration, worlds: Worlds, seat: Seat) -> Iterator[str]:
    chances = worlds.chances(seat)
    for bit in singles(worlds.unseen):
        expected = every.chance(seat, bit)
        if not isclose(chances[bit], expected, abs_tol=1e-12):
            yield f"tile {bit} is at seat {seat} with {chances[bit]}, not {expected}"


def _wrong_samples(every: Enumeration, worlds: Worlds) -> Iterator[str]:
    """By the chi-square of the samples; worlds that cannot be are wrong at once."""
    rng, count = random.Random(1), PER_WORLD * len(every.worlds)
    drawn = Counter[Hands](tuple(worlds.draw(rng).hands) for _ in range(count))
    if drawn.keys() - every.worlds.keys():
        yield "draws worlds that cannot be"
        return
    histories = sum(every.worlds.values())
    expected = {hands: count * ways / histories for hands, ways in every.worlds.items()}
    chi_square = sum((drawn[hands] - mean) ** 2 / mean for hands, mean in expected.items())
    freedom = len(expected) - 1
    if chi_square > freedom + FAR * sqrt(2 * freedom) + FAR:
        yield f"chi-square {chi_square:.0f} with {freedom} degrees of freedom"
