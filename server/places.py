"""In which rooms each player has a place: by what is durable, and by what is decided and may yet count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet

from server.table.state import PlayerId


class Places:
    """Places of one kind, over all rooms.

    A room in memory runs ahead of its log, and goes back to it when the store fails. So a place is had from the moment
    on in which it is decided, and until the step that gives it up is durable: each table between the newest durable one
    and the newest one counts, and the same player in each of them anew.
    """

    def __init__(self) -> None:
        self._held: dict[str, Counter[PlayerId]] = {}
        """By room: in how many tables each player has a place."""
        self._rooms: dict[PlayerId, set[str]] = {}

    @property
    def by_player(self) -> Mapping[PlayerId, AbstractSet[str]]:
        """The codes of the rooms of each player who has a place anywhere."""
        return self._rooms

    def rooms_of(self, player: PlayerId) -> AbstractSet[str]:
        """The codes of the rooms in which ``player`` has a place."""
        return self._rooms.get(player, set())

    def take(self, room: str, players: Iterable[PlayerId]) -> None:
        """``players`` have their places by a table of ``room`` that has just been decided."""
        held = self._held.setdefault(room, Counter())
        for player in players:
            held[player] += 1
            self._rooms.setdefault(player, set()).add(room)

    def leave(self, room: str, players: Iterable[PlayerId]) -> None:
        """The table by which ``players`` had their places is past: the one after it is durable."""
        held = self._held[room]
        for player in players:
            held[player] -= 1
            if not held[player]:
                del held[player]
                self._drop(room, player)

    def forget(self, room: str) -> None:
        """No table of ``room`` that was decided so far counts."""
        for player in self._held.pop(room, ()):
            self._drop(room, player)

    def _drop(self, room: str, player: PlayerId) -> None:
        rooms = self._rooms[player]
        rooms.discard(room)
        if not rooms:
            del self._rooms[player]
