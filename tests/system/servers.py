"""Servers to talk to: one in this process whose time stands still, and one that is a process to be killed."""

from __future__ import annotations

import asyncio
import os
import random
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from server.app import App
from server.config import Config
from server.limits import Limits
from server.store.base import Store
from server.store.memory import MemoryStore
from server.table.draft import RandomBytes
from server.table.state import Table
from tests.fakes import FakeClock
from tests.system.client import JSON, PATIENCE, Client

NO_LIMITS: Mapping[str, float] = {
    "messages_per_second": 0,
    "connections_per_address": 0,
    "refusals_per_minute": 0,
    "wrong_codes": 0,
    "wrong_codes_per_address": 0,
}
"""What keeps one machine from being many players."""


START_WITHIN = 90.0
"""Seconds in which a process must listen: the machine may be busy with others."""


class Host:
    """Where clients connect to. Their connections end with it."""

    def __init__(self) -> None:
        self.clients: list[Client] = []

    @property
    def port(self) -> int:
        """Where it listens on this machine."""
        raise NotImplementedError

    @property
    def url(self) -> str:
        """The address for WebSockets."""
        return f"ws://127.0.0.1:{self.port}/ws"

    def stranger(self, name: str, subprotocol: str = JSON, *, prefix: str | None = None) -> Client:
        """A client that has not connected yet."""
        client = Client(self.url, name, subprotocol, prefix=prefix)
        self.clients.append(client)
        return client

    async def client(self, name: str, subprotocol: str = JSON, **hello: Any) -> Client:
        """A client that has said hello."""
        client = self.stranger(name, subprotocol)
        await client.open()
        await client.hello(**hello)
        return client

    async def send_all_away(self) -> None:
        """Cut every connection."""
        for client in self.clients:
            if client.is_open:
                await client.drop()


class Server(Host):
    """A whole server in this process. Bots and deadlines wait until the test moves ``clock``."""

    def __init__(self, app: App, clock: FakeClock, store: Store) -> None:
        super().__init__()
        self.app = app
        self.clock = clock
        self.store = store

    @property
    def port(self) -> int:
        """Where it listens on this machine."""
        return self.app.ports[0]

    def table(self, room: str) -> Table:
        """The whole truth about ``room``."""
        return self.app.registry.find(room).table

    def let_pass(self, seconds: float = 0.0) -> None:
        """Let time pass; with none, what is due now happens: a bot without delay acts."""
        self.clock.advance(seconds)


class WholeLogs(MemoryStore):
    """Keeps the steps that nobody needs any more: by them a test knows what was a secret when it was told."""

    async def trim(self, _needed: Mapping[str, int]) -> None:
        """Nothing goes."""


@asynccontextmanager
async def serving(
    store: Store | None = None,
    *,
    limits: Mapping[str, float] | None = None,
    random_bytes: RandomBytes | None = None,
    **config: Any,
) -> AsyncIterator[Server]:
    """A server in this process; ``limits`` stand in place of none at all.

    It deals the same tiles each time, except where its store has been another server's, whose players must not be new
    ones here: a test goes the same way each time.
    """
    chosen = Limits.model_validate({**NO_LIMITS, **(limits or {})})
    clock, kept = FakeClock(), store or WholeLogs()
    whole = Config(host="127.0.0.1", port=0, limits=chosen, **config)
    asyncio.get_running_loop().set_debug(False)  # it triples the time of each connection
    chance = random_bytes or (os.urandom if store else random.Random(6).randbytes)
    app = App(whole, kept, clock=clock, random_bytes=chance, bot_randomness=random.Random(6))
    await app.start()
    server = Server(app, clock, kept)
    try:
        yield server
    finally:
        await server.send_all_away()
        await app.stop()


class ServerProcess(Host):
    """`doublesix serve` on the embedded store in ``data``, as often as it is started; one machine is many players."""

    def __init__(self, data: Path, *arguments: str) -> None:
        super().__init__()
        self.log = data / "server.log"
        unlimited = [word for name, value in NO_LIMITS.items() for word in ("--limit", f"{name}={value}")]
        self._arguments = ("--host", "127.0.0.1", "--port", "0", "--data", str(data / "store"), *unlimited, *arguments)
        self._process: Process | None = None
        self._port = 0

    @property
    def port(self) -> int:
        """Where it listens on this machine; another port after each start."""
        return self._port

    async def start(self) -> None:
        """Return when it listens."""
        with self.log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "server", "serve", *self._arguments, stdout=PIPE, stderr=log
            )
        assert self._process.stdout is not None
        async with asyncio.timeout(START_WITHIN):
            address = await self._process.stdout.readline()
        self._port = int(address.rpartition(b":")[2])

    @property
    def is_running(self) -> bool:
        """Whether it was started and has not ended."""
        return self._process is not None and self._process.returncode is None

    async def kill(self) -> None:
        """SIGKILL: it has no time to do anything."""
        assert self._process is not None
        if self._process.returncode is None:
            self._process.kill()
        await self._process.communicate()

    def signal(self, number: int) -> None:
        """Send it a signal."""
        assert self._process is not None
        self._process.send_signal(number)

    async def terminate(self) -> int:
        """SIGTERM; returns the exit status."""
        assert self._process is not None
        self._process.terminate()
        async with asyncio.timeout(PATIENCE):
            await self._process.communicate()
        assert self._process.returncode is not None
        return self._process.returncode


@asynccontextmanager
async def server_process(data: Path, *arguments: str) -> AsyncIterator[ServerProcess]:
    """A started server process."""
    server = ServerProcess(data, *arguments)
    await server.start()
    try:
        yield server
    finally:
        await server.kill()
        await server.send_all_away()
