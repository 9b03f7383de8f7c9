"""`doublesix load`: many players at once, how fast the server is for them, and whether it kept its promises."""

from __future__ import annotations

import asyncio
import gc
import json
import random
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import typer
from rich.console import Console
from rich.table import Table
from websockets.exceptions import InvalidURI

from bots.load.drive import Load
from bots.load.link import NotConnected
from bots.load.report import LoadSettings, Report
from bots.load.tally import Latency
from engine.games import GAMES
from server.event_loop import run_loop

YOUNG_OBJECTS = 50_000
"""Objects made until the collector looks."""


def run(url: str, rooms: int, seats: int, game: str, seconds: float, think: float, *, as_json: bool) -> int:
    """Make the load and print the report. The exit status: 1 if the checker objects or nothing was played.

    2 if there is no such game, or no server to be reached.
    """
    if game not in GAMES:
        typer.echo(f"doublesix: there is no game {game}; there are {', '.join(GAMES)}", err=True)
        return 2
    settings = LoadSettings(url, rooms, seats, game, seconds, think)
    try:
        with rare_collection():
            report = run_loop(_measured(settings, Console(stderr=True)))
    except (NotConnected, InvalidURI) as error:
        typer.echo(f"doublesix: cannot connect to {url}: {error}", err=True)
        return 2
    if as_json:
        typer.echo(json.dumps(report.to_json()))
    else:
        show(report, Console(highlight=False, soft_wrap=True))
    return 1 if report.violations or not report.accepted else 0


@contextmanager
def rare_collection() -> Iterator[None]:
    """Let the collector look rarely: the history grows by far more than it ever gives back."""
    before = gc.get_threshold()
    gc.set_threshold(YOUNG_OBJECTS, 50, 1000)
    try:
        yield
    finally:
        gc.set_threshold(*before)


async def _measured(settings: LoadSettings, console: Console) -> Report:
    load = Load(settings, random.Random())  # noqa: S311 - what is played is no secret
    with console.status(f"Filling {settings.rooms} rooms ..."):
        await load.start()
    interrupted = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, interrupted.set)
    with console.status(f"Measuring for {settings.seconds:g} s ..."), suppress(TimeoutError):
        async with asyncio.timeout(settings.seconds):
            await interrupted.wait()
    with console.status("Waiting for the last answers, checking ..."):
        await load.finish()
        return load.report()


def show(report: Report, console: Console) -> None:
    """Print ``report`` for people."""
    console.print(
        f"{report.playing} of {report.settings.rooms} rooms played: {report.accepted} plays accepted "
        f"in {report.seconds:.1f} s, {report.rate:.1f} plays/s"
    )
    console.print(_latencies(report))
    for title, counts in (
        ("Errors", report.errors),
        ("Connections lost", report.cuts),
        ("Connections not made", report.not_connected),
    ):
        counted = ", ".join(f"{number} {code}" for code, number in counts.items())
        console.print(f"{title}: {counted or 'none'}")
    console.print(f"Reconnections: {report.reconnections}")
    for violation in report.violations:
        console.print(str(violation), markup=False)
    console.print(summary(report))


def summary(report: Report) -> str:
    """What the checker says, in one line."""
    return (
        f"{report.acknowledged} acknowledged plays and {report.steps} steps checked: {report.lost} lost, "
        f"{report.repeated} repeated, {report.disordered} order differences"
    )


def _latencies(report: Report) -> Table:
    table = Table("ms from play sent", "p50", "p95", "p99")
    table.add_row("to seen by its sender", *_milliseconds(report.to_sender))
    table.add_row("to seen by the last seat", *_milliseconds(report.to_last_seat))
    return table


def _milliseconds(latency: Latency | None) -> tuple[str, ...]:
    if latency is None:
        return ("-",) * 3
    return tuple(f"{1000 * seconds:.2f}" for seconds in (latency.p50, latency.p95, latency.p99))
