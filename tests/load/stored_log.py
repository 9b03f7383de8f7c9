"""The log of a stopped server, as the checker of `doublesix load` compares it with what clients were told."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bots.load.history import Told, told
from server import views
from server.store.base import Step, Store
from server.store.sqlite import SqliteStore
from server.table import log


async def stored_steps(folder: Path) -> dict[str, list[Told]]:
    """The steps of each open room in the data folder of a server that does not run, by code.

    Of a room with a long log only those since its last match began may be there.

    Raises:
        DatabaseRefused: it runs, or the folder holds no database of ours.
    """
    store = SqliteStore(folder)
    try:
        return await steps_in(store)
    finally:
        await store.close()


async def steps_in(store: Store) -> dict[str, list[Told]]:
    """The same for a store that is open."""
    rooms = [steps[0].room for steps in await store.open_rooms()]
    return {room: _told(await store.history(room)) for room in rooms}


def _told(steps: Sequence[Step]) -> list[Told]:
    unpacked = (log.unpack(step.seq, step.epoch, step.payload)[0] for step in steps)
    return [told(step.epoch, step.seq, views.events_for(step.events, None)) for step in unpacked]
