"""A server that is killed and started again, over and over, while matches are played on it.

Run as a program it does so CYCLES times and prints what the checker has found: `make kill-cycles CYCLES=100`.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import socket
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from tempfile import TemporaryDirectory

from bots.load.drive import Load
from bots.load.report import LoadSettings, Report
from tests.load.stored_log import stored_steps
from tests.load.telling import say, tell
from tests.system.servers import ServerProcess, server_process

NO_LIMITS = ("connections_per_address", "messages_per_second", "rooms_per_player", "refusals_per_minute")
MOST_ACTS = 200
"""Acts between a start and the kill after it, at most."""
PATIENCE = 60.0
"""Seconds after which a server that accepts nothing more counts as lost."""


async def kill_cycles(
    folder: Path,
    durability: str,
    cycles: int,
    rooms: int,
    rng: random.Random,
    tell: Callable[[str], None],
    meanwhile: Callable[[int], None] = lambda _cycle: None,
) -> Report:
    """Kill and restart a server on the data in ``folder``, each time in the middle of play at another moment.

    What every client saw is held against the log in the end. ``tell`` is told of each cycle; ``meanwhile`` is called
    while there is no server.
    """
    async with _server(folder, durability) as server:
        load = Load(LoadSettings(server.url, rooms, seconds=0), rng)
        await load.start()
        for cycle in range(1, cycles + 1):
            await _let_play(load, rng.randint(1, MOST_ACTS))
            await server.kill()
            meanwhile(cycle)
            await server.start()
            tell(f"cycle {cycle}: {load.tally.acknowledged} acknowledged, {load.tally.reconnections} reconnections")
        await _let_play(load, MOST_ACTS)
        await load.finish()
        assert await server.terminate() == 0
    return load.report(await stored_steps(folder / "store"))


async def restart_gently(folder: Path, rooms: int, rng: random.Random) -> Report:
    """Let a server end by itself and start it again in the middle of play."""
    async with _server(folder, "power") as server:
        load = Load(LoadSettings(server.url, rooms, seconds=0), rng)
        await load.start()
        await _let_play(load, rng.randint(1, MOST_ACTS))
        assert await server.terminate() == 0
        await server.start()
        await _let_play(load, MOST_ACTS)
        await load.finish()
        assert await server.terminate() == 0
    return load.report(await stored_steps(folder / "store"))


def _server(folder: Path, durability: str) -> AbstractAsyncContextManager[ServerProcess]:
    """A server that takes all that one machine sends, where its clients will look for it again."""
    limits = [text for name in NO_LIMITS for text in ("--limit", f"{name}=0")]
    return server_process(folder, "--durability", durability, "--port", str(_free_port()), *limits)


async def _let_play(load: Load, acts: int) -> None:
    async with asyncio.timeout(PATIENCE):
        await load.tally.more(acts)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        port: int = found.getsockname()[1]
        return port


def main() -> int:
    """Run as many cycles as the command line says; 1 for a violation."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--cycles", type=int, default=100)
    parser.add_argument("--rooms", type=int, default=8)
    parser.add_argument("--durability", choices=("power", "process"), default="process")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with TemporaryDirectory() as folder:
        rng = random.Random(given.seed)
        cycles = kill_cycles(Path(folder), given.durability, given.cycles, given.rooms, rng, say)
        report = asyncio.run(cycles)
    return tell(report, f"{given.cycles} kills of a server with durability {given.durability}")


if __name__ == "__main__":
    raise SystemExit(main())
