"""What a connected player asks of the rooms of this process: which of them it is about, and whether it may be asked."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from typing import Protocol

from protocol.codecs import Codec
from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import ClientMessage, Settings
from protocol.messages import client as messages
from server.audience import has_part
from server.house_players import BUILT_LEVELS
from server.listener import Listener
from server.registry import Registry
from server.table.state import PlayerId


class House(Protocol):
    """Where the rooms are, as a connected player sees it: in this process, or at any node of a cluster."""

    def handle(self, listener: Listener, message: ClientMessage) -> None:
        """Do what ``message`` asks of a room, or of all of them. The answer comes by ``listener.send``.

        Raises:
            ProtocolError: to be answered; nothing has changed.
        """
        ...

    def ended(self, listener: Listener) -> None:
        """The connection of ``listener`` is lost."""
        ...

    def rooms_of(self, player: PlayerId) -> Sequence[str]:
        """The codes of the rooms in which ``player`` has a seat, as far as they are known here."""
        ...

    def last_record(self, listener: Listener, room: str) -> Awaitable[bytes | None]:
        """The payload of the record of the last match of ``room``, if ``listener`` may read it.

        Raises:
            ProtocolError: it may not, or there is no such room.
        """
        ...

    def record(self, record: str) -> Awaitable[bytes | None]:
        """The payload of the record of that id."""
        ...

    def encode_record(self, payload: bytes, codec: Codec, message_id: str | None) -> Awaitable[bytes]:
        """The message that shows a record."""
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
                _require_built(message.settings)
                self._registry.create(listener, message)
            case messages.Quick():
                self._registry.quick(listener, message)
            case messages.Show():
                self._registry.find(message.room).show(listener, message)
            case messages.Join() | messages.Start() | messages.NewGame():
                self._begin(listener, message)
            case _:
                if isinstance(message, messages.AddBot):
                    _require_level(message.level, "level")
                self._registry.find(message.room).handle(listener, message)

    def _begin(self, listener: Listener, message: messages.Join | messages.Start | messages.NewGame) -> None:
        """Sit down or start a match, unless this process is about to stop; what was answered is answered again."""
        room = self._registry.find(message.room)
        if not room.has_answered(listener.actor.player, message.id):
            self._registry.require_running()
            if isinstance(message, messages.Join):
                self._registry.require_place(listener.actor.player, room.code)
        room.handle(listener, message)

    def ended(self, listener: Listener) -> None:
        """The connection of ``listener`` is lost."""
        self._registry.open_tables.forget(listener)

    def rooms_of(self, player: PlayerId) -> Sequence[str]:
        """The codes of the rooms in which ``player`` has a seat."""
        return self._registry.rooms_of(player)

    def last_record(self, listener: Listener, room: str) -> Awaitable[bytes | None]:
        """The payload of the record of the last match of ``room``, if ``listener`` may read it."""
        table = self._registry.find(room).audience.told
        if not table.settings.spectators and not has_part(table, listener.actor.player):
            raise ProtocolError(ErrorCode.NOT_SEATED, "only who is at this table is shown its records")
        return self._registry.archive.last_of(room)

    def record(self, record: str) -> Awaitable[bytes | None]:
        """The payload of the record of that id."""
        return self._registry.archive.find(record)

    def encode_record(self, payload: bytes, codec: Codec, message_id: str | None) -> Awaitable[bytes]:
        """The message that shows a record."""
        return self._registry.archive.encode(payload, codec, message_id)


def _require_level(level: str | None, path: str) -> None:
    if level is not None and level not in BUILT_LEVELS:
        raise ProtocolError(ErrorCode.UNSUPPORTED, f"this server has no {level} bots yet", path=path)


def _require_built(settings: Settings) -> None:
    """Refuse settings that this server does not have yet."""
    _require_level(settings.bot, "settings.bot")
