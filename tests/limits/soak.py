"""`python -m tests.limits.soak`: wear a server out and see whether anything has grown; exit status 1 if it has."""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from server.store import index
from server.store.sqlite import SqliteStore
from tests.limits.footprint import Footprint, measure
from tests.limits.wear import cycles, matches, rest
from tests.system.servers import Server, serving

ROUNDS = 20
"""After each, all comes to rest: the allocator keeps what the largest number of rooms at a time needs."""
WARM_UP = 2
"""Rounds before the first measurement."""
CLOSED = 10
"""Closed rooms that the store remembers here, so that their number is reached in the warm-up."""


async def soak(connections: int, played: int) -> tuple[Footprint, Footprint]:
    """The footprint of a server before and after so many connections and matches, when all has come to rest."""
    with patch.object(index, "MAX_CLOSED", CLOSED), TemporaryDirectory(prefix="soak-") as folder:
        async with serving(SqliteStore(Path(folder), durability="process")) as server:
            for _ in range(WARM_UP):
                await wear(server, connections // ROUNDS, played // ROUNDS)
            before = measure(server)
            for _ in range(ROUNDS):
                await wear(server, connections // ROUNDS, played // ROUNDS)
            return before, measure(server)


async def wear(server: Server, connections: int, played: int) -> None:
    """So many connections and matches, and then nothing for months."""
    await cycles(server, connections)
    await matches(server, played)
    await rest(server)


def main() -> int:
    """Soak as long as the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cycles", type=int, default=20_000, help="connections that come and go")
    parser.add_argument("--matches", type=int, default=5_000, help="short matches")
    given = parser.parse_args()
    began = time.monotonic()
    before, after = asyncio.run(soak(given.cycles, given.matches))
    grown = after.grown_since(before)
    lines = [f"before: {before}", f"after: {after}", *(f"grown: {what}" for what in grown)]
    took = time.monotonic() - began
    lines.append(f"{given.cycles} connections, {given.matches} matches, {len(grown)} things grown, {took:.0f} s")
    sys.stdout.write("\n".join(lines) + "\n")
    return 1 if grown else 0


if __name__ == "__main__":
    sys.exit(main())
