"""What this node has to tell the others, until it lies in their inboxes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import msgpack

from server.cluster.directory import NodeId
from server.cluster.items import Item, Tell, write
from server.outgoing import Outgoing

MAX_WAITING = 10_000
"""Items that may wait for one node; what is more is lost, and the node will know."""
MAX_NODES = 1_000
"""Nodes whose numbers are known: each start of a process is one. Who was written to longest ago is forgotten first."""


@dataclass(slots=True)
class Batch:
    """Items that go together, under the number by which their receiver notices what is lost or comes twice."""

    node: NodeId
    number: int
    items: list[Item] = field(default_factory=list)
    told: dict[int, Tell] = field(default_factory=dict)
    """The messages in it, so that what many are told is in it once."""

    def packed(self) -> bytes:
        """The items, as they lie in an inbox."""
        data: bytes = msgpack.packb([write(item) for item in self.items], use_bin_type=True)
        return data


class Outbox:
    """Batches by node; each is one turn of the event loop's."""

    def __init__(self) -> None:
        self._open: dict[NodeId, Batch] = {}
        self._numbers: dict[NodeId, int] = {}

    def __bool__(self) -> bool:
        return bool(self._open)

    def post(self, node: NodeId, item: Item) -> None:
        """Add ``item`` to what goes to ``node`` next."""
        batch = self._batch(node)
        if len(batch.items) >= MAX_WAITING:
            self._lose(node)
            batch = self._batch(node)
        batch.items.append(item)

    def tell(self, node: NodeId, visit: int, outgoing: Outgoing) -> None:
        """Add a message to a visit there; to one that goes to others there already, only the visit."""
        batch = self._batch(node)
        known = batch.told.get(id(outgoing))
        if known is not None:
            known.visits.append(visit)
            return
        item = Tell([visit], outgoing)
        self.post(node, item)
        self._batch(node).told[id(outgoing)] = item

    def take(self) -> Iterator[Batch]:
        """Everything that waits; it is not here any more."""
        batches, self._open = self._open, {}
        return iter(batches.values())

    def forget(self, node: NodeId) -> None:
        """``node`` is no more. Should it only have seemed so, it will notice that it has not been told something."""
        self._batch(node)
        self._lose(node)

    def _batch(self, node: NodeId) -> Batch:
        if node not in self._open:
            self._numbers[node] = self._numbers.pop(node, 0) + 1
            if len(self._numbers) > MAX_NODES:
                del self._numbers[next(iter(self._numbers))]
            self._open[node] = Batch(node, self._numbers[node])
        return self._open[node]

    def _lose(self, node: NodeId) -> None:
        """The number of the batch is left out: so the node learns that there was one."""
        del self._open[node]
