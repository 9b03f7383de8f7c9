"""Rooms with a real journal, a store that can fail, a clock that the test moves, and listeners that remember."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from typing import Any

from protocol.errors import ProtocolError
from protocol.messages import check_sent, parse
from server.archive import Archive
from server.dispatch import Dispatcher
from server.house_players import HousePlayers, Searchers
from server.journal import Journal
from server.limits import Limits
from server.listener import Subscription
from server.outgoing import Outgoing
from server.registry import Registry
from server.table.state import Actor
from server.world import World
from tests.fakes import FailingStore, FakeClock
from tests.server.tables import ANN, BOB

SETTINGS = {"game": "fives-threes", "seats": 2, "bot_delay": 1}
NUMBERS = count()
"""Of messages, over all rooms of a test run: an id is never used twice by accident."""


class Ear:
    """A listener that keeps every message, each checked against its model."""

    def __init__(self, actor: Actor, house: House) -> None:
        self.actor = actor
        self.is_open = True
        self.was_cut = False
        """For a fault of the server's."""
        self.heard: list[dict[str, Any]] = []
        self._house = house
        self._rooms: set[Subscription] = set()

    def send(self, outgoing: Outgoing) -> None:
        check_sent(outgoing.message)
        self.heard.append(outgoing.message)

    def cut(self) -> None:
        self.was_cut = True

    def entered(self, room: Subscription) -> None:
        self._rooms.add(room)

    def left(self, room: Subscription) -> None:
        self._rooms.discard(room)

    def hang_up(self) -> None:
        """The connection is lost."""
        self.is_open = False
        for room in list(self._rooms):
            room.lost(self)

    def say(self, kind: str, **fields: Any) -> str:
        """Say something without waiting for the answer; returns the message's id."""
        message_id: str = fields.pop("id", f"m-{next(NUMBERS)}")
        message = parse({"type": kind, "id": message_id, **fields})
        try:
            self._house.dispatcher.handle(self, message)
        except ProtocolError as refusal:
            refusal.re = message_id
            self.heard.append(refusal.to_wire())
        return message_id

    async def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Say something and return its answer."""
        message_id = self.say(kind, **fields)
        await self._house.settle()
        return self.answer(message_id)

    def answer(self, message_id: str) -> dict[str, Any]:
        """The one answer to a message."""
        answers = [message for message in self.heard if message.get("re") == message_id]
        assert len(answers) == 1, answers
        return answers[0]

    def updates(self) -> list[dict[str, Any]]:
        return [message for message in self.heard if message["type"] == "update"]


class House:
    """A registry and what it needs."""

    def __init__(
        self, store: FailingStore, clock: FakeClock, limits: Limits, searchers: Searchers | None = None
    ) -> None:
        self.store = store
        self.clock = clock
        self.journal = Journal(store)
        rng = random.Random(5)
        archive = Archive(store, clock)
        self.bots = HousePlayers(random.Random(6), searchers, clock.monotonic)
        world = World(store, self.journal, archive, clock, limits, rng.randbytes, self.bots)
        self.registry = Registry(world)
        self.dispatcher = Dispatcher(self.registry)

    def ear(self, actor: Actor) -> Ear:
        return Ear(actor, self)

    async def settle(self) -> None:
        """Return when nothing is on its way to the store and nobody is about to do anything."""
        for _ in range(20):
            await asyncio.sleep(0)

    async def pass_time(self, seconds: float) -> None:
        """Let time pass, a bot's turn or a deadline after the other."""
        self.clock.advance(seconds)
        await self.settle()


@asynccontextmanager
async def open_house(
    store: FailingStore | None = None,
    limits: Limits | None = None,
    clock: FakeClock | None = None,
    searchers: Searchers | None = None,
) -> AsyncIterator[House]:
    """A house whose journal and archive run."""
    house = House(store or FailingStore(), clock or FakeClock(), limits or Limits(), searchers)
    tasks = [asyncio.create_task(work) for work in (house.journal.run(), house.registry.archive.run())]
    try:
        yield house
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def two_at_a_table(house: House, **settings: Any) -> tuple[Ear, Ear, str]:
    """Ann, the host, and Bob in the first deal of a match."""
    ann, bob = house.ear(ANN), house.ear(BOB)
    room = (await ann.ask("create", settings=SETTINGS | settings))["room"]
    await bob.ask("join", room=room)
    await ann.ask("start", room=room)
    return ann, bob, room


def in_turn(*ears: Ear) -> tuple[Ear, dict[str, Any]]:
    """Who is to act, and the newest update with what is legal."""
    for ear in ears:
        update = ear.updates()[-1]
        if update["turn"] and "legal" in update["turn"]:
            return ear, update
    raise AssertionError("nobody is to act")
