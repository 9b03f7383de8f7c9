"""All rooms of a cluster, as the players connected to this node see them, and this node's own as the others do."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any

import structlog

from protocol.codecs import Codec
from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import ClientMessage, parse
from protocol.messages import client as messages
from server.clock import Clock
from server.cluster.edge import Edge, NotNow
from server.cluster.exchange import Exchange, Item, NodeId, Wire
from server.cluster.guests import Guest, Guests, Key
from server.cluster.visit import Visit, unasked
from server.config import Limits
from server.dispatch import Dispatcher, Visitor
from server.listener import Listener
from server.outgoing import Outgoing, answer_to, refusal_for, refusal_of
from server.registry import Registry, too_many_rooms
from server.store.base import Held, StoreError
from server.table.draft import RandomBytes
from server.table.state import Actor, PlayerId, Table

LOOK = 1.0
"""Seconds between looks for messages that nobody has answered."""
LOOKS_BETWEEN = 2
"""So many of them between two looks for rooms that nobody has."""
RECORD_LOOKS = 5
RECORD_PAUSE = 0.2
"""So often a record is looked for that is not there yet, and so many seconds apart."""
ATTEMPTS = 5
"""Tables that `quick` tries before it opens one."""
TAKEN = ("room_full", "seat_taken", "no_such_room", "already_started", "refused")
"""What a table answers that has changed since it was listed."""

logger = structlog.get_logger(__name__)


@dataclass(slots=True)
class Seats:
    """Of a player, over the connection of that number: the rooms, or more than there are, but none less."""

    connection: int
    rooms: set[str]


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
        self._limits = limits
        self._dispatcher = Dispatcher(registry)
        self._shuffle = chance.shuffle
        self._guests = Guests(self._dispatcher, self)
        self._edge = Edge(self, clock, random_bytes, chance.random)
        self._taking: dict[str, asyncio.Task[Held | None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._seats: dict[PlayerId, Seats] = {}
        """Of those who are connected here."""
        self._arriving: dict[tuple[PlayerId, int], bool] = {}
        """Who is about to be connected here, and whether they are connected elsewhere since."""
        self._is_draining = False
        self.replaced: Callable[[PlayerId, int], object] = _nobody
        """Takes who is connected elsewhere since, and the number of the connection here."""
        registry.neighbours = self
        exchange.listen(self._heard, self._died)

    async def run(self) -> None:
        """Look after messages that nobody answers, and rooms that nobody has, until cancelled."""
        while True:
            try:
                await self._look_at_rooms()
            except StoreError as error:
                logger.warning("house.rooms", error=str(error))
            for _ in range(LOOKS_BETWEEN):
                await self._clock.sleep(LOOK)
                self._edge.look_after()

    # What players ask (House)

    async def arrive(self, player: PlayerId, number: int) -> Sequence[str]:
        """``player`` is connected here over connection ``number``; where else, that connection ends."""
        self._arriving[player, number] = False
        try:
            elsewhere = await self._exchange.arrive(player, number)
            if elsewhere is not None:
                node, older = elsewhere
                self._exchange.post(node, {"kind": "replaced", "player": player, "number": older})
            rooms = await self._exchange.rooms_of(player)
        finally:
            is_replaced = self._arriving.pop((player, number))
        if is_replaced:  # as soon as the connection stands
            asyncio.get_running_loop().call_soon(lambda: self.replaced(player, number))
        known = self._seats.get(player)
        if known is None or known.connection < number:
            self._seats[player] = Seats(number, set(rooms))
        return rooms

    def _is_elsewhere(self, player: PlayerId, number: int) -> None:
        """``player`` is connected to another node since connection ``number`` was opened here."""
        if (player, number) in self._arriving:
            self._arriving[player, number] = True
        else:
            self.replaced(player, number)

    def handle(self, listener: Visitor, message: ClientMessage) -> None:
        """Do what ``message`` asks of a room at whatever node."""
        match message:
            case messages.Rooms():
                self._dispatcher.handle(listener, message)
            case messages.Create() | messages.Quick():
                self._later(listener, message.id, self._open(listener, message))
            case messages.Join() if not self._may_sit(listener.actor.player, message.room):
                self._later(listener, message.id, self._join(listener, message))
            case messages.Hello() | messages.Ping() | messages.Record():
                raise TypeError(f"{message.type} asks nothing of a room")
            case _:
                self._edge.say(listener, message.room, message)

    def ended(self, listener: Visitor, number: int) -> None:
        """The connection of ``listener`` is lost."""
        self._dispatcher.ended(listener, number)
        self._edge.end(listener)
        seats = self._seats.get(listener.actor.player)
        if seats is not None and seats.connection == number:
            del self._seats[listener.actor.player]
        self._exchange.depart(listener.actor.player, number)

    def knows(self, player: PlayerId, room: str) -> bool:
        """Whether ``player`` has a seat in ``room``, as far as it is known here."""
        seats = self._seats.get(player)
        return seats is not None and room in seats.rooms

    def _may_sit(self, player: PlayerId, room: str) -> bool:
        """Whether ``player`` may have a seat in ``room`` too, which then counts."""
        limit, seats = self._limits.rooms_per_player, self._seats.get(player)
        if seats is None:
            return True
        if limit and room not in seats.rooms and len(seats.rooms) >= limit:
            return False
        seats.rooms.add(room)
        return True

    async def _join(self, listener: Visitor, message: messages.Join) -> None:
        await self._require_place(listener.actor.player, message.room)
        self._edge.say(listener, message.room, message)

    async def _require_place(self, player: PlayerId, room: str) -> None:
        """What is known here may be more than there is: seats that were refused, or given up since."""
        if self._may_sit(player, room):
            return
        rooms = await self._exchange.rooms_of(player)
        if player in self._seats:
            self._seats[player].rooms = set(rooms)
        if not self._may_sit(player, room):
            raise too_many_rooms(self._limits.rooms_per_player)

    async def _open(self, listener: Visitor, message: messages.Create | messages.Quick) -> None:
        """Bring ``message`` to the room that it makes or finds: each time the same one, however often it is said."""
        message_id = message.id or self._edge.own_id()
        player = listener.actor.player
        code = await self._exchange.room_for(player, message_id)
        if code is None:
            chosen = self._choose(message)
            await self._require_place(player, chosen)
            code = await self._exchange.keep_room_for(player, message_id, chosen)
        self._ask(listener, code, message, message_id, ATTEMPTS)

    def _choose(self, message: messages.Create | messages.Quick, taken: str = "") -> str:
        """A table that fits, or the code of a new one."""
        if isinstance(message, messages.Quick):
            fitting = self._registry.open_tables.fitting(message.game, message.seats)
            found = next((code for code in fitting if code != taken), None)
            if found is not None:
                return found
        return self._registry.new_code()

    def _ask(
        self, listener: Visitor, code: str, message: messages.Create | messages.Quick, message_id: str, attempts: int
    ) -> None:
        def reply(answer: Outgoing) -> None:
            if isinstance(message, messages.Quick) and attempts and answer.message.get("code") in TAKEN:
                self._later(listener, message.id, self._try_another(listener, code, message, message_id, attempts - 1))
            else:
                listener.send(answer if message.id is not None else unasked(answer))

        opens = not self._registry.open_tables.lists(code)
        self._edge.ask(listener, code, message, message_id, reply, opens=opens)

    async def _try_another(
        self, listener: Visitor, taken: str, message: messages.Quick, message_id: str, attempts: int
    ) -> None:
        chosen = self._choose(message, taken) if attempts else self._registry.new_code()
        code = await self._exchange.keep_room_for(listener.actor.player, message_id, chosen, instead_of=taken)
        self._ask(listener, code, message, message_id, attempts)

    async def last_record(self, listener: Visitor, room: str) -> bytes | None:
        """The payload of the record of the last match of ``room``: its owner says when it can be read, and by whom."""
        told: asyncio.Future[Wire] = asyncio.get_running_loop().create_future()
        question = messages.Record(type="record", room=room)
        self._edge.ask(listener, room, question, self._edge.own_id(), lambda answer: told.set_result(answer.message))
        answer = await told
        if answer["type"] == "error":
            raise ProtocolError(ErrorCode(answer["code"]), answer["message"], path=answer.get("path"))
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

    def _later(self, listener: Listener, message_id: str | None, work: Coroutine[Any, Any, None]) -> None:
        """Do ``work`` for a message, and answer what goes wrong."""

        async def do() -> None:
            try:
                await work
            except Exception as error:
                refusal = refusal_for(error)
                if refusal.code is ErrorCode.INTERNAL:
                    logger.exception("house.bug")
                listener.send(refusal_of(message_id, refusal))

        task = asyncio.get_running_loop().create_task(do(), name="house")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # Where rooms are (Owners)

    async def find(self, room: str) -> NodeId | None:
        """The node that has ``room``: this one from now on, if nobody had it. None: there is no such room."""
        if self._registry.has(room):
            return self._exchange.me
        owner = await self._exchange.owner(room)
        if owner is not None and owner != self._exchange.me:
            return owner
        if self._is_draining:
            if self._edge.opens(room):
                raise ProtocolError(ErrorCode.DRAINING)
            raise NotNow  # another node takes it, and who is connected here is about to be sent there
        held = await self._take(room)
        if held is not None:
            return NodeId(held.by)
        if self._registry.has(room) or self._edge.opens(room):
            return self._exchange.me
        if self._registry.open_tables.put(room, None):
            self._exchange.note_listed(room, None)
        return None

    async def _take(self, room: str) -> Held | None:
        if room not in self._taking:
            task = asyncio.get_running_loop().create_task(self._registry.take(room), name=f"take {room}")
            self._taking[room] = task
            task.add_done_callback(lambda _: self._taking.pop(room))
        return await asyncio.shield(self._taking[room])

    def has_no_room(self, visit: Visit) -> None:
        """There is no such room as this visit is to, though its owner was killed perhaps before it said so."""
        player = visit.visitor.actor.player
        self._exchange.note_seats(visit.room, frozenset({player}), frozenset())
        if player in self._seats:
            self._seats[player].rooms.discard(visit.room)

    async def _look_at_rooms(self) -> None:
        """Go on with the rooms that nobody has, and give up those that another node has taken.

        Each node begins with others, so that they share them. A node that was frozen, or cut off for long, is not told
        which of its rooms were taken; nobody who listens to one here would hear of it any more.
        """
        owners = await self._exchange.owners()
        for room, owner in owners.items():
            if owner is not None and owner != self._exchange.me:
                self._registry.doubt(room)
        rooms = [room for room, owner in owners.items() if owner is None]
        self._shuffle(rooms)
        for room in rooms:
            if not self._is_draining:
                await self._take_free(room)

    async def _take_free(self, room: str) -> None:
        try:
            await self._take(room)
        except StoreError:
            raise
        except Exception:
            logger.exception("house.take", room=room)  # the other rooms can do without it

    def say(self, owner: NodeId, visit: Visit, message: ClientMessage) -> None:
        """Bring ``message`` to ``owner``; never waits."""
        actor = visit.visitor.actor
        if owner == self._exchange.me:
            self._serve((owner, visit.number), visit.room, actor, message)
            return
        said = message.model_dump(mode="json", exclude_unset=True)
        item = {"kind": "say", "visit": visit.number, "room": visit.room, "message": said}
        self._exchange.post(owner, {**item, "player": actor.player, "name": actor.name, "headless": actor.headless})

    def end(self, owner: NodeId, visit: Visit) -> None:
        """Tell ``owner`` that the visit is over; never waits."""
        if owner == self._exchange.me:
            self._guests.end((owner, visit.number))
        else:
            self._exchange.post(owner, {"kind": "end", "visit": visit.number})

    def _serve(self, key: Key, room: str, actor: Actor, message: ClientMessage) -> None:
        """Do at a room of this node what a visit asks."""
        node, _ = key
        opens = isinstance(message, messages.Create | messages.Quick) and node == self._exchange.me
        if not self._registry.has(room) and not opens:
            self.sent_on(node, room)
        elif not self._exchange.may_serve:
            self.tell(key, refusal_of(message.id, ProtocolError(ErrorCode.UNAVAILABLE)))
        elif isinstance(message, messages.Record):
            guest = self._guests.guest(key, room, actor)
            self._later(guest, message.id, self._say_when_readable(guest, message))
        else:
            if isinstance(message, messages.Sync):
                self._note_who_left(room, actor.player)
            self._guests.say(key, room, actor, message)

    def _note_who_left(self, room: str, player: PlayerId) -> None:
        """Who comes back without a seat has left, perhaps, when the room was at a node that was killed then."""
        if player not in _seated(self._registry.find(room).audience.told):
            self._exchange.note_seats(room, frozenset({player}), frozenset())

    async def _say_when_readable(self, guest: Guest, message: messages.Record) -> None:
        await self._dispatcher.last_record(guest, guest.room)
        guest.send(answer_to(message.id, {"type": "readable"}))

    # What this node's rooms say (Edges)

    def tell(self, key: Key, outgoing: Outgoing) -> None:
        """Bring a message to a visit."""
        node, number = key
        if node == self._exchange.me:
            self._edge.tell(number, outgoing)
        else:
            self._exchange.tell(node, number, outgoing)

    def listens(self, key: Key, is_listening: bool) -> None:
        """The room tells a visit its steps from now on, or no more."""
        node, number = key
        if node == self._exchange.me:
            self._edge.listens(number, is_listening, node)
        else:
            self._exchange.post(node, {"kind": "listens", "visit": number, "is_listening": is_listening})

    def cut(self, key: Key) -> None:
        """Close the connection of a visit, for a fault of ours."""
        node, number = key
        if node == self._exchange.me:
            self._edge.cut(number)
        else:
            self._exchange.post(node, {"kind": "cut", "visit": number})

    def sent_on(self, node: NodeId, room: str) -> None:
        """This node has ``room`` no longer: whoever visits it from ``node`` has to look for it."""
        if node == self._exchange.me:
            self._edge.moved(room, node)
        else:
            self._exchange.post(node, {"kind": "moved", "room": room})

    # What the registry tells (Neighbours)

    def told(self, before: Table | None, after: Table) -> None:
        """A room is durable as it is in ``after``; before, as in ``before``. None: it has just been taken."""
        seated = _seated(after)
        if before is None or seated != _seated(before):
            self._exchange.note_seats(after.room, frozenset() if before is None else _seated(before), seated)

    def moved(self, code: str) -> None:
        """Another node has the room, or is to have it."""
        self._guests.send_on(code)

    def listed(self, code: str, shown: Wire | None) -> None:
        """A public table is listed in this way, or no more."""
        self._exchange.note_listed(code, shown)

    # What other nodes post

    def _heard(self, node: NodeId, item: Item | None) -> None:
        """``node`` has posted ``item``; None: something of it is lost, and what it has said of ours, perhaps."""
        if item is None:
            self._edge.missed(node)
            self._exchange.post(node, {"kind": "missed"})
        elif item["kind"] in ("say", "end", "visits"):
            self._heard_of_visit(node, item)
        elif item["kind"] in ("tell", "listens", "cut", "moved"):
            self._heard_of_room(node, item)
        else:
            self._heard_of_node(node, item)

    def _heard_of_visit(self, node: NodeId, item: Item) -> None:
        """Somebody there visits a room of this node."""
        match item["kind"]:
            case "say":
                actor = Actor(PlayerId(item["player"]), item["name"], item["headless"])
                self._serve((node, item["visit"]), item["room"], actor, parse(item["message"], 0))
            case "end":
                self._guests.end((node, item["visit"]))
            case "visits":
                self._guests.end_all_but(node, frozenset(item["numbers"]))

    def _heard_of_room(self, node: NodeId, item: Item) -> None:
        """Something has happened at a room there that concerns this node."""
        match item["kind"]:
            case "tell":
                outgoing = Outgoing(item["message"])
                for number in item["visits"]:
                    self._edge.tell(number, outgoing)
            case "listens":
                self._edge.listens(item["visit"], item["is_listening"], node)
            case "cut":
                self._edge.cut(item["visit"])
            case "moved":
                self._edge.moved(item["room"], node)

    def _heard_of_node(self, node: NodeId, item: Item) -> None:
        """Something concerns the node there as a whole, or all nodes."""
        match item["kind"]:
            case "missed":
                self._exchange.post(node, {"kind": "visits", "numbers": self._edge.visits_at(node)})
                self._edge.missed(node)
            case "here":
                logger.info("house.neighbour", node=node)
            case "listed":
                self._registry.open_tables.put(item["room"], item["shown"])
            case "replaced":
                self._is_elsewhere(PlayerId(item["player"]), item["number"])
            case kind:
                logger.warning("house.unknown", kind=kind, node=node)

    def _died(self, node: NodeId) -> None:
        self._guests.end_all_of(node)
        self._edge.lost(node)

    # The end

    async def hand_over(self) -> None:
        """Let other nodes have the rooms of this one: each as soon as nothing of it is on its way to the store.

        Raises:
            StoreError: the store is out of reach.
        """
        self._is_draining = True
        while self._registry.codes:
            for code in self._registry.codes:
                await self._registry.give_up(code)
            await asyncio.sleep(0)


def _nobody(_player: PlayerId, _number: int) -> None:
    """Nobody is connected yet."""


def _seated(table: Table) -> frozenset[PlayerId]:
    """Who has a seat at ``table`` or waits for one; nobody where it has closed."""
    if table.closed:
        return frozenset()
    coming = (place.coming.player for place in table.places if place.coming is not None)
    return frozenset((*(place.player for place in table.places if place.player is not None), *coming))
