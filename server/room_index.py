"""The open rooms of a process: by code, by who has a place there, and those that quick match may offer."""

from __future__ import annotations

from collections.abc import Collection

from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import client as messages
from server.places import Places
from server.room import Room
from server.table.play import has_room
from server.table.state import Phase, PlayerId, Table


class RoomIndex:
    """Knows of each room what is decided there, though it be not durable yet."""

    def __init__(self) -> None:
        self.rooms: dict[str, Room] = {}
        self.seats = Places()
        self.coming = Places()
        """Where a player will have a seat when the deal is over."""
        self.quick: dict[str, None] = {}

    def __len__(self) -> int:
        return len(self.rooms)

    def find(self, code: str) -> Room:
        """The open room called ``code``.

        Raises:
            ProtocolError: ``no_such_room``.
        """
        room = self.rooms.get(code)
        if room is None:
            raise ProtocolError(ErrorCode.NO_SUCH_ROOM, f"there is no room {code}", path="room")
        return room

    def rooms_of(self, player: PlayerId) -> list[str]:
        """Codes of the rooms in which ``player`` has a seat, or had one until a step that is not durable yet."""
        return sorted(self.seats.rooms_of(player))

    def places_of(self, player: PlayerId) -> set[str]:
        """The same and those in which ``player`` waits for a seat."""
        return {*self.seats.rooms_of(player), *self.coming.rooms_of(player)}

    @property
    def players(self) -> Collection[PlayerId]:
        """Who has a seat in an open room, or waits for one."""
        return self.seats.by_player.keys() | self.coming.by_player.keys()

    def fitting(self, message: messages.Quick, player: PlayerId) -> Room | None:
        """A lobby of that game and size with somebody in it, the sender's own before any other."""
        mine = [code for code in self.rooms_of(player) if self._sits(player, code)]
        fitting = (code for code in (*mine, *self.quick) if self.fits(code, message, player))
        return next((self.rooms[code] for code in fitting), None)

    def fits(self, code: str, message: messages.Quick, player: PlayerId) -> bool:
        """Whether ``code`` is a lobby of that game and size with a free seat, and with somebody or ``player`` in it."""
        if code not in self.quick:
            return False
        table = self.rooms[code].table
        is_wanted = (table.settings.game, table.settings.seats) == (message.game, message.seats)
        return is_wanted and (self._sits(player, code) or not table.is_deserted)

    def _sits(self, player: PlayerId, code: str) -> bool:
        """Whether ``player`` has a seat by the newest table, durable or not: that is what is decided on."""
        return code in self.rooms and self.rooms[code].table.place_of(player) is not None

    # Changes

    def changed(self, room: Room, before: Table | None) -> None:
        """A step was decided in ``room``, whose table was ``before``; None: that opens it."""
        if before is None:
            self.rooms[room.code] = room
        elif self.rooms.get(room.code) is not room:
            return  # it was dropped, and is not here again because of what is still said to it
        if before is None or _differs(before, room.table):
            self._take(room.table)

    def told(self, before: Table, after: Table) -> None:
        """The step from ``before`` to ``after`` is durable."""
        if _differs(before, after):
            self.seats.leave(before.room, before.holders)
            self.coming.leave(before.room, before.awaited)

    def put(self, room: Room) -> None:
        """``room`` was read from its log: what was decided there before counts no more."""
        self.rooms[room.code] = room
        self.forget_places(room.code)
        self._take(room.table)

    def drop(self, code: str) -> None:
        """The room is not here any more."""
        del self.rooms[code]
        self.forget_places(code)
        self.quick.pop(code, None)

    def _take(self, table: Table) -> None:
        """``table`` was decided."""
        code = table.room
        self.seats.take(code, table.holders)
        self.coming.take(code, table.awaited)
        if table.settings.public and table.phase is Phase.LOBBY and has_room(table) and not table.closed:
            self.quick[code] = None
        else:
            self.quick.pop(code, None)

    def forget_places(self, code: str) -> None:
        """Nobody has a place in that room."""
        self.seats.forget(code)
        self.coming.forget(code)


def _differs(before: Table, after: Table) -> bool:
    """Whether what is known here of a table has changed."""
    return after.closed or before.places is not after.places or before.phase is not after.phase
