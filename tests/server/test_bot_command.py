from __future__ import annotations

import sys

import pytest

from bots.dialogue import Ending
from bots.player import Player
from server.commands import bot as bot_command
from tests.bots.positions import asked_at
from tests.engine.positions import dealt

KNOCKS = f'{sys.executable} -c "input(); print(\'{{\\"action\\": {{\\"type\\": \\"knock\\"}}}}\')"'


def run(monkeypatch: pytest.MonkeyPatch, outcome: Ending, level: str = "club", command: str | None = None) -> int:
    """The exit code where the bot, instead of playing, makes one choice and then ends with ``outcome``."""

    async def play(_url: str, _room: str, player: Player, **_others: object) -> Ending:
        player.choose(*asked_at(dealt("block", "1-2 3-4", "5-5")))
        return outcome

    monkeypatch.setattr(bot_command, "play", play)
    return bot_command.run("ws://127.0.0.1/ws", "K7QM2X", None, level, command)


@pytest.mark.parametrize(("is_failure", "code"), [(False, 0), (True, 1)])
def test_the_exit_code_tells_whether_the_bot_could_play(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], is_failure: bool, code: int
) -> None:
    exit_code = run(monkeypatch, Ending("It is over.", is_failure))

    said = capsys.readouterr()
    assert exit_code == code
    assert (said.err if is_failure else said.out) == "It is over.\n"


def test_a_level_that_is_not_built_is_refused_with_those_that_are(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    exit_code = run(monkeypatch, Ending("-"), level="genius")

    assert exit_code == 2
    assert "novice, beginner, club" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["/no/such/program", 'unfinished "quote', "", " "])
def test_a_program_that_cannot_be_started_is_refused(monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    assert run(monkeypatch, Ending("-"), command=command) == 2


def test_the_choices_that_a_program_failed_to_make_are_counted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    exit_code = run(monkeypatch, Ending("It is over."), command=KNOCKS)

    assert exit_code == 0
    assert "1 illegal" in capsys.readouterr().err
