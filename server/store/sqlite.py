"""The embedded store: one SQLite file in a data folder of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Protocol, TypeVar

from server.store.base import Claimed, Held, Outcome, Step, StoreError
from server.store.database import Database, Durability, Player
from server.store.folder import DataFolder

FILE_NAME = "doublesix.db"

Result = TypeVar("Result")


class SqliteStore:
    """Keeps everything in ``folder``.

    With durability "power" each batch is synced to the disk by one writer thread, which keeps the event loop free;
    with "process" it is committed inline, which costs less than changing threads.
    """

    def __init__(self, folder: Path, *, durability: Durability = "power") -> None:
        """Take the folder and open its database, both made if they are missing.

        Raises:
            DatabaseRefused: another server uses the folder, or the file is damaged, foreign or of a newer version.
        """
        self._thread: _Thread = _Writer() if durability == "power" else _Inline()
        self._folder = DataFolder(folder)
        try:
            self._database = self._thread.wait(lambda: Database(self._folder.path / FILE_NAME, durability))
        except BaseException:
            self._thread.end()
            self._folder.release()
            raise
        self._newcomers = _Newcomers(self._thread, self._database)

    async def append(self, steps: Sequence[Step]) -> Sequence[Outcome]:
        """See `Store`. Cancelled, it may have written the steps or not: append them again to know."""
        return await self._thread.run(lambda: self._database.append(steps))

    async def load(self, room: str) -> Sequence[Step]:
        """See `Store`."""
        return await self._thread.run(lambda: self._database.load(room))

    async def history(self, room: str, first: int = 1, limit: int | None = None) -> Sequence[Step]:
        """See `Store`."""
        return await self._thread.run(lambda: self._database.history(room, first, limit))

    async def open_rooms(self) -> Sequence[Sequence[Step]]:
        """See `Store`."""
        return await self._thread.run(self._database.open_rooms)

    async def claim(self, room: str, now: float) -> Claimed | Held | None:
        """See `Store`."""
        return await self._thread.run(lambda: self._database.claim(room, now))

    async def release(self, room: str) -> None:  # noqa: ARG002 - the folder belongs to this process alone
        """See `Store`."""
        await self._thread.run(lambda: None)

    async def trim(self, needed: Mapping[str, int]) -> None:
        """See `Store`."""
        await self._thread.run(lambda: self._database.trim(needed))

    async def clear(self, limit: int) -> int:
        """See `Store`."""
        return await self._thread.run(lambda: self._database.clear(limit))

    async def add_player(self, token_hash: bytes, player: str, at: float) -> None:
        """See `Store`."""
        await self._newcomers.add((token_hash, player, at))

    async def find_player(self, token_hash: bytes, at: float) -> str | None:
        """See `Store`."""
        return await self._thread.run(lambda: self._database.find_player(token_hash, at))

    async def seen(self, players: Sequence[str], at: float) -> None:
        """See `Store`."""
        await self._thread.run(lambda: self._database.seen(players, at))

    async def forget_players(self, before: float, limit: int) -> int:
        """See `Store`."""
        return await self._thread.run(lambda: self._database.forget_players(before, limit))

    async def add_record(self, record: str, room: str, payload: bytes, at: float) -> None:
        """See `Store`."""
        await self._thread.run(lambda: self._database.add_record(record, room, payload, at))

    async def record(self, record: str) -> bytes | None:
        """See `Store`."""
        return await self._thread.run(lambda: self._database.record(record))

    async def last_record(self, room: str) -> bytes | None:
        """See `Store`."""
        return await self._thread.run(lambda: self._database.last_record(room))

    async def forget_records(self, before: float, limit: int) -> int:
        """See `Store`."""
        return await self._thread.run(lambda: self._database.forget_records(before, limit))

    async def time(self, now: float) -> float:
        """See `Store`. Nobody shares it."""
        return now

    async def ping(self) -> None:
        """See `Store`."""
        await self._thread.run(self._database.ping)

    async def close(self) -> None:
        """See `Store`."""
        if self._thread.is_running:
            await self._thread.run(self._database.close)
            self._thread.end()
            self._folder.release()


class _Newcomers:
    """Players who come while others are being written are written together: each commit holds up everybody's plays."""

    def __init__(self, thread: _Thread, database: Database) -> None:
        self._thread = thread
        self._database = database
        self._waiting: list[Player] = []
        self._writing = asyncio.Lock()
        self._next: asyncio.Task[None] | None = None

    async def add(self, player: Player) -> None:
        """Return when ``player`` is durable."""
        self._waiting.append(player)
        if self._next is None:
            self._next = asyncio.get_running_loop().create_task(self._write(), name="newcomers")
        await asyncio.shield(self._next)

    async def _write(self) -> None:
        async with self._writing:
            players, self._waiting, self._next = self._waiting, [], None
            await self._thread.run(lambda: self._database.add_players(players))


class _Thread(Protocol):
    """The thread that the database belongs to."""

    is_running: bool

    def wait(self, work: Callable[[], Result]) -> Result:
        """Do ``work`` there and wait for it, outside of an event loop's hot path."""
        ...

    async def run(self, work: Callable[[], Result]) -> Result:
        """Do ``work`` there, after all that was given to it before. StoreError after `end`."""
        ...

    def end(self) -> None:
        """Take no more work."""
        ...


class _Inline:
    """The event loop's own thread."""

    def __init__(self) -> None:
        self.is_running = True

    def wait(self, work: Callable[[], Result]) -> Result:
        return work()

    async def run(self, work: Callable[[], Result]) -> Result:
        if not self.is_running:
            raise _closed()
        return work()

    def end(self) -> None:
        self.is_running = False


class _Writer:
    """One thread beside the event loop."""

    def __init__(self) -> None:
        self.is_running = True
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="sqlite")

    def wait(self, work: Callable[[], Result]) -> Result:
        return self._executor.submit(work).result()

    async def run(self, work: Callable[[], Result]) -> Result:
        if not self.is_running:
            raise _closed()
        return await asyncio.wrap_future(self._executor.submit(work))

    def end(self) -> None:
        self.is_running = False
        self._executor.shutdown()


def _closed() -> StoreError:
    return StoreError("the store is closed")
