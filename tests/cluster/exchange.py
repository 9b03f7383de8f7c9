"""Several houses in one event loop: what their exchanges carry can be held back, lost and doubled by the test."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgpack

from protocol.convert import Wire
from server.cluster.directory import Arrival, NodeId
from server.cluster.exchange import Heard
from server.cluster.items import Here, Item, Listed, Tell, read, write
from server.outgoing import Outgoing
from server.store.base import Claimed, Held, Outcome, Step
from server.store.memory import MemoryStore
from server.table.state import PlayerId
from tests.fakes import FailingStore


@dataclass
class Posted:
    """An item on its way."""

    sender: NodeId
    receiver: NodeId
    number: int
    data: bytes

    @property
    def item(self) -> Wire:
        """As it travels."""
        item: Wire = msgpack.unpackb(self.data)
        return item


@dataclass
class Shared:
    """What all nodes see, and what lies in their inboxes."""

    store: MemoryStore = field(default_factory=MemoryStore)
    owners: dict[str, NodeId] = field(default_factory=dict)
    living: dict[NodeId, MemoryExchange] = field(default_factory=dict)
    waiting: list[Posted] = field(default_factory=list)
    posted: list[Posted] = field(default_factory=list)
    """All that was ever posted."""
    loses: Callable[[Posted], bool] = lambda _: False
    connected: dict[PlayerId, tuple[NodeId, int, int]] = field(default_factory=dict)
    arrivals: int = 0
    seats: dict[PlayerId, set[str]] = field(default_factory=dict)
    made: dict[tuple[PlayerId, str], str] = field(default_factory=dict)
    meetings: dict[tuple[str, int], str] = field(default_factory=dict)
    is_doubling: bool = False
    """Everything arrives twice."""

    def deliver(self) -> bool:
        """Bring what waits to the nodes that are not frozen. False: nothing was there for them."""
        arriving = [posted for posted in self.waiting if not self._is_held(posted.receiver)]
        self.waiting = [posted for posted in self.waiting if self._is_held(posted.receiver)]
        for posted in arriving:
            if posted.receiver in self.living and not self.loses(posted):
                for _ in range(1 + self.is_doubling):
                    self.living[posted.receiver].take(posted)
        return bool(arriving)

    def _is_held(self, node: NodeId) -> bool:
        return node in self.living and self.living[node].is_frozen

    def die(self, node: NodeId) -> None:
        """The lease of ``node`` has ended, and the others have seen it."""
        del self.living[node]
        for other in list(self.living.values()):
            other.forget(node)

    def wake(self, exchange: MemoryExchange) -> None:
        """A node that was taken for dead has its lease again."""
        self.living[exchange.me] = exchange
        exchange.is_frozen = False
        for other in list(self.living.values()):
            if other is not exchange:
                other.post(exchange.me, Here())


class NodeStore(FailingStore):
    """The store that all share, as one node writes to it."""

    def __init__(self, me: NodeId, shared: Shared) -> None:
        super().__init__()
        self._me = me
        self._shared = shared
        self._index = shared.store._index
        self._players = shared.store._players
        self._records = shared.store._records
        self._last_records = shared.store._last_records

    async def append(self, steps: Sequence[Step]) -> Sequence[Outcome]:
        await self.gate.wait()
        for step in steps:
            if step.seq == 1:
                self._shared.owners.setdefault(step.room, self._me)
        mine = [step for step in steps if self._shared.owners.get(step.room) == self._me]
        written = iter(await super().append(mine))
        return [next(written) if step in mine else Outcome.FENCED for step in steps]

    async def claim(self, room: str, now: float) -> Claimed | Held | None:
        owner = self._shared.owners.get(room)
        if owner is not None and owner != self._me and owner in self._shared.living:
            return Held(owner, 1.0)
        claim = await super().claim(room, now)
        if isinstance(claim, Claimed):
            self._shared.owners[room] = self._me
        return claim

    async def release(self, room: str) -> None:
        if self._shared.owners.get(room) == self._me:
            del self._shared.owners[room]


class MemoryDirectory:
    """See `Directory`; ``post`` takes what another node is to hear."""

    def __init__(self, me: NodeId, shared: Shared, post: Callable[[NodeId, Item], None]) -> None:
        self._me = me
        self._shared = shared
        self._post = post

    def note_listed(self, room: str, shown: Wire | None) -> None:
        for node in self._shared.living:
            if node != self._me:
                self._post(node, Listed(room, shown))

    async def meet(self, game: str, seats: int, code: str, instead_of: str = "") -> str:
        if self._shared.meetings.get((game, seats), instead_of) == instead_of:
            self._shared.meetings[game, seats] = code
        return self._shared.meetings[game, seats]

    async def arrive(self, player: PlayerId, number: int) -> Arrival:
        before, _, _ = self._shared.connected.get(player, (self._me, 0, 0))
        self._shared.arrivals += 1
        self._shared.connected[player] = self._me, number, self._shared.arrivals
        return Arrival(self._shared.arrivals, None if before == self._me else before)

    def depart(self, player: PlayerId, number: int) -> None:
        if self._shared.connected.get(player, ())[:2] == (self._me, number):
            del self._shared.connected[player]

    async def rooms_of(self, player: PlayerId) -> Sequence[str]:
        return sorted(self._shared.seats.get(player, ()))

    def note_seats(self, room: str, left: Collection[PlayerId] = (), seated: Collection[PlayerId] = ()) -> None:
        for player in seated:
            self._shared.seats.setdefault(player, set()).add(room)
        for player in left:
            self._shared.seats.get(player, set()).discard(room)

    async def room_for(self, player: PlayerId, message_id: str) -> str | None:
        return self._shared.made.get((player, message_id))

    async def keep_room_for(self, player: PlayerId, message_id: str, code: str, instead_of: str | None = None) -> str:
        kept = self._shared.made.get((player, message_id))
        if kept is None or kept == instead_of:
            self._shared.made[player, message_id] = kept = code
        return kept


class MemoryExchange:
    """One node's exchange; see `Exchange`."""

    def __init__(self, me: str, shared: Shared) -> None:
        self.me = NodeId(me)
        self.may_serve = True
        self.lapses = 0
        self.losses = 0
        self.directory = MemoryDirectory(self.me, shared, self.post)
        self.is_frozen = False
        self._shared = shared
        self._sent: dict[NodeId, int] = {}
        self._heard_last: dict[NodeId, int] = {}
        self._heard: Heard = lambda _node, _item: None
        self._died: Callable[[NodeId], None] = lambda _node: None
        shared.living[self.me] = self

    @property
    def others(self) -> list[NodeId]:
        return [node for node in self._shared.living if node != self.me]

    def listen(self, heard: Heard, died: Callable[[NodeId], None]) -> None:
        self._heard, self._died = heard, died

    def take(self, posted: Posted) -> None:
        newest = self._heard_last.get(posted.sender, 0)
        if posted.number <= newest:
            return
        self._heard_last[posted.sender] = posted.number
        if posted.number > newest + 1:
            self._heard(posted.sender, None)
        item = read(posted.item)
        if item is not None:
            self._heard(posted.sender, item)

    def forget(self, node: NodeId) -> None:
        """``node`` is no more; should it only have seemed so, it will notice."""
        self._sent[node] = self._sent.get(node, 0) + 1
        self._heard_last.pop(node, None)
        self._died(node)

    def post(self, node: NodeId, item: Item) -> None:
        if node == self.me:
            self._heard(node, item)
        else:
            self.post_wire(node, write(item))

    def post_wire(self, node: NodeId, item: Wire) -> None:
        if node in self._shared.living:
            self._sent[node] = self._sent.get(node, 0) + 1
            posted = Posted(self.me, node, self._sent[node], msgpack.packb(item))
            self._shared.waiting.append(posted)
            self._shared.posted.append(posted)

    def tell(self, node: NodeId, visit: int, outgoing: Outgoing) -> None:
        self.post(node, Tell([visit], outgoing))

    async def owner(self, room: str) -> NodeId | None:
        owner = self._shared.owners.get(room)
        return owner if owner in self._shared.living else None

    async def owners(self) -> Mapping[str, NodeId | None]:
        return {room: await self.owner(room) for room in self._shared.store._index.open_rooms()}

    async def behind(self, rooms: Mapping[str, int]) -> list[str]:
        logs = {room: self._shared.store._index.find(room) for room in rooms}
        return [room for room, log in logs.items() if log is not None and log.head < rooms[room]]

    async def is_over(self, room: str) -> bool:
        return room in self._shared.owners and room not in self._shared.store._index.open_rooms()


def kinds_to(shared: Shared, node: Any) -> list[str]:
    """What was ever posted to ``node``."""
    return [posted.item["kind"] for posted in shared.posted if posted.receiver == node]
