"""How the nodes of a cluster reach each other: an inbox each, and which of them has a room."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Protocol, TypeAlias

from server.cluster.directory import Directory, NodeId
from server.cluster.items import Item, Unknown
from server.outgoing import Outgoing

Heard: TypeAlias = Callable[[NodeId, Item | Unknown | None], None]


class Exchange(Protocol):
    """This node's way to the others. What is posted arrives in order and once, or is lost, which is noticed.

    The coroutines raise `StoreError` if they cannot do their work; nothing else here waits.
    """

    @property
    def me(self) -> NodeId:
        """This node."""
        ...

    @property
    def may_serve(self) -> bool:
        """Whether no other node can have taken our rooms because we seemed dead."""
        ...

    @property
    def lapses(self) -> int:
        """How often `may_serve` was not so until now: since the last time our rooms may be at other nodes."""
        ...

    @property
    def others(self) -> Collection[NodeId]:
        """The other nodes that are alive, as far as it is known here."""
        ...

    @property
    def directory(self) -> Directory:
        """What all nodes look up."""
        ...

    def listen(self, heard: Heard, died: Callable[[NodeId], None]) -> None:
        """``heard`` takes what other nodes post, None where something of theirs is lost; ``died`` who is no more.

        Before ``heard`` takes None it is told, as if this node had posted it: `Replaced` for each player here who has
        a newer connection elsewhere, and `Listing`, all tables that are listed.
        """
        ...

    # The other nodes

    def post(self, node: NodeId, item: Item) -> None:
        """Put ``item`` into the inbox of ``node``. What is said to this node itself is heard at once."""
        ...

    def tell(self, node: NodeId, visit: int, outgoing: Outgoing) -> None:
        """Post a message to a visit of ``node``; together with the same message to other visits there."""
        ...

    # Rooms

    async def owner(self, room: str) -> NodeId | None:
        """The living node that has ``room``; None if nobody has it."""
        ...

    async def owners(self) -> Mapping[str, NodeId | None]:
        """The living node that has each open room; None where nobody has it."""
        ...

    async def behind(self, rooms: Mapping[str, int]) -> Collection[str]:
        """Those of ``rooms``, given with the numbers of their newest steps, whose logs do not hold these any more.

        It is looked at when it may have come to be so since the last time.
        """
        ...

    async def is_over(self, room: str) -> bool:
        """Whether there was a room of that code which has ended, not long ago."""
        ...
