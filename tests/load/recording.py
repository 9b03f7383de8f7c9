"""A history as it was seen on real sockets, of a server in this process that is left and restarted in many ways."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import msgpack
import pytest

from bots.load.drive import Load
from bots.load.history import Accepted, RoomHistory, Told, told
from bots.load.link import open_link
from bots.load.report import LoadSettings
from bots.load.seat import Seat
from server import views
from server.app import App
from server.config import Config
from server.limits import Limits
from server.store.memory import MemoryStore
from tests.fakes import FakeClock
from tests.system.secrecy import read_log
from tests.system.servers import NO_LIMITS

PATIENCE = 30.0


class LastingStore(MemoryStore):
    """It outlives the servers that use it."""

    async def close(self) -> None:
        """Keep everything."""


class RestartedServer:
    """A server that can be ended and begun again at the same address, on what ``store`` holds."""

    def __init__(self) -> None:
        self.store = LastingStore()
        self._clock = FakeClock()
        self._random_bytes = random.Random(6).randbytes
        self._port = 0
        self._app: App | None = None

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self._port}/ws"

    async def begin(self) -> None:
        config = Config(host="127.0.0.1", port=self._port, limits=Limits.model_validate(NO_LIMITS))
        self._app = App(config, self.store, clock=self._clock, random_bytes=self._random_bytes)
        await self._app.start()
        self._port = self._app.ports[0]

    async def end(self) -> None:
        assert self._app is not None
        await self._app.stop()


class Recording(NamedTuple):
    """What the clients of a room saw, and what the server wrote down."""

    history: RoomHistory
    stored: Sequence[Told]


def record() -> Recording:
    """A match of three in which nothing goes wrong, though connections and the server do not last."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bots.load.drive.FINAL", frozenset())  # who was taken over comes back and takes over in turn
        return asyncio.run(_record())


async def _record() -> Recording:
    server = RestartedServer()
    await server.begin()
    load = Load(LoadSettings(server.url, rooms=1, seats=3, game="draw"), random.Random(1))
    async with asyncio.timeout(PATIENCE):
        await load.start()
        first, second, third = load.tables[0].seats
        await all_act(load)
        load._links[second].abort()
        await all_act(load)
        come_back_by_snapshot(third)
        load._links[third].abort()
        await all_act(load)
        await take_over(server.url, first)
        await all_act(load)
        await server.end()
        await server.begin()
        await all_act(load)
        await load.finish()
    [history] = load.histories()
    stored = await stored_steps(server.store, history.room)
    await server.end()
    return Recording(history, stored)


async def all_act(load: Load) -> None:
    """Let play go on until every seat has acted twice: whoever was away is back then."""
    acted = {seat: _answers(seat) for seat in load._seats()}
    while any(_answers(seat) < before + 2 for seat, before in acted.items()):
        await load.tally.more(1)


def _answers(seat: Seat) -> int:
    return sum(isinstance(entry, Accepted) for entry in seat.history.entries)


async def stored_steps(store: MemoryStore, room: str) -> list[Told]:
    """The log of ``room``."""
    log = await read_log(store, room)
    return [told(step.epoch, step.seq, views.events_for(step.events, None)) for step in log]


def come_back_by_snapshot(seat: Seat) -> None:
    """From now on ``seat`` asks for the whole table when it comes back."""
    seat._sync = partial(seat._sync, whole=True)  # type: ignore[method-assign]


async def take_over(url: str, seat: Seat) -> None:
    """Another connection says that it is the player of ``seat``, and ends."""
    welcomed = asyncio.Event()

    class Other:
        def hear(self, _payload: bytes) -> None:
            welcomed.set()

    link = await open_link(url, Other())
    link.send(msgpack.packb({"type": "hello", "name": seat.name, "token": seat._token}))
    await welcomed.wait()
    await link.close()
