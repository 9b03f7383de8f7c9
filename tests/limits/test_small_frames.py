"""Frames that cost whoever sends them next to nothing: how many are read, of whom, and when."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest
import uvloop
from websockets.frames import Frame, Opcode

from server.connection import CLOSE_TIMEOUT, FRAMES_A_MESSAGE, Connection
from server.inflow import SLICE
from tests.limits.lines import player, text_frame
from tests.system.client import PATIENCE, Client
from tests.system.servers import Server, serving

LIMITS = {"messages_per_second": 20, "burst": 40, "refusals_per_minute": 50}
MOST = FRAMES_A_MESSAGE * 40
"""Frames at once that are no messages."""
A_SLICE = SLICE // 6 + 1
"""Frames in a slice: the smallest has six bytes."""
FLOOD = 2_000_000
"""Bytes."""


def small(opcode: Opcode, payload: bytes = b"", *, fin: bool = True) -> bytes:
    """A frame as it stands on the line."""
    return Frame(opcode, payload, fin=fin).serialize(mask=True)


FLOODS = {
    "pings": small(Opcode.PING),
    "pongs": small(Opcode.PONG),
    "long pings": small(Opcode.PING, b"x" * 125),
    "empty texts": small(Opcode.TEXT),
    "empty messages": text_frame("{}"),
    "messages": text_frame('{"type":"ping"}'),
    "messages in fragments": small(Opcode.TEXT, fin=False) + small(Opcode.CONT, fin=False) * 900 + small(Opcode.CONT),
    "one message in fragments": small(Opcode.CONT, fin=False),
}


def flood(kind: str) -> bytes:
    """So many of ``FLOODS`` one after the other."""
    frame = FLOODS[kind]
    begin = small(Opcode.TEXT, fin=False) if kind == "one message in fragments" else b""
    return begin + frame * (FLOOD // len(frame))


class Counted:
    """How many frames of a connection are read."""

    def __init__(self, connection: Connection, patch: pytest.MonkeyPatch) -> None:
        self.frames = 0
        self._receive = connection.protocol.recv_frame
        patch.setattr(connection.protocol, "recv_frame", self._count)

    def _count(self, frame: Frame) -> None:
        self.frames += 1
        self._receive(frame)


async def turn() -> None:
    """Let everybody in this process have a turn."""
    await asyncio.sleep(0)


def connection_of(server: Server) -> Connection:
    """The newest one."""
    return max(server.app._connections, key=lambda connection: connection.number)


async def line(server: Server, *, greets: bool) -> tuple[Client, Connection]:
    """A client, and the server's end of its line."""
    zoe = server.stranger("Zoe")
    await zoe.open()
    if greets:
        await zoe.hello()
    return zoe, connection_of(server)


@pytest.mark.parametrize("greets", [False, True], ids=["a stranger", "a player"])
@pytest.mark.parametrize("kind", FLOODS)
async def test_of_a_flood_a_slice_is_read_in_a_turn_and_nothing_after_the_close(
    kind: str, greets: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(limits=LIMITS) as server:
        zoe, connection = await line(server, greets=greets)
        counted = Counted(connection, monkeypatch)

        connection.data_received(flood(kind))
        at_once, waits = counted.frames, not connection.transport.is_reading()
        turns = 0
        while connection.is_open:
            before = counted.frames
            await turn()
            turns += 1
            assert counted.frames - before <= A_SLICE
        until_the_close = counted.frames
        connection.data_received(flood(kind))
        await turn()

        assert 0 < at_once <= A_SLICE
        assert waits or not connection.is_open
        assert turns <= 50
        assert counted.frames == until_the_close <= MOST + A_SLICE
        assert await zoe.close_code() in (1007, 1008)


async def test_who_talks_on_after_the_close_is_not_listened_to_and_cut() -> None:
    async with serving(limits=LIMITS) as server:
        _, connection = await line(server, greets=False)
        connection.data_received(flood("pings"))
        while connection.is_open:
            await turn()

        connection.data_received(flood("pings"))
        is_read = connection.transport.is_reading()
        server.let_pass(CLOSE_TIMEOUT)

        assert not is_read
        assert connection.transport.is_closing()


@pytest.mark.parametrize("kind", ["pings", "pongs", "messages"])
async def test_where_rates_are_not_limited_a_flood_waits_for_its_turns(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with player(unsent_bytes=0) as (server, ann):
        connection = connection_of(server)
        counted = Counted(connection, monkeypatch)
        count = 3000
        connection.data_received(FLOODS[kind] * count)

        while not connection.transport.is_reading():
            before = counted.frames
            await turn()
            assert 0 < counted.frames - before <= A_SLICE

        assert counted.frames == count
        assert (await ann.say("ping"))["type"] == "pong"


async def test_pings_and_fragments_up_to_the_limit_are_answered() -> None:
    async with serving(limits=LIMITS) as server:
        zoe, _ = await line(server, greets=False)
        whole = b'{"type":"ping","id":"in fragments"}'
        parts = [small(Opcode.TEXT, whole, fin=False), *[small(Opcode.CONT, b" ", fin=False)] * (MOST - 3)]

        zoe.socket.transport.write(b"".join([*parts, small(Opcode.CONT)]))
        answer = await zoe.answer("in fragments")
        async with asyncio.timeout(PATIENCE):
            await (await zoe.socket.ping())
        zoe.socket.transport.write(small(Opcode.PING))

        assert answer["type"] == "pong"
        assert await zoe.close_code() == 1008


async def test_time_brings_back_what_may_come() -> None:
    async with serving(limits=LIMITS) as server:
        zoe, _ = await line(server, greets=False)
        for _ in range(3):
            zoe.socket.transport.write(small(Opcode.PONG) * MOST)
            assert (await zoe.say("ping"))["type"] == "pong"
            server.let_pass(2)


async def test_a_burst_of_messages_each_in_some_fragments_is_answered() -> None:
    async with serving(limits=LIMITS) as server:
        zoe, _ = await line(server, greets=False)
        messages = [f'{{"type":"ping","id":"p{number}"}}'.encode() for number in range(40)]

        for text in messages:
            parts = [text[:5], text[5:10], text[10:15]]
            zoe.socket.transport.write(small(Opcode.TEXT, parts[0], fin=False))
            zoe.socket.transport.write(b"".join(small(Opcode.CONT, part, fin=False) for part in parts[1:]))
            zoe.socket.transport.write(small(Opcode.CONT, text[15:]))
        await zoe.answer("p39")

        assert [message["type"] for message in zoe.heard] == ["pong"] * 40


async def flooded(kind: str) -> int:
    """How much of a flood over a real socket is unread when a bystander is answered who asks after it has begun."""
    async with player(unsent_bytes=0) as (server, ann):
        zoe, connection = await line(server, greets=True)
        zoe.socket.transport.write(flood(kind))
        while not connection._inflow._unread:
            await turn()

        assert (await ann.say("ping"))["type"] == "pong"
        return len(connection._inflow._unread)


def run_on(loop: str, work: Coroutine[Any, Any, int]) -> int:
    """What ``work`` gives on asyncio's own loop or on uvloop."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop if loop == "uvloop" else None) as runner:
        return runner.run(work)


@pytest.mark.parametrize("loop", ["asyncio", "uvloop"])
@pytest.mark.parametrize("kind", ["pings", "pongs", "messages"])
def test_a_bystander_is_answered_while_the_flood_still_waits(kind: str, loop: str) -> None:
    assert run_on(loop, flooded(kind)) > 0
