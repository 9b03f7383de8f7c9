"""What has come over a line and is not read yet: so much is read in a turn of the event loop, and the rest waits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

SLICE = 1024
"""Bytes that are read in one turn of the event loop: at most some 170 frames, which takes a millisecond or two."""
MOST_UNREAD = 16 * 1024
"""Bytes that are taken from the system before anything may be read, and of what is not read any more."""


class Inflow:
    """The bytes of one connection, in slices. ``read`` is given each, a turn of the loop apart, until `stop`."""

    __slots__ = (
        "_ignored",
        "_is_open",
        "_is_over",
        "_is_paused",
        "_is_planned",
        "_loop",
        "_read",
        "_transport",
        "_unread",
    )

    def __init__(self, read: Callable[[bytes], None], loop: asyncio.AbstractEventLoop) -> None:
        self._read = read
        self._loop = loop
        self._transport: asyncio.Transport | None = None
        self._unread = bytearray()
        self._ignored = 0
        self._is_open = False
        self._is_planned = False
        self._is_paused = False
        self._is_over = False

    def attach(self, transport: asyncio.Transport) -> None:
        """Where the bytes come from."""
        self._transport = transport

    def open(self) -> None:
        """From now on what comes is read, and what has come already."""
        self._is_open = True
        self._read_on()

    def hold(self) -> None:
        """Read nothing for now; what comes waits."""
        self._is_open = False

    def take(self, data: bytes) -> None:
        """``data`` has come."""
        if self._is_over:  # who talks on is heard no more; that the line ends is noticed of everybody else
            self._ignored += len(data)
            self._balance()
        elif self._is_open and not self._unread and len(data) <= SLICE:
            self._read(data)
        else:
            self._unread += data
            if self._is_open and not self._is_planned:
                self._read_on()
            else:
                self._balance()

    def stop(self) -> None:
        """Nothing more is read: the connection is about to end."""
        self._is_over = True
        self._unread.clear()
        self._balance()

    def next_line(self) -> bytes:
        """What has come of the next line, its end included; empty if nothing has."""
        return self._cut(self._unread.find(b"\n") + 1 or len(self._unread))

    def _cut(self, size: int) -> bytes:
        piece = bytes(self._unread[:size])
        del self._unread[:size]
        return piece

    def _read_on(self) -> None:
        self._is_planned = False
        if self._unread and self._is_open:
            self._read(self._cut(SLICE))
        if self._unread and self._is_open:
            self._is_planned = True
            self._loop.call_soon(self._read_on)
        self._balance()

    def _balance(self) -> None:
        """Take nothing from the system while there is enough: whoever sends much waits there."""
        if self._transport is None or self._transport.is_closing():
            return
        most = 0 if self._is_open and not self._is_over else MOST_UNREAD
        is_enough = len(self._unread) + self._ignored > most
        if is_enough and not self._is_paused:
            self._transport.pause_reading()
        elif self._is_paused and not is_enough:
            self._transport.resume_reading()
        self._is_paused = is_enough
