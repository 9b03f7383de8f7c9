"""A store whose room for records a test decides on, and the work that there is to do for it."""

from __future__ import annotations

import asyncio

from server.archive import Archive
from server.store.base import StoreError
from tests.fakes import FailingStore


class Shelf(FailingStore):
    """A store that takes steps but no records, if it is told so, or keeps them waiting."""

    def __init__(self) -> None:
        super().__init__()
        self.is_full = False
        self.is_unfit = False
        """There is something about records with which nothing can be done."""
        self.door = asyncio.Event()
        """Closed, it keeps every record waiting."""
        self.door.set()
        self.added: list[str] = []
        self.says = asyncio.Event()
        """Cleared, whoever asks for a record is told late what there was."""
        self.says.set()

    async def record(self, record: str) -> bytes | None:
        found = await super().record(record)
        await self.says.wait()
        return found

    async def add_record(self, record: str, room: str, payload: bytes, at: float) -> None:
        if self.is_full:
            raise StoreError("no space left")
        await self.door.wait()
        if self.is_unfit:
            raise ZeroDivisionError
        self.added.append(record)
        await super().add_record(record, room, payload, at)


async def turn() -> None:
    """One turn of the loop."""
    await asyncio.sleep(0)


async def work_off(archive: Archive) -> None:
    """Let ``archive`` do all that it has been given."""
    work = asyncio.create_task(archive.run())
    async with asyncio.timeout(5):
        while archive._jobs:
            await turn()
    work.cancel()
