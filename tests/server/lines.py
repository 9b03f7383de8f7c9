"""What is under a session, in tests: a connection without a network."""

from __future__ import annotations

from typing import Any

from protocol.codecs import CODECS
from protocol.errors import CloseCode
from protocol.messages.client import Hello
from server.outgoing import Outgoing
from server.rates import MinuteCount


class Line:
    """A connection that remembers what is sent over it."""

    codec = CODECS[0]
    wrong_codes: tuple[MinuteCount, ...] = ()

    def __init__(self, number: int) -> None:
        self.number = number
        self.sent: list[dict[str, Any]] = []
        self.is_open = True
        self.is_replaced = False
        self.closed_with: CloseCode | None = None

    def send(self, outgoing: Outgoing) -> None:
        self.sent.append(outgoing.message)

    def replace(self) -> None:
        self.is_replaced = True

    def close_now(self, code: CloseCode) -> None:
        self.closed_with = code


def hello(token: str | None = None) -> Hello:
    return Hello(type="hello", name="Ann", token=token)
