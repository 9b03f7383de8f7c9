"""`doublesix serve`: one server process, from its settings to its end."""

from __future__ import annotations

import asyncio
import gc
import signal
import socket
from collections.abc import Mapping

import segno
import structlog
import typer
from pydantic import ValidationError

from server import logs
from server.app import App, open_exchange, open_store
from server.clock import SystemClock
from server.config import Config
from server.event_loop import run_loop
from server.store.base import DatabaseRefused, StoreError

GC_THRESHOLDS = (20_000, 20, 50)
"""A table makes much and keeps little, nearly all of it without circles: look for those less often."""
STOP_WITHIN = 10.0
"""Seconds that the whole of a graceful stop may take."""

logger = structlog.get_logger(__name__)


def run(given: Mapping[str, object]) -> int:
    """Serve until SIGTERM or SIGINT.

    The exit status: 2 if ``given`` are no valid settings, 1 if the server cannot start or cannot go on.
    """
    logs.configure()
    try:
        config = Config.model_validate(given)
    except ValidationError as error:
        for fault in error.errors():
            name = ".".join(str(part) for part in fault["loc"])
            typer.echo(f"doublesix: {name}: {fault['msg']}", err=True)
        return 2
    try:
        return run_loop(_serve(config))
    except (DatabaseRefused, StoreError) as error:
        typer.echo(f"doublesix: {error}", err=True)
        return 1
    except OSError as error:
        typer.echo(f"doublesix: cannot listen on port {config.port}: {error.strerror or error}", err=True)
        return 1


async def _serve(config: Config) -> int:
    clock = SystemClock()
    store = await open_store(config, clock)
    try:
        exchange = await open_exchange(config, store, clock)
    except BaseException:
        await store.close()
        raise
    app = App(config, store, clock=clock, exchange=exchange)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    try:
        await app.start()
    except BaseException:
        await stop_in_time(app)  # what it has taken is free for others at once
        raise
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
    _announce(config, app.ports[0])
    await asyncio.wait(
        [loop.create_task(event.wait()) for event in (stop, app.has_failed)], return_when=asyncio.FIRST_COMPLETED
    )
    await stop_in_time(app)
    return int(app.has_failed.is_set())


async def stop_in_time(app: App) -> None:
    """Stop ``app``, gracefully as far as the time for it goes."""
    try:
        async with asyncio.timeout(STOP_WITHIN):
            await app.stop()
    except TimeoutError:
        logger.warning("server.stop_timeout", seconds=STOP_WITHIN)


def _announce(config: Config, port: int) -> None:
    """Where players find the server, with a code for phones in the same network."""
    typer.echo(f"Doublesix is at http://{config.host or 'localhost'}:{port}")
    address = config.host or _network_address()
    if address and address not in ("127.0.0.1", "localhost", "::1"):
        link = f"http://{address}:{port}"
        typer.echo(f"Phones in the same network: {link}")
        segno.make(link, micro=False).terminal(compact=True, border=2)


def _network_address() -> str | None:
    """The address of this machine in its network; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address: str = probe.getsockname()[0]
        return address
