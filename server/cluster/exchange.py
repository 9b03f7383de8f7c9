"""How the nodes of a cluster reach each other: an inbox each, and what all of them can look up."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple, NewType, Protocol, TypeAlias

from protocol.convert import Wire
from server.cluster.items import Item, Unknown
from server.outgoing import Outgoing
from server.table.state import PlayerId

NodeId = NewType("NodeId", str)
"""One life of one process: a node that is started again is another one."""

Heard: TypeAlias = Callable[[NodeId, Item | Unknown | None], None]


class Arrival(NamedTuple):
    """A player is connected here."""

    since: int
    """Of two connections of one player the newer has the later one: microseconds, by one clock for all nodes."""
    elsewhere: NodeId | None
    """Where before, if at another node."""


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

    def note_listed(self, room: str, shown: Wire | None) -> None:
        """A public table is listed in this way, or no more. The other nodes hear of it as `Listed`."""
        ...

    async def meet(self, game: str, seats: int, code: str, instead_of: str = "") -> str:
        """The code of the lobby in which all meet who look for one now, at whatever nodes, where none is listed.

        That is ``code``, unless there is one already, but ``instead_of``. Nobody may have opened it yet.
        """
        ...

    # Players

    async def arrive(self, player: PlayerId, number: int) -> Arrival:
        """``player`` is connected here over connection ``number``."""
        ...

    def depart(self, player: PlayerId, number: int) -> None:
        """That connection is gone."""
        ...

    async def rooms_of(self, player: PlayerId) -> Sequence[str]:
        """The codes of the rooms in which ``player`` has a seat or waits for one."""
        ...

    def note_seats(self, room: str, left: Collection[PlayerId] = (), seated: Collection[PlayerId] = ()) -> None:
        """These have no seat in ``room`` any more; those have one, or wait for one."""
        ...

    async def room_for(self, player: PlayerId, message_id: str) -> str | None:
        """The code of the room that this message of ``player`` is to open or join, if it was said before."""
        ...

    async def keep_room_for(self, player: PlayerId, message_id: str, code: str, instead_of: str | None = None) -> str:
        """Let that be ``code``, unless another one was kept meanwhile, but ``instead_of``; the one that is kept."""
        ...
