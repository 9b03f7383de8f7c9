"""Bots at tables do nothing that hangs on tiles or seeds that are hidden from them (H2).

Two worlds as in `test_secrecy`, but with a bot among the people and alike in its hand: it must do the same in both, so
that who watches is sent the same. And two with the same tiles, but other seeds: it must not have known the seed.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import NamedTuple, TypeAlias

import pytest

from bots.levels import LEVELS
from bots.search.search import searched
from engine.actions import Action
from engine.events import Event
from engine.games import GAMES
from engine.match import Match
from engine.outcome import Choice
from engine.seats import Seat
from engine.view import SeatView, view_for
from protocol.convert import action_to_wire
from server.house_players import Answer
from server.table import play
from tests.bots.positions import EVERY_TABLE
from tests.bots.search.searching import stopped
from tests.bots.worlds import peeking
from tests.engine.playing import deal_of
from tests.fakes import LITTLE, InlineSearchers
from tests.server.rooms import House, open_house
from tests.server.two_worlds import PEOPLE, Dealt, Worlds, consent, same_future, two_deals

TIME_TO_ACT = 2.0
"""Seconds: more than any level takes."""

TAKEN_BACK = 0.2
"""How often a person takes something back or brings it again in place of a choice."""

Corrupt: TypeAlias = Callable[[House, str], None]
"""Does something to a house, in one of whose rooms bots play."""


class Asked(NamedTuple):
    """A question to a search."""

    view: SeatView
    seed: int


class Searching(InlineSearchers):
    """Searches a little for the bots, too, and remembers what it was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.questions: list[Asked] = []

    def ask(self, view: SeatView, legal: Sequence[Choice], level: str, seed: int) -> Answer:  # type: ignore[override]
        self.questions.append(Asked(view, seed))
        answer: Answer = asyncio.get_running_loop().create_future()
        answer.set_result(searched(view, legal, LITTLE, seed, stopped))
        return answer


class Told(NamedTuple):
    """What one world came to: what was sent to who watches, what happened, and what searches were asked."""

    frames: list[bytes]
    events: tuple[Event, ...]
    questions: list[Asked]


async def told(
    game: str, seats: int, level: str, seed: int, *, other_seeds: bool = False, corrupt: Corrupt | None = None
) -> list[Told]:
    """What two worlds came to, which differ in hidden tiles, or in the seeds of their deals alone.

    ``corrupt`` is done to both houses.
    """
    rng, bot = random.Random(seed), min(seats - 1, 2)
    searchers = [Searching(), Searching()]
    async with AsyncExitStack() as stack:
        houses = [await stack.enter_async_context(open_house(searchers=asked)) for asked in searchers]
        deals = two_deals(GAMES[game].hand_size(seats), [bot], rng)
        worlds = Worlds(houses, deals[:1] * 2 if other_seeds else deals)
        await _gather(worlds, game, seats, level, bot)
        for number, house in enumerate(houses):
            room = house.registry.find(worlds.room)
            if other_seeds:
                room.table = replace(room.table, seed=bytes([number]) * 32)
            if corrupt is not None:
                corrupt(house, worlds.room)
        await worlds.say("Ann", "start", room=worlds.room)
        await _play_on(worlds, bot, rng)
        events = [view_for(match, None).events for match in worlds.matches()]
        return [
            Told(frames, happened, asked.questions)
            for frames, happened, asked in zip(worlds.heard("Eve"), events, searchers, strict=True)
        ]


async def _gather(worlds: Worlds, game: str, seats: int, level: str, bot: int) -> None:
    await worlds.say("Ann", "create", settings={"game": game, "seats": seats})
    worlds.room = worlds.ears[0]["Ann"].heard[-1]["room"]
    worlds.holders = [who.name for who in PEOPLE[:seats]]
    await worlds.say("Ann", "add_bot", room=worlds.room, seat=bot, level=level)
    for seat in range(1, seats):
        if seat != bot:
            await worlds.say(worlds.holders[seat], "join", room=worlds.room)
    await worlds.say("Eve", "watch", room=worlds.room)


async def _play_on(worlds: Worlds, bot: int, rng: random.Random) -> None:
    """People do the same in both worlds while they can, and take some of it back; the bot does what it likes."""
    while all(deal_of(match).turn is not None for match in worlds.matches()):
        turns = {deal_of(match).turn for match in worlds.matches()}
        choices = worlds.shared_choices()
        if len(turns) > 1 or not choices:
            return
        [turn] = turns
        if turn != bot and rng.random() < TAKEN_BACK:
            await worlds.say("Ann", rng.choice(["undo", "undo", "redo"]), room=worlds.room)
            await consent(worlds, yes=True)
        elif turn == bot:
            if not all(same_future(worlds, action, [bot]) for action in choices):
                return
            await worlds.let_time_pass(TIME_TO_ACT)
        else:
            action = rng.choice(choices)
            if not same_future(worlds, action, [bot]):
                return
            who, seq = worlds.holders[turn or 0], worlds.table.seq
            await worlds.say(who, "act", room=worlds.room, seq=seq, action=action_to_wire(action))


@pytest.fixture(autouse=True)
def _dealt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "Shuffle", Dealt)


@pytest.mark.parametrize(("game", "seats"), EVERY_TABLE)
async def test_hidden_tiles_change_nothing_that_a_bot_does_at_a_table(game: str, seats: int) -> None:
    acts = 0
    for seed, level in enumerate([*LEVELS, "strong"]):
        here, there = await told(game, seats, level, seed)

        assert here == there, (level, seed)
        acts += len(here.events)

    assert acts > 20


@pytest.mark.parametrize(("game", "seats"), EVERY_TABLE)
async def test_the_seed_of_a_deal_changes_nothing_that_a_bot_does_or_asks(game: str, seats: int) -> None:
    for level in (*LEVELS, "strong"):
        here, there = await told(game, seats, level, 1, other_seeds=True)

        assert here.frames != there.frames  # for they tell the commitment to the seed
        assert (here.events, here.questions) == (there.events, there.questions), level
        assert len(here.events) > 5


def peek(house: House, _room: str) -> None:
    """Its bots look into the other hands."""

    def choose(level: str, match: Match, seat: Seat, answer: Answer | None = None) -> Action:
        return peeking(match)

    house.bots.choose = choose  # type: ignore[method-assign]


def seed_by_hidden_tiles(house: House, _room: str) -> None:
    """Its searches get chance that hangs on the stock and the other hands."""
    ask = house.bots.ask

    def asking(level: str, match: Match, seat: Seat) -> Answer | None:
        house.bots._rng.seed(str((deal_of(match).hands, deal_of(match).stock)))
        return ask(level, match, seat)

    house.bots.ask = asking  # type: ignore[method-assign]


def know_the_seed(house: House, room: str) -> None:
    """Its bots have their chance from the seed of the deal."""
    choose, ask = house.bots.choose, house.bots.ask

    def choosing(level: str, match: Match, seat: Seat, answer: Answer | None = None) -> Action:
        house.bots._rng.seed(house.registry.find(room).table.seed)
        return choose(level, match, seat, answer)

    def asking(level: str, match: Match, seat: Seat) -> Answer | None:
        house.bots._rng.seed(house.registry.find(room).table.seed)
        return ask(level, match, seat)

    house.bots.choose, house.bots.ask = choosing, asking  # type: ignore[method-assign]


@pytest.mark.parametrize(("game", "seats"), EVERY_TABLE)
@pytest.mark.parametrize(("corrupt", "level"), [(peek, "club"), (seed_by_hidden_tiles, "strong")])
async def test_a_bot_that_knows_hidden_tiles_is_caught(corrupt: Corrupt, level: str, game: str, seats: int) -> None:
    found = [await told(game, seats, level, seed, corrupt=corrupt) for seed in range(4)]

    assert any(here != there for here, there in found)


@pytest.mark.parametrize(("game", "seats"), EVERY_TABLE)
@pytest.mark.parametrize("level", ["novice", "strong"])
async def test_a_bot_that_knows_the_seed_is_caught(level: str, game: str, seats: int) -> None:
    found = [await told(game, seats, level, seed, other_seeds=True, corrupt=know_the_seed) for seed in range(3)]

    assert any((here.events, here.questions) != (there.events, there.questions) for here, there in found)
