"""Bots that search at tables of real servers, in real time."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from server.commands.serve import STOP_WITHIN
from tests.faults.waiting import until
from tests.processes import children, command, is_alive
from tests.system.client import PATIENCE, Client
from tests.system.servers import ServerProcess, server_process, serving

SETTINGS: dict[str, Any] = {
    "game": "all-fives", "seats": 2, "lead": 1, "bot": "strong", "bot_delay": 0, "target": 100_000
}  # fmt: skip


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[ServerProcess]:
    """One that has a single process to search in."""
    async with server_process(tmp_path, "--bot-workers", "1", "--limit", "messages_per_second=0") as running:
        yield running


def workers(server: ServerProcess) -> list[int]:
    """The processes in which it searches."""
    assert server._process is not None
    return [pid for pid in children(server._process.pid) if "spawn_main" in command(pid)]


def logged(server: ServerProcess) -> list[dict[str, Any]]:
    return [json.loads(line) for line in server.log.read_text().splitlines() if line.startswith("{")]


async def late(server: ServerProcess) -> float:
    """How many choices had no answer."""
    address = f"http://127.0.0.1:{server.port}/metrics"
    page = await asyncio.to_thread(lambda: urlopen(address, timeout=PATIENCE).read().decode())
    [count] = re.findall(r"^doublesix_bot_late_total (.*)$", page, re.MULTILINE)
    return float(count)


async def at_table(server: ServerProcess, **settings: Any) -> tuple[Client, str]:
    """Ann with bots in the first deal of a match."""
    ann = await server.client("Ann")
    room = await ann.create(**SETTINGS | settings)
    await ann.say("start", room=room)
    return ann, room


async def until_turn(ann: Client, room: str) -> None:
    """Bots act until Ann is to act, or the deal is over."""
    while ann.tables[room]["phase"] == "playing" and "legal" not in (ann.tables[room]["turn"] or {}):
        await ann.receive()


async def act(ann: Client, room: str, number: int = 0) -> None:
    table = ann.tables[room]
    legal = table["turn"]["legal"]
    await ann.say("act", room=room, seq=table["seq"], action=legal[number % len(legal)]["action"])


async def test_a_bot_that_searches_plays_a_whole_deal(server: ServerProcess) -> None:
    ann, room = await at_table(server)

    while ann.tables[room]["phase"] == "playing":
        await until_turn(ann, room)
        if ann.tables[room]["phase"] == "playing":
            await act(ann, room)

    played = [event["seat"] for event in ann.tables[room]["deal"]["events"] if event["type"] == "played"]
    assert len(workers(server)) == 1
    assert await late(server) < played.count(1)  # on a busy machine an answer may come too late


async def test_a_server_without_such_bots_has_no_process_for_them(server: ServerProcess) -> None:
    ann, room = await at_table(server, bot="trained")
    await until_turn(ann, room)
    assert server._process is not None

    assert children(server._process.pid) == []


async def test_a_table_whose_worker_is_killed_while_it_thinks_goes_on(server: ServerProcess) -> None:
    ann, room = await at_table(server, bot="master")
    await until(lambda: bool(workers(server)))
    [pid] = workers(server)

    os.kill(pid, signal.SIGKILL)
    await until_turn(ann, room)

    assert [entry["fault"] for entry in logged(server) if entry["event"] == "bot.replaced"] == ["dead"]
    assert "legal" in ann.tables[room]["turn"]
    await act(ann, room)
    await until_turn(ann, room)
    assert pid not in workers(server)


async def test_what_a_bot_was_thinking_about_when_it_was_taken_back_is_not_played(server: ServerProcess) -> None:
    ann, room = await at_table(server, bot="master")
    await until_turn(ann, room)
    interrupted = 0

    for number in range(8):
        seq = ann.tables[room]["seq"]
        await act(ann, room, number)
        await ann.say("undo", room=room)
        await until_turn(ann, room)
        await ann.look(room)

        told = [event for update in ann.updates(room) if update["seq"] > seq for event in update["events"]]
        interrupted += told[1]["type"] == "undone"
        assert told[-1]["type"] == "undone"  # what it was thinking about comes to nothing

    assert interrupted > 0
    await act(ann, room)  # what is asked now is answered last
    await until_turn(ann, room)


async def test_a_server_that_is_stopped_while_bots_think_stops_in_time(server: ServerProcess) -> None:
    for _ in range(4):
        await at_table(server, bot="master")
    await until(lambda: bool(workers(server)))
    pids = workers(server)
    began = time.monotonic()

    status = await server.terminate()

    assert status == 0
    assert time.monotonic() - began < STOP_WITHIN
    await until(lambda: not any(map(is_alive, pids)))
    assert not [entry for entry in logged(server) if entry["level"] == "error"]


async def test_no_worker_outlives_a_server_that_is_killed(server: ServerProcess) -> None:
    await at_table(server, bot="master")
    await until(lambda: bool(workers(server)))
    assert server._process is not None
    pids = children(server._process.pid)

    await server.kill()

    await until(lambda: not any(map(is_alive, pids)))


async def test_a_server_with_no_place_to_search_seats_no_such_bots() -> None:
    async with serving(bot_workers=0) as server:
        ann = await server.client("Ann")
        room = await ann.create(game="draw", seats=3)

        created = await ann.refused("create", settings={"game": "draw", "seats": 2, "bot": "strong"})
        added = await ann.refused("add_bot", room=room, seat=1, level="master")

        assert (created["code"], created["path"]) == ("unsupported", "settings.bot")
        assert (added["code"], added["path"]) == ("unsupported", "level")
