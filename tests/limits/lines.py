"""Lines to a server whose limits the test chooses."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from websockets.frames import Frame, Opcode

from tests.system.client import Client
from tests.system.servers import Server, serving


@asynccontextmanager
async def player(**limits: float) -> AsyncIterator[tuple[Server, Client]]:
    """A player of a server that has these limits alone."""
    async with serving(limits=limits) as server:
        yield server, await server.client("Ann")


def text_frame(text: str | bytes) -> bytes:
    """``text`` in one frame, as it stands on the line."""
    assert isinstance(text, str)
    return Frame(Opcode.TEXT, text.encode()).serialize(mask=True)
