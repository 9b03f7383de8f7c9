"""Connections without sockets: the server's own `Connection` on a transport whose bytes travel when they are told to.

Within one connection nothing is reordered. What is on its way when a connection breaks is lost from some point on.
"""

from __future__ import annotations

import asyncio
import json
import random
import struct
from collections import Counter, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import msgpack
from websockets.datastructures import Headers
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import State
from websockets.server import ServerProtocol

from protocol.codecs import Codec
from protocol.convert import Wire
from server.connection import Connection

PUSHED = ("update", "snapshot", "closing", "rooms")
"""What is sent without being asked for."""
MAX_PACKET = 3
"""Frames that may arrive together."""
FRAGMENTED = 0.05
"""How often a message is sent in two frames."""
KEEPALIVE = 40.0
"""Seconds after which the library notices that nobody is there any more."""


@dataclass(frozen=True, slots=True)
class Closed:
    """The end of what the client hears; ``code`` of the close frame, None if there was none."""

    code: int | None = None


class Client(Protocol):
    """Who is at the other end of a link."""

    name: str
    codec: Codec

    def hear(self, link: Link, message: Wire) -> None:
        """A message has arrived."""
        ...

    def hear_end(self, link: Link, closed: Closed) -> None:
        """The connection is gone; nothing more comes."""
        ...


class Link:
    """One connection, from both ends."""

    def __init__(
        self, number: int, opened: int, client: Client, rng: random.Random, tap: Callable[[Link, Wire], None]
    ) -> None:
        self.number = number
        self.opened = opened
        """After how many steps of the run."""
        self.client = client
        self.player: str | None = None
        """Who the server has welcomed here."""
        self.asked: dict[str, Wire] = {}
        """The newest message delivered under each id."""
        self.delivered: Counter[str | None] = Counter()
        """Messages that have reached the server, by id."""
        self.answered: Counter[str | None] = Counter()
        self.closed_with: int | None = None
        """The code with which the server has closed the connection."""
        self.is_garbled = False
        """The client has sent what nobody can read."""
        self.was_cut = False
        """The server has cut the connection."""
        self.is_lost = False
        """The server knows that the connection is gone."""
        self.is_left = False
        """The client takes nothing in any more."""
        self.transport = _Transport(self)
        self.connection: Connection | None = None
        self._rng = rng
        self._tap = tap
        self._up: deque[tuple[bytes, Wire | None] | None] = deque()
        self._down: deque[tuple[int, Wire | Closed]] = deque()

    def open(self, connection: Connection) -> None:
        """The handshake is done."""
        self.connection = connection
        connection.request = Request("/ws", Headers())
        connection.connection_made(self.transport)

    @property
    def is_open(self) -> bool:
        """The server may still answer, and the client hear it."""
        return (
            not (self.is_lost or self.is_left) and self.connection is not None and self.connection.state is State.OPEN
        )

    # The client's end.

    def say(self, message: Mapping[str, Any]) -> None:
        """Send a message."""
        wire = dict(message)
        payload = msgpack.packb(wire) if self.client.codec.binary else json.dumps(wire).encode()
        kind = Opcode.BINARY if self.client.codec.binary else Opcode.TEXT
        split = self._rng.randrange(len(payload)) if self._rng.random() < FRAGMENTED else len(payload)
        self.send_frames(kind, [part for part in (payload[:split], payload[split:]) if part], wire)

    def send_frames(self, kind: Opcode, parts: list[bytes], message: Wire | None = None) -> None:
        """Send the fragments of one message as they stand; ``message`` is what they decode to, if anything."""
        self.is_garbled |= message is None
        last = len(parts) - 1
        data = b"".join(
            Frame(Opcode.CONT if number else kind, part, fin=number == last).serialize(mask=True)
            for number, part in enumerate(parts)
        )
        self._up.append((data, message))

    @property
    def first(self) -> Wire | Closed:
        """What arrives at the client next."""
        return self._down[0][1]

    def take(self) -> None:
        """Let what has been sent first arrive at the client."""
        size, arrived = self._down.popleft()
        if isinstance(arrived, Closed):
            self.is_left = True
            self._up.append(None)
            self.client.hear_end(self, arrived)
        else:
            self.client.hear(self, arrived)
        if size and self.transport.is_closing() and not self.unsent:
            self.lose()

    def hang_up(self) -> None:
        """The client ends the connection behind what it has sent, and hears no more."""
        self.is_left = True
        self._down.clear()
        self._up.append(None)

    def vanish(self) -> None:
        """The client is out of reach without a word: the server goes on sending to nobody."""
        self.is_left = True
        for _ in range(self._rng.randint(0, len(self._up))):
            self._up.pop()
        self._lose_later()

    # On the way.

    @property
    def can_deliver(self) -> bool:
        """Something is on its way to the server."""
        return bool(self._up) and not (self.is_lost or self.transport.is_paused)

    @property
    def can_take(self) -> bool:
        """Something is on its way to the client."""
        return bool(self._down) and not self.is_left

    def deliver(self) -> None:
        """Let the first frames arrive at the server, in one packet."""
        packet = b""
        for _ in range(self._rng.randint(1, MAX_PACKET)):
            if not self._up:
                break
            arriving = self._up.popleft()
            if arriving is None:
                self.lose()
                break
            data, message = arriving
            packet += data
            self._note_delivery(message)
        if packet and self.connection is not None:
            self.connection.data_received(packet)

    def _note_delivery(self, message: Wire | None) -> None:
        if message is None:
            return
        message_id = message.get("id")
        if isinstance(message_id, str):
            self.asked[message_id] = message
        self.delivered[message_id] += 1

    def cut(self, *, server: bool = True, client: bool = True) -> None:
        """The line breaks. Those who are named notice it; what is on its way is lost from some point on."""
        for way in (self._up, self._down):
            for _ in range(self._rng.randint(0, len(way))):
                way.pop()
        if server:
            self.lose()
        else:
            self._up.clear()
            self._lose_later()
        if client:
            self._end()

    # The server's end.

    @property
    def unsent(self) -> int:
        """Bytes that the client has not taken."""
        return sum(size for size, _ in self._down)

    def write(self, data: bytes) -> None:
        """The server sends one frame."""
        if self.is_lost:
            return
        opcode, payload = _read_frame(data)
        if opcode is Opcode.CLOSE:
            self.closed_with = int.from_bytes(payload[:2], "big")
            self._down.append((len(data), Closed(self.closed_with)))
            return
        message: Wire = msgpack.unpackb(payload) if opcode is Opcode.BINARY else json.loads(payload)
        if message["type"] == "welcome":
            self.player = message["player"]
        if "re" in message or message["type"] not in PUSHED:
            self.answered[message.get("re")] += 1
        self._tap(self, message)
        self._down.append((len(data), message))

    def abort(self) -> None:
        """The server cuts the connection: what waits is lost from some point on."""
        if not self.is_lost:
            self.was_cut = True
            for _ in range(self._rng.randint(0, len(self._down))):
                self._down.pop()
            self.lose()

    def lose(self) -> None:
        """The server is told that the connection is gone."""
        if not self.is_lost and self.connection is not None:
            self.is_lost = True
            self._end()
            self.connection.loop.call_soon(self.connection.connection_lost, None)

    def _lose_later(self) -> None:
        if self.connection is not None:
            self.connection.loop.call_later(KEEPALIVE, self.lose)

    def die(self) -> None:
        """The server's process is gone."""
        self.is_lost = True
        self._end()

    def _end(self) -> None:
        if not self.is_left and not any(isinstance(item, Closed) for _, item in self._down):
            self._down.append((0, Closed()))


class _Transport(asyncio.Transport):
    """What the server's connection writes to."""

    def __init__(self, link: Link) -> None:
        super().__init__()
        self._link = link
        self._is_closing = False
        self.is_paused = False
        """The server takes nothing in for now."""

    def write(self, data: bytes | bytearray | memoryview[Any]) -> None:
        self._link.write(bytes(data))

    def get_write_buffer_size(self) -> int:
        return self._link.unsent

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        """The server looks at the size itself."""

    def can_write_eof(self) -> bool:
        return False

    def is_closing(self) -> bool:
        return self._is_closing or self._link.is_lost

    def close(self) -> None:
        self._is_closing = True
        if not self._link.unsent:
            self._link.lose()

    def abort(self) -> None:
        self._is_closing = True
        self._link.abort()

    def pause_reading(self) -> None:
        self.is_paused = True

    def resume_reading(self) -> None:
        self.is_paused = False


def server_protocol(max_size: int | None) -> ServerProtocol:
    """The library's half of a connection, after the handshake."""
    return ServerProtocol(state=State.OPEN, max_size=max_size)


def _read_frame(data: bytes) -> tuple[Opcode, bytes]:
    """The one whole unmasked frame in ``data``."""
    length, start = data[1], 2
    if length == 126:
        (length,), start = struct.unpack_from("!H", data, 2), 4
    elif length == 127:
        (length,), start = struct.unpack_from("!Q", data, 2), 10
    if len(data) != start + length or not data[0] & 0x80:
        raise ValueError("not one whole frame")
    return Opcode(data[0] & 0x0F), data[start:]
