"""What other nodes have posted to this one, and whom it concerns here."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, assert_never

from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import ClientMessage
from server.cluster.directory import NodeId
from server.cluster.edge import Edge
from server.cluster.exchange import Exchange
from server.cluster.guests import Guests, Key
from server.cluster.items import (
    Cut,
    End,
    Here,
    Item,
    Listed,
    Listens,
    Listing,
    Missed,
    Moved,
    NoSuchRoom,
    OfNode,
    OfRoom,
    OfVisit,
    Replaced,
    Say,
    Stopping,
    Take,
    Tell,
    Unknown,
    Visits,
)
from server.cluster.ownership import Ownership
from server.cluster.people import People
from server.outgoing import refusal_of
from server.registry import Registry
from server.table.state import Actor

Serve: TypeAlias = Callable[[Key, str, Actor, int, ClientMessage], None]
"""Does at a room of this node what a visit asks."""


class Inbox:
    """The one place that knows whom each kind of item concerns."""

    def __init__(
        self,
        exchange: Exchange,
        edge: Edge,
        ownership: Ownership,
        guests: Guests,
        people: People,
        registry: Registry,
        serve: Serve,
    ) -> None:
        self._exchange = exchange
        self._edge = edge
        self._ownership = ownership
        self._guests = guests
        self._people = people
        self._registry = registry
        self._serve = serve

    def heard(self, node: NodeId, item: Item | Unknown | None) -> None:
        """``node`` has posted ``item``; None: something of it is lost, and what it has said of ours, perhaps."""
        match item:
            case None:
                self._edge.missed(node)
                self._exchange.post(node, Missed())
            case Say() | Unknown() | End() | Visits():
                self._heard_of_visit(node, item)
            case Tell() | Listens() | Cut() | Moved() | NoSuchRoom():
                self._heard_of_room(node, item)
            case _:
                self._heard_of_node(node, item)

    def _heard_of_visit(self, node: NodeId, item: OfVisit | Unknown) -> None:
        """Somebody there visits a room of this node."""
        match item:
            case Say():
                self._serve((node, item.visit), item.room, item.actor, item.since, item.message)
            case Unknown():  # its node has found it valid: the client is not to blame
                refusal = refusal_of(item.re, ProtocolError(ErrorCode.UNSUPPORTED))
                self._exchange.tell(node, item.visit, refusal)
            case End():
                self._guests.end((node, item.visit))
            case Visits():
                self._guests.end_all_but(node, frozenset(item.numbers))
            case _:
                assert_never(item)

    def _heard_of_room(self, node: NodeId, item: OfRoom) -> None:
        """Something has happened at a room there that concerns this node."""
        match item:
            case Tell():
                for number in item.visits:
                    self._edge.tell(number, item.message, node)
            case Listens():
                self._edge.listens(item.visit, item.is_listening, node)
            case Cut():
                self._edge.cut(item.visit)
            case Moved():
                self._edge.moved(item.room, node)
            case NoSuchRoom():
                self._edge.has_none(item.room, node)
            case _:
                assert_never(item)

    def _heard_of_node(self, node: NodeId, item: OfNode) -> None:
        """Something concerns the node there as a whole, or all nodes."""
        match item:
            case Missed():
                self._exchange.post(node, Visits(self._edge.visits_at(node)))
                self._edge.missed(node)
            case Take():
                self._ownership.take_soon(item.room)
            case Listed():
                self._registry.open_tables.put(item.room, item.shown)
            case Listing():
                self._registry.open_tables.put_all(item.rooms, self._registry.has)
            case Replaced():
                self._people.is_elsewhere(item.player, item.since)
            case Here() | Stopping():
                pass  # the exchange has seen to it
            case _:
                assert_never(item)
