"""Servers to talk to: one in this process whose time stands still."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from server.app import App
from server.config import Config, Limits
from server.store.base import Store
from server.store.memory import MemoryStore
from server.table.state import Table
from tests.fakes import FakeClock
from tests.system.client import JSON, Client

NO_LIMITS: Mapping[str, float] = {
    "messages_per_second": 0,
    "connections_per_address": 0,
    "refusals_per_minute": 0,
    "wrong_codes": 0,
    "wrong_codes_per_address": 0,
}
"""What keeps one machine from being many players."""


class Server:
    """A whole server on real sockets. Bots and deadlines wait until the test moves ``clock``."""

    def __init__(self, app: App, clock: FakeClock, store: Store) -> None:
        self.app = app
        self.clock = clock
        self.store = store
        self.clients: list[Client] = []

    @property
    def port(self) -> int:
        """Where it listens on this machine."""
        return self.app.ports[0]

    @property
    def url(self) -> str:
        """The address for WebSockets."""
        return f"ws://127.0.0.1:{self.port}/ws"

    def stranger(self, name: str, subprotocol: str = JSON, *, prefix: str | None = None) -> Client:
        """A client that has not connected yet; its connection ends with the server."""
        client = Client(self.url, name, subprotocol, prefix=prefix)
        self.clients.append(client)
        return client

    async def client(self, name: str, subprotocol: str = JSON, **hello: Any) -> Client:
        """A client that has said hello."""
        client = self.stranger(name, subprotocol)
        await client.open()
        await client.hello(**hello)
        return client

    def table(self, room: str) -> Table:
        """The whole truth about ``room``."""
        return self.app.registry.find(room).table

    def let_pass(self, seconds: float = 0.0) -> None:
        """Let time pass; with none, what is due now happens: a bot without delay acts."""
        self.clock.advance(seconds)


@asynccontextmanager
async def serving(
    store: Store | None = None, *, limits: Mapping[str, float] | None = None, **config: Any
) -> AsyncIterator[Server]:
    """A running server; ``limits`` stand in place of none at all."""
    chosen = Limits.model_validate({**NO_LIMITS, **(limits or {})})
    clock = FakeClock()
    kept = store or MemoryStore()
    app = App(
        Config(host="127.0.0.1", port=0, limits=chosen, **config),
        kept,
        clock=clock,
        bot_randomness=random.Random(6),
    )
    await app.start()
    server = Server(app, clock, kept)
    try:
        yield server
    finally:
        for client in server.clients:
            if client.is_open:
                await client.drop()
        await app.stop()
