"""All rooms of a cluster, as the players connected to this node see them."""

from __future__ import annotations

import asyncio
import random

import structlog

from protocol.convert import Wire
from protocol.errors import ProtocolError
from protocol.messages import ClientMessage
from protocol.messages import client as messages
from server.clock import Clock
from server.cluster.directory import NodeId
from server.cluster.edge import Edge
from server.cluster.exchange import Exchange
from server.cluster.guests import Guests
from server.cluster.inbox import Inbox
from server.cluster.opening import Opening
from server.cluster.ownership import Ownership
from server.cluster.people import People, Replace
from server.cluster.relay import ToEdges, ToNeighbours, ToOwners
from server.cluster.serving import Serving
from server.dispatch import Admission, Dispatcher, Visitor
from server.limits import Limits
from server.rates import OnceAMinute
from server.registry import Registry
from server.store.base import StoreError
from server.table.draft import RandomBytes
from server.table.state import PlayerId
from server.waiting import Waiting

CHECK_EVERY = 1.0
"""Seconds between checks for messages that nobody has answered."""
CHECKS_BETWEEN = 2
"""So many of them between two searches for rooms that nobody has."""
RARER = 20
"""Rooms are looked for in no more than this part of the time."""
RECORD_TRIES = 5
RECORD_PAUSE = 0.2
"""So often a record is looked for that is not there yet, and so many seconds apart."""
MAX_WAITING = 16
"""Rooms that one player may ask to open or to join before Redis has said of the first that it may be."""
logger = structlog.get_logger(__name__)


class ClusterHouse:
    """The house of a node. Let it `run` when its registry and exchange stand."""

    def __init__(
        self,
        registry: Registry,
        exchange: Exchange,
        replace: Replace,
        clock: Clock,
        limits: Limits,
        random_bytes: RandomBytes,
        chance: random.Random,
    ) -> None:
        self._registry = registry
        self._exchange = exchange
        self._clock = clock
        self._dispatcher = Dispatcher(registry)
        self._failures = OnceAMinute(clock.monotonic)
        self._waiting = Waiting(lambda bug: logger.error("house.bug", exc_info=bug), MAX_WAITING)
        self._people = People(exchange, replace, limits)
        self._ownership = Ownership(registry, exchange, clock, self._opens, chance.shuffle)
        owners = ToOwners(exchange, self._people, self._ownership.find)
        self._edge = Edge(owners, clock, random_bytes, chance.random, limits.answered_ids)
        self._opening = Opening(registry, exchange.directory, self._edge, self._people, self._waiting)
        self._guests = Guests(self._dispatcher, ToEdges(exchange))
        serving = Serving(registry, exchange, self._ownership, self._dispatcher, self._guests, self._waiting, clock)
        inbox = Inbox(exchange, self._edge, self._ownership, self._guests, self._people, registry, serving.serve)
        registry.neighbours = ToNeighbours(exchange.directory, self._guests)
        exchange.listen(inbox.heard, self._died)

    def _opens(self, room: str) -> bool:
        """Whether something that waits here is to open ``room``."""
        return self._edge.opens(room)

    async def run(self) -> None:
        """Say again what nobody answers, and take rooms that nobody has, until cancelled."""
        while True:
            began = self._clock.monotonic()
            try:
                await self._ownership.reconcile()
            except StoreError as error:
                if times := self._failures.count("rooms"):
                    logger.warning("house.rooms", error=str(error), times=times)
            for _ in range(self._checks_between(self._clock.monotonic() - began)):
                await self._clock.sleep(CHECK_EVERY)
                self._edge.retry_late()
                if not self._ownership.is_checked:
                    break

    def _checks_between(self, seconds: float) -> int:
        """Where the rooms take so many seconds, because there are many, they are gone through less often."""
        return max(CHECKS_BETWEEN, int(seconds * RARER))

    @property
    def is_sure(self) -> bool:
        """Whether this node can serve players: it has its lease, and knows since which rooms are its own."""
        return self._ownership.is_sure

    # What players ask (House)

    async def arrive(self, player: PlayerId, number: int) -> Admission:
        """See `People`."""
        return await self._people.arrive(player, number)

    def handle(self, listener: Visitor, message: ClientMessage) -> None:
        """Do what ``message`` asks of a room at whatever node."""
        match message:
            case messages.Rooms():
                self._dispatcher.handle(listener, message)
            case messages.Create() | messages.Quick():
                self._opening.handle(listener, message)
            case messages.Join() if not self._people.may_sit(listener.actor.player, message.room):
                self._waiting.begin(listener, listener.send, message.id, self._join(listener, message))
            case messages.Hello() | messages.Ping() | messages.Record():
                raise TypeError(f"{message.type} asks nothing of a room")
            case _:
                self._edge.say(listener, message.room, message)

    def ended(self, listener: Visitor, number: int) -> None:
        """The connection of ``listener`` is lost."""
        self._dispatcher.ended(listener, number)
        self._edge.end(listener)
        self._people.ended(listener.actor.player, number)

    def knows(self, player: PlayerId, room: str) -> bool:
        """Whether ``player`` has a seat in ``room``, as far as it is known here."""
        return self._people.knows(player, room)

    async def _join(self, listener: Visitor, message: messages.Join) -> None:
        await self._people.require_place(listener.actor.player, message.room)
        self._edge.say(listener, message.room, message)

    async def last_record(self, listener: Visitor, room: str) -> bytes | None:
        """The payload of the record of the last match of ``room``: its owner says when it can be read, and by whom."""
        told: asyncio.Future[Wire] = asyncio.get_running_loop().create_future()
        question = messages.Record(type="record", room=room)
        self._edge.ask(listener, room, question, self._edge.own_id(), lambda answer: told.set_result(answer.message))
        answer = await told
        if answer["type"] == "error":
            raise ProtocolError.of_wire(answer)
        payload = await self._registry.archive.last_of(room)
        if payload is None and answer["found"]:
            raise StoreError("the room has ended since, and that is not known yet")
        return payload

    async def record(self, record: str) -> bytes | None:
        """The payload of the record of that id; another node may be making it just now."""
        for _ in range(RECORD_TRIES):
            payload = await self._dispatcher.record(record)
            if payload is not None:
                return payload
            await self._clock.sleep(RECORD_PAUSE)
        return None

    def _died(self, node: NodeId) -> None:
        self._guests.end_all_of(node)
        self._edge.lost(node)

    # The end

    async def hand_over(self) -> None:
        """See `Ownership`."""
        await self._ownership.hand_over()
