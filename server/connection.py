"""One WebSocket: decode, limit, pass on, encode.

Messages are handled inside the transport's callback, synchronously (see "The way of one play" in
docs/architecture.md). That rests on two parts of websockets that are not documented: `process_event` is called with
each frame as it arrives, and a whole unmasked frame may be written to the transport where there is no compression and
no fragmented send. The version is pinned for it, and tests/system holds it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import Any, cast

import structlog
from websockets.asyncio.server import ServerConnection
from websockets.frames import DATA_OPCODES, Frame, Opcode
from websockets.protocol import Event, State

from protocol.codecs import Codec, text_of
from protocol.errors import CLOSE_TEXTS, CloseCode, ErrorCode, ProtocolError, UndecodableError
from protocol.messages import ClientMessage, parse
from protocol.messages import message_id as message_id_in
from protocol.messages.client import Hello, Ping
from server.addresses import Addresses, Visit
from server.clock import Clock, Handle
from server.inflow import Inflow
from server.limits import Limits
from server.metrics import Metrics
from server.outgoing import Outgoing, refusal_for, refusal_of
from server.rates import MinuteCount, TokenBucket, told
from server.session import Session, pong
from server.sessions import Sessions

CLOSE_TIMEOUT = 2.0
"""Seconds that the other side has to answer a close frame, or to hang up after its own."""
SILENT = 30.0
"""Seconds after which a connection is cut on which nothing comes, not even an answer to a ping: a short time would drop
people whose line is slow, not dead."""
MAX_BACKLOG = 64
"""Frames that may wait while `hello` is looked up, where no burst limits them: more than a client has to say."""
MAX_FRAGMENTS = 1024
"""Of one message. They may be empty, so the limit of its size does not bound them."""
FRAMES_A_MESSAGE = 8
"""For each message that may come, so many frames may that are none by themselves: fragments, pings, pongs."""

logger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Shared:
    """What all connections of a process share."""

    sessions: Sessions
    clock: Clock
    limits: Limits
    addresses: Addresses
    metrics: Metrics = field(default_factory=Metrics)
    connections: set[Connection] = field(default_factory=set)
    """All that are there, from the moment on in which they come in."""
    numbers: Iterator[int] = field(default_factory=count)
    """For connections, in the order in which they are opened."""


class Connection(ServerConnection):
    """A player's WebSocket, from the handshake on."""

    def __init__(self, *args: Any, shared: Shared, **kwargs: Any) -> None:  # noqa: ANN401 - the library's own
        super().__init__(*args, **kwargs)
        self._number = next(shared.numbers)
        self._clock = shared.clock
        self._limits = shared.limits
        self._sessions = shared.sessions
        self._addresses = shared.addresses
        self._metrics = shared.metrics
        self._connections = shared.connections
        self._visit: Visit | None = None
        self._session: Session | None = None
        self._codec: Codec | None = None
        self._inflow = Inflow(self._read, self.loop)
        limits, now = shared.limits, shared.clock.monotonic()
        self._messages = TokenBucket(limits.messages_per_second, limits.burst, now)
        self._frames = TokenBucket(FRAMES_A_MESSAGE * limits.messages_per_second, FRAMES_A_MESSAGE * limits.burst, now)
        self._refusals = MinuteCount(shared.limits.refusals_per_minute)
        self._wrong_codes: tuple[MinuteCount, ...] = (MinuteCount(shared.limits.wrong_codes),)
        self._fragments: list[Frame] = []
        self._backlog: deque[str | bytes] = deque()
        self._greeting: asyncio.Task[None] | None = None
        self._hello_timer: Handle | None = None
        self._close_timer: Handle | None = None
        self._stalled_since: float | None = None
        self._heard_at = self.loop.time()
        self._largest = 0
        """Bytes of the largest frame since less than the limit was unsent."""

    # Opening

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Somebody has connected (called by the library)."""
        peer = transport.get_extra_info("peername")
        self._visit = self._addresses.arrive(peer[0] if peer else "")
        if self._visit is None:
            cast(asyncio.Transport, transport).abort()
        else:
            self._connections.add(self)
            self._inflow.attach(cast(asyncio.Transport, transport))
            super().connection_made(transport)

    def may_open(self, forwarded: Sequence[str]) -> bool:
        """Whether its address may have one connection more; ``forwarded`` are the values of `X-Forwarded-For`."""
        return self._visit is not None and self._addresses.open(self._visit, forwarded)

    def start(self, codec: Codec) -> None:
        """The handshake is done: handle what has arrived, and what arrives from now on."""
        self._codec = codec
        if self._visit is not None:
            self._wrong_codes = (*self._wrong_codes, self._visit.account.wrong_codes)
        if self._limits.hello:
            due = self._clock.monotonic() + self._limits.hello
            self._hello_timer = self._clock.call_at(due, partial(self.close_now, CloseCode.NO_HELLO))
        self._inflow.open()

    @property
    def number(self) -> int:
        """By the order in which connections were opened."""
        return self._number

    @property
    def is_open(self) -> bool:
        """Whether somebody may still be at the other end."""
        return self.state is State.OPEN

    @property
    def codec(self) -> Codec:
        """How messages are written here; ValueError before the handshake is done."""
        if self._codec is None:
            raise ValueError("no codec has been agreed on yet")
        return self._codec

    @property
    def wrong_codes(self) -> tuple[MinuteCount, ...]:
        """Unknown room codes of this connection, and of its address."""
        return self._wrong_codes

    # Reading

    def data_received(self, data: bytes) -> None:
        """Bytes have arrived (called by the library)."""
        self._heard_at = self.loop.time()
        self._inflow.take(data)
        while self.request is None and not self.protocol.eof_sent and (line := self._inflow.next_line()):
            self._read(line)  # by lines: what comes behind the head is no part of it, and waits for the handshake

    def _read(self, data: bytes) -> None:
        super().data_received(data)
        if self.state is State.CLOSING:
            self._expect_end()

    def process_event(self, event: Event) -> None:
        """A frame or the head of a request has been read (called by the library)."""
        if not isinstance(event, Frame):
            super().process_event(event)
        elif self.state is State.OPEN and not self.transport.is_closing():
            self._process_frame(event)

    def _process_frame(self, frame: Frame) -> None:
        is_data = frame.opcode in DATA_OPCODES
        if is_data and frame.fin and not self._fragments:
            self._receive([frame])
        elif self._frames.take(self._clock.monotonic()) > 0:
            self.close_now(CloseCode.POLICY)
        elif is_data:
            self._collect(frame)
        else:
            super().process_event(frame)
            self._check_unsent()  # the library has answered a ping, whether its answers are read or not

    def _collect(self, frame: Frame) -> None:
        self._fragments.append(frame)
        if frame.fin:
            fragments, self._fragments = self._fragments, []
            self._receive(fragments)
        elif len(self._fragments) >= MAX_FRAGMENTS:
            self.close_now(CloseCode.TOO_BIG)

    def _receive(self, fragments: list[Frame]) -> None:
        data = b"".join(bytes(fragment.data) for fragment in fragments)
        try:
            frame = text_of(data) if fragments[0].opcode is Opcode.TEXT else data
        except UndecodableError:
            self.close_now(CloseCode.NOT_DECODABLE)
            return
        if self._codec is not None and self._greeting is None:
            self._handle(self._codec, frame)
        elif len(self._backlog) < (self._limits.burst or MAX_BACKLOG):
            self._backlog.append(frame)
        else:
            self.close_now(CloseCode.POLICY)

    def _handle_backlog(self, codec: Codec) -> None:
        while self._backlog and self._greeting is None:
            self._handle(codec, self._backlog.popleft())

    def _handle(self, codec: Codec, frame: str | bytes) -> None:
        """Answer one frame, whatever it holds."""
        message_id: str | None = None
        try:
            decoded = codec.decode(frame, self._limits.nesting)
            self._limit_rate(decoded)
            message = parse(decoded, self._limits.name_characters)
            message_id = message.id
            self._metrics.received(message.type)
            self._dispatch(codec, message)
        except UndecodableError:
            self.close_now(CloseCode.NOT_DECODABLE)
        except Exception as error:  # noqa: BLE001 - every request is answered
            self._refuse(error, message_id)

    def _refuse(self, error: Exception, message_id: str | None) -> None:
        """Answer a message that led to ``error``."""
        refusal = refusal_for(error)
        if refusal.code is ErrorCode.INTERNAL:
            logger.error("connection.bug", exc_info=error)
        self.send(refusal_of(refusal.re or message_id, refusal))

    def _limit_rate(self, decoded: dict[str, Any]) -> None:
        wait = self._messages.take(self._clock.monotonic())
        if wait > 0:
            raise ProtocolError(ErrorCode.RATE_LIMITED, re=message_id_in(decoded), retry_after=told(wait))

    def _dispatch(self, codec: Codec, message: ClientMessage) -> None:
        if self._session is not None:
            self._session.handle(message)
        elif isinstance(message, Ping):
            self.send(pong(message))
        elif isinstance(message, Hello):
            self._limit_newcomers(message)
            self._greeting = self.loop.create_task(self._greet(codec, message))
        else:
            raise ProtocolError(ErrorCode.UNAUTHORIZED, "say hello first")

    def _limit_newcomers(self, hello: Hello) -> None:
        """New players cost a row each, and have rooms of their own: one address cannot make them without end."""
        if hello.token is not None or self._visit is None:
            return
        now, count = self._clock.monotonic(), self._visit.account.new_players
        wait = count.wait(now)
        if wait > 0:
            text = "too many new players from this address"
            raise ProtocolError(ErrorCode.RATE_LIMITED, text, re=hello.id, retry_after=told(wait))
        count.add(now)

    async def _greet(self, codec: Codec, hello: Hello) -> None:
        try:
            self._session = await self._sessions.greet(self, hello)
        except Exception as error:  # noqa: BLE001 - every request is answered
            self._refuse(error, hello.id)
        self._greeting = None
        if self._session is not None:
            self._stop_hello_timer()
            if self.state is not State.OPEN:
                self._end_session()
        self._handle_backlog(codec)

    def _stop_hello_timer(self) -> None:
        if self._hello_timer is not None:
            self._hello_timer.cancel()
            self._hello_timer = None

    # Writing

    def send(self, outgoing: Outgoing) -> None:  # type: ignore[override]
        """Write a message to the transport; a connection that takes too little is cut, and may resume."""
        if self.state is not State.OPEN or self._codec is None:
            return
        frame = outgoing.frame(self._codec)
        self.transport.write(frame)
        if self._check_unsent(len(frame)) and outgoing.message["type"] == "error":
            self._count_refusal(outgoing.message["code"])

    def _check_unsent(self, newest: int = 0) -> bool:
        """Cut a connection to which too much is on its way beside the ``newest`` bytes. False: it was cut.

        A long record is larger than the limit by itself, and yet must get through, whatever is said meanwhile.
        """
        limit, unsent = self._limits.unsent_bytes, self.transport.get_write_buffer_size()
        self._largest = 0 if unsent <= limit else max(self._largest, newest)
        if limit and unsent > limit + self._largest:
            self._cut()
            return False
        return True

    def _cut(self) -> None:
        self._metrics.cut()
        self._inflow.stop()
        self.transport.abort()

    def _count_refusal(self, code: str) -> None:
        self._metrics.refused(code)
        now = self._clock.monotonic()
        self._refusals.add(now)
        if self._refusals.wait(now) > 0:
            self.close_now(CloseCode.POLICY)

    def check_stalled(self) -> None:
        """Cut a connection whose buffer has not been empty for too long (keepalive does not notice)."""
        now = self._clock.monotonic()
        if not self.transport.get_write_buffer_size():
            self._stalled_since = None
        elif self._stalled_since is None:
            self._stalled_since = now
        elif self._limits.stalled and now - self._stalled_since >= self._limits.stalled:
            self._cut()

    def check_silent(self) -> None:
        """Cut a connection on which nothing has come for too long, though it was pinged."""
        if self.loop.time() - self._heard_at >= SILENT:
            self.transport.abort()

    # Closing

    def hold(self) -> None:
        """Read nothing more for now: what was read is to be answered before the connection is closed."""
        self._inflow.hold()

    def replace(self) -> None:
        """A newer connection of the same player has taken over: say so and close for good."""
        self.send(Outgoing({"type": "closing", "reason": "replaced"}))
        self.close_now(CloseCode.REPLACED)

    def close_now(self, code: CloseCode) -> None:
        """Send a close frame and wait for nothing; cut the connection if the other side does not answer it."""
        if self.state is State.CONNECTING:
            self.transport.abort()
        elif self.state is State.OPEN:
            self.protocol.fail(code, CLOSE_TEXTS[code])  # and not `send_close`, which would read on
            self.send_data()
            self._expect_end()

    def _expect_end(self) -> None:
        """Nothing is said or read here any more: the player is gone, and a line that does not end by itself is cut."""
        self._inflow.stop()
        if self._close_timer is None:
            self._close_timer = self._clock.call_at(self._clock.monotonic() + CLOSE_TIMEOUT, self.transport.abort)
            self.loop.call_soon(self._end_session)  # not now: a room may be telling its listeners something

    def connection_lost(self, exc: Exception | None) -> None:
        """The transport is gone (called by the library)."""
        if self._visit is None:
            return
        super().connection_lost(exc)
        self._connections.discard(self)
        self._addresses.leave(self._visit)
        self._stop_hello_timer()
        if self._close_timer is not None:
            self._close_timer.cancel()
        self._inflow.stop()
        self._backlog.clear()
        self._fragments.clear()
        self._end_session()

    def _end_session(self) -> None:
        if self._session is not None:
            self._sessions.end(self._session)
