"""What a player is sent and does not take."""

from __future__ import annotations

import asyncio
import socket

import pytest
from websockets.frames import Frame, Opcode

from server.app import SWEEP
from server.connection import Connection
from server.outgoing import Outgoing
from tests.limits.lines import text_frame
from tests.system.client import PATIENCE, Client
from tests.system.scenes import in_turn
from tests.system.servers import Server, serving


async def unread(server: Server) -> tuple[Client, Connection]:
    """A player who takes nothing in any more, on a line that holds little, and the server's end of it."""
    ann = server.stranger("Ann")
    await ann.open(receive_buffer=4096)
    await ann.hello()
    ann.socket.transport.pause_reading()
    connection = max(server.app._connections, key=lambda connection: connection.number)
    connection.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    return ann, connection


async def fill(ann: Client, connection: Connection) -> None:
    """Something waits for ``ann`` that the system does not take any more."""
    async with asyncio.timeout(PATIENCE):
        while not connection.transport.get_write_buffer_size():
            ann.socket.transport.write(text_frame('{"type":"nonsense"}') * 100)
            await asyncio.sleep(0)


async def come_back(ann: Client) -> None:
    """``ann`` is the same player on a new line."""
    player = ann.player
    await ann.drop()
    assert (await ann.come_back())["player"] == player


async def test_answers_that_nobody_reads_are_bounded_and_then_the_line_is_cut() -> None:
    async with serving(limits={"unsent_bytes": 64 * 1024, "messages_per_second": 0}) as server:
        ann, connection = await unread(server)
        most = 0

        async with asyncio.timeout(PATIENCE):
            while server.app._connections:
                ann.socket.transport.write(text_frame('{"type":"nonsense"}') * 100)
                await asyncio.sleep(0)
                most = max(most, connection.transport.get_write_buffer_size())

        assert 0 < most < 65 * 1024
        await come_back(ann)


@pytest.mark.parametrize(("waiting", "is_cut"), [(100_000, False), (100_001, True)])
async def test_so_much_may_wait_when_one_message_more_is_written(waiting: int, is_cut: bool) -> None:
    async with serving(limits={"unsent_bytes": 100_000}) as server:
        ann, connection = await unread(server)
        await fill(ann, connection)
        transport = connection.transport
        transport.write(bytes(waiting - transport.get_write_buffer_size()))

        connection.send(Outgoing({"type": "pong"}))

        assert transport.is_closing() == is_cut


async def test_a_message_larger_than_the_limit_reaches_who_reads() -> None:
    async with serving(limits={"unsent_bytes": 1000}) as server:
        ann = server.stranger("Ann")
        await ann.open(receive_buffer=4096)
        await ann.hello()
        (connection,) = server.app._connections
        connection.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)

        connection.send(Outgoing({"type": "closing", "reason": "x" * 100_000}))

        assert len((await ann.receive())["reason"]) == 100_000
        assert (await ann.say("ping"))["type"] == "pong"


async def test_whatever_is_said_while_a_large_message_is_on_its_way_does_not_cut_it_off() -> None:
    async with serving(limits={"unsent_bytes": 10_000}) as server:
        ann, connection = await unread(server)
        await fill(ann, connection)
        connection.send(Outgoing({"type": "closing", "reason": "x" * 100_000}))

        connection.send(Outgoing({"type": "pong"}))
        small = connection.transport.is_closing()
        for _ in range(3):
            connection.send(Outgoing({"type": "closing", "reason": "x" * 5_000}))

        assert (small, connection.transport.is_closing()) == (False, True)


async def test_pings_whose_answers_nobody_reads_are_no_way_around_it() -> None:
    async with serving(limits={"unsent_bytes": 64 * 1024}) as server:
        ann, _ = await unread(server)
        ping = Frame(Opcode.PING, b"x" * 125).serialize(mask=True)

        async with asyncio.timeout(PATIENCE):
            while server.app._connections:
                ann.socket.transport.write(ping * 100)
                await asyncio.sleep(0)

        await come_back(ann)


async def pass_time(server: Server, seconds: float) -> None:
    """Let time pass in steps in which the sweep gets its turn."""
    for _ in range(round(seconds / SWEEP)):
        server.let_pass(SWEEP)
        await asyncio.sleep(0)
        await asyncio.sleep(0)


async def test_a_connection_that_takes_nothing_is_cut_when_it_has_had_its_time() -> None:
    async with serving(limits={"stalled": 20, "unsent_bytes": 0}) as server:
        ann, connection = await unread(server)
        await fill(ann, connection)
        await pass_time(server, 20)  # the first sweep sees that something waits, and counts from then on
        before = connection.transport.is_closing()

        await pass_time(server, 5)

        assert (before, connection.transport.is_closing()) == (False, True)
        await come_back(ann)


async def test_a_connection_that_catches_up_in_time_is_left_alone() -> None:
    async with serving(limits={"stalled": 20, "unsent_bytes": 0}) as server:
        ann, connection = await unread(server)
        await fill(ann, connection)
        await pass_time(server, 15)
        ann.socket.transport.resume_reading()
        async with asyncio.timeout(PATIENCE):
            while connection.transport.get_write_buffer_size():
                await ann.receive()

        await pass_time(server, 60)

        assert (await ann.say("ping"))["type"] == "pong"


async def test_a_busy_bystander_notices_nothing_of_a_line_that_is_cut() -> None:
    async with serving(limits={"unsent_bytes": 64 * 1024}) as server:
        scene = await in_turn(server)
        ann, _ = await unread(server)

        async with asyncio.timeout(PATIENCE):
            while len(server.app._connections) > 2:
                ann.socket.transport.write(text_frame('{"type":"nonsense"}') * 100)
                await asyncio.sleep(0)

        await scene.assert_nothing_happened()
