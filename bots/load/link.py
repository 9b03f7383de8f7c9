"""One WebSocket of a client that speaks MessagePack, read inside the transport's callback.

The handshake, control frames and all that is unusual go through the protocol object of websockets; whole binary frames,
of which there are thousands a second, are taken out before it.
"""

from __future__ import annotations

import asyncio
from typing import Protocol, cast

from websockets.client import ClientProtocol
from websockets.exceptions import InvalidStatus
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.typing import Subprotocol
from websockets.uri import parse_uri

from protocol.codecs import MsgpackCodec

OPEN_TIMEOUT = 10.0
"""Seconds for the connection and the handshake."""
CLOSE_TIMEOUT = 2.0
"""Seconds that the server has to answer a close frame."""

_WHOLE_BINARY = 0x80 | Opcode.BINARY
_HEAD_END = b"\r\n\r\n"
_HTTP = b"HTTP/1.1 "
_SWITCHING = b"HTTP/1.1 101 "


class Listener(Protocol):
    """Who uses a link."""

    def hear(self, payload: bytes) -> None:
        """A message has arrived."""
        ...


class NotConnected(Exception):
    """The server took no connection. ``code``: the status of its answer, or `unreachable` where there was none."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


class Link(asyncio.Protocol):
    """One connection. Made by `open_link`."""

    def __init__(self, url: str, listener: Listener) -> None:
        loop = asyncio.get_running_loop()
        self.opened: asyncio.Future[None] = loop.create_future()
        self.lost: asyncio.Future[int | None] = loop.create_future()
        """Set to the close code when the connection is gone; None: it was cut."""
        self._protocol = ClientProtocol(parse_uri(url), subprotocols=[Subprotocol(MsgpackCodec.subprotocol)])
        self._listener = listener
        self._transport: asyncio.Transport | None = None
        self._unread = b""
        self._fragments: list[bytes] = []

    def send(self, payload: bytes) -> None:
        """Send one message; lost if the connection is."""
        if self._protocol.state is State.OPEN:
            self._protocol.send_binary(payload)
            self._flush()

    async def close(self) -> None:
        """Take leave, and wait until the connection is gone."""
        if self._protocol.state is State.OPEN:
            self._protocol.send_close(1000)
            self._flush()
        try:
            async with asyncio.timeout(CLOSE_TIMEOUT):
                await asyncio.shield(self.lost)
        except TimeoutError:
            self.abort()

    def abort(self) -> None:
        """Cut the connection."""
        if self._transport is not None:
            self._transport.abort()

    # Called by the transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The connection stands: shake hands."""
        self._transport = cast("asyncio.Transport", transport)  # uvloop's are none by their class
        self._protocol.send_request(self._protocol.connect())
        self._flush()

    def data_received(self, data: bytes) -> None:
        """Bytes have arrived: none or some frames, and the beginning of another."""
        data = self._unread + data
        if not self.opened.done():
            data = self._shake_hands(data)
        begin = 0
        if self._protocol.state is not State.CONNECTING:
            while (payload := _frame(data, begin)) is not None:
                self._take(data, begin, payload)
                begin = payload.stop
        self._unread = data[begin:]

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
        self._transport = None
        if not self.opened.done():
            self._protocol.receive_data(self._unread)
            self._protocol.receive_eof()
            failure = self._protocol.handshake_exc or exc or EOFError("the connection was closed")
            status = str(failure.response.status_code) if isinstance(failure, InvalidStatus) else "unreachable"
            self.opened.set_exception(NotConnected(status, str(failure)))
        received = self._protocol.close_rcvd
        if not self.lost.done():
            self.lost.set_result(None if received is None else int(received.code))

    def _shake_hands(self, data: bytes) -> bytes:
        """Read the answer to the handshake, if it is all there; returns what follows it."""
        head, end, rest = data.partition(_HEAD_END)
        if not end:
            return data
        if head.startswith(_HTTP) and not head.startswith(_SWITCHING):
            status = head.split(b" ", 2)[1].decode("ascii", "replace")
            self.opened.set_exception(NotConnected(status, f"the server answers with the status {status}"))
            self.abort()  # a proxy would keep the connection open
            return b""
        self._protocol.receive_data(head + end)
        self._protocol.events_received()
        if self._protocol.state is State.OPEN:
            self.opened.set_result(None)
        else:
            self.abort()
        return rest

    def _take(self, data: bytes, begin: int, payload: range) -> None:
        if data[begin] == _WHOLE_BINARY:
            self._listener.hear(data[payload.start : payload.stop])
            return
        self._protocol.receive_data(data[begin : payload.stop])
        for event in self._protocol.events_received():
            if isinstance(event, Frame) and event.opcode in (Opcode.CONT, Opcode.BINARY):
                self._join(event)
        self._flush()

    def _join(self, frame: Frame) -> None:
        self._fragments.append(bytes(frame.data))
        if frame.fin:
            payload = b"".join(self._fragments)
            self._fragments.clear()
            self._listener.hear(payload)

    def _flush(self) -> None:
        if self._transport is None or self._transport.is_closing():
            return  # the line was cut, of which the protocol knows nothing
        for data in self._protocol.data_to_send():
            if data:
                self._transport.write(data)
            elif self._transport.can_write_eof():
                self._transport.write_eof()


async def open_link(url: str, listener: Listener) -> Link:
    """A connection on which the handshake is done.

    Raises:
        NotConnected: there is none.
    """
    uri = parse_uri(url)
    loop = asyncio.get_running_loop()
    link: Link | None = None
    try:
        async with asyncio.timeout(OPEN_TIMEOUT):
            _, link = await loop.create_connection(
                lambda: Link(url, listener), uri.host, uri.port, ssl=True if uri.secure else None
            )
            await link.opened
    except (OSError, NotConnected) as error:  # a timeout is an OSError
        if link is not None:
            link.abort()
        if isinstance(error, NotConnected):
            raise
        raise NotConnected("unreachable", str(error) or "the server does not answer") from error
    return link


def _frame(data: bytes, begin: int) -> range | None:
    """Where the payload of the unmasked frame at ``begin`` lies (RFC 6455, section 5.2); None: it is not all there."""
    if len(data) < begin + 2:
        return None
    length, start = data[begin + 1] & 0x7F, begin + 2
    if length >= 126:
        start += 2 if length == 126 else 8
        length = int.from_bytes(data[begin + 2 : start])
    end = start + length
    return range(start, end) if start <= end <= len(data) else None
