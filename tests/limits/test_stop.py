"""How connections end: by themselves, or because the server stops."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager, suppress
from http import HTTPStatus
from pathlib import Path

import pytest
from structlog.testing import capture_logs
from websockets.exceptions import ConnectionClosed
from websockets.frames import Close, Frame, Opcode

from server.commands.serve import stop_in_time
from server.connection import CLOSE_TIMEOUT
from server.farewell import CLOSE_AT_ONCE, CLOSE_PAUSE, COME_BACK_WITHIN
from server.journal import Journal
from tests.fakes import FailingStore
from tests.system.client import PATIENCE, Client
from tests.system.scenes import Scene, in_turn
from tests.system.servers import NO_LIMITS, Server, ServerProcess, server_process, serving

CLOSE = Frame(Opcode.CLOSE, Close(1000, "").serialize()).serialize(mask=True)


async def turns(count: int = 20) -> None:
    """Let everybody in this process have a few turns."""
    for _ in range(count):
        await asyncio.sleep(0)


async def status(server: Server, path: str) -> int:
    """The status of an HTTP answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: here\r\n\r\n".encode())
    async with asyncio.timeout(PATIENCE):
        line = await reader.readline()
    writer.close()
    return int(line.split()[1])


async def deaf(server: Server, name: str) -> Client:
    """A player who answers no close frame."""
    client = await server.client(name)
    client.socket.transport.pause_reading()
    return client


async def in_time(work: Awaitable[None]) -> None:
    async with asyncio.timeout(PATIENCE):
        await work


async def test_who_says_goodbye_is_away_at_once_and_cut_if_the_line_stays() -> None:
    async with serving() as server:
        scene = await in_turn(server)
        (connection, _) = sorted(server.app._connections, key=lambda connection: connection.number)
        scene.sender.socket.transport.write(CLOSE)
        scene.sender.socket.transport.pause_reading()

        away = await scene.bystander.hear(scene.room, "away")
        before = connection.transport.is_closing()
        server.let_pass(CLOSE_TIMEOUT)

        assert away["seat"] == 0
        assert (before, connection.transport.is_closing()) == (False, True)


async def test_who_is_closed_for_a_reason_is_away_at_once_even_if_the_close_frame_is_not_answered() -> None:
    async with serving(limits={"refusals_per_minute": 1}) as server:
        scene = await in_turn(server)
        scene.sender.socket.transport.pause_reading()

        await scene.sender.send("nonsense")

        assert (await scene.bystander.hear(scene.room, "away"))["seat"] == 0


async def test_a_stopping_server_says_so_before_it_goes() -> None:
    async with serving() as server:
        ann, bob = await server.client("Ann"), await deaf(server, "Bob")

        stopping = asyncio.create_task(server.app.stop())
        code = await ann.close_code()
        ready, alive, page = [await status(server, path) for path in ("/readyz", "/healthz", "/ws")]
        server.let_pass(CLOSE_TIMEOUT)
        await in_time(stopping)

        assert code == 1012
        assert ann.heard[-1]["type"] == "closing"
        assert 0 <= ann.heard[-1]["retry_after"] <= COME_BACK_WITHIN
        assert (ready, alive) == (HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.OK)
        assert page != HTTPStatus.SWITCHING_PROTOCOLS
        await bob.drop()


async def test_a_stopping_server_lets_nobody_in() -> None:
    async with serving() as server:
        bob = await deaf(server, "Bob")

        stopping = asyncio.create_task(server.app.stop())
        await turns()
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(
            b"GET /ws HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        async with asyncio.timeout(PATIENCE):
            answer = await reader.readline()
        server.let_pass(CLOSE_TIMEOUT)
        await in_time(stopping)

        assert answer.split()[1] == b"503"
        writer.close()
        await bob.drop()


async def test_a_stopping_server_waits_for_nobody_who_says_nothing() -> None:
    async with serving() as server:
        ann = await server.client("Ann")
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        await turns()

        await in_time(server.app.stop())

        assert await reader.read() == b""
        assert await ann.close_code() == 1012
        writer.close()


async def test_a_stopping_server_cuts_who_does_not_hear_it() -> None:
    async with serving() as server:
        bob = await deaf(server, "Bob")

        stopping = asyncio.create_task(server.app.stop())
        await turns()
        waits = not stopping.done()
        server.let_pass(CLOSE_TIMEOUT)
        await in_time(stopping)

        assert waits
        await bob.drop()


async def test_a_stopping_server_sends_away_some_at_a_time() -> None:
    async with serving() as server:
        clients = [server.stranger(f"C{number}") for number in range(CLOSE_AT_ONCE + 20)]
        for client in clients:
            await client.open()

        stopping = asyncio.create_task(server.app.stop())
        await turns(5)
        first = len([connection for connection in server.app._connections if connection._close_timer is not None])
        while not stopping.done():
            server.let_pass(CLOSE_PAUSE)
            await asyncio.sleep(0)

        assert 0 < first < CLOSE_AT_ONCE
        assert {await client.close_code() for client in clients} == {1012}


@asynccontextmanager
async def undecided(store: FailingStore) -> AsyncIterator[tuple[Server, Scene, Client]]:
    """A step of the sender and a room of somebody else that the store is about to take, in a server that stops."""
    async with serving(store) as server:
        scene, eve = await in_turn(server), await server.client("Eve")
        store.gate.clear()
        await scene.sender.send("react", room=scene.room, key="wow")
        await eve.send("create", settings={"game": "draw", "seats": 2})
        while server.table(scene.room).seq == scene.before["seq"] or len(server.app.registry) < 2:
            await turns(1)
        yield server, scene, eve


async def test_what_was_decided_is_written_and_told_before_anybody_is_sent_away() -> None:
    store = FailingStore()
    async with undecided(store) as (server, scene, eve):
        stopping = asyncio.create_task(server.app.stop())
        await turns()
        waits = all(connection.is_open for connection in server.app._connections)
        store.gate.set()
        await in_time(stopping)
        codes = {await client.close_code() for client in (scene.sender, scene.bystander, eve)}

        assert (waits, codes) == (True, {1012})
        assert [message["type"] for message in scene.sender.heard[-3:]] == ["update", "ok", "closing"]
        assert [message["type"] for message in scene.bystander.heard[-2:]] == ["update", "closing"]
        assert [message["type"] for message in eve.heard[-2:]] == ["snapshot", "closing"]
        assert len(store._index.history(scene.room)) > scene.before["seq"]


async def test_a_stopping_server_takes_in_nothing_more() -> None:
    store = FailingStore()
    async with undecided(store) as (server, scene, _):
        stopping = asyncio.create_task(server.app.stop())
        await turns(1)
        await scene.bystander.send("react", room=scene.room, key="wow")
        await turns()
        seq = server.table(scene.room).seq
        store.gate.set()
        await in_time(stopping)

        assert seq == scene.before["seq"] + 1
        assert await scene.bystander.close_code() == 1012
        assert scene.bystander.updates(scene.room)[-1]["seq"] == seq


async def test_no_bot_acts_in_a_stopping_server() -> None:
    store = FailingStore()
    async with serving(store) as server:
        ann = await server.client("Ann")
        room = await ann.create(game="draw", seats=2, bot="novice", bot_delay=1, lead=1)
        await ann.say("start", room=room)
        store.gate.clear()
        await ann.send("react", room=room, key="wow")
        while server.table(room).seq == ann.tables[room]["seq"]:
            await turns(1)
        seq = server.table(room).seq

        stopping = asyncio.create_task(server.app.stop())
        await turns(1)
        store.gate.set()
        await ann.reach(room, seq)
        server.let_pass(5)
        await in_time(stopping)

        assert ann.tables[room]["turn"]["seat"] == 1
        assert await ann.close_code() == 1012
        assert ann.tables[room]["seq"] == seq


async def test_a_store_that_takes_nothing_is_not_waited_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.farewell.TELL_WITHIN", 0)
    store = FailingStore()
    async with undecided(store) as (server, scene, _):
        stopping = asyncio.create_task(server.app.stop())
        code = await scene.bystander.close_code()
        waits = not stopping.done()
        store.gate.set()
        await in_time(stopping)

        assert (code, waits) == (1012, True)
        assert len(store._index.history(scene.room)) > scene.before["seq"]


async def test_a_stop_that_takes_too_long_is_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.commands.serve.STOP_WITHIN", 0)
    store = FailingStore()
    async with undecided(store) as (server, _, __):
        await in_time(stop_in_time(server.app))

        assert any(connection.is_open for connection in server.app._connections)
        store.gate.set()
        for connection in server.app._connections:
            connection.transport.abort()  # as the end of the process would


async def play(client: Client, room: str, is_under_way: asyncio.Event) -> None:
    """Play on until the connection ends: the first legal action each time, and `next` whenever the table waits."""
    with suppress(ConnectionClosed):
        while True:
            table = client.tables[room]
            if table["seq"] >= 20:
                is_under_way.set()
            if table["turn"] is None:
                await client.say("next", room=room)
            elif table["turn"]["seat"] == 0:
                action = table["turn"]["legal"][0]["action"]
                await client.say("act", room=room, seq=table["seq"], action=action)
            else:
                await client.receive()


async def test_a_process_that_is_told_to_stop_under_load_ends_well_and_loses_nothing(tmp_path: Path) -> None:
    async with server_process(tmp_path, *(f"--limit={name}=0" for name in NO_LIMITS)) as server:
        tables = [await own_table(server, f"P{number}") for number in range(12)]
        under_way = [asyncio.Event() for _ in tables]
        playing = [asyncio.create_task(play(*table, event)) for table, event in zip(tables, under_way, strict=True)]
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*(event.wait() for event in under_way))

        exit_status = await server.terminate()
        await asyncio.gather(*playing)
        codes = {client.socket.close_code for client, _ in tables}
        await server.start()

        assert (exit_status, codes) == (0, {1012})
        for client, room in tables:
            seen = client.tables[room]["seq"]
            await client.come_back(server.url)
            assert (await client.resume(room))["type"] == "ok"
            assert client.tables[room]["seq"] > seen
            await client.look(room)


async def own_table(server: ServerProcess, name: str) -> tuple[Client, str]:
    """A player in a match against a bot."""
    client = await server.client(name)
    room = await client.create(game="draw", seats=2, bot="novice", bot_delay=0)
    await client.say("start", room=room)
    return client, room


async def test_a_server_that_cannot_go_on_says_so_and_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_: object) -> None:
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr(Journal, "_write", fail)
    with capture_logs() as logged:
        async with serving() as server:
            ann = await server.client("Ann")
            await ann.send("create", settings={"game": "draw", "seats": 2})
            async with asyncio.timeout(PATIENCE):
                await server.app.has_failed.wait()
            ready = await status(server, "/readyz")
            server.app._journal._idle.set()  # what will never be written is not waited for

    assert [entry["task"] for entry in logged if entry["event"] == "server.task_ended"] == ["journal"]
    assert ready == HTTPStatus.SERVICE_UNAVAILABLE
