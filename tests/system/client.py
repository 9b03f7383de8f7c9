"""A client that trusts nothing: it holds every frame to the protocol and folds every update."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from itertools import count
from typing import Any
from urllib.parse import urlsplit

import msgpack
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.protocol import State
from websockets.typing import Subprotocol

from bots.fold import fold
from protocol.convert import Wire
from protocol.messages import check_sent

JSON = "doublesix.v1.json"
MSGPACK = "doublesix.v1.msgpack"
PATIENCE = 20.0
"""Seconds after which what has not come counts as missing. Nothing waits so long unless something is wrong."""


def lasting(snapshot: Wire) -> Wire:
    """``snapshot`` without what belongs to its delivery: durations, and which message it answers."""
    kept = {name: value for name, value in snapshot.items() if name not in ("re", "reset")}
    if kept["turn"] is not None:
        kept["turn"] = {name: value for name, value in kept["turn"].items() if name != "left"}
    return kept


@asynccontextmanager
async def socket_to(url: str, *subprotocols: str, **options: Any) -> AsyncIterator[ClientConnection]:
    """A bare WebSocket, for what no well-behaved client would send."""
    async with asyncio.timeout(PATIENCE):
        bare = await open_socket(url, *subprotocols, **options)
    try:
        yield bare
    finally:
        bare.transport.abort()
        await bare.wait_closed()


async def open_socket(
    url: str, *subprotocols: str, receive_buffer: int | None = None, **options: Any
) -> ClientConnection:
    """A connected WebSocket that offers ``subprotocols``; ``receive_buffer`` bytes are all that the system keeps."""
    if receive_buffer is not None:
        parts = urlsplit(url)
        options["sock"] = socket.socket()
        options["sock"].setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        options["sock"].connect((parts.hostname, parts.port))
    offered = [Subprotocol(name) for name in subprotocols] or None
    return await connect(url, subprotocols=offered, compression=None, proxy=None, max_queue=None, **options)


async def close_code(bare: ClientConnection) -> int | None:
    """With what code the server closes the connection, whatever it says before."""
    async with asyncio.timeout(PATIENCE):
        try:
            while True:
                await bare.recv()
        except ConnectionClosed:
            return bare.close_code


class Client:
    """One player, over any number of connections one after another.

    ``tables`` holds what has been folded of each room, ``heard`` every message in its order.
    """

    def __init__(self, url: str, name: str, subprotocol: str = JSON, *, prefix: str | None = None) -> None:
        self.url = url
        self.name = name
        self.subprotocol = subprotocol
        self.player = ""
        self.token: str | None = None
        self.tables: dict[str, Wire] = {}
        self.heard: list[Wire] = []
        self._ids = (f"{prefix or name}-{number}" for number in count(1))
        self._answers: dict[str, Wire] = {}
        self._socket: ClientConnection | None = None

    # The connection.

    async def open(self, **options: Any) -> None:
        """Connect; nothing is said yet."""
        async with asyncio.timeout(PATIENCE):
            self._socket = await open_socket(self.url, self.subprotocol, **options)

    async def hello(self, **fields: Any) -> Wire:
        """Say who this is: a new player the first time, the same one ever after."""
        token = {} if self.token is None else {"token": self.token}
        welcome = await self.say("hello", **{"name": self.name, **token, **fields})
        self.player, self.token = welcome["player"], welcome["token"]
        return welcome

    async def come_back(self, url: str | None = None) -> Wire:
        """A new connection of the same player. Returns the `welcome`."""
        self.url = url or self.url
        await self.open()
        return await self.hello()

    async def drop(self) -> None:
        """Cut the connection without a word."""
        self.socket.transport.abort()
        async with asyncio.timeout(PATIENCE):
            await self.socket.wait_closed()

    async def close_code(self) -> int | None:
        """With what code the server closes the connection; what it says before is taken in."""
        try:
            while True:
                await self.receive()
        except ConnectionClosed:
            return self.socket.close_code

    @property
    def is_open(self) -> bool:
        """Whether a connection was opened that has not ended."""
        return self._socket is not None and self._socket.state is State.OPEN

    @property
    def socket(self) -> ClientConnection:
        """The newest connection."""
        assert self._socket is not None, "open comes first"
        return self._socket

    # Talking.

    async def send(self, kind: str, **fields: Any) -> str:
        """Write a message and wait for nothing. Returns its id."""
        message = {"type": kind, "id": next(self._ids), **fields}
        await self.send_frame(self.encode(message))
        return str(message["id"])

    async def send_frame(self, frame: str | bytes | Iterable[str | bytes]) -> None:
        """Write a frame as it stands; parts of one as fragments."""
        async with asyncio.timeout(PATIENCE):
            await self.socket.send(frame)

    def encode(self, message: object) -> str | bytes:
        """``message`` as this client's frames have it."""
        if self.subprotocol == JSON:
            return json.dumps(message)
        packed: bytes = msgpack.packb(message)
        return packed

    async def answer(self, message_id: str) -> Wire:
        """The answer to the message of that id; what comes before it is taken in."""
        while message_id not in self._answers:
            await self.receive()
        return self._answers.pop(message_id)

    async def ask(self, kind: str, **fields: Any) -> Wire:
        """Send a message; returns its answer, whatever it is."""
        return await self.answer(await self.send(kind, **fields))

    async def say(self, kind: str, **fields: Any) -> Wire:
        """Send a message that must be accepted; returns its answer."""
        answer = await self.ask(kind, **fields)
        assert answer["type"] != "error", answer
        return answer

    async def refused(self, kind: str, **fields: Any) -> Wire:
        """Send a message that must be refused; returns the `error`."""
        answer = await self.ask(kind, **fields)
        assert answer["type"] == "error", answer
        return answer

    async def receive(self) -> Wire:
        """Take in the next message.

        Raises:
            ConnectionClosed: there is no connection any more.
        """
        async with asyncio.timeout(PATIENCE):
            frame = await self.socket.recv()
        assert isinstance(frame, str) == (self.subprotocol == JSON)
        message: Wire = json.loads(frame) if isinstance(frame, str) else msgpack.unpackb(frame)
        check_sent(message)
        self.heard.append(message)
        self._take_in(message)
        return message

    def _take_in(self, message: Wire) -> None:
        if "re" in message:
            self._answers[message["re"]] = message
        if message["type"] == "snapshot":
            self.tables[message["room"]] = lasting(message)
        elif message["type"] == "update":
            before = self.tables[message["room"]]
            assert message["seq"] == before["seq"] + 1, "a step is missing or came twice"
            assert message["epoch"] >= before["epoch"]
            self.tables[message["room"]] = lasting(fold(before, message, self.player))

    # Tables.

    async def create(self, seat: int | None = None, **settings: Any) -> str:
        """Open a room; returns its code."""
        snapshot = await self.say("create", settings=settings, seat=seat)
        return str(snapshot["room"])

    async def reach(self, room: str, seq: int) -> None:
        """Take in messages until step ``seq`` of ``room`` has come."""
        while self.tables[room]["seq"] < seq:
            await self.receive()

    async def hear(self, room: str, event: str) -> Wire:
        """Take in messages until ``event`` happens in ``room``; returns it."""
        while True:
            message = await self.receive()
            if message["type"] == "update" and message["room"] == room:
                for told in message["events"]:
                    if told["type"] == event:
                        return dict(told)

    async def look(self, room: str) -> Wire:
        """A fresh snapshot of ``room``, which must be what the updates have made of the one before."""
        message_id = await self.send("sync", room=room)
        folded = self.tables[room]
        while message_id not in self._answers:
            folded = self.tables[room]
            await self.receive()
        snapshot = self._answers.pop(message_id)
        assert lasting(snapshot) == folded
        return snapshot

    async def resume(self, room: str) -> Wire:
        """`sync` from the newest step that this client has seen: the missed updates, then `ok`."""
        table = self.tables[room]
        return await self.say("sync", room=room, epoch=table["epoch"], after=table["seq"])

    def seat(self, room: str) -> int | None:
        """Where this player sits in ``room``."""
        seats = self.tables[room]["you"]["seats"]
        return int(seats[0]) if seats else None

    def updates(self, room: str) -> list[Wire]:
        """The steps of ``room`` that were told, in the order in which they came."""
        return [m for m in self.heard if m["type"] == "update" and m["room"] == room]
