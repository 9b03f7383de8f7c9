"""What visits from any node ask of the rooms of this one."""

from __future__ import annotations

import asyncio

from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import ClientMessage
from protocol.messages import client as messages
from server.clock import Clock
from server.cluster.directory import NodeId
from server.cluster.edge import NotNow
from server.cluster.exchange import Exchange
from server.cluster.guests import Guest, Guests, Key
from server.cluster.items import Moved, NoSuchRoom
from server.cluster.ownership import Ownership
from server.dispatch import Dispatcher
from server.outgoing import Outgoing, answer_to, refusal_of
from server.registry import Registry
from server.store.base import StoreError
from server.table.state import Actor, PlayerId
from server.waiting import Waiting

FIND_PAUSE = 0.2
"""Seconds until others are to look again for a room that this node has not and cannot find."""


class Serving:
    """Brings it to the guests, if the room is here and this node can be sure of it."""

    def __init__(
        self,
        registry: Registry,
        exchange: Exchange,
        ownership: Ownership,
        dispatcher: Dispatcher,
        guests: Guests,
        waiting: Waiting,
        clock: Clock,
    ) -> None:
        self._registry = registry
        self._exchange = exchange
        self._ownership = ownership
        self._dispatcher = dispatcher
        self._guests = guests
        self._waiting = waiting
        self._clock = clock
        self._searches: dict[tuple[NodeId, str], asyncio.Task[None]] = {}

    def serve(self, key: Key, room: str, actor: Actor, since: int, message: ClientMessage) -> None:
        """Do at ``room`` what a visit asks. The answer comes to the visit."""
        node, number = key
        opens = isinstance(message, messages.Create | messages.Quick) and node == self._exchange.me
        if not self._registry.has(room) and not opens:
            self._search_again(node, room)
        elif not (self._ownership.is_sure or self._may_have_counted(room, actor.player, message.id)):
            self._exchange.tell(node, number, refusal_of(message.id, ProtocolError(ErrorCode.UNAVAILABLE)))
        elif isinstance(message, messages.Record):
            guest = self._guests.guest(key, room, actor, since)
            self._waiting.go_on(guest, guest.send, message.id, self._say_when_readable(guest, message))
        else:
            if isinstance(message, messages.Sync | messages.Watch | messages.Leave):
                self._note_who_left(room, actor.player)
            self._guests.say(key, room, actor, since, message)

    def _may_have_counted(self, room: str, player: PlayerId, message_id: str | None) -> bool:
        """Whether it was accepted before: then the log knows what came of it, and nobody may say that nothing did."""
        return self._registry.has(room) and self._registry.find(room).has_answered(player, message_id)

    def _search_again(self, node: NodeId, room: str) -> None:
        """A visit from ``node`` is to a room that is not here, though Redis says perhaps that it is."""
        if node == self._exchange.me:
            self._exchange.post(node, Moved(room))
        elif (node, room) not in self._searches:
            task = asyncio.get_running_loop().create_task(self._find_for(node, room), name=f"find {room} for {node}")
            self._searches[node, room] = task
            task.add_done_callback(lambda _: self._searches.pop((node, room)))

    async def _find_for(self, node: NodeId, room: str) -> None:
        try:
            owner = await self._ownership.find(room)
        except (NotNow, ProtocolError, StoreError):
            await self._clock.sleep(FIND_PAUSE)  # they will find no more than this node at once
        else:
            if owner is None:
                self._exchange.post(node, NoSuchRoom(room))
                return
        self._exchange.post(node, Moved(room))

    def _note_who_left(self, room: str, player: PlayerId) -> None:
        """Who has no seat has left, perhaps, when the room was at a node that was killed before it said so."""
        if player not in self._registry.find(room).audience.told.seated:
            self._exchange.directory.note_seats(room, left={player})

    async def _say_when_readable(self, guest: Guest, message: messages.Record) -> Outgoing:
        payload = await self._dispatcher.last_record(guest, guest.room)
        return answer_to(message.id, {"type": "readable", "found": payload is not None})
