"""The server without sockets, and people on it who take in whatever they are told at once."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

from websockets.frames import Opcode

from engine import match as matches
from protocol.codecs import Codec
from protocol.convert import Wire, choice_to_wire
from server.limits import Limits
from server.table.state import Table
from tests.simulation.disk import Disk
from tests.simulation.network import Closed, Link
from tests.simulation.node import Node

UNIX = 1_790_000_000.0


class Person:
    """One player on one connection."""

    def __init__(self, house: House, name: str, codec: Codec) -> None:
        self.name = name
        self.codec = codec
        self.heard: list[Wire] = []
        """Not yet looked at."""
        self.is_over = False
        """The connection has ended; ``code`` says how."""
        self.code: int | None = None
        self._house = house
        self._ids = (f"{name}-{number}" for number in count())
        self.link = house.connect(self)

    def hear(self, _link: Link, message: Wire) -> None:
        self.heard.append(message)

    def hear_end(self, _link: Link, closed: Closed) -> None:
        self.is_over, self.code = True, closed.code

    def send(self, opcode: Opcode, data: bytes) -> None:
        """Send one frame as it stands; return when all that follows from it has happened."""
        self.link.send_frames(opcode, [data])
        self._house.settle()

    def say(self, kind: str, **fields: Any) -> Wire:
        """Say something that must be accepted; returns its answer."""
        message = {"type": kind, "id": next(self._ids), **fields}
        self.link.say(message)
        self._house.settle()
        (answer,) = [heard for heard in self.heard if heard.get("re") == message["id"]]
        assert answer["type"] != "error", answer
        return answer


class House:
    """A server in one virtual loop, whose time stands still."""

    def __init__(self, rng: random.Random, limits: Limits) -> None:
        self.rng = rng
        self.node = Node(Disk(rng, lambda _step: None), limits, rng, 0.0, UNIX)
        self.people: list[Person] = []
        self.node.start()
        self.settle()

    def connect(self, person: Person) -> Link:
        """A new connection, after its handshake."""
        number = len(self.people)
        link = Link(number, number, person, self.rng, lambda _link, _message: None)
        self.people.append(person)
        self.node.accept(link)
        self.settle()
        return link

    def person(self, name: str, codec: Codec) -> Person:
        """Somebody who has said hello."""
        person = Person(self, name, codec)
        person.say("hello", name=name)
        return person

    def settle(self) -> None:
        """Let everything happen that happens without time going on."""
        links = [person.link for person in self.people if hasattr(person, "link")]
        while True:
            for link in links:
                while link.can_deliver:
                    link.deliver()
            while not self.node.loop.is_idle:
                self.node.loop.turn()
            for link in links:
                while link.can_take:
                    link.take()
            if self.node.is_settled and not any(link.can_deliver for link in links):
                return

    def table(self, room: str) -> Table:
        """The whole truth about ``room``."""
        return self.node.registry.find(room).table

    def tables(self) -> dict[str, Table]:
        """Every table by its code."""
        return {room.code: room.table for room in self.node.rooms()}

    def legal(self, room: str) -> list[Wire]:
        """What the seat in turn may do."""
        match = self.table(room).match
        return [] if match is None else [choice_to_wire(choice)["action"] for choice in matches.choices(match)]


@contextmanager
def open_house(rng: random.Random, limits: Limits) -> Iterator[House]:
    """A house that is torn down afterwards."""
    house = House(rng, limits)
    try:
        yield house
    finally:
        house.node.crash()
