"""A store that holds some of everything, what moves it, and what breaks that off."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

from redis import Redis

from server.commands import migrate as migrate_command
from server.migrate.base import Counts
from server.store.base import TAIL, Step, Store
from server.store.redis import keys
from server.store.redis.store import RedisStore
from server.store.sqlite import SqliteStore
from tests.store_contract import NOW, log, step

LONG = TAIL + 350
PLAYERS = 20


async def opened(place: str) -> Store:
    """The store of a server there."""
    return await RedisStore.open(place) if "://" in place else SqliteStore(Path(place))


async def moved(source: str, target: str) -> Counts:
    """Move one into the other, as `doublesix migrate` does."""
    return await migrate_command.move_between(migrate_command.place(source), migrate_command.place(target))


async def do(place: str, work: Callable[[Store], Awaitable[object]]) -> None:
    """What a server does there, which then stops."""
    store = await opened(place)
    await work(store)
    await store.close()


def trimmed() -> list[Step]:
    """What is left of a long log."""
    return log("LONGER", LONG, checkpoints=(100, 200, 300))[299:]


async def fill(store: Store) -> None:
    """Rooms young, long and closed; players; records."""
    await store.append([*log("AAAAAA", 3), *log("LONGER", LONG, checkpoints=(100, 200, 300)), step("CLOSED", 1)])
    await store.trim({"LONGER": LONG})
    await store.clear(LONG)
    for number in range(PLAYERS):
        await store.add_player(b"token%d" % number, f"p{number}", NOW + number + 0.125)
    await store.add_record("r3", "CLOSED", b"three", NOW + 3)
    await store.append([step("CLOSED", 2, closes=True)])
    for name, room, at in (("r1", "AAAAAA", 1.5), ("r4", "AAAAAA", 2.25), ("r2", "LONGER", 2)):
        await store.add_record(name, room, name.encode() * 1000, NOW + at)


async def check_filled(store: Store) -> None:
    """All of that is there."""
    assert sorted(kept[0].room for kept in await store.open_rooms()) == ["AAAAAA", "LONGER"]
    assert list(await store.history("AAAAAA")) == log("AAAAAA", 3)
    assert list(await store.history("LONGER")) == trimmed()
    assert list(await store.load("LONGER")) == trimmed()
    assert list(await store.load("CLOSED")) == []
    assert [await store.find_player(b"token%d" % number, NOW) for number in (0, PLAYERS - 1)] == [
        "p0",
        f"p{PLAYERS - 1}",
    ]
    assert await store.find_player(b"token%d" % PLAYERS, NOW) is None
    assert await store.record("r3") == b"three"
    assert await store.last_record("AAAAAA") == b"r4" * 1000
    assert await store.last_record("LONGER") == b"r2" * 1000
    assert await store.last_record("CLOSED") is None


MOVE_AND_DIE = """
import asyncio, os, sys
from server.commands import migrate as migrate_command
from server.migrate.folder import FolderTarget
from server.migrate.redis import RedisTarget

left = int(sys.argv[3])

def mortal(work):
    async def do(*arguments):
        global left
        if left == 0:
            os._exit(9)
        left -= 1
        await work(*arguments)
    return do

for target in (FolderTarget, RedisTarget):
    for name in ("add_room", "add_players", "add_records", "finish"):
        setattr(target, name, mortal(getattr(target, name)))
source, target = map(migrate_command.place, sys.argv[1:3])
asyncio.run(migrate_command.move_between(source, target))
"""


async def move_and_die(source: str, target: str, pieces: int) -> None:
    """Another process is killed when it has moved so many pieces."""
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", MOVE_AND_DIE, source, target, str(pieces))
    assert await process.wait() == 9


def end_lease(target: str) -> None:
    """That of a migration that was killed, before its time."""
    if "://" in target:
        with Redis.from_url(target) as client:
            client.delete(keys.MOVING)
