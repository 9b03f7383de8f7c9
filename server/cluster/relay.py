"""What the parts of a node say, on its way to the node that it concerns: to this one itself it comes at once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from protocol.convert import Wire
from protocol.messages import ClientMessage
from server.cluster.directory import Directory, NodeId
from server.cluster.exchange import Exchange
from server.cluster.guests import Guests, Key
from server.cluster.items import Cut, End, Listens, Moved, Say
from server.cluster.people import People
from server.cluster.visit import Visit
from server.outgoing import Outgoing
from server.table.state import Table


class ToOwners:
    """From this node's visits to the rooms that they are to; see `Owners`."""

    def __init__(self, exchange: Exchange, people: People, find: Callable[[str], Awaitable[NodeId | None]]) -> None:
        self._exchange = exchange
        self._people = people
        self._find = find

    @property
    def can_be_asked(self) -> bool:
        """Whether anything that is said now is likely to arrive."""
        return self._exchange.may_serve

    async def find(self, room: str) -> NodeId | None:
        """The node that has ``room``: this one from now on, if nobody had it. None: there is no such room."""
        return await self._find(room)

    def say(self, owner: NodeId, visit: Visit, message: ClientMessage) -> None:
        """Bring ``message`` to ``owner``; never waits."""
        actor = visit.visitor.actor
        who = (actor.player, actor.name, actor.headless)
        said = Say(visit.number, visit.room, *who, message, self._people.since(actor.player))
        self._exchange.post(owner, said)

    def end(self, owner: NodeId, visit: Visit) -> None:
        """Tell ``owner`` that the visit is over; never waits."""
        self._exchange.post(owner, End(visit.number))

    def has_no_room(self, visit: Visit) -> None:
        """There is no such room as this visit is to."""
        self._people.has_no_seat(visit.visitor.actor.player, visit.room)


class ToEdges:
    """From this node's rooms to those who visit them; see `Edges`."""

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange

    def tell(self, key: Key, outgoing: Outgoing) -> None:
        """Bring a message to a visit."""
        node, number = key
        self._exchange.tell(node, number, outgoing)

    def listens(self, key: Key, is_listening: bool) -> None:
        """The room tells a visit its steps from now on, or no more."""
        node, number = key
        self._exchange.post(node, Listens(number, is_listening))

    def cut(self, key: Key) -> None:
        """Close the connection of a visit, for a fault of ours."""
        node, number = key
        self._exchange.post(node, Cut(number))

    def sent_on(self, node: NodeId, room: str) -> None:
        """This node has ``room`` no longer: whoever visits it from ``node`` has to look for it."""
        self._exchange.post(node, Moved(room))


class ToNeighbours:
    """From this node's registry to whoever looks up what has become of its rooms; see `Neighbours`."""

    def __init__(self, directory: Directory, guests: Guests) -> None:
        self._directory = directory
        self._guests = guests

    def told(self, before: Table | None, after: Table) -> None:
        """A room is durable as it is in ``after``; before, as in ``before``. None: it has just been taken."""
        were = frozenset() if before is None else before.seated
        if were != after.seated:
            self._directory.note_seats(after.room, left=were - after.seated, seated=after.seated - were)

    def read_again(self, before: Table, after: Table) -> None:
        """Somebody may have left in a step that counts after all, and what was said of seats may be lost."""
        self._directory.note_seats(after.room, left=before.seated - after.seated, seated=after.seated)

    def moved(self, code: str) -> None:
        """Another node has the room, or is to have it."""
        self._guests.send_on(code)

    def listed(self, code: str, shown: Wire | None) -> None:
        """A public table is listed in this way, or no more."""
        self._directory.note_listed(code, shown)
