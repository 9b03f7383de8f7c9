"""All rooms of a cluster, as the players connected to this node see them, and this node's own as the others do."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence

import structlog

from protocol.codecs import Codec
from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import ClientMessage
from protocol.messages import client as messages
from server.clock import Clock
from server.cluster.edge import Edge, NotNow
from server.cluster.exchange import Exchange, NodeId
from server.cluster.guests import Guest, Guests, Key
from server.cluster.inbox import Inbox
from server.cluster.items import Cut, End, Listens, Moved, NoSuchRoom, Say, Wire
from server.cluster.opening import Opening
from server.cluster.ownership import Ownership
from server.cluster.people import People
from server.cluster.visit import Visit
from server.config import Limits
from server.dispatch import Dispatcher, Visitor
from server.outgoing import Outgoing, answer_to, refusal_of
from server.registry import Registry
from server.store.base import StoreError
from server.table.draft import RandomBytes
from server.table.state import Actor, PlayerId, Table
from server.waiting import Waiting

LOOK = 1.0
"""Seconds between looks for messages that nobody has answered."""
LOOKS_BETWEEN = 2
"""So many of them between two looks for rooms that nobody has."""
RARER = 20
"""Rooms are looked for in no more than this part of the time."""
FIND_PAUSE = 0.2
"""Seconds until others are to look again for a room that this node has not and cannot find."""
RECORD_LOOKS = 5
RECORD_PAUSE = 0.2
"""So often a record is looked for that is not there yet, and so many seconds apart."""
logger = structlog.get_logger(__name__)


class ClusterHouse:
    """The house of a node. `start` it when its registry and exchange stand."""

    def __init__(
        self,
        registry: Registry,
        exchange: Exchange,
        clock: Clock,
        limits: Limits,
        random_bytes: RandomBytes,
        chance: random.Random,
    ) -> None:
        self._registry = registry
        self._exchange = exchange
        self._clock = clock
        self._dispatcher = Dispatcher(registry)
        self._waiting = Waiting(lambda bug: logger.error("house.bug", exc_info=bug))
        self._guests = Guests(self._dispatcher, self)
        self._edge = Edge(self, clock, random_bytes, chance.random, limits.answered_ids)
        self.people = People(exchange, limits)
        self._opening = Opening(registry, exchange, self._edge, self.people, self._waiting)
        self._ownership = Ownership(registry, exchange, clock, self._edge.opens, chance.shuffle)
        inbox = Inbox(exchange, self._edge, self._ownership, self._guests, self.people, registry, self._serve)
        self._looking: dict[tuple[NodeId, str], asyncio.Task[None]] = {}
        registry.neighbours = self
        exchange.listen(inbox.heard, self._died)

    async def run(self) -> None:
        """Look after messages that nobody answers, and rooms that nobody has, until cancelled."""
        while True:
            began = self._clock.monotonic()
            try:
                await self._ownership.look()
            except StoreError as error:
                logger.warning("house.rooms", error=str(error))
            for _ in range(self._looks_between(self._clock.monotonic() - began)):
                await self._clock.sleep(LOOK)
                self._edge.look_after()
                if not self._ownership.is_checked:
                    break

    def _looks_between(self, seconds: float) -> int:
        """Where a look at the rooms takes so many seconds, because there are many, looks are rarer."""
        return max(LOOKS_BETWEEN, int(seconds * RARER))

    @property
    def is_sure(self) -> bool:
        """Whether this node can serve players: it has its lease, and knows since which rooms are its own."""
        return self._ownership.is_sure

    # What players ask (House)

    async def arrive(self, player: PlayerId, number: int) -> Sequence[str]:
        """See `People`."""
        return await self.people.arrive(player, number)

    def handle(self, listener: Visitor, message: ClientMessage) -> None:
        """Do what ``message`` asks of a room at whatever node."""
        match message:
            case messages.Rooms():
                self._dispatcher.handle(listener, message)
            case messages.Create() | messages.Quick():
                self._opening.handle(listener, message)
            case messages.Join() if not self.people.may_sit(listener.actor.player, message.room):
                self._waiting.begin(listener.send, message.id, self._join(listener, message))
            case messages.Hello() | messages.Ping() | messages.Record():
                raise TypeError(f"{message.type} asks nothing of a room")
            case _:
                self._edge.say(listener, message.room, message)

    def ended(self, listener: Visitor, number: int) -> None:
        """The connection of ``listener`` is lost."""
        self._dispatcher.ended(listener, number)
        self._edge.end(listener)
        self.people.ended(listener.actor.player, number)

    def knows(self, player: PlayerId, room: str) -> bool:
        """Whether ``player`` has a seat in ``room``, as far as it is known here."""
        return self.people.knows(player, room)

    async def _join(self, listener: Visitor, message: messages.Join) -> None:
        await self.people.require_place(listener.actor.player, message.room)
        self._edge.say(listener, message.room, message)

    async def last_record(self, listener: Visitor, room: str) -> bytes | None:
        """The payload of the record of the last match of ``room``: its owner says when it can be read, and by whom."""
        told: asyncio.Future[Wire] = asyncio.get_running_loop().create_future()
        question = messages.Record(type="record", room=room)
        self._edge.ask(listener, room, question, self._edge.own_id(), lambda answer: told.set_result(answer.message))
        answer = await told
        if answer["type"] == "error":
            raise ProtocolError.of_wire(answer)
        return await self._registry.archive.last_of(room)

    async def record(self, record: str) -> bytes | None:
        """The payload of the record of that id; another node may be making it just now."""
        for _ in range(RECORD_LOOKS):
            payload = await self._dispatcher.record(record)
            if payload is not None:
                return payload
            await self._clock.sleep(RECORD_PAUSE)
        return None

    async def encode_record(self, payload: bytes, codec: Codec, message_id: str | None) -> bytes:
        """The message that shows a record."""
        return await self._dispatcher.encode_record(payload, codec, message_id)

    # Where rooms are (Owners)

    @property
    def can_be_asked(self) -> bool:
        """Whether anything that is said now is likely to arrive."""
        return self._exchange.may_serve

    async def find(self, room: str) -> NodeId | None:
        """The node that has ``room``: this one from now on, if nobody had it. None: there is no such room."""
        return await self._ownership.find(room)

    def has_no_room(self, visit: Visit) -> None:
        """There is no such room as this visit is to."""
        self.people.has_no_seat(visit.visitor.actor.player, visit.room)

    def say(self, owner: NodeId, visit: Visit, message: ClientMessage) -> None:
        """Bring ``message`` to ``owner``; never waits."""
        actor = visit.visitor.actor
        since = self.people.since(actor.player)
        if owner == self._exchange.me:
            self._serve((owner, visit.number), visit.room, actor, since, message)
            return
        who = (actor.player, actor.name, actor.headless)
        self._exchange.post(owner, Say(visit.number, visit.room, *who, message, since))

    def end(self, owner: NodeId, visit: Visit) -> None:
        """Tell ``owner`` that the visit is over; never waits."""
        if owner == self._exchange.me:
            self._guests.end((owner, visit.number))
        else:
            self._exchange.post(owner, End(visit.number))

    def _serve(self, key: Key, room: str, actor: Actor, since: int, message: ClientMessage) -> None:
        """Do at a room of this node what a visit asks."""
        node, _ = key
        opens = isinstance(message, messages.Create | messages.Quick) and node == self._exchange.me
        if not self._registry.has(room) and not opens:
            self._look_again(node, room)
        elif not (self._ownership.is_sure or self._may_have_counted(room, actor.player, message.id)):
            self.tell(key, refusal_of(message.id, ProtocolError(ErrorCode.UNAVAILABLE)))
        elif isinstance(message, messages.Record):
            guest = self._guests.guest(key, room, actor, since)
            self._waiting.begin(guest.send, message.id, self._say_when_readable(guest, message))
        else:
            if isinstance(message, messages.Sync | messages.Watch):
                self._note_who_left(room, actor.player)
            self._guests.say(key, room, actor, since, message)

    def _may_have_counted(self, room: str, player: PlayerId, message_id: str | None) -> bool:
        """Whether this is said again: then the log knows what came of it, and nobody else may say that nothing did."""
        return self._registry.has(room) and self._registry.find(room).has_answered(player, message_id)

    def _look_again(self, node: NodeId, room: str) -> None:
        """A visit from ``node`` is to a room that is not here, though Redis says perhaps that it is."""
        if node == self._exchange.me:
            self._edge.moved(room, node)
        elif (node, room) not in self._looking:
            task = asyncio.get_running_loop().create_task(self._find_for(node, room), name=f"find {room} for {node}")
            self._looking[node, room] = task
            task.add_done_callback(lambda _: self._looking.pop((node, room)))

    async def _find_for(self, node: NodeId, room: str) -> None:
        try:
            owner = await self._ownership.find(room)
        except (NotNow, ProtocolError, StoreError):
            await self._clock.sleep(FIND_PAUSE)  # they will find no more than this node at once
        else:
            if owner is None:
                self._exchange.post(node, NoSuchRoom(room))
                return
        self.sent_on(node, room)

    def _note_who_left(self, room: str, player: PlayerId) -> None:
        """Who comes back without a seat has left, perhaps, when the room was at a node that was killed then."""
        if player not in self._registry.find(room).audience.told.seated:
            self._exchange.note_seats(room, left={player})

    async def _say_when_readable(self, guest: Guest, message: messages.Record) -> Outgoing:
        await self._dispatcher.last_record(guest, guest.room)
        return answer_to(message.id, {"type": "readable"})

    # What this node's rooms say (Edges)

    def tell(self, key: Key, outgoing: Outgoing) -> None:
        """Bring a message to a visit."""
        node, number = key
        if node == self._exchange.me:
            self._edge.tell(number, outgoing, node)
        else:
            self._exchange.tell(node, number, outgoing)

    def listens(self, key: Key, is_listening: bool) -> None:
        """The room tells a visit its steps from now on, or no more."""
        node, number = key
        if node == self._exchange.me:
            self._edge.listens(number, is_listening, node)
        else:
            self._exchange.post(node, Listens(number, is_listening))

    def cut(self, key: Key) -> None:
        """Close the connection of a visit, for a fault of ours."""
        node, number = key
        if node == self._exchange.me:
            self._edge.cut(number)
        else:
            self._exchange.post(node, Cut(number))

    def sent_on(self, node: NodeId, room: str) -> None:
        """This node has ``room`` no longer: whoever visits it from ``node`` has to look for it."""
        if node == self._exchange.me:
            self._edge.moved(room, node)
        else:
            self._exchange.post(node, Moved(room))

    # What the registry tells (Neighbours)

    def told(self, before: Table | None, after: Table) -> None:
        """A room is durable as it is in ``after``; before, as in ``before``. None: it has just been taken."""
        were = frozenset() if before is None else before.seated
        if were != after.seated:
            self._exchange.note_seats(after.room, left=were - after.seated, seated=after.seated - were)

    def read_again(self, before: Table, after: Table) -> None:
        """Somebody may have left in a step that counts after all, and what was said of seats may be lost."""
        self._exchange.note_seats(after.room, left=before.seated - after.seated, seated=after.seated)

    def moved(self, code: str) -> None:
        """Another node has the room, or is to have it."""
        self._guests.send_on(code)

    def listed(self, code: str, shown: Wire | None) -> None:
        """A public table is listed in this way, or no more."""
        self._exchange.note_listed(code, shown)

    def _died(self, node: NodeId) -> None:
        self._guests.end_all_of(node)
        self._edge.lost(node)

    # The end

    async def hand_over(self) -> None:
        """See `Ownership`."""
        await self._ownership.hand_over()
