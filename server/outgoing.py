"""A message on its way to one or many receivers, encoded at most once a codec."""

from __future__ import annotations

from typing import Any

from websockets.frames import Frame, Opcode

from protocol.codecs import Codec
from protocol.errors import ErrorCode, ProtocolError
from server.store.base import StoreError


class Outgoing:
    """A server message and its WebSocket frames. Share one between all who are told the same."""

    __slots__ = ("_frames", "message")

    def __init__(self, message: dict[str, Any]) -> None:
        self.message = message
        self._frames: dict[str, bytes] = {}

    @classmethod
    def encoded(cls, message: dict[str, Any], codec: Codec, data: bytes) -> Outgoing:
        """A message to one receiver that was encoded to ``data`` before; of ``message`` the head is enough."""
        outgoing = cls(message)
        outgoing._frames[codec.subprotocol] = _frame(codec, data)
        return outgoing

    def frame(self, codec: Codec) -> bytes:
        """The whole frame as it is written to the transport (RFC 6455, section 5.2), unmasked."""
        frame = self._frames.get(codec.subprotocol)
        if frame is None:
            frame = self._frames[codec.subprotocol] = _frame(codec, codec.encode(self.message))
        return frame


def answer_to(message_id: str | None, message: dict[str, Any]) -> Outgoing:
    """``message`` as the answer to what came under ``message_id``, if it had one."""
    return Outgoing(message if message_id is None else {**message, "re": message_id})


def refusal_of(message_id: str | None, refusal: ProtocolError) -> Outgoing:
    """``refusal`` as the answer to what came under ``message_id``, if it had one."""
    refusal.re = message_id
    return Outgoing(refusal.to_wire())


def refusal_for(error: Exception) -> ProtocolError:
    """What is answered to a message that led to ``error``: a refusal, a store that failed, or a bug of ours."""
    if isinstance(error, ProtocolError):
        return error
    return ProtocolError(ErrorCode.UNAVAILABLE if isinstance(error, StoreError) else ErrorCode.INTERNAL)


def _frame(codec: Codec, data: bytes) -> bytes:
    return Frame(Opcode.BINARY if codec.binary else Opcode.TEXT, data).serialize(mask=False)
