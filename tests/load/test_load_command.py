from __future__ import annotations

import asyncio
import json
import sys
from asyncio.subprocess import PIPE
from importlib.metadata import version

import pytest
from rich.console import Console
from typer.testing import CliRunner

from bots.load.report import LoadSettings, Report
from bots.load.tally import Latency
from bots.load.violations import Fault, Violation
from server.__main__ import app
from server.commands.load import show
from tests.system.servers import Server

PATIENCE = 60.0


async def load(*arguments: str) -> tuple[int | None, str, str]:
    """Exit status, standard output and standard error of `doublesix load`."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "server", "load", *arguments, stdout=PIPE, stderr=PIPE
    )
    async with asyncio.timeout(PATIENCE):
        out, err = await process.communicate()
    return process.returncode, out.decode(), err.decode()


def report(*violations: Violation) -> Report:
    return Report(
        settings=LoadSettings("ws://localhost:8661/ws", rooms=3),
        playing=2,
        seconds=2.0,
        accepted=100,
        to_sender=Latency(0.001, 0.002, 0.003),
        to_last_seat=None,
        acknowledged=120,
        steps=150,
        errors={"stale": 2},
        not_connected={},
        cuts={"1012": 4, "cut": 1},
        reconnections=5,
        violations=violations,
    )


async def test_one_json_object_tells_what_was_measured(server: Server) -> None:
    arguments = ("--url", server.url, "--rooms", "2", "--seats", "2", "--game", "block", "--seconds", "0.5", "--json")

    status, out, _ = await load(*arguments)

    told = json.loads(out)
    assert status == 0
    assert told["version"] == version("doublesix")
    assert told["settings"] == {
        "url": server.url, "rooms": 2, "seats": 2, "game": "block", "seconds": 0.5, "think": 0.0
    }  # fmt: skip
    assert told["plays"] > 0
    assert told["latency_ms"]["sender"].keys() == {"p50", "p95", "p99"}
    assert (told["lost"], told["repeated"], told["order_differences"]) == (0, 0, 0)


async def test_people_are_told_in_words(server: Server) -> None:
    status, out, _ = await load("--url", server.url, "--rooms", "1", "--seconds", "0.2")

    assert status == 0
    assert out.startswith("1 of 1 rooms played: ")
    assert out.rstrip().endswith("0 lost, 0 repeated, 0 order differences")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--url", "ws://127.0.0.1:1/ws", "--rooms", "1"), "cannot connect to ws://127.0.0.1:1/ws"),
        (("--url", "no address", "--rooms", "1"), "cannot connect to no address"),
        (("--url", "ws://127.0.0.1:1/ws", "--rooms", "1", "--game", "chess"), "there is no game chess"),
        (("--url", "ws://127.0.0.1:1/ws", "--rooms", "0"), "greater than or equal to 1"),
        (("--url", "ws://127.0.0.1:1/ws", "--rooms", "1", "--seats", "5"), "less than or equal to 4"),
    ],
)
def test_what_cannot_be_done_is_said_plainly(arguments: tuple[str, ...], words: str) -> None:
    result = CliRunner().invoke(app, ["load", *arguments])

    assert result.exit_code == 2
    assert result.stdout == ""
    assert words in result.stderr


def test_violations_are_counted_by_what_they_mean() -> None:
    told = report(
        Violation(Fault.RESET, "ABC234", 7, "Load 1-1", "reset after step 9"),
        Violation(Fault.UNASKED, "ABC234", 8, "Load 1-2", "nobody asked for this: 1 draw"),
        Violation(Fault.SWAPPED, "ABC234", 9, "Load 1-3", "told after step 10"),
        Violation(Fault.ALTERED, "ABC234", 9, "Load 1-4", "Load 1-1 was told something else"),
    ).to_json()

    assert (told["lost"], told["repeated"], told["order_differences"]) == (1, 1, 2)
    assert told["violations"]["by_fault"] == {"reset": 1, "unasked": 1, "swapped": 1, "altered": 1}
    assert told["violations"]["first"][0] == ("reset in room ABC234 at step 7, seen by Load 1-1: reset after step 9")
    assert (told["plays_per_second"], told["latency_ms"]["last_seat"]) == (50.0, None)


def test_every_violation_is_shown_to_people() -> None:
    console = Console(record=True, width=200)

    show(report(Violation(Fault.LOST, "ABC234", 7, "Load 1-1", "not told, nor any up to step 7")), console)

    shown = console.export_text()
    assert "2 of 3 rooms played: 100 plays accepted in 2.0 s, 50.0 plays/s" in shown
    assert "Errors: 2 stale" in shown
    assert "Connections lost: 4 1012, 1 cut" in shown
    assert "lost in room ABC234 at step 7, seen by Load 1-1: not told, nor any up to step 7" in shown
    assert "120 acknowledged plays and 150 steps checked: 1 lost, 0 repeated, 0 order differences" in shown
