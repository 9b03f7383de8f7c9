"""A line to a Redis server on which answers get lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from tests.redis_servers import RedisServer

CHUNK = 64 * 1024


class Line:
    """Passes on what clients say to ``server``, and what it answers unless `loses` says otherwise."""

    def __init__(self, server: RedisServer, url: str) -> None:
        self.url = url
        """Where clients connect to."""
        self.loses: Callable[[bytes], bool] = lambda _said: False
        """Whether the answer to what was ``said`` is lost. The server has done it then, and the connection ends."""
        self.is_silent = False
        """Whether lost answers are just not there, and the connection stays."""
        self.is_cut = False
        """Nobody comes through: neither those who are connected nor who tries anew."""
        self.lost = 0
        self._server = server
        self._tasks: set[asyncio.Task[None]] = set()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.is_cut:
            writer.transport.abort()
            return
        server_reader, server_writer = await asyncio.open_unix_connection(self._server.socket)
        is_lost = False

        async def ask() -> None:
            nonlocal is_lost
            while said := await reader.read(CHUNK):
                is_lost = self.loses(said)
                self.lost += is_lost
                server_writer.write(said)

        async def answer() -> None:
            while answered := await server_reader.read(CHUNK):
                if not is_lost:
                    writer.write(answered)
                elif not self.is_silent:
                    return

        directions = [asyncio.create_task(direction()) for direction in (ask, answer)]
        try:
            await asyncio.wait(directions, return_when=asyncio.FIRST_COMPLETED)
        finally:
            server_writer.transport.abort()
            writer.transport.abort()
            for direction in directions:
                direction.cancel()
            await asyncio.gather(*directions, return_exceptions=True)

    def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry a new connection until it ends."""
        task = asyncio.get_running_loop().create_task(self._carry(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def part(self) -> None:
        """Let nobody through any more."""
        self.is_cut = True
        await self.cut()

    async def cut(self) -> None:
        """End every connection."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@asynccontextmanager
async def line_to(server: RedisServer) -> AsyncIterator[Line]:
    """A line on a socket beside the server's own."""
    path = server.folder / "line.sock"
    line = Line(server, f"unix://{path}")
    async with _ending(line, await asyncio.start_unix_server(line.accept, path)):
        yield line


@asynccontextmanager
async def tcp_line_to(server: RedisServer) -> AsyncIterator[Line]:
    """A line on a port: where it is cut, a client is connected at first, and closed then."""
    line = Line(server, "")
    listening = await asyncio.start_server(line.accept, "127.0.0.1", 0)
    line.url = f"redis://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
    async with _ending(line, listening):
        yield line


@asynccontextmanager
async def _ending(line: Line, listening: asyncio.Server) -> AsyncIterator[None]:
    try:
        yield
    finally:
        listening.close()
        await line.cut()
        await listening.wait_closed()
