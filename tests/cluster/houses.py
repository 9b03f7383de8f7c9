"""Nodes without processes and without Redis, and people who are connected to them."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from typing import Any

from protocol.errors import ProtocolError
from protocol.messages import parse
from server.archive import Archive
from server.cluster.house import ClusterHouse
from server.connected import Connected
from server.house_players import HousePlayers
from server.journal import Journal
from server.limits import Limits
from server.outgoing import Outgoing
from server.registry import Registry
from server.sessions import Sessions
from server.table.state import Actor
from server.world import World
from tests.cluster.exchange import MemoryExchange, NodeStore, Shared
from tests.fakes import FakeClock
from tests.server.tables import ANN, BOB

NUMBERS = count(1)
SETTINGS = {"game": "block", "seats": 2, "bot_delay": 1}


class Person:
    """Somebody who is connected to a node."""

    def __init__(self, actor: Actor, node: Node) -> None:
        self.actor = actor
        self.is_open = True
        self.number = next(NUMBERS)
        self.is_sent_back = False
        """Told to come again."""
        self.guesses = 0
        self.heard: list[dict[str, Any]] = []
        self._node = node

    def send(self, outgoing: Outgoing) -> None:
        if self.is_open:
            self.heard.append(outgoing.message)

    def cut(self) -> None:
        self.is_sent_back = True

    def come_again(self) -> None:
        self.is_sent_back = True

    def count_guess(self) -> None:
        self.guesses += 1

    def entered(self, room: object) -> None:
        """A room of a cluster knows a guest instead."""

    def left(self, room: object) -> None:
        """A room of a cluster knows a guest instead."""

    def hang_up(self) -> None:
        self.is_open = False
        self._node.house.ended(self, self.number)

    def say(self, kind: str, **fields: Any) -> str:
        message_id: str = fields.pop("id", f"{self.actor.player}-{next(NUMBERS)}")
        try:
            self._node.house.handle(self, parse({"type": kind, "id": message_id, **fields}))
        except ProtocolError as refusal:
            refusal.re = message_id
            self.heard.append(refusal.to_wire())
        return message_id

    def answer(self, message_id: str) -> dict[str, Any] | None:
        answers = [message for message in self.heard if message.get("re") == message_id]
        assert len(answers) <= 1, answers
        return answers[0] if answers else None

    async def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        message_id = self.say(kind, **fields)
        await self._node.houses.settle()
        answer = self.answer(message_id)
        assert answer is not None, message_id
        return answer

    @property
    def seqs(self) -> list[int]:
        """The numbers of the updates that were heard."""
        return [message["seq"] for message in self.heard if message["type"] == "update"]


class Node:
    """One node."""

    def __init__(self, name: str, houses: Houses, limits: Limits) -> None:
        rng = random.Random(name)
        self.houses = houses
        self.exchange = MemoryExchange(name, houses.shared)
        self.store = NodeStore(self.exchange.me, houses.shared)
        self.journal = Journal(self.store)
        archive = Archive(self.store, houses.clock)
        house = HousePlayers(random.Random(6))
        world = World(self.store, self.journal, archive, houses.clock, limits, rng.randbytes, house)
        self.registry = Registry(world)
        connected = Connected()
        self.house = ClusterHouse(
            self.registry, self.exchange, connected.replace, houses.clock, limits, rng.randbytes, rng
        )
        self.sessions = Sessions(self.store, self.house, archive, houses.clock, rng.randbytes, connected)
        self.work = [self.journal.run(), archive.run(), self.house.run()]

    def person(self, actor: Actor) -> Person:
        return Person(actor, self)


class Houses:
    """Nodes, what they share, and a clock that the test moves."""

    def __init__(self, names: str, limits: Limits) -> None:
        self.shared = Shared()
        self.clock = FakeClock()
        self.nodes = [Node(name, self, limits) for name in names]

    async def settle(self) -> None:
        """Return when nothing is on its way."""
        quiet = 0
        while quiet < 20:
            quiet = 0 if self.shared.deliver() else quiet + 1
            await asyncio.sleep(0)

    async def pass_time(self, seconds: float) -> None:
        """Let time pass in small pieces."""
        for _ in range(round(seconds / 0.25)):
            self.clock.advance(0.25)
            await self.settle()

    async def stop(self, node: Node) -> None:
        """Let ``node`` hand its rooms over."""
        node.registry.drain()
        handing = asyncio.create_task(node.house.hand_over())
        await self.settle()
        while not handing.done():
            await self.pass_time(0.25)
        handing.result()


@asynccontextmanager
async def open_houses(names: str = "AB", limits: Limits | None = None) -> AsyncIterator[Houses]:
    """Nodes that run."""
    houses = Houses(names, limits or Limits())
    tasks = [asyncio.create_task(work) for node in houses.nodes for work in node.work]
    await houses.settle()
    try:
        yield houses
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def at_two_nodes(houses: Houses) -> tuple[Person, Person, str]:
    """Ann's room is at the first node; Bob is connected to the second."""
    first, second = houses.nodes
    ann, bob = first.person(ANN), second.person(BOB)
    room = (await ann.ask("create", settings=SETTINGS))["room"]
    await bob.ask("join", room=room)
    return ann, bob, room


def present(houses: Houses, room: str) -> set[str]:
    """Who is there, by the node that has the room."""
    owner = houses.shared.owners[room]
    (table,) = (node.registry.find(room).table for node in houses.nodes if node.exchange.me == owner)
    return {str(place.player) for place in table.places if place.player is not None and place.is_here}
