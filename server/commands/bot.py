"""`doublesix bot`: one headless seat at a table."""

from __future__ import annotations

import asyncio
import contextlib
import random
import shlex
import signal
from contextlib import AbstractContextManager, nullcontext

import typer

from bots.dialogue import Ending
from bots.guarded import Fault, Guarded
from bots.headless import play
from bots.levels import EVERY_LEVEL
from bots.player import Player
from bots.process import ProcessPlayer

BUDGET = 1.0
"""Seconds that a program may take for a choice."""


def run(url: str, room: str, seat: int | None, level: str, command: str | None) -> int:
    """Play until the table closes. The exit status: 1 if it could not be played to its end, 2 for a bad option."""
    if command is None and level not in EVERY_LEVEL:
        typer.echo(f"doublesix: there are no {level} bots; there are {', '.join(EVERY_LEVEL)}", err=True)
        return 2
    try:
        with _player(level, command) as chooser:
            player = Guarded(chooser, _report)
            ending = asyncio.run(_play(url, room.upper(), seat, player))
    except (OSError, ValueError) as error:  # no such program, none named, or quotes that do not close
        typer.echo(f"doublesix: cannot start '{command}': {error}", err=True)
        return 2
    if player.faults:
        counted = ", ".join(f"{number} {fault.value}" for fault, number in player.faults.items())
        typer.echo(f"Choices that had to be replaced by the first legal one: {counted}", err=True)
    if ending is None:
        typer.echo("The bot has left its seat.")
        return 0
    typer.echo(ending.text, err=ending.is_failure)
    return 1 if ending.is_failure else 0


def _player(level: str, command: str | None) -> AbstractContextManager[Player]:
    if command is not None:
        return ProcessPlayer(shlex.split(command), BUDGET)
    return nullcontext(EVERY_LEVEL[level](random.Random()))  # noqa: S311 - how bots choose is no secret


def _report(fault: Fault, raised: str | None) -> None:
    typer.echo(f"The bot's choice was replaced: {fault.value}{f' ({raised})' if raised else ''}", err=True)


async def _play(url: str, room: str, seat: int | None, player: Player) -> Ending | None:
    """How it ended; None if the bot was told to stop, and has given its seat up."""
    task = asyncio.current_task()
    if task is not None:
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    with contextlib.suppress(asyncio.CancelledError):
        return await play(url, room, player, seat=seat, rng=random.Random())  # noqa: S311
    return None
