from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode
from websockets.typing import Subprotocol

from bots.load.link import Link, NotConnected, open_link
from server.event_loop import run_loop

PATIENCE = 5.0
SIZES = (0, 1, 125, 126, 127, 65_535, 65_536, 70_000)


class Ear:
    """Keeps what it hears."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []
        self.grown = asyncio.Event()

    def hear(self, payload: bytes) -> None:
        self.heard.append(payload)
        self.grown.set()

    async def reach(self, count: int) -> list[bytes]:
        """What was heard, once that are ``count`` messages."""
        async with asyncio.timeout(PATIENCE):
            while len(self.heard) < count:
                self.grown.clear()
                await self.grown.wait()
        return self.heard


@asynccontextmanager
async def talking_to(handler: Callable[[ServerConnection], Awaitable[None]]) -> AsyncIterator[tuple[Link, Ear]]:
    """A link to a server that does what ``handler`` says."""
    protocol = Subprotocol("doublesix.v1.msgpack")
    async with serve(handler, "127.0.0.1", 0, subprotocols=[protocol], compression=None) as server:
        ear = Ear()
        port = next(iter(server.sockets)).getsockname()[1]
        link = await open_link(f"ws://127.0.0.1:{port}/ws", ear)
        try:
            yield link, ear
        finally:
            await link.close()


async def hold(connection: ServerConnection) -> None:
    await connection.wait_closed()


async def test_messages_of_any_size_arrive_whole_and_in_order() -> None:
    async def handler(connection: ServerConnection) -> None:
        for size in SIZES:
            await connection.send(bytes([size % 251]) * size)
        await hold(connection)

    async with talking_to(handler) as (_, ear):
        heard = await ear.reach(len(SIZES))

    assert heard == [bytes([size % 251]) * size for size in SIZES]


@pytest.mark.parametrize("piece", [1, 2, 3, 7, 300])
async def test_frames_may_arrive_in_pieces(piece: int) -> None:
    payloads = [bytes(size) for size in (3, 0, 200, 1)]
    frames = b"".join(Frame(Opcode.BINARY, payload).serialize(mask=False) for payload in payloads)

    async with talking_to(hold) as (link, ear):
        for begin in range(0, len(frames), piece):
            link.data_received(frames[begin : begin + piece])

    assert ear.heard == payloads


async def test_a_message_in_fragments_is_put_together() -> None:
    async def handler(connection: ServerConnection) -> None:
        await connection.send([b"one ", b"two ", b"three"])
        await connection.send(b"four")
        await hold(connection)

    async with talking_to(handler) as (_, ear):
        assert await ear.reach(2) == [b"one two three", b"four"]


async def test_pings_are_answered_between_messages() -> None:
    async def handler(connection: ServerConnection) -> None:
        await connection.send(b"before")
        await (await connection.ping())
        await connection.send(b"after")
        await hold(connection)

    async with talking_to(handler) as (_, ear):
        assert await ear.reach(2) == [b"before", b"after"]


async def test_what_is_sent_arrives() -> None:
    async def handler(connection: ServerConnection) -> None:
        async for message in connection:
            await connection.send(message)

    async with talking_to(handler) as (link, ear):
        link.send(b"hello")
        assert await ear.reach(1) == [b"hello"]


@pytest.mark.parametrize("code", [1012, 4003])
async def test_the_code_with_which_the_server_closes_is_known(code: int) -> None:
    async def handler(connection: ServerConnection) -> None:
        await connection.close(code)

    async with talking_to(handler) as (link, _), asyncio.timeout(PATIENCE):
        assert await link.lost == code


async def test_a_connection_that_is_cut_has_no_code() -> None:
    async def handler(connection: ServerConnection) -> None:
        connection.transport.abort()

    async with talking_to(handler) as (link, _), asyncio.timeout(PATIENCE):
        assert await link.lost is None


async def test_nothing_can_be_sent_on_a_lost_connection() -> None:
    async def handler(connection: ServerConnection) -> None:
        await connection.close()

    async with talking_to(handler) as (link, _):
        async with asyncio.timeout(PATIENCE):
            await link.lost
        link.send(b"lost")


@pytest.mark.parametrize("cuts", ["the server", "the client"])
def test_what_is_sent_after_a_cut_is_lost_on_the_loop_that_commands_run_in(cuts: str) -> None:
    async def handler(connection: ServerConnection) -> None:
        if cuts == "the server":
            connection.transport.abort()
        await hold(connection)

    async def send_too_late() -> int | None:
        async with talking_to(handler) as (link, _), asyncio.timeout(PATIENCE):
            if cuts == "the client":
                link.abort()
                link.send(b"not there any more")
            code = await link.lost
            link.send(b"lost")
            return code

    assert run_loop(send_too_late()) is None


async def test_the_server_sees_a_proper_close() -> None:
    closed: asyncio.Queue[int | None] = asyncio.Queue()

    async def handler(connection: ServerConnection) -> None:
        with pytest.raises(ConnectionClosed):
            await connection.recv()
        closed.put_nowait(connection.close_code)

    async with talking_to(handler):
        pass

    async with asyncio.timeout(PATIENCE):
        assert await closed.get() == 1000


async def test_a_server_that_does_not_answer_the_close_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bots.load.link.CLOSE_TIMEOUT", 0.05)
    link_closed = asyncio.Event()

    async def handler(connection: ServerConnection) -> None:
        connection.transport.pause_reading()
        await link_closed.wait()
        connection.transport.abort()

    async with talking_to(handler) as (link, _):
        async with asyncio.timeout(PATIENCE):
            await link.close()
        link_closed.set()


async def test_nobody_at_the_port_is_no_connection() -> None:
    with pytest.raises(NotConnected) as refused:
        await open_link("ws://127.0.0.1:1/ws", Ear())

    assert refused.value.code == "unreachable"


async def test_a_refused_handshake_is_no_connection() -> None:
    async def process(connection: ServerConnection, _request: object) -> object:
        return connection.respond(503, "too many")

    async with serve(hold, "127.0.0.1", 0, process_request=process) as server:  # type: ignore[arg-type]
        port = next(iter(server.sockets)).getsockname()[1]
        with pytest.raises(NotConnected) as refused:
            await open_link(f"ws://127.0.0.1:{port}/ws", Ear())

    assert refused.value.code == "503"


async def test_who_is_refused_by_a_proxy_that_keeps_the_connection_open_is_not_connected() -> None:
    is_over = asyncio.Event()

    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 502 Bad Gateway\r\nConnection: keep-alive\r\nContent-Length: 5\r\n\r\nsor")
        with suppress(ConnectionError):
            while await reader.read(1000):
                """Not until the client has gone."""
        writer.transport.abort()
        is_over.set()

    async with await asyncio.start_server(refuse, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(NotConnected) as refused:
            async with asyncio.timeout(PATIENCE):
                await open_link(f"ws://127.0.0.1:{port}/ws", Ear())
        async with asyncio.timeout(PATIENCE):
            await is_over.wait()

    assert refused.value.code == "502"


async def test_somebody_who_speaks_something_else_is_no_connection() -> None:
    async def shout(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"SSH-2.0-here\r\n")
        writer.close()

    async with await asyncio.start_server(shout, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(NotConnected) as refused:
            await open_link(f"ws://127.0.0.1:{port}/ws", Ear())

    assert refused.value.code == "unreachable"
