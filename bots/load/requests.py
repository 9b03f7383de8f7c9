"""What a client has said and is not answered yet, over all its connections."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Protocol

from protocol.codecs import MsgpackCodec
from protocol.convert import Wire

_OF_A_CONNECTION = ("hello", "sync")
"""Said anew on each connection; all else is said again under its id until it is answered."""
_CODEC = MsgpackCodec()


class Socket(Protocol):
    """A connection."""

    def send(self, payload: bytes) -> None:
        """Send one message; lost if the connection is."""
        ...

    def abort(self) -> None:
        """Cut the connection."""
        ...


class Requests:
    """``prefix`` makes ids that no other client makes."""

    def __init__(self, prefix: str) -> None:
        self.quiet = asyncio.Event()
        """Set while nothing waits for an answer."""
        self.quiet.set()
        self._prefix = prefix
        self._said = 0
        self._unanswered: dict[str, Wire] = {}
        self._socket: Socket | None = None

    def connected(self, socket: Socket) -> None:
        """A new connection stands."""
        self._socket = socket

    def disconnected(self) -> None:
        """The connection is gone, and with it the answers that were on their way."""
        self._socket = None
        self._keep({name: said for name, said in self._unanswered.items() if said["type"] not in _OF_A_CONNECTION})

    def abort(self) -> None:
        """Cut the connection, and wait for nothing any more."""
        self._keep({})
        if self._socket is not None:
            self._socket.abort()

    def _keep(self, unanswered: dict[str, Wire]) -> None:
        self._unanswered = unanswered
        if not unanswered:
            self.quiet.set()

    def say(self, kind: str, **fields: object) -> str:
        """Say something new; returns its id."""
        self._said += 1
        name = f"{self._prefix}-{kind}-{self._said}"
        self._unanswered[name] = {"type": kind, "id": name, **fields}
        self.quiet.clear()
        self.repeat(name)
        return name

    def repeat(self, name: str) -> None:
        """Say what waits for its answer again, if it does."""
        if self._socket is not None and name in self._unanswered:
            self._socket.send(_CODEC.encode(self._unanswered[name]))

    def repeat_all(self) -> None:
        """Say again what an earlier connection may have lost."""
        for name, said in list(self._unanswered.items()):
            if said["type"] not in _OF_A_CONNECTION:
                self.repeat(name)

    def asked(self, answer: Mapping[str, Any]) -> Wire | None:
        """What ``answer`` is to, which may get another one; None if nothing waits for it any more."""
        return self._unanswered.get(answer.get("re", ""))

    def answered(self, answer: Mapping[str, Any]) -> Wire | None:
        """What ``answer`` is to, which waits no more; None if nothing did."""
        said = self._unanswered.pop(answer.get("re", ""), None)
        if not self._unanswered:
            self.quiet.set()
        return said


def kind_of(name: str) -> str:
    """The type of the message that was said under the id ``name``; nothing if that is no id of ours."""
    return name.split("-")[1] if name.count("-") == 2 else ""
