"""What other nodes have posted to this one, and whom it concerns here."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import structlog

from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import ClientMessage, parse
from server.cluster.edge import Edge
from server.cluster.exchange import Exchange, Item, NodeId
from server.cluster.guests import Guests, Key
from server.cluster.ownership import Ownership
from server.cluster.people import People
from server.outgoing import Outgoing, refusal_of
from server.registry import Registry
from server.table.state import Actor, PlayerId

Serve: TypeAlias = Callable[[Key, str, Actor, int, ClientMessage], None]
"""Does at a room of this node what a visit asks."""

logger = structlog.get_logger(__name__)


class Inbox:
    """The one place that knows what kinds of items there are."""

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

    def heard(self, node: NodeId, item: Item | None) -> None:
        """``node`` has posted ``item``; None: something of it is lost, and what it has said of ours, perhaps.

        Of what a newer version says, what is not known here is passed over; but every message is answered.
        """
        if item is None:
            self._edge.missed(node)
            self._exchange.post(node, {"kind": "missed"})
        elif item.get("kind") in ("say", "end", "visits"):
            self._heard_of_visit(node, item)
        elif item.get("kind") in ("tell", "listens", "cut", "moved", "none"):
            self._heard_of_room(node, item)
        else:
            self._heard_of_node(node, item)

    def _heard_of_visit(self, node: NodeId, item: Item) -> None:
        """Somebody there visits a room of this node."""
        match item["kind"]:
            case "say":
                self._heard_message(node, item)
            case "end":
                self._guests.end((node, item["visit"]))
            case "visits":
                self._guests.end_all_but(node, frozenset(item["numbers"]))

    def _heard_message(self, node: NodeId, item: Item) -> None:
        try:
            message = parse(item["message"], 0)
        except ProtocolError as unknown:  # its node has found it valid: the client is not to blame
            refusal = refusal_of(unknown.re, ProtocolError(ErrorCode.UNSUPPORTED))
            self._exchange.tell(node, item["visit"], refusal)
        else:
            actor = Actor(PlayerId(item["player"]), item["name"], item["headless"])
            self._serve((node, item["visit"]), item["room"], actor, item.get("since", 0), message)

    def _heard_of_room(self, node: NodeId, item: Item) -> None:
        """Something has happened at a room there that concerns this node."""
        match item["kind"]:
            case "tell":
                outgoing = Outgoing(item["message"])
                for number in item["visits"]:
                    self._edge.tell(number, outgoing, node)
            case "listens":
                self._edge.listens(item["visit"], item["is_listening"], node)
            case "cut":
                self._edge.cut(item["visit"])
            case "moved":
                self._edge.moved(item["room"], node)
            case "none":
                self._edge.has_none(item["room"], node)

    def _heard_of_node(self, node: NodeId, item: Item) -> None:
        """Something concerns the node there as a whole, or all nodes."""
        match item.get("kind"):
            case "missed":
                self._exchange.post(node, {"kind": "visits", "numbers": self._edge.visits_at(node)})
                self._edge.missed(node)
            case "here":
                pass  # by its number it has shown what was lost
            case "take":
                self._ownership.take_soon(item["room"])
            case "listed":
                self._registry.open_tables.put(item["room"], item["shown"])
            case "listing":
                self._registry.open_tables.put_all(item["rooms"], self._registry.has)
            case "replaced":
                self._people.is_elsewhere(PlayerId(item["player"]), item["number"])
            case kind:
                logger.warning("house.unknown", kind=kind, node=node)
