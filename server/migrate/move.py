"""Moving one store into another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from server.migrate.base import Counts, Source, Target


async def move(source: Source, target: Target, moved: Callable[[Counts], None]) -> Counts:
    """Give all that ``source`` holds to ``target``, and let servers start there; how much that was.

    ``moved`` hears how much it was so far. Broken off, ``target`` is not finished, and ``source`` is as it was.

    Raises:
        StoreError: one of them is out of reach, or full.
        DatabaseRefused: a server was started meanwhile.
    """
    counts = Counts()
    async for log in source.rooms():
        await target.add_room(log)
        counts = replace(counts, rooms=counts.rooms + 1)
        moved(counts)
    async for players in source.players():
        await target.add_players(players)
        counts = replace(counts, players=counts.players + len(players))
        moved(counts)
    async for records in source.records():
        await target.add_records(records)
        counts = replace(counts, records=counts.records + len(records))
        moved(counts)
    await source.check_stopped()
    await target.finish()
    return counts
