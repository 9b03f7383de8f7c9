"""Every message of the wire, in two unions.

``parse`` is the way in: a decoded map becomes a ``ClientMessage`` or a ``ProtocolError`` that names the faulty field.
What the server sends is built as plain dicts; ``check_sent`` holds such a dict to its model.
"""

from __future__ import annotations

from protocol.messages.client import CLIENT_MESSAGES, ClientMessage, RoomMessage
from protocol.messages.parse import message_id, parse
from protocol.messages.parts import CODE_LENGTH, CODE_SIGNS, DEALS_LISTED, NAME_CHARACTERS, Settings
from protocol.messages.server import SERVER_MESSAGES, ServerMessage, check_sent

__all__ = [
    "CLIENT_MESSAGES",
    "CODE_LENGTH",
    "CODE_SIGNS",
    "DEALS_LISTED",
    "NAME_CHARACTERS",
    "SERVER_MESSAGES",
    "ClientMessage",
    "RoomMessage",
    "ServerMessage",
    "Settings",
    "check_sent",
    "message_id",
    "parse",
]
