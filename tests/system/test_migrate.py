"""Matches in progress that are moved between stores and go on there."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from protocol.convert import Wire
from tests.redis_servers import redis_server
from tests.system.client import Client
from tests.system.servers import ServerProcess, server_process
from tests.system.test_restart import Pair

SETTINGS: dict[str, Any] = {"game": "fives-threes", "seats": 2, "target": 31, "next_deal_after": 0, "absence": "wait"}
SEEN = ("phase", "settings", "scores", "deals", "deal", "turn", "can")
"""What people see of a match, all but who is there and the number of the step."""


async def migrate(source: str | Path, target: str | Path) -> str:
    """What `doublesix migrate` says at the end."""
    command = (sys.executable, "-m", "server", "migrate", str(source), str(target))
    process = await asyncio.create_subprocess_exec(*command, stdout=PIPE, stderr=PIPE)
    said, complaints = await process.communicate()
    assert process.returncode == 0, complaints
    return said.decode()


async def begin(server: ServerProcess, names: Sequence[str]) -> Pair:
    """A match in progress."""
    first, second = [await server.client(name) for name in names]
    room = await first.create(**SETTINGS)
    await second.say("join", room=room)
    await first.say("start", room=room)
    pair = Pair(server, room, [first, second])
    await second.hear(room, "deal_started")
    await play(pair, 5)
    return pair


async def play(pair: Pair, acts: int) -> None:
    """So many acts, and both have seen all that comes of them by itself: the next deal too."""
    await pair.play(acts)
    while pair.views[0]["phase"] == "deal_over":
        await pair.players[0].receive()
    newest = max(view["seq"] for view in pair.views)
    for player in pair.players:
        await player.reach(pair.room, newest)


def seen(pairs: Sequence[Pair]) -> list[Wire]:
    """The matches in the eyes of all who play."""
    return [{name: view.get(name) for name in SEEN} for pair in pairs for view in pair.views]


async def go_on(pairs: Sequence[Pair], server: ServerProcess, acts: int) -> None:
    """Everybody comes to ``server``, finds the match as it was, and plays on."""
    before = seen(pairs)
    for pair in pairs:
        pair.server = server
        await pair.come_back()
    assert seen(pairs) == before
    for pair in pairs:
        await play(pair, acts)


async def record_of(client: Client, room: str) -> Wire:
    """The record of the room's last match."""
    shown = await client.say("record", room=room)
    return dict(shown["record"])


async def test_matches_go_on_in_redis_and_back_in_a_folder(tmp_path: Path) -> None:
    (tmp_path / "redis").mkdir()
    with redis_server(tmp_path / "redis") as redis:
        async with server_process(tmp_path) as server:
            pairs = [await begin(server, ("Ann", "Bob")), await begin(server, ("Cat", "Dan"))]
            await server.kill()

        assert (await migrate(tmp_path / "store", redis.url)).startswith("Moved 2 rooms, 4 players and 0 records")
        async with server_process(tmp_path, "--store", redis.url) as server:
            await go_on(pairs, server, 3)
            await play(pairs[1], 1000)
            finished = await record_of(pairs[1].players[0], pairs[1].room)
            assert await server.terminate() == 0

        assert (await migrate(redis.url, tmp_path / "new" / "store")).startswith("Moved 2 rooms, 4 players and 1 rec")
        async with server_process(tmp_path / "new") as server:
            await go_on(pairs, server, 1000)
            assert {view["phase"] for view in pairs[0].views} == {"match_over"}
            assert await record_of(pairs[1].players[0], pairs[1].room) == finished
