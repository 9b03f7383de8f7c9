"""What all nodes of a cluster look up: where players are connected and sit, which tables there are to join."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple, NewType, Protocol

from protocol.convert import Wire
from server.table.state import PlayerId

NodeId = NewType("NodeId", str)
"""One life of one process: a node that is started again is another one."""


class Arrival(NamedTuple):
    """A player is connected here."""

    since: int
    """Of two connections of one player the newer has the later one: microseconds, by one clock for all nodes."""
    elsewhere: NodeId | None
    """Where before, if at another node."""


class Directory(Protocol):
    """The coroutines raise `StoreError` if they cannot do their work; nothing else here waits."""

    # Connections

    async def arrive(self, player: PlayerId, number: int) -> Arrival:
        """``player`` is connected here over connection ``number``."""
        ...

    def depart(self, player: PlayerId, number: int) -> None:
        """That connection is gone."""
        ...

    # Seats

    async def rooms_of(self, player: PlayerId) -> Sequence[str]:
        """The codes of the rooms in which ``player`` has a seat or waits for one."""
        ...

    def note_seats(self, room: str, left: Collection[PlayerId] = (), seated: Collection[PlayerId] = ()) -> None:
        """These have no seat in ``room`` any more; those have one, or wait for one."""
        ...

    # Tables

    async def room_for(self, player: PlayerId, message_id: str) -> str | None:
        """The code of the room that this message of ``player`` is to open or join, if it was said before."""
        ...

    async def keep_room_for(self, player: PlayerId, message_id: str, code: str, instead_of: str | None = None) -> str:
        """Let that be ``code``, unless another one was kept meanwhile, but ``instead_of``; the one that is kept."""
        ...

    def note_listed(self, room: str, shown: Wire | None) -> None:
        """A public table is listed in this way, or no more. The other nodes hear of it as `Listed`."""
        ...

    async def meet(self, game: str, seats: int, code: str, instead_of: str = "") -> str:
        """The code of the lobby in which all meet who look for one now, at whatever nodes, where none is listed.

        That is ``code``, unless there is one already, but ``instead_of``. Nobody may have opened it yet.
        """
        ...
