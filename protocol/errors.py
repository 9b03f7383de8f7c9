"""How a request fails on the wire: error codes, reasons and close codes. Keys on the wire: never renamed."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum, StrEnum
from typing import Any

from engine.errors import Reason


class ErrorCode(StrEnum):
    """What an ``error`` says. A refused message changes nothing: no ``seq``, no state, no timer."""

    BAD_MESSAGE = "bad_message"
    TOO_LARGE = "too_large"
    RATE_LIMITED = "rate_limited"
    UNAUTHORIZED = "unauthorized"
    UNSUPPORTED = "unsupported"
    NO_SUCH_ROOM = "no_such_room"
    ROOM_FULL = "room_full"
    SEAT_TAKEN = "seat_taken"
    NOT_SEATED = "not_seated"
    NOT_HOST = "not_host"
    NOT_STARTED = "not_started"
    ALREADY_STARTED = "already_started"
    NOT_YOUR_TURN = "not_your_turn"
    ILLEGAL_ACTION = "illegal_action"
    STALE = "stale"
    REFUSED = "refused"
    DRAINING = "draining"
    UNAVAILABLE = "unavailable"
    INTERNAL = "internal"


ERROR_TEXTS: dict[ErrorCode, str] = {
    ErrorCode.BAD_MESSAGE: "This is not a valid message.",
    ErrorCode.TOO_LARGE: "The message is nested too deeply.",
    ErrorCode.RATE_LIMITED: "Too many messages; try again later.",
    ErrorCode.UNAUTHORIZED: "Say hello with a valid token, or without one, first.",
    ErrorCode.UNSUPPORTED: "This server does not support that.",
    ErrorCode.NO_SUCH_ROOM: "There is no such room.",
    ErrorCode.ROOM_FULL: "No seat is free in this room.",
    ErrorCode.SEAT_TAKEN: "That seat is taken.",
    ErrorCode.NOT_SEATED: "You have no such seat in this room.",
    ErrorCode.NOT_HOST: "Only the host may do that.",
    ErrorCode.NOT_STARTED: "The match has not started.",
    ErrorCode.ALREADY_STARTED: "The match has already started.",
    ErrorCode.NOT_YOUR_TURN: "It is not your turn.",
    ErrorCode.ILLEGAL_ACTION: "The rules do not allow that now.",
    ErrorCode.STALE: "The table has changed since; look again.",
    ErrorCode.REFUSED: "That is refused.",
    ErrorCode.DRAINING: "This server is about to stop and takes nothing new.",
    ErrorCode.UNAVAILABLE: "The store is out of reach; nothing was changed.",
    ErrorCode.INTERNAL: "Something went wrong in the server.",
}
"""What a person reads who gets the code, in plain English."""


class RefusalReason(StrEnum):
    """Why something was ``refused`` that no other code names, or more about another code."""

    ALREADY_GREETED = "already_greeted"
    """A second ``hello`` on one connection."""
    SEATED = "seated"
    """Who is seated cannot watch."""
    ROOM_FULL = "room_full"
    """Of ``not_seated`` at ``sync``: ``join`` would find no seat either."""
    NO_SPECTATORS = "no_spectators"
    """The room admits no spectators."""
    TOO_MANY_SPECTATORS = "too_many_spectators"
    TOO_MANY_ROOMS = "too_many_rooms"
    """The player has as many open rooms as one may have."""
    SERVER_FULL = "server_full"
    """The server has as many open rooms as it may have."""
    SEAT_EMPTY = "seat_empty"
    MATCH_OVER = "match_over"
    HINTS_OFF = "hints_off"
    NOT_SHOWN = "not_shown"
    """The hand is covered: `show` uncovers it."""
    UNDO_OFF = "undo_off"
    NOTHING_TO_UNDO = "nothing_to_undo"
    NOTHING_TO_REDO = "nothing_to_redo"
    ASK_OPEN = "ask_open"
    """One open request a room."""
    TOO_MANY_ASKS = "too_many_asks"
    """Three requests a seat in a deal."""
    NO_SUCH_ASK = "no_such_ask"
    NOT_ASKED = "not_asked"
    """The sender is none of those whose consent is needed."""
    NOT_AWAY = "not_away"
    """Only a seat that is away or has not acted for long can be covered."""
    LOCAL_SEATS = "local_seats"
    """Who holds several seats moves none of them by joining again."""
    COVERED = "covered"
    """A bot plays the sender's seat: `join` takes it back."""
    PAUSED = "paused"
    """Somebody reads: bots hold, and one that plays over the network does too."""
    NO_RECORD = "no_record"
    """No match has ended in that room, or no record is kept under that id."""
    DEAL_RUNNING = "deal_running"
    """The deal is reviewed when it is over."""
    LONG_MATCH = "long_match"
    """The match has so many steps that only what moves it is taken."""


REASONS: tuple[str, ...] = (*(reason.value for reason in Reason), *(reason.value for reason in RefusalReason))
"""Every key that ``reason`` of an ``error`` may hold: those of ``illegal_action``, then those of other codes."""


class CloseCode(IntEnum):
    """Why the server closes a connection. The two FINAL ones are not retried by a client."""

    GOING_AWAY = 1001
    """Only of the protocol: this server says RESTART, for it cannot know whether it is started again."""
    NOT_DECODABLE = 1007
    POLICY = 1008
    TOO_BIG = 1009
    INTERNAL = 1011
    RESTART = 1012
    OVERLOADED = 1013
    """Only of the protocol: this server answers the handshake with 503."""
    UNSUPPORTED_VERSION = 4001
    REPLACED = 4003
    NO_HELLO = 4008


CLOSE_TEXTS: dict[CloseCode, str] = {
    CloseCode.GOING_AWAY: "this node stops for good",
    CloseCode.NOT_DECODABLE: "the frame cannot be decoded",
    CloseCode.POLICY: "too many messages or errors",
    CloseCode.TOO_BIG: "the frame is too big",
    CloseCode.INTERNAL: "internal error",
    CloseCode.RESTART: "restart, come back",
    CloseCode.OVERLOADED: "overloaded, come back later",
    CloseCode.UNSUPPORTED_VERSION: "protocol version not supported",
    CloseCode.REPLACED: "replaced by a newer connection",
    CloseCode.NO_HELLO: "no hello in time",
}
"""The reason sent with the code."""

FINAL: frozenset[CloseCode] = frozenset({CloseCode.UNSUPPORTED_VERSION, CloseCode.REPLACED})
"""Closed for good: a client that came back by itself would trade the seat with another for ever."""


class ProtocolError(Exception):
    """A message that is answered with ``error`` and changes nothing.

    ``re`` is the ``id`` of the message, where it had a valid one. ``path`` names the faulty field (``action.tile``).
    ``legal`` is on the wire form already. ``retry_after`` in seconds.
    """

    def __init__(
        self,
        code: ErrorCode,
        message: str | None = None,
        *,
        path: str | None = None,
        reason: str | None = None,
        legal: list[dict[str, Any]] | None = None,
        retry_after: float | None = None,
        re: str | None = None,
    ) -> None:
        self.code = code
        self.message = message or ERROR_TEXTS[code]
        self.path = path
        self.reason = reason
        self.legal = legal
        self.retry_after = retry_after
        self.re = re
        super().__init__(f"{code.value}: {self.message}")

    @classmethod
    def of_wire(cls, error: Mapping[str, Any]) -> ProtocolError:
        """The same as an ``error`` message told it, but for which message it answers."""
        details = {name: error.get(name) for name in ("path", "reason", "legal", "retry_after")}
        return cls(ErrorCode(error["code"]), error["message"], **details)

    def to_wire(self) -> dict[str, Any]:
        """The ``error`` message."""
        details = {
            "re": self.re,
            "code": self.code.value,
            "message": self.message,
            "reason": self.reason,
            "path": self.path,
            "legal": self.legal,
            "retry_after": self.retry_after,
        }
        return {"type": "error"} | {name: value for name, value in details.items() if value is not None}


class UndecodableError(Exception):
    """A frame that closes the connection with ``CloseCode.NOT_DECODABLE``: not of the codec, or of the other kind."""
