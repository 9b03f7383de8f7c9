"""Players as the rooms of this node see them, whichever node holds their connections."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol, TypeAlias

import structlog

from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import ClientMessage
from server.cluster.directory import NodeId
from server.dispatch import Dispatcher
from server.listener import Subscription
from server.outgoing import Outgoing, refusal_for, refusal_of
from server.table.state import Actor, PlayerId

Key: TypeAlias = tuple[NodeId, int]
"""A visit: the node that holds the connection, and its number there."""

logger = structlog.get_logger(__name__)


class Edges(Protocol):
    """The nodes that hold the connections. Nothing here waits."""

    def tell(self, key: Key, outgoing: Outgoing) -> None:
        """Bring a message to a visit."""
        ...

    def listens(self, key: Key, is_listening: bool) -> None:
        """The room tells a visit its steps from now on, or no more."""
        ...

    def cut(self, key: Key) -> None:
        """Close the connection of a visit, for a fault of ours."""
        ...

    def sent_on(self, node: NodeId, room: str) -> None:
        """This node has ``room`` no longer: whoever visits it from ``node`` has to look for it."""
        ...


class Guest:
    """One visit, as its room sees it: a listener."""

    def __init__(self, key: Key, room: str, actor: Actor, since: int, edges: Edges) -> None:
        self.actor = actor
        self.room = room
        self.since = since
        """See `Arrival`."""
        self.is_open = True
        self._key = key
        self._edges = edges
        self._subscription: Subscription | None = None

    def send(self, outgoing: Outgoing) -> None:
        """Send a message to the visitor's node; never waits."""
        if self.is_open:
            self._edges.tell(self._key, outgoing)

    def cut(self) -> None:
        """Close the visitor's connection, for a fault of ours."""
        self._edges.cut(self._key)

    def entered(self, room: Subscription) -> None:
        """``room`` tells this guest its steps."""
        self._subscription = room
        self._edges.listens(self._key, True)

    def left(self, _room: Subscription) -> None:
        """The room tells this guest nothing more."""
        self._subscription = None
        if self.is_open:
            self._edges.listens(self._key, False)

    def end(self) -> None:
        """The connection is lost, or its node is."""
        self.is_open = False
        if self._subscription is not None:
            self._subscription.lost(self)

    def send_on(self) -> None:
        """The room is at another node: there the visitor's own node goes on, and here nothing more is said."""
        self.is_open = False


class Guests:
    """All guests of this node's rooms."""

    def __init__(self, dispatcher: Dispatcher, edges: Edges) -> None:
        self._dispatcher = dispatcher
        self._edges = edges
        self._guests: dict[NodeId, dict[int, Guest]] = {}
        self._newest: dict[tuple[str, PlayerId], Guest] = {}
        """By room and player."""

    def say(self, key: Key, room: str, actor: Actor, since: int, message: ClientMessage) -> None:
        """Do what a visitor asks of ``room``, which this node has or is to open. The answer comes to the visit.

        ``since``: when the visitor's connection arrived, see `Arrival`. What was said over an older one than another
        visit has may come late: that connection is closed, and whoever has the newer one knows nothing of it.
        """
        guest = self.guest(key, room, actor, since)
        if guest.since < self._newest.get((room, actor.player), guest).since:
            guest.send(refusal_of(message.id, ProtocolError(ErrorCode.UNAVAILABLE)))
            return
        try:
            self._dispatcher.handle_at(room, guest, message)
        except Exception as error:
            refusal = refusal_for(error)
            if refusal.code is ErrorCode.INTERNAL:
                logger.exception("guest.bug")
            guest.send(refusal_of(message.id, refusal))

    def guest(self, key: Key, room: str, actor: Actor, since: int) -> Guest:
        """Who visits ``room`` under this key."""
        node, number = key
        guests = self._guests.setdefault(node, {})
        if number not in guests:
            guest = guests[number] = Guest(key, room, actor, since, self._edges)
            if since >= self._newest.setdefault((room, actor.player), guest).since:
                self._newest[room, actor.player] = guest
        return guests[number]

    def end(self, key: Key) -> None:
        """The visit is over."""
        node, number = key
        guest = self._guests.get(node, {}).pop(number, None)
        if guest is not None:
            self._forget(guest)
            guest.end()

    def end_all_of(self, node: NodeId) -> None:
        """``node`` is no more, nor is any connection that it held."""
        for guest in self._guests.pop(node, {}).values():
            self._forget(guest)
            guest.end()

    def end_all_but(self, node: NodeId, visits: Collection[int]) -> None:
        """Of the visits from ``node`` there are these only: that others are over was lost on its way here."""
        for number in [number for number in self._guests.get(node, {}) if number not in visits]:
            self.end((node, number))

    def send_on(self, room: str) -> None:
        """This node has ``room`` no longer: every visit to it goes on at the node that has."""
        for node, guests in self._guests.items():
            moved = [number for number, guest in guests.items() if guest.room == room]
            for number in moved:
                guest = guests.pop(number)
                self._forget(guest)
                guest.send_on()
            if moved:
                self._edges.sent_on(node, room)

    def _forget(self, guest: Guest) -> None:
        """``guest`` is none any more."""
        visitor = (guest.room, guest.actor.player)
        if self._newest.get(visitor) is guest:
            del self._newest[visitor]
