"""An edge with one visitor, and owners of rooms of whom the test says what they know."""

from __future__ import annotations

import asyncio

from protocol.messages import ClientMessage, parse
from server.cluster.directory import NodeId
from server.cluster.edge import Edge
from server.cluster.visit import Visit
from server.outgoing import Outgoing
from tests.cluster.ears import Ear
from tests.fakes import FakeClock

ROOM = "K7QM2X"
B, C = NodeId("B"), NodeId("C")
REMEMBERED = 4
"""Answers to each player that the rooms remember."""


class Owners:
    """Knows what the test says."""

    def __init__(self) -> None:
        self.can_be_asked = True
        self.owner: NodeId | Exception | None = B
        self.said: list[tuple[NodeId, int, ClientMessage]] = []
        self.ended: list[tuple[NodeId, int]] = []
        self.none: list[str] = []

    async def find(self, room: str) -> NodeId | None:
        if isinstance(self.owner, Exception):
            raise self.owner
        return self.owner

    def say(self, owner: NodeId, visit: Visit, message: ClientMessage) -> None:
        self.said.append((owner, visit.number, message))

    def end(self, owner: NodeId, visit: Visit) -> None:
        self.ended.append((owner, visit.number))

    def has_no_room(self, visit: Visit) -> None:
        self.none.append(visit.room)


class Place:
    """An edge with one visitor."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.owners = Owners()
        self.jitter = 0.0
        self.edge = Edge(self.owners, self.clock, lambda count: b"x" * count, lambda: self.jitter, REMEMBERED)
        self.ear = Ear()

    async def say(self, message_id: str | None = "nice", kind: str = "react") -> None:
        message = {"type": kind, "room": ROOM, **({"key": "nice"} if kind == "react" else {})}
        self.edge.say(self.ear, ROOM, parse(message if message_id is None else {**message, "id": message_id}))
        await self.settle()

    def answer(self, message_id: str) -> None:
        """Let the owner accept what was asked under this id."""
        owner, number, _ = self.owners.said[-1]
        self.edge.tell(number, Outgoing({"type": "ok", "re": message_id}), owner)

    @property
    def ids_said(self) -> list[str | None]:
        return [message.id for _, _, message in self.owners.said]

    async def settle(self) -> None:
        for _ in range(5):
            self.clock.advance(0)
            await asyncio.sleep(0)

    async def retry_late(self, seconds: float) -> None:
        self.clock.advance(seconds)
        self.edge.retry_late()
        await self.settle()

    @property
    def codes(self) -> list[str]:
        return [message["code"] for message in self.ear.heard]
