"""What a server keeps: counted before and after, it must not have grown."""

from __future__ import annotations

import asyncio
import gc
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from server.connection import Connection
from server.room import Room
from server.session import Session
from server.store.database import Database
from server.store.sqlite import SqliteStore
from server.table.state import Table
from tests.system.servers import Server

WATCHED = (Connection, Session, Room, Table)
MORE_OBJECTS = 3_000
"""Of some hundred thousand that the collector knows: caches of the interpreter and of libraries fill in the course."""
MORE_MEBIBYTES = 16.0
"""The allocator does not give back all that it got, and counts in arenas of a mebibyte."""


@dataclass(frozen=True)
class Footprint:
    """What there is, by its name."""

    exact: Mapping[str, int]
    objects: int
    """Known to the garbage collector."""
    mebibytes: float
    """Resident in memory."""

    def grown_since(self, before: Footprint) -> list[str]:
        """What there is more of than before, beyond what is tolerated."""
        grown = [
            f"{name}: {count}, before {before.exact[name]}"
            for name, count in self.exact.items()
            if count > before.exact[name]
        ]
        if self.objects > before.objects + MORE_OBJECTS:
            grown.append(f"objects: {self.objects}, before {before.objects}")
        if self.mebibytes > before.mebibytes + MORE_MEBIBYTES:
            grown.append(f"memory: {self.mebibytes:.1f} MiB, before {before.mebibytes:.1f} MiB")
        return grown

    def __str__(self) -> str:
        counts = ", ".join(f"{name} {count}" for name, count in self.exact.items())
        return f"{counts}, objects {self.objects}, memory {self.mebibytes:.1f} MiB"


def measure(server: Server) -> Footprint:
    """The footprint of this process, in which ``server`` runs on a `SqliteStore`."""
    app, store = server.app, server.store
    assert isinstance(store, SqliteStore)
    database = store._database
    gc.collect()
    objects = gc.get_objects()
    alive = Counter(type(thing).__name__ for thing in objects if type(thing) in WATCHED)
    exact = {
        "tasks": len(asyncio.all_tasks()),
        "handles": sum(1 for _ in Path("/proc/self/fd").iterdir()),
        "connections": len(app._connections),
        "sessions": len(app._connected.players),
        "addresses": len(app._addresses),
        "visits": sum(account.waiting + account.open for account in app._addresses._accounts.values()),
        "rooms": len(app.registry),
        "players with a seat": len(app.registry.players),
        "lobbies": len(app.registry.index.quick),
        "players": database.count_players(),
        "open logs": len(database.rooms()),
        "closed logs": len(database._index._closed),
        "rows of no log": database._value("SELECT count(*) FROM steps") - _rows_of_logs(database),
        "timers": len([handle for handle in server.clock._due if not handle.is_cancelled]),
        **{kind.__name__: alive[kind.__name__] for kind in WATCHED},
    }
    return Footprint(exact, len(objects), _resident())


def _rows_of_logs(database: Database) -> int:
    """Of open rooms and of the closed ones that are remembered."""
    index = database._index
    return sum(len(log.rows) for log in (*index._open.values(), *index._closed.values()))


def _resident() -> float:
    status = Path("/proc/self/status").read_text(encoding="ascii")
    (line,) = [line for line in status.splitlines() if line.startswith("VmRSS:")]
    return int(line.split()[1]) / 1024
