"""Matches that are played to their end in a house, and its archive."""

from __future__ import annotations

import asyncio

from server.table.events import MatchOver
from server.table.state import Phase
from tests.server.rooms import Ear, House

SETTINGS = {"game": "block", "seats": 2, "target": 1, "bot_delay": 0.01, "next_deal_after": 0}


async def play_match(house: House, ear: Ear) -> tuple[str, str]:
    """Let ``ear`` play a match against a bot to its end. Gives the room and the id of the record."""
    room = (await ear.ask("create", settings=SETTINGS))["room"]
    await ear.ask("start", room=room, entropy="ab" * 32)
    return room, await play_on(house, ear, room)


async def play_on(house: House, ear: Ear, room: str) -> str:
    """Let what has begun be played to its end."""
    while house.registry.find(room).table.phase is not Phase.MATCH_OVER:
        table = house.registry.find(room).table
        if table.turn == 0:
            turn = next(m["turn"] for m in reversed(ear.heard) if m.get("turn") and "legal" in m["turn"])
            await ear.ask("act", room=room, seq=table.seq, action=turn["legal"][0]["action"])
        else:
            await house.pass_time(0.02)
    ended = house.registry.find(room).table.deal_events[-1]
    assert isinstance(ended, MatchOver)
    return ended.record


async def done(house: House, room: str) -> None:
    """Return when the archive has looked into the log of ``room``."""
    async with asyncio.timeout(5):
        while house.registry.archive.is_behind(room):
            await house.settle()
