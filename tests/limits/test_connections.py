"""What one connection, and one address, may do."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus
from websockets.frames import Frame, Opcode

from server.addresses import WAITING
from server.app import SWEEP
from server.connection import MAX_BACKLOG, MAX_FRAGMENTS, Connection
from server.outgoing import Outgoing
from tests.limits.wear import REQUEST
from tests.system.client import JSON, MSGPACK, PATIENCE, Client, close_code, socket_to
from tests.system.scenes import in_turn
from tests.system.servers import Server, serving

CLOSE = Frame(Opcode.CLOSE, b"").serialize(mask=True)


@asynccontextmanager
async def player(**limits: float) -> AsyncIterator[tuple[Server, Client]]:
    """A player of a server that has these limits alone."""
    async with serving(limits=limits) as server:
        yield server, await server.client("Ann")


async def handshake(server: Server, **headers: str) -> int:
    """The status of a handshake; the connection is given up at once."""
    try:
        async with socket_to(server.url, JSON, additional_headers=headers):
            return 101
    except InvalidStatus as refused:
        return refused.response.status_code


def framed(message: dict[str, Any], size: int) -> str:
    """``message`` with spaces behind it up to ``size`` bytes."""
    return json.dumps(message).ljust(size)


async def test_a_frame_may_be_as_large_as_the_limit_and_no_larger() -> None:
    async with player(frame_bytes=1000) as (_, ann):
        await ann.send_frame(framed({"type": "ping", "id": "fits"}, 1000))
        answer = await ann.answer("fits")
        await ann.send_frame(framed({"type": "ping", "id": "too large"}, 1001))

        assert answer["type"] == "pong"
        assert await ann.close_code() == 1009


async def test_fragments_together_may_be_as_large_as_one_frame() -> None:
    async with player(frame_bytes=1000) as (_, ann):
        whole = framed({"type": "ping", "id": "fits"}, 1000)
        await ann.send_frame([whole[:900], whole[900:]])
        answer = await ann.answer("fits")
        await ann.send_frame([whole[:900], whole[900:] + " "])

        assert answer["type"] == "pong"
        assert await ann.close_code() == 1009


async def test_without_a_limit_a_frame_may_be_large() -> None:
    async with player(frame_bytes=0) as (_, ann):
        await ann.send_frame(framed({"type": "ping", "id": "large"}, 3_000_000))

        assert (await ann.answer("large"))["type"] == "pong"


def fragments(count: int) -> bytes:
    """A message in ``count`` fragments: all but the first are empty."""
    first = Frame(Opcode.TEXT, b'{"type":"ping","id":"whole"}', fin=count == 1).serialize(mask=True)
    middle = Frame(Opcode.CONT, b"", fin=False).serialize(mask=True)
    return first + middle * (count - 2) + Frame(Opcode.CONT, b"", fin=True).serialize(mask=True)


async def test_a_message_has_so_many_fragments_even_if_they_are_empty() -> None:
    async with player() as (_, ann):
        ann.socket.transport.write(fragments(MAX_FRAGMENTS))
        answer = await ann.answer("whole")
        ann.socket.transport.write(fragments(MAX_FRAGMENTS + 1))

        assert answer["type"] == "pong"
        assert await ann.close_code() == 1009


async def test_messages_beyond_the_burst_are_refused_until_there_was_time_for_them() -> None:
    async with player(messages_per_second=20, burst=5) as (server, ann):
        answers = [await ann.ask("ping") for _ in range(4)]  # the fifth message was `hello`

        refusal = await ann.refused("ping")
        server.let_pass(refusal["retry_after"])

        assert {answer["type"] for answer in answers} == {"pong"}
        assert (refusal["code"], refusal["retry_after"]) == ("rate_limited", 0.051)
        assert (await ann.ask("ping"))["type"] == "pong"
        assert (await ann.ask("ping"))["code"] == "rate_limited"


@pytest.mark.parametrize("message", ['{"type":"ping","id":"it"}', '{"type":"nonsense","id":"it"}', '{"id":"it"}'])
async def test_a_message_beyond_the_burst_is_answered_under_its_id_whatever_it_is(message: str) -> None:
    async with player(messages_per_second=1, burst=1) as (_, ann):
        await ann.send_frame(message)

        assert (await ann.answer("it"))["code"] == "rate_limited"


async def test_refusals_up_to_the_limit_are_borne_and_one_more_is_not() -> None:
    async with player(refusals_per_minute=3) as (server, ann):
        for _ in range(2):
            await ann.refused("nonsense")
        server.let_pass(61)
        for _ in range(2):
            await ann.refused("nonsense")
        answer = await ann.say("ping")
        await ann.refused("nonsense")

        assert answer["type"] == "pong"
        assert await ann.close_code() == 1008


async def test_an_address_has_so_many_connections() -> None:
    async with serving(limits={"connections_per_address": 3}) as server:
        ann, _bob, _cat = [await server.client(name) for name in ("Ann", "Bob", "Cat")]

        past = await handshake(server)
        await ann.drop()
        after = await handshake(server)

        assert (past, after) == (503, 101)


async def test_a_connection_that_says_nothing_counts_too() -> None:
    async with serving(limits={"connections_per_address": 1}) as server:
        silent = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(WAITING + 1)]
        async with asyncio.timeout(PATIENCE):
            cut = await silent[-1][0].read()
        silent[0][1].close()
        await silent[0][1].wait_closed()

        assert cut == b""
        assert not silent[1][0].at_eof()
        assert await handshake(server) == 101
        for _, writer in silent[1:]:
            writer.close()


async def test_clients_behind_a_proxy_of_ours_are_counted_each_for_itself() -> None:
    async with (
        serving(limits={"connections_per_address": 1}, proxies=("127.0.0.0/8",)) as server,
        socket_to(server.url, JSON, additional_headers={"X-Forwarded-For": "192.0.2.1"}),
    ):
        same = await handshake(server, **{"X-Forwarded-For": "192.0.2.1"})
        invented = await handshake(server, **{"X-Forwarded-For": "198.51.100.1, 192.0.2.1"})
        other = await handshake(server, **{"X-Forwarded-For": "192.0.2.2"})

    assert (same, invented, other) == (503, 503, 101)


async def test_nobody_else_is_believed_where_a_connection_comes_from() -> None:
    async with (
        serving(limits={"connections_per_address": 1}, proxies=("10.0.0.0/8",)) as server,
        socket_to(server.url, JSON, additional_headers={"X-Forwarded-For": "192.0.2.1"}),
    ):
        other = await handshake(server, **{"X-Forwarded-For": "192.0.2.2"})

    assert other == 503


async def test_hello_is_said_in_time_or_never() -> None:
    async with serving(limits={"hello": 5}) as server:
        in_time, late = server.stranger("Ann"), server.stranger("Bob")
        for client in (in_time, late):
            await client.open()
            await client.say("ping")
        server.let_pass(4.9)
        await in_time.hello()
        await late.refused("hello", name="Bob", token="wrong")
        server.let_pass(0.1)

        assert await late.close_code() == 4008
        assert (await in_time.say("ping"))["type"] == "pong"


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

        assert answer == b""
        assert not server.app._connections


async def test_who_sends_too_much_together_with_the_handshake_is_cut() -> None:
    async with serving() as server:
        answer = await answer_to_one_piece(server, text_frame('{"type":"ping"}') * (MAX_BACKLOG + 1))

    assert answer == b""


def text_frame(text: str | bytes) -> bytes:
    assert isinstance(text, str)
    return Frame(Opcode.TEXT, text.encode()).serialize(mask=True)


async def unread(server: Server) -> tuple[Client, Connection]:
    """A player who takes nothing in any more, on a line that holds little, and the server's end of it."""
    ann = server.stranger("Ann")
    await ann.open(receive_buffer=4096)
    await ann.hello()
    ann.socket.transport.pause_reading()
    connection = max(server.app._connections, key=lambda connection: connection.number)
    connection.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    return ann, connection


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


async def test_pings_whose_answers_nobody_reads_are_no_way_around_it() -> None:
    async with serving(limits={"unsent_bytes": 64 * 1024}) as server:
        ann, _ = await unread(server)
        ping = Frame(Opcode.PING, b"x" * 125).serialize(mask=True)

        async with asyncio.timeout(PATIENCE):
            while server.app._connections:
                ann.socket.transport.write(ping * 100)
                await asyncio.sleep(0)

        await come_back(ann)


async def fill(ann: Client, connection: Connection) -> None:
    """Something waits for ``ann`` that the system does not take any more."""
    async with asyncio.timeout(PATIENCE):
        while not connection.transport.get_write_buffer_size():
            ann.socket.transport.write(text_frame('{"type":"nonsense"}') * 100)
            await asyncio.sleep(0)


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


@pytest.mark.parametrize("subprotocol", [JSON, MSGPACK])
async def test_a_message_has_so_many_levels(subprotocol: str) -> None:
    async with serving(limits={"nesting": 3}) as server:
        ann = await server.client("Ann", subprotocol)

        fits = await ann.refused("ping", extra={"a": []})
        too_deep = await ann.refused("ping", extra={"a": [[]]})

        assert fits["code"] == "bad_message"
        assert (too_deep["code"], too_deep["path"]) == ("too_large", "extra.a.0")


@pytest.mark.parametrize("subprotocol", [JSON, MSGPACK])
@pytest.mark.parametrize("depth", [8, 9, 500, 5000])
async def test_without_a_limit_a_message_is_only_as_deep_as_it_can_be_read(subprotocol: str, depth: int) -> None:
    async with serving(limits={"nesting": 0}) as server:
        ann = await server.client("Ann", subprotocol)
        nested = b'{"type":"ping","id":"d","extra":' + b"[" * depth + b"]" * depth + b"}"
        packed = b"\x83\xa4type\xa4ping\xa2id\xa1d\xa5extra" + b"\x91" * (depth - 1) + b"\x90"

        await ann.send_frame(nested.decode() if subprotocol == JSON else packed)
        answer = await ann.receive()

        assert answer["code"] in {"bad_message", "too_large"}
        assert (await ann.say("ping"))["type"] == "pong"


@pytest.mark.parametrize(
    "name",
    ["", " ", "x" * 21, "x" * 10_000, "A\x00n", "A\u202en", "Z" + "\u0337" * 5, "\u0301", "q\u0303" * 11, "A\nn"],
    ids=ascii,
)
async def test_a_name_that_nobody_could_read_is_refused_and_a_better_one_taken(name: str) -> None:
    async with serving() as server:
        zoe = server.stranger("Zoe")
        await zoe.open()

        refusal = await zoe.refused("hello", name=name)
        welcome = await zoe.say("hello", name="x" * 20)

        assert (refusal["code"], refusal["path"]) == ("bad_message", "name")
        assert welcome["player"]


async def test_half_a_surrogate_pair_is_no_name() -> None:
    async with serving() as server:
        zoe = server.stranger("Zoe")
        await zoe.open()

        await zoe.send_frame('{"type":"hello","id":"h","name":"\\ud800"}')

        assert (await zoe.answer("h"))["code"] == "bad_message"


@pytest.mark.parametrize(("limit", "longest"), [(5, 5), (30, 30), (0, 4000)])
async def test_the_length_of_a_name_can_be_chosen(limit: int, longest: int) -> None:
    async with serving(limits={"name_characters": limit}) as server:
        ann, bob = server.stranger("Ann"), server.stranger("Bob")
        for client in (ann, bob):
            await client.open()

        await ann.say("hello", name="x" * longest)
        answer = await bob.ask("hello", name="x" * (longest + 1))

        assert answer.get("code") == (None if limit == 0 else "bad_message")


@pytest.mark.parametrize("wrong", ["AAAAAA", "ABC234"])
async def test_a_connection_guesses_so_many_codes_a_minute_and_its_own_room_is_always_found(wrong: str) -> None:
    async with serving(limits={"wrong_codes": 3}) as server:
        ann, bob = await server.client("Ann"), await server.client("Bob")
        room = await ann.create(game="draw", seats=3)
        strange = await bob.create(game="draw", seats=2)
        guesses = [(await ann.refused("join", room=wrong))["code"] for _ in range(3)]

        past = await ann.refused("watch", room=strange)
        own = await ann.say("sync", room=room)
        of_another = await bob.say("watch", room=room)
        server.let_pass(past["retry_after"])
        later = await ann.say("watch", room=strange)

        assert guesses == ["no_such_room"] * 3
        assert (past["code"], 59 < past["retry_after"] <= 60.001) == ("rate_limited", True)
        assert {answer["type"] for answer in (own, of_another, later)} == {"snapshot"}


async def test_an_address_guesses_so_many_codes_a_minute_over_all_its_connections() -> None:
    async with serving(limits={"wrong_codes": 2, "wrong_codes_per_address": 3}) as server:
        clients = [await server.client(name) for name in ("Ann", "Bob", "Cat")]
        codes = [(await client.refused("join", room="AAAAAA"))["code"] for client in clients]

        await clients[0].drop()
        new = await server.client("Dan")

        assert codes == ["no_such_room"] * 3
        assert (await new.refused("join", room="AAAAAA"))["code"] == "rate_limited"


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("https://play.example", 101),
        ("https://play.example:444", 403),
        ("http://play.example", 403),
        ("https://play.example.evil.example", 403),
        ("null", 403),
        ("", 403),
    ],
)
async def test_a_browser_comes_from_a_page_that_is_admitted(origin: str, status: int) -> None:
    async with serving(origins=("https://play.example",)) as server:
        assert await handshake(server, Origin=origin) == status


async def test_two_origins_are_none() -> None:
    async with serving(origins=("https://play.example",)) as server:
        headers = [("Origin", "https://play.example"), ("Origin", "https://play.example")]

        with pytest.raises(InvalidStatus) as refused:
            async with socket_to(server.url, JSON, additional_headers=headers):
                pass

    assert refused.value.response.status_code == 403


async def test_a_busy_bystander_notices_nothing_of_a_line_that_is_cut() -> None:
    async with serving(limits={"unsent_bytes": 64 * 1024}) as server:
        scene = await in_turn(server)
        ann, _ = await unread(server)

        async with asyncio.timeout(PATIENCE):
            while len(server.app._connections) > 2:
                ann.socket.transport.write(text_frame('{"type":"nonsense"}') * 100)
                await asyncio.sleep(0)

        await scene.assert_nothing_happened()


async def test_close_codes_are_told_before_the_line_is_closed() -> None:
    async with serving(limits={"refusals_per_minute": 1}) as server, socket_to(server.url, JSON) as bare:
        await bare.send("{}")

        assert await close_code(bare) == 1008
