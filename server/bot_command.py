"""`doublesix bot`: one headless seat at a table."""

from __future__ import annotations

import asyncio
import random
import shlex
import sys
from contextlib import ExitStack

from bots.guarded import Guarded
from bots.headless import play
from bots.levels import LEVELS
from bots.player import Player
from bots.process import ProcessPlayer

BUDGET = 0.5
"""Seconds that a program has for a choice; it is late after twice as long."""


def run(url: str, room: str, seat: int | None, level: str, command: str | None) -> int:
    """Play until the table closes or has no seat for the bot. The exit code: 0 then, 1 if it was refused, 2 at misuse.

    ``command`` is a program that chooses, with its arguments, in place of ``level``.
    """
    rng = random.Random()  # noqa: S311 - how a bot chooses is no secret
    with ExitStack() as running:
        try:
            player = LEVELS[level](rng) if command is None else _started(command, running)
        except KeyError:
            return _say(f"There is no level {level!r}; there are {', '.join(LEVELS)}.", 2)
        except (OSError, ValueError) as error:
            return _say(f"The program cannot be started: {error}.", 2)
        return _play(url, room, seat, Guarded(player), rng)


def _started(command: str, running: ExitStack) -> Player:
    return running.enter_context(ProcessPlayer(shlex.split(command), BUDGET))


def _play(url: str, room: str, seat: int | None, player: Guarded, rng: random.Random) -> int:
    try:
        ending = asyncio.run(play(url, room, player, rng=rng, seat=seat))
    except KeyboardInterrupt:
        return _say("Stopped; the seat was given up.", 0)
    finally:
        for fault, times in player.faults.items():
            _say(f"Choices replaced because the answer was {fault}: {times}.", 0)
    return _say(ending.text, 1 if ending.is_failure else 0)


def _say(text: str, code: int) -> int:
    print(text, file=sys.stderr)  # noqa: T201 - a command speaks to its user
    return code
