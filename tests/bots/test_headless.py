from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from http import HTTPStatus
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from bots.club import Club
from bots.dialogue import Ending
from bots.fold import fold
from bots.headless import FIRST_ATTEMPTS, FIRST_WAIT, LONGEST_WAIT, play
from protocol.codecs import MsgpackCodec
from protocol.convert import Wire
from server.app import App
from server.config import Config
from server.limits import Limits
from server.store.sqlite import SqliteStore

CODE = "K7QM2X"
CODEC = MsgpackCodec()
PACE = 0.25
"""Seconds that a bot takes for a choice at a table of the tests."""
SUBPROTOCOLS = [Subprotocol(CODEC.subprotocol)]


class Naps:
    """Waits that take no time."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)
        await asyncio.sleep(0)


async def bot(url: str, room: str = CODE, naps: Naps | None = None) -> Ending:
    """A headless bot that plays to the end."""
    return await play(url, room, Club(), rng=random.Random(1), sleep=naps or Naps())


# At a table of the real server.


class Person:
    """Ann, who creates a table for two, plays the first legal action and takes the bot's seat away after the match."""

    def __init__(self) -> None:
        self.room: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.table: Wire = {}
        self.bot_played = asyncio.Event()
        self._token: str | None = None
        self._me = ""
        self._said = 0

    async def visit(self, url: str) -> None:
        """One connection, until it is lost or the bot's seat is free."""
        async with connect(url, subprotocols=SUBPROTOCOLS, proxy=None) as socket:
            await self._say(socket, "hello", name="Ann", **({"token": self._token} if self._token else {}))
            with suppress(ConnectionClosed):
                while not self._is_alone_after_the_match():
                    await self._hear(socket, CODEC.decode(await socket.recv()))

    def _is_alone_after_the_match(self) -> bool:
        return bool(self.table) and self.table["phase"] == "match_over" and self.table["seats"][1]["player"] is None

    async def _say(self, socket: Any, kind: str, **fields: object) -> None:
        self._said += 1
        await socket.send(CODEC.encode({"type": kind, "id": f"ann-{self._said}", **fields}))

    async def _hear(self, socket: Any, message: Wire) -> None:
        match message["type"]:
            case "welcome":
                self._me, self._token = message["player"], message["token"]
                await self._enter(socket)
                return
            case "snapshot":
                self.table = message
                if not self.room.done():
                    self.room.set_result(message["room"])
            case "update":
                self.table = fold(self.table, message, self._me)
                if any(event["type"] == "played" and event["seat"] == 1 for event in message["events"]):
                    self.bot_played.set()
            case _:
                return
        await self._go_on(socket)

    async def _enter(self, socket: Any) -> None:
        if self.table:
            await self._say(socket, "sync", room=self.table["room"])
            return
        settings = {"game": "block", "seats": 2, "target": 60, "lead": 0, "bot_delay": PACE, "absence": "wait"}
        await self._say(socket, "create", settings=settings)

    async def _go_on(self, socket: Any) -> None:
        room, phase, turn = self.table["room"], self.table["phase"], self.table["turn"]
        if phase == "lobby" and self.table["seats"][1]["player"] is not None:
            await self._say(socket, "start", room=room)
        elif phase == "deal_over" and not self.table["seats"][0]["ready"]:
            await self._say(socket, "next", room=room)
        elif phase == "match_over":
            await self._say(socket, "remove", room=room, seat=1)
        elif turn is not None and turn.get("legal"):
            action = turn["legal"][0]["action"]
            await self._say(socket, "act", room=room, seq=self.table["seq"], action=action)


@asynccontextmanager
async def serving(folder: Path, port: int = 0) -> AsyncIterator[str]:
    """The real server on the store in ``folder``; its address."""
    config = Config(host="127.0.0.1", port=port, limits=Limits(messages_per_second=0))
    app = App(config, SqliteStore(folder, durability="process"))
    await app.start()
    try:
        yield f"ws://127.0.0.1:{app.ports[0]}/ws"
    finally:
        await app.stop()


async def test_a_headless_bot_plays_a_match_at_a_table(tmp_path: Path) -> None:
    naps = Naps()

    async with asyncio.timeout(20), serving(tmp_path) as url, asyncio.TaskGroup() as tasks:
        ann = Person()
        tasks.create_task(ann.visit(url))
        playing = tasks.create_task(bot(url, await ann.room, naps))

    assert ann.table["phase"] == "match_over"
    assert ann.table["deals"]
    assert set(naps.seconds) == {PACE}
    assert playing.result() == Ending("The seat was given to somebody else.")


async def test_a_headless_bot_comes_back_to_a_server_that_was_restarted(tmp_path: Path) -> None:
    async with asyncio.timeout(20), asyncio.TaskGroup() as tasks:
        ann = Person()
        async with serving(tmp_path) as url:
            first_visit = tasks.create_task(ann.visit(url))
            playing = tasks.create_task(bot(url, await ann.room))
            await ann.bot_played.wait()
        await asyncio.wait([first_visit])
        interrupted_in = ann.table["phase"]
        async with serving(tmp_path, port=int(url.split(":")[2].split("/")[0])) as url:
            await ann.visit(url)
            await playing

    assert interrupted_in != "match_over"
    assert ann.table["phase"] == "match_over"
    assert playing.result() == Ending("The seat was given to somebody else.")


# With a server that does what a test says.

Handler = Callable[[ServerConnection], Awaitable[None]]


@asynccontextmanager
async def scripted(handler: Handler) -> AsyncIterator[str]:
    async with serve(handler, "127.0.0.1", 0, subprotocols=SUBPROTOCOLS) as server:
        yield f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}/ws"


async def heard(socket: ServerConnection) -> Wire:
    """The next message of the bot."""
    return CODEC.decode(await socket.recv())


async def welcome(socket: ServerConnection) -> Wire:
    """Greets the bot; its `hello`."""
    hello = await heard(socket)
    await socket.send(CODEC.encode({"type": "welcome", "re": hello["id"], "player": "p", "token": "t"}))
    return hello


async def refuse_room(socket: ServerConnection) -> None:
    join = await heard(socket)
    await socket.send(CODEC.encode({"type": "error", "re": join["id"], "code": "no_such_room", "message": "No room."}))
    await socket.wait_closed()


async def test_a_room_that_does_not_exist_ends_the_bot_with_what_the_server_said() -> None:
    async def handler(socket: ServerConnection) -> None:
        await welcome(socket)
        await refuse_room(socket)

    async with asyncio.timeout(5), scripted(handler) as url:
        ending = await bot(url)

    assert ending == Ending("No room.", is_failure=True)


@pytest.mark.parametrize("code", [4001, 4003])
async def test_some_close_codes_are_final(code: int) -> None:
    async def handler(socket: ServerConnection) -> None:
        await welcome(socket)
        await socket.close(code)

    naps = Naps()
    async with asyncio.timeout(5), scripted(handler) as url:
        ending = await bot(url, naps=naps)

    assert ending.is_failure
    assert not naps.seconds


@pytest.mark.parametrize("code", [1001, 1008, 1011, 1012, 1013, 4008])
async def test_after_any_other_it_comes_back_as_the_same_player(code: int) -> None:
    hellos: list[Wire] = []

    async def handler(socket: ServerConnection) -> None:
        hellos.append(await welcome(socket))
        if len(hellos) < 3:
            await socket.close(code)
        else:
            await refuse_room(socket)

    async with asyncio.timeout(5), scripted(handler) as url:
        await bot(url)

    assert [hello.get("token") for hello in hellos] == [None, "t", "t"]


async def test_it_stays_away_for_as_long_as_the_server_asks() -> None:
    visits = count()

    async def handler(socket: ServerConnection) -> None:
        await welcome(socket)
        if next(visits) > 0:
            await refuse_room(socket)
            return
        await heard(socket)
        await socket.send(CODEC.encode({"type": "closing", "reason": "restart", "retry_after": 7}))
        await socket.close(1012)

    naps = Naps()
    async with asyncio.timeout(5), scripted(handler) as url:
        await bot(url, naps=naps)

    [nap] = naps.seconds
    assert 7 <= nap <= 7 + FIRST_WAIT


async def test_a_server_that_was_never_reached_is_given_up_after_some_attempts_at_random_times() -> None:
    async def nobody(socket: ServerConnection) -> None: ...

    async with scripted(nobody) as url:
        pass
    naps = Naps()

    async with asyncio.timeout(5):
        ending = await bot(url, naps=naps)

    assert ending.is_failure
    assert len(naps.seconds) == FIRST_ATTEMPTS - 1
    assert all(0 <= nap <= min(LONGEST_WAIT, FIRST_WAIT * 2**n) for n, nap in enumerate(naps.seconds, start=1))
    assert len(set(naps.seconds)) == len(naps.seconds)


@pytest.mark.parametrize("url", ["http://127.0.0.1/ws", "nonsense"])
async def test_an_address_that_is_none_is_the_end(url: str) -> None:
    ending = await bot(url)

    assert ending.is_failure


async def test_a_server_that_does_not_admit_it_is_the_end() -> None:
    def forbid(_connection: ServerConnection, _request: Request) -> Response:
        return Response(HTTPStatus.FORBIDDEN, "Forbidden", Headers(), b"")

    async def nobody(socket: ServerConnection) -> None: ...

    async with serve(nobody, "127.0.0.1", 0, process_request=forbid) as server:
        ending = await bot(f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}/ws")

    assert ending.is_failure


async def test_a_server_that_speaks_something_else_is_the_end() -> None:
    async def handler(socket: ServerConnection) -> None:
        await socket.send("hello!")
        await socket.wait_closed()

    async with asyncio.timeout(5), scripted(handler) as url:
        ending = await bot(url)

    assert ending.is_failure


async def test_a_bot_that_is_stopped_gives_its_seat_up() -> None:
    greeted, said = asyncio.Event(), list[Wire]()

    async def handler(socket: ServerConnection) -> None:
        await welcome(socket)
        said.append(await heard(socket))
        greeted.set()
        said.append(await heard(socket))

    async with asyncio.timeout(5), scripted(handler) as url:
        playing = asyncio.create_task(bot(url))
        await greeted.wait()
        playing.cancel()
        await asyncio.wait([playing])

    assert playing.cancelled()
    assert [message["type"] for message in said] == ["join", "leave"]
