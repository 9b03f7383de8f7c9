"""What a connected player asks of the rooms of this process: which of them it is about, and whether it may be asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import ClientMessage
from protocol.messages import client as messages
from server.audience import has_part
from server.listener import Listener
from server.registry import Registry
from server.store.base import StoreError
from server.table.state import PlayerId


class Visitor(Listener, Protocol):
    """A connected player, as a house sees it."""

    def count_guess(self) -> None:
        """There was nothing under the code or id that was asked for."""
        ...

    def come_again(self) -> None:
        """Close the connection: by coming again the player learns where everything stands."""
        ...


class Admission(NamedTuple):
    """A player is let in."""

    since: int
    """Of two connections of one player the newer has the later one."""
    rooms: Sequence[str]
    """The codes of those with a seat of theirs."""


class House(Protocol):
    """Where the rooms are, as a connected player sees it: in this process, or at any node of a cluster."""

    async def arrive(self, player: PlayerId, number: int) -> Admission:
        """``player`` is connected over connection ``number`` of this process.

        Raises:
            StoreError: the store is out of reach.
        """
        ...

    def ended(self, visitor: Visitor, number: int) -> None:
        """The connection of that number is lost."""
        ...

    def handle(self, visitor: Visitor, message: ClientMessage) -> None:
        """Do what ``message`` asks of a room, or of all of them. The answer comes by ``visitor.send``.

        Raises:
            ProtocolError: to be answered; nothing has changed.
        """
        ...

    def knows(self, player: PlayerId, room: str) -> bool:
        """Whether ``player`` has a seat in ``room``, as far as it is known here."""
        ...

    async def last_record(self, visitor: Visitor, room: str) -> bytes | None:
        """The payload of the record of the last match of ``room``.

        Raises:
            ProtocolError: ``visitor`` may not read it, or there is no such room.
            StoreError: it cannot be read.
        """
        ...

    async def record(self, record: str) -> bytes | None:
        """The payload of the record of that id.

        Raises:
            StoreError: it cannot be read.
        """
        ...


class Dispatcher:
    """The house of one process: brings each message to its room, or to the registry that makes one."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    def handle(self, listener: Listener, message: ClientMessage) -> None:
        """Do what ``message`` asks for."""
        match message:
            case messages.Hello() | messages.Ping() | messages.Record():
                raise TypeError(f"{message.type} asks nothing of a room")
            case messages.Rooms():
                self._registry.open_tables.answer(listener, message)
            case messages.Create():
                self._require_level(message.settings.bot, "settings.bot")
                self._registry.create(listener, message)
            case messages.Quick():
                self._registry.quick(listener, message)
            case messages.Show() | messages.Review():
                self._registry.find(message.room).ask(listener, message)
            case messages.Join() | messages.Start() | messages.NewGame():
                self._begin(listener, message)
            case _:
                if isinstance(message, messages.AddBot):
                    self._require_level(message.level, "level")
                self._registry.find(message.room).handle(listener, message)

    def handle_at(self, code: str, listener: Listener, message: ClientMessage) -> None:
        """Do what ``message`` asks for at the room called ``code``, which it may be the first to ask for."""
        match message:
            case messages.Create() | messages.Quick() if not self._registry.has(code):
                if isinstance(message, messages.Create):
                    self._require_level(message.settings.bot, "settings.bot")
                self._registry.open(listener, message, code)
            case messages.Create() | messages.Quick():
                room = self._registry.find(code)
                if not room.answer_again(listener, message.id):
                    self._require_fitting(code, listener, message)
                    self.handle(listener, messages.Join(type="join", id=message.id, room=code))
            case _:
                self.handle(listener, message)

    def _require_fitting(self, code: str, listener: Listener, message: messages.Create | messages.Quick) -> None:
        """Refuse to fill a table that another process has found in a list, and that is another one by now."""
        if isinstance(message, messages.Quick) and not self._registry.index.fits(code, message, listener.actor.player):
            raise ProtocolError(ErrorCode.NO_SUCH_ROOM, "nobody waits for players at that table any more")

    def _begin(self, listener: Listener, message: messages.Join | messages.Start | messages.NewGame) -> None:
        """Sit down or start a match, unless this process is about to stop; what was answered is answered again."""
        room = self._registry.find(message.room)
        if not room.has_answered(listener.actor.player, message.id):
            self._registry.require_running()
            if isinstance(message, messages.Join):
                self._registry.require_place(listener.actor.player, room.code)
        room.handle(listener, message)

    async def arrive(self, player: PlayerId, number: int) -> Admission:
        """Of two connections the one that was opened later is the newer."""
        return Admission(number, self._registry.rooms_of(player))

    def ended(self, visitor: Listener, _number: int) -> None:
        """The connection of ``visitor`` is lost."""
        self._registry.open_tables.forget(visitor)

    def knows(self, player: PlayerId, room: str) -> bool:
        """Whether ``player`` has a seat in ``room``."""
        return room in self._registry.rooms_of(player)

    async def last_record(self, visitor: Listener, room: str) -> bytes | None:
        """The payload of the record of the last match of ``room``, if ``visitor`` may read it."""
        table = self._registry.find(room).audience.told
        if not table.settings.spectators and not has_part(table, visitor.actor.player):
            raise ProtocolError(ErrorCode.NOT_SEATED, "only who is at this table is shown its records")
        payload = await self._registry.archive.last_of(room)
        if payload is None and self._registry.find(room).table.closed:
            raise StoreError("the room has just ended, and that is not known yet")
        return payload

    async def record(self, record: str) -> bytes | None:
        """The payload of the record of that id."""
        return await self._registry.archive.find(record)

    def _require_level(self, level: str | None, path: str) -> None:
        if level is not None and level not in self._registry.levels:
            raise ProtocolError(ErrorCode.UNSUPPORTED, f"this server has no {level} bots", path=path)
