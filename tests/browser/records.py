"""Records of finished matches, for pages that show them."""

from __future__ import annotations

from protocol.convert import Wire
from server.records.packed import pack
from tests.server.test_record_seeds import FILES, content
from tests.system.servers import Server

PEOPLE: Wire = content(next(path for path in FILES if "people" in path.name))
"""Fives and Threes for four: 26 moves in two deals, one of them taken back; Ann and Bob have added entropy."""
TAKE_BACKS: Wire = content(next(path for path in FILES if "take-backs" in path.name))
"""Draw for two, taken back, brought again and restarted."""


async def keep(server: Server, record: Wire) -> str:
    """Let the server have ``record``; returns the path of its page."""
    await server.store.add_record(record["id"], "ABCDEF", pack(record), server.clock.time())
    return f"/r/{record['id']}"
