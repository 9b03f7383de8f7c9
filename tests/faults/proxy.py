"""A line between clients and a server that can fall silent, or break."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

CHUNK = 64 * 1024


class Proxy:
    """Passes bytes on between a port of its own and the server's."""

    def __init__(self, target: int) -> None:
        self.port = 0
        self.held = asyncio.Event()
        """Set once the server has sent something that is held back."""
        self.is_refusing = False
        """Whether new connections are cut at once."""
        self.passed = 0
        """Packets from the server that have gone through."""
        self._target = target
        self._gates: set[asyncio.Event] = set()
        """One a connection: what arrives there passes while it is set."""
        self._writers: set[asyncio.StreamWriter] = set()

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.port}/ws"

    def hold(self) -> None:
        """On the connections that there are nothing arrives any more, on either side, and none of them ends."""
        for gate in self._gates:
            gate.clear()

    def release(self) -> None:
        """What was held back arrives."""
        for gate in self._gates:
            gate.set()

    def cut(self) -> None:
        """Every connection breaks."""
        for writer in list(self._writers):
            writer.transport.abort()

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, until either side ends it."""
        if self.is_refusing:
            writer.transport.abort()
            return
        server_reader, server_writer = await asyncio.open_connection("127.0.0.1", self._target)
        gate = asyncio.Event()
        gate.set()
        self._gates.add(gate)
        self._writers |= {writer, server_writer}
        up = asyncio.create_task(self._pass_on(reader, server_writer, gate))
        down = asyncio.create_task(self._pass_on(server_reader, writer, gate, from_server=True))
        await asyncio.wait({up, down}, return_when=asyncio.FIRST_COMPLETED)
        self._gates.discard(gate)
        for task, end in ((up, server_writer), (down, writer)):
            task.cancel()
            end.transport.abort()
            self._writers.discard(end)

    async def _pass_on(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        gate: asyncio.Event,
        *,
        from_server: bool = False,
    ) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(CHUNK):
                if from_server and not gate.is_set():
                    self.held.set()
                await gate.wait()
                self.passed += from_server
                writer.write(data)
                await writer.drain()


@asynccontextmanager
async def proxy_to(port: int) -> AsyncIterator[Proxy]:
    """A line to the server that listens on ``port``."""
    proxy = Proxy(port)
    listening = await asyncio.start_server(proxy.carry, "127.0.0.1", 0)
    proxy.port = listening.sockets[0].getsockname()[1]
    try:
        yield proxy
    finally:
        listening.close()
        proxy.release()
        proxy.cut()
        await listening.wait_closed()
