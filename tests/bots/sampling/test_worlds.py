from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache

import pytest

from bots.kernel.bits import bits_of
from bots.sampling import places
from bots.sampling.places import Holder
from engine.events import Drew, Knocked
from engine.match import Match
from engine.notation import parse_tiles
from engine.seats import Seat, seat_range
from engine.tiles import full_set
from tests.bots.positions import EVERY_TABLE
from tests.bots.sampling.judging import faults_at
from tests.engine.playing import deal_of, steps
from tests.engine.positions import NORTH, after, dealt

SMALL = tuple(tile for tile in full_set() if tile.high <= 3)
"""The double-three set: few enough tiles to try every deal."""
SMALL_BITS = bits_of(SMALL)
HAND_SIZES = {2: 3, 3: 2, 4: 2}
JUDGED = 5
"""Positions at each table."""


def small_deals(game: str, seats: int) -> Iterator[Sequence[Match]]:
    """Deals of chance with a small set, played by chance: the turns of each in which somebody has drawn or knocked."""
    rng = random.Random(f"{game} {seats}")
    size = HAND_SIZES[seats]
    while True:
        tiles = [str(tile) for tile in rng.sample(SMALL, len(SMALL))]
        hands = [" ".join(tiles[seat * size : (seat + 1) * size]) for seat in range(seats)]
        deal = dealt(game, *hands, stock=" ".join(tiles[size * seats :]))
        match = Match(deal.game, seats, deal.target, deal.scores, deal, next_lead=None)
        yield [turn for turn in steps(match, rng.choice) if _tells(turn)]


def _tells(match: Match) -> bool:
    deal = deal_of(match)
    return deal.turn is not None and any(isinstance(event, Drew | Knocked) for event in deal.events)


@cache
def judged(game: str, seats: int) -> Sequence[tuple[Match, Seat]]:
    """Some of those turns, and a seat that judges."""
    rng = random.Random(4)
    turns = (rng.choice(turns) for turns in small_deals(game, seats) if turns)
    return [(next(turns), rng.choice(seat_range(seats))) for _ in range(JUDGED)]


def faults(game: str, seats: int) -> list[str]:
    return [fault for match, seat in judged(game, seats) for fault in faults_at(match, seat, SMALL_BITS)]


@pytest.mark.parametrize(("game", "seats"), EVERY_TABLE)
def test_counts_chances_and_samples_are_those_of_all_deals_there_are(game: str, seats: int) -> None:
    assert faults(game, seats) == []


def drawn_and_laid() -> list[str]:
    """Faults where each tile that was played may have been dealt or drawn, and it matters which."""
    hands, stock = ("1-3 0-1 2-3", "0-4 0-2 0-0"), "1-2 1-4 3-4 1-1 2-4 4-4 0-3"
    turns = ("1-3", "draw", "1-2 left", "2-3 left", "draw", "draw", "3-4 left", "draw", "draw", "2-4 left", "0-2 left")
    deal = after(dealt("all-fives", *hands, stock=stock), *turns)
    match = Match(deal.game, 2, deal.target, deal.scores, deal, next_lead=None)
    return [*faults_at(match, NORTH, bits_of(parse_tiles(" ".join((*hands, stock)))))]


def test_a_tile_that_was_played_may_have_been_dealt_or_drawn() -> None:
    assert drawn_and_laid() == []


# The same comparison sees each of these faults.


@pytest.mark.parametrize("game", ["block", "draw"])
def test_a_sampler_that_forgets_what_knocks_tell_is_seen(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Holder, "lack", lambda _holder, _tiles: None)

    assert faults(game, 3)


def test_a_sampler_that_binds_what_was_drawn_later_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def draw(holder: Holder) -> None:
        holder.groups[0].places += 1

    monkeypatch.setattr(Holder, "draw", draw)

    assert faults("draw", 2)


def test_a_sampler_that_takes_every_origin_of_a_tile_for_as_likely_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    weighed = places._left_by
    monkeypatch.setattr(places, "_left_by", lambda laid, ways: dict.fromkeys(weighed(laid, ways), 1))

    assert any("is at seat" in fault for fault in drawn_and_laid())


def test_a_sampler_that_takes_every_spread_for_as_likely_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bots.sampling.filling._chosen", lambda limits, rng: rng.randrange(len(limits)))

    assert any("chi-square" in fault for fault in faults("fives-threes", 4))
