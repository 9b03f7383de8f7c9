"""Two houses in which the same is said and done, and which differ only in tiles that somebody cannot see."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from functools import reduce
from typing import Any

from engine import match as matches
from engine.actions import Action
from engine.events import Drew
from engine.seats import Seat
from engine.tiles import Tile, full_set
from protocol.codecs import CODECS
from server.table.decide import HouseActs
from server.table.state import Table
from tests.server.rooms import Ear, House
from tests.server.tables import ANN, BOB, CAT, DAN, EVE

PEOPLE = (ANN, BOB, CAT, DAN)
Hands = tuple[tuple[Tile, ...], ...]


class Dealt:
    """A shuffle that deals what the test says."""

    tiles: tuple[Tile, ...] = ()

    def __init__(self, _seed: bytes, _entropy: Sequence[bytes] = ()) -> None:
        pass

    def deal(self, _number: int, seats: int, hand_size: int) -> tuple[Hands, tuple[Tile, ...]]:
        hands = tuple(self.tiles[seat * hand_size : (seat + 1) * hand_size] for seat in range(seats))
        return hands, self.tiles[seats * hand_size :]

    def lot(self, _number: int, _seats: int) -> Seat:
        return Seat(0)


class Worlds:
    """Two houses in which the same things are said; `tiles` says what each has dealt."""

    def __init__(self, houses: Sequence[House], tiles: Sequence[tuple[Tile, ...]]) -> None:
        self.houses = houses
        self.tiles = tiles
        self.ears: list[dict[str, Ear]] = [{who.name: house.ear(who) for who in (*PEOPLE, EVE)} for house in houses]
        self.room = ""
        self.holders: list[str] = []
        """Who sits at each seat."""

    async def say(self, who: str, kind: str, **fields: Any) -> None:
        for house, tiles, ears in zip(self.houses, self.tiles, self.ears, strict=True):
            Dealt.tiles = tiles
            ears[who].say(kind, id=f"{who}-{len(ears[who].heard)}", **fields)
            await house.settle()

    async def let_time_run_out(self, seat: Seat, action: Action) -> None:
        """The time of ``seat`` is over, and a bot makes this one choice."""
        for house, tiles in zip(self.houses, self.tiles, strict=True):
            Dealt.tiles = tiles
            house.registry.find(self.room)._serve(HouseActs(seat, action, timed_out=True))
            await house.settle()

    async def let_time_pass(self, seconds: float) -> None:
        """For bots to think and to act."""
        for house, tiles in zip(self.houses, self.tiles, strict=True):
            Dealt.tiles = tiles
            await house.pass_time(seconds)

    def matches(self) -> list[matches.Match]:
        found = [house.registry.find(self.room).table.match for house in self.houses]
        return [match for match in found if match is not None]

    @property
    def table(self) -> Table:
        """That of the first world; what is public of it is that of the other, too."""
        return self.houses[0].registry.find(self.room).table

    def shared_choices(self) -> list[Action]:
        """What the seat in turn may do in both worlds."""
        first, second = ([choice.action for choice in matches.choices(match)] for match in self.matches())
        return [action for action in first if action in second]

    def heard(self, who: str) -> list[list[bytes]]:
        """The frames that ``who`` was sent in each world, in both codecs."""
        return [[codec.encode(message) for message in ears[who].heard for codec in CODECS] for ears in self.ears]


def two_deals(hand_size: int, known: Collection[int], rng: random.Random) -> list[tuple[Tile, ...]]:
    """Two deals alike but for a few tiles that are in no hand of the seats ``known``."""
    tiles = list(full_set())
    rng.shuffle(tiles)
    hidden = [place for place in range(28) if place // hand_size not in known]
    other = tiles[:]
    moved = rng.sample(hidden, rng.randint(2, 6))
    for place, source in zip(moved, moved[1:] + moved[:1], strict=True):
        other[place] = tiles[source]
    return [tuple(tiles), tuple(other)]


def same_future(worlds: Worlds, action: Action, known: Collection[int]) -> bool:
    """Whether the seats ``known`` see the same of ``action`` in both worlds: the deal goes on, turn and draws agree."""
    futures = []
    for match in worlds.matches():
        if match.deal is None or match.deal.turn is None:
            return False
        events = matches.decide(match, match.deal.turn, action)
        drawn = [event.tile for event in events if isinstance(event, Drew) and event.seat in known]
        after = reduce(matches.evolve, events, match)
        turn = None if after.deal is None else after.deal.turn
        futures.append((turn, drawn))
    return futures[0] == futures[1] and futures[0][0] is not None


async def consent(worlds: Worlds, *, yes: bool) -> None:
    """Everybody says so who is asked, unless one no ends it."""
    while worlds.table.ask is not None:
        ask = worlds.table.ask
        await worlds.say(worlds.holders[ask.need[0]], "consent", room=worlds.room, ask=ask.event.ask, yes=yes)
