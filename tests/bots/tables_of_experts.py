"""`python -m tests.bots.tables_of_experts`: how late the event loop is while bots that search sit at many tables.

The server runs in this process, with everything that it has when it serves, and a ticker in its loop. The fourth seat
of each table is played from another process, as fast as the bots play: tables of computers alone stand still.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import sys
import tempfile
import time
from asyncio.subprocess import PIPE
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from engine.outcome import Choice
from engine.view import SeatView
from protocol.hints import Advice, Review
from server.app import App
from server.commands.serve import GC_THRESHOLDS
from server.config import Config
from server.event_loop import run_loop
from server.house_players import Answer, Found, Searchers, searchers
from server.limits import Limits
from server.store.sqlite import SqliteStore
from tests.system.client import Client
from tests.system.servers import NO_LIMITS

TICK = 0.01
LAG = 0.05
"""Seconds by which 99 of 100 ticks may be late at most."""
WARM_UP = 5.0
"""Seconds that do not count: workers start."""


class Counted:
    """Counts what is asked."""

    def __init__(self, inner: Searchers) -> None:
        self.asked = 0
        self._inner = inner

    def ask(self, view: SeatView, legal: Sequence[Choice], level: str, seed: int) -> Answer | None:
        self.asked += 1
        return self._inner.ask(view, legal, level, seed)

    def advise(self, view: SeatView, legal: Sequence[Choice]) -> Found[Advice] | None:
        return self._inner.advise(view, legal)

    def review(self, view: SeatView) -> Found[Review] | None:
        return self._inner.review(view)

    def close(self) -> None:
        self._inner.close()


def main() -> None:
    """Measure, print, and end with status 1 if the loop was too late."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--tables", type=int, default=50)
    options.add_argument("--level", default="expert")
    options.add_argument("--game", default="fives-threes")
    options.add_argument("--workers", type=int, default=Config().bot_workers)
    options.add_argument("--seconds", type=float, default=60.0)
    options.add_argument("--play", help=argparse.SUPPRESS)
    chosen = options.parse_args()
    if chosen.play:
        run_loop(_play(chosen.play, chosen.tables, chosen.game, chosen.level))
    else:
        sys.exit(run_loop(_measure(chosen)))


async def _measure(chosen: argparse.Namespace) -> int:
    with tempfile.TemporaryDirectory() as folder:
        config = Config(
            host="127.0.0.1",
            port=0,
            bot_workers=chosen.workers,
            limits=Limits.model_validate({**NO_LIMITS, "rooms_per_player": 0}),
        )
        app = App(config, SqliteStore(Path(folder), durability="power"))
        inner = searchers(chosen.workers)
        assert inner is not None, "at least one process must search"
        counted = Counted(inner)
        app._house._searchers = counted
        await app.start()
        gc.freeze()
        gc.set_threshold(*GC_THRESHOLDS)
        players = await _players(app.ports[0], chosen)
        try:
            await asyncio.sleep(WARM_UP)
            asked, late = counted.asked, app._house.late
            lags = await _lags(chosen.seconds)
            asked, late = counted.asked - asked, app._house.late - late
        finally:
            players.kill()
            await players.wait()
            await app.stop()
    return _report(chosen, lags, asked, late)


async def _players(port: int, chosen: argparse.Namespace) -> asyncio.subprocess.Process:
    """The process that plays the other seats; it has sat down everywhere."""
    url = f"ws://127.0.0.1:{port}/ws"
    arguments = ("--play", url, "--tables", str(chosen.tables), "--game", chosen.game, "--level", chosen.level)
    players = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.bots.tables_of_experts", *arguments, stdout=PIPE
    )
    assert players.stdout is not None
    assert await players.stdout.readline() == b"seated\n"
    return players


async def _lags(seconds: float) -> list[float]:
    """How late each tick of so many seconds was, the least late first."""
    lags = []
    end = time.monotonic() + seconds
    while (due := time.monotonic() + TICK) < end:
        await asyncio.sleep(TICK)
        lags.append(time.monotonic() - due)
    return sorted(lags)


def _report(chosen: argparse.Namespace, lags: list[float], asked: int, late: int) -> int:
    half, most, worst = (lags[min(len(lags) - 1, int(len(lags) * part))] * 1000 for part in (0.5, 0.99, 1.0))
    _print(f"{chosen.tables} tables of {chosen.level}, {chosen.game}, for {chosen.seconds:.0f} s,")
    _print(f"{chosen.workers} processes that search on {os.cpu_count()} processors")
    _print(f"{asked / chosen.seconds:.1f} searches/s asked for, {late} of {asked} late ({late / max(1, asked):.1%})")
    _print(f"the loop was late by {half:.1f} ms (median), {most:.1f} ms (p99), {worst:.1f} ms (most)")
    return int(most > LAG * 1000)


async def _play(url: str, tables: int, game: str, level: str) -> None:
    """One person at all the tables, who plays the first legal action after the time that bots take."""
    ann = Client(url, "Ann")
    await ann.open()
    await ann.hello()
    settings: dict[str, Any] = {"game": game, "seats": 4, "bot": level, "next_deal_after": 0, "target": 1_000_000}
    rooms = [await ann.create(**settings) for _ in range(tables)]
    for room in rooms:
        await ann.say("start", room=room)
    _print("seated")
    loop, answered = asyncio.get_running_loop(), dict.fromkeys(rooms, 0)
    acting: set[asyncio.Task[str]] = set()

    def act(room: str, seq: int) -> None:
        table = ann.tables[room]
        if table["seq"] == seq:
            action = table["turn"]["legal"][0]["action"]
            task = loop.create_task(ann.send("act", room=room, seq=seq, action=action))
            acting.add(task)
            task.add_done_callback(acting.discard)

    while True:
        for room, table in ann.tables.items():
            if "legal" in (table["turn"] or {}) and table["seq"] > answered[room]:
                answered[room] = table["seq"]
                loop.call_later(table["settings"]["bot_delay"], act, room, table["seq"])
        await ann.receive()


def _print(line: str) -> None:
    print(line, flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
