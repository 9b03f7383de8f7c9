"""What arrives before it can be handled: with the handshake, or behind a `hello` that is being looked up."""

from __future__ import annotations

import asyncio
from contextlib import closing

import pytest
from websockets.frames import Frame, Opcode

from server.connection import MAX_BACKLOG
from server.store.memory import MemoryStore
from tests.limits.lines import text_frame
from tests.limits.wear import REQUEST
from tests.system.client import PATIENCE, Client
from tests.system.servers import Server, serving

CLOSE = Frame(Opcode.CLOSE, b"").serialize(mask=True)


async def test_what_comes_while_hello_is_looked_up_waits_its_turn() -> None:
    async with serving() as server:
        zoe = server.stranger("Zoe")
        await zoe.open()
        hello, ping = zoe.encode({"type": "hello", "id": "h", "name": "Zoe"}), zoe.encode({"type": "ping", "id": "p"})

        zoe.socket.transport.write(b"".join(text_frame(frame) for frame in (hello, ping)))
        await zoe.answer("p")

        assert [message["type"] for message in zoe.heard] == ["welcome", "pong"]


async def answer_to_one_piece(server: Server, data: bytes) -> bytes:
    """All that comes back when a handshake and ``data`` arrive together."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(REQUEST + data)
    try:
        async with asyncio.timeout(PATIENCE):
            return await reader.read()
    except ConnectionResetError:
        return b""
    finally:
        writer.close()


async def test_what_comes_together_with_the_handshake_is_answered() -> None:
    async with serving() as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(REQUEST + text_frame('{"type":"ping","id":"early"}'))

        async with asyncio.timeout(PATIENCE):
            head = await reader.readuntil(b"\r\n\r\n")
            frame = await reader.readuntil(b"}")

        assert head.startswith(b"HTTP/1.1 101 ")
        assert frame.endswith(b'{"type":"pong","re":"early"}')
        writer.close()


async def test_who_says_goodbye_together_with_the_handshake_is_gone() -> None:
    async with serving() as server:
        answer = await answer_to_one_piece(server, CLOSE)

        assert answer.startswith(b"HTTP/1.1 101 ")
        assert answer.endswith(Frame(Opcode.CLOSE, b"").serialize(mask=False))


async def test_what_comes_together_with_the_handshake_is_limited_as_what_comes_later() -> None:
    async with serving(limits={"messages_per_second": 20, "burst": 5}) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        with closing(writer):
            pings = (text_frame(f'{{"type":"ping","id":"p{number}"}}') for number in range(6))
            writer.write(REQUEST + b"".join(pings))

            async with asyncio.timeout(PATIENCE):
                answers = await reader.readuntil(b'"re":"p4"}')
                await reader.readuntil(b'"re":"p5","code":"rate_limited"')

    assert answers.count(b'{"type":"pong"') == 5


class SlowStore(MemoryStore):
    """A store that looks nobody up until it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = asyncio.Event()

    async def add_player(self, token_hash: bytes, player: str, at: float) -> None:
        await self.gate.wait()
        await super().add_player(token_hash, player, at)


async def say_behind_hello(server: Server, pings: int) -> Client:
    """Somebody whose `hello` is being looked up, and who has said so much more."""
    zoe = server.stranger("Zoe")
    await zoe.open()
    said = [{"type": "hello", "id": "hello", "name": "Zoe"}]
    said += [{"type": "ping", "id": f"ping {number}"} for number in range(pings)]
    zoe.socket.transport.write(b"".join(text_frame(zoe.encode(message)) for message in said))
    return zoe


@pytest.mark.parametrize(("burst", "most"), [(0, MAX_BACKLOG), (5, 5)])
async def test_so_many_frames_wait_while_hello_is_looked_up(burst: int, most: int) -> None:
    store = SlowStore()
    async with serving(store, limits={"burst": burst}) as server:
        zoe = await say_behind_hello(server, most)
        async with asyncio.timeout(PATIENCE):
            await (await zoe.socket.ping())  # answered behind all that was said before, whoever is looked up
        before = list(zoe.heard)

        store.gate.set()
        await zoe.answer(f"ping {most - 1}")

        assert before == []
        assert [message["re"] for message in zoe.heard] == ["hello", *(f"ping {number}" for number in range(most))]
        assert {message["type"] for message in zoe.heard[1:]} == {"pong"}


@pytest.mark.parametrize(("burst", "most"), [(0, MAX_BACKLOG), (5, 5)])
async def test_one_frame_more_than_may_wait_closes_the_connection(burst: int, most: int) -> None:
    store = SlowStore()
    async with serving(store, limits={"burst": burst}) as server:
        zoe = await say_behind_hello(server, most + 1)

        code = await zoe.close_code()
        store.gate.set()

        assert (code, zoe.heard) == (1008, [])
