"""`doublesix migrate`: everything that a stopped server keeps, from one store to another."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TypeAlias, TypeVar

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from server.event_loop import run_loop
from server.migrate.base import Counts, Source, Target
from server.migrate.folder import FolderSource, FolderTarget
from server.migrate.move import move
from server.migrate.redis import RedisSource, RedisTarget
from server.store.base import DatabaseRefused, StoreError
from server.store.redis.address import check_url, shown

Place: TypeAlias = Path | str
"""A data folder, or the address of a Redis server."""
Opened = TypeVar("Opened", Source, Target)


def run(source: str, target: str) -> int:
    """Move what is at ``source`` to ``target``. 2 if one of them is no place, 1 if it cannot be done."""
    try:
        places = place(source), place(target)
    except ValueError as error:
        typer.echo(f"doublesix: {error}", err=True)
        return 2
    if places[0] == places[1]:
        typer.echo("doublesix: FROM and TO are the same", err=True)
        return 2
    try:
        counts = run_loop(move_between(*places))
    except DatabaseRefused as error:
        typer.echo(f"doublesix: {error}", err=True)
        return 1
    except (StoreError, KeyboardInterrupt) as error:
        typer.echo(f"doublesix: {str(error) or 'broken off'}", err=True)
        typer.echo(f"Nothing is lost: {_shown(places[0])} is as it was. Say the same again to begin anew.", err=True)
        return 1
    typer.echo(
        f"Moved {counts.rooms} rooms, {counts.players} players and {counts.records} records "
        f"from {_shown(places[0])} to {_shown(places[1])}"
    )
    return 0


def place(text: str) -> Place:
    """What ``text`` names.

    Raises:
        ValueError: an address, but none of a Redis server.
    """
    if "://" not in text:
        return Path(text).resolve()
    try:
        check_url(text)
    except ValueError as error:
        raise ValueError(f"FROM and TO are data folders or addresses of Redis servers: {error}") from error
    return text


def _shown(place: Place) -> str:
    """The place without its password."""
    return str(place) if isinstance(place, Path) else shown(place)


async def move_between(source: Place, target: Place) -> Counts:
    """Move what is at ``source`` to ``target``, showing how far it is. The source is opened first: it may be missing.

    Raises:
        DatabaseRefused: one of them is not what it must be, or is in use.
        StoreError: one of them is out of reach, or full.
    """
    async with _closing(await _source(source)) as full, _closing(await _target(target)) as empty:
        with _progress(await full.count()) as show:
            return await move(full, empty, show)


async def _source(place: Place) -> Source:
    return FolderSource(place) if isinstance(place, Path) else await RedisSource.open(place)


async def _target(place: Place) -> Target:
    return FolderTarget(place) if isinstance(place, Path) else await RedisTarget.open(place)


@asynccontextmanager
async def _closing(opened: Opened) -> AsyncIterator[Opened]:
    try:
        yield opened
    finally:
        await opened.close()


@contextmanager
def _progress(total: Counts) -> Iterator[Callable[[Counts], None]]:
    """A bar for each kind of what is moved; gives what shows how far it is."""
    columns = (TextColumn("{task.description:>8}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        tasks = {kind: progress.add_task(kind, total=number) for kind, number in asdict(total).items()}

        def show(moved: Counts) -> None:
            for kind, number in asdict(moved).items():
                progress.update(tasks[kind], completed=number)

        yield show
