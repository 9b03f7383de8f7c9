"""The programs on the pages do what the pages say of them."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE
from pathlib import Path
from typing import Protocol

import pytest
from typer.testing import CliRunner

from bots.process import ProcessPlayer
from server.__main__ import app
from server.listener import Listener
from server.room import Room
from server.table.decide import RoomMessage
from tests.bots.positions import question, some_turns
from tests.documents import DOCS, ROOT, program_under
from tests.system.client import PATIENCE, Client
from tests.system.servers import serving

BOTS = DOCS / "bots.md"
AS_A_PROCESS = "A bot of your own, as a process"


class Save(Protocol):
    """Saves the program under a heading of a page, and returns where."""

    def __call__(self, page: Path, heading: str, language: str = "python") -> str: ...


BUDGET = 30.0
"""Seconds: more than the slowest machine needs."""


@pytest.fixture
def save(tmp_path: Path) -> Save:
    def save(page: Path, heading: str, language: str = "python") -> str:
        saved = tmp_path / {"python": "program.py", "js": "program.mjs"}[language]
        saved.write_text(program_under(page, heading, language), encoding="utf-8")
        return str(saved)

    return save


async def played(host: Client, room: str) -> set[int]:
    """The seats that have played until the match is over; ``host`` takes the first legal action each time."""
    while host.tables[room]["phase"] != "match_over":
        turn = host.tables[room]["turn"]
        if turn is not None and "legal" in turn:
            await host.say("act", room=room, seq=host.tables[room]["seq"], action=turn["legal"][0]["action"])
        elif host.tables[room]["phase"] == "deal_over":
            await host.say("next", room=room)
        else:
            await host.receive()
    return {event["seat"] for update in host.updates(room) for event in update["events"] if event["type"] == "played"}


async def test_the_bot_of_the_readme_plays_a_match_to_its_end(save: Save, monkeypatch: pytest.MonkeyPatch) -> None:
    program = save(ROOT / "README.md", "A bot of your own")
    acted = asyncio.Event()
    handle = Room.handle

    def watched(room: Room, listener: Listener, message: RoomMessage) -> None:
        handle(room, listener, message)
        if message.type == "act":
            acted.set()

    monkeypatch.setattr(Room, "handle", watched)

    async with serving() as server:
        host = await server.client("Ann")
        room = await host.create(game="block", seats=2, target=1, lead=1)
        bot = await asyncio.create_subprocess_exec(sys.executable, program, server.url, room, stderr=PIPE)
        async with asyncio.timeout(PATIENCE):
            while host.tables[room]["seats"][1]["bot"] != "headless":
                await host.receive()
            await host.say("pause", room=room)
            await host.say("start", room=room)
            await acted.wait()  # although somebody reads
            await host.say("continue", room=room)
            seats = await played(host, room)
            await host.say("record", room=room)  # no room closes before its record is kept
            server.let_pass(24 * 60 * 60)
            _, complaints = await bot.communicate()

    assert seats == {0, 1}
    assert (bot.returncode, complaints) == (0, b"")


@pytest.mark.parametrize(("language", "runs"), [("python", sys.executable), ("js", "node")])
def test_the_process_of_the_bots_page_takes_the_most_points(save: Save, language: str, runs: str) -> None:
    program = save(BOTS, AS_A_PROCESS, language)
    asked = [question(match) for match in some_turns(20, "fives-threes", 4)]

    with ProcessPlayer([runs, program], BUDGET) as player:
        chosen = [player.choose(view, legal) for view, legal in asked]

    for action, (_, legal) in zip(chosen, asked, strict=True):
        points = {choice.action: choice.outcome.points if choice.outcome else 0 for choice in legal}
        assert points[action] == max(points.values())


def test_the_measurement_of_the_bots_page_runs(tmp_path: Path) -> None:
    name, *words = program_under(BOTS, "`doublesix arena`", "sh").splitlines()[0].split()
    assert name == "doublesix"
    quick = ["--game", "block", "--a", "club", "--b", "beginner", "--deals", "2", "--log", str(tmp_path / "log")]

    result = CliRunner().invoke(app, [*words, *quick])

    assert result.exit_code == 0
    assert "club against beginner: block, 4 seats, 2 samples" in result.stdout
