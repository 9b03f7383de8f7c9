"""The ``doublesix`` command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from protocol.schema import document as asyncapi
from server import logs
from server.commands import arena as arena_command
from server.commands import bot as bot_command
from server.commands import check as check_command
from server.commands import load as load_command
from server.commands import migrate as migrate_command
from server.commands import serve as serve_command
from server.commands import verify as verify_command

app = typer.Typer(
    help="Realtime multiplayer dominoes.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_show_locals=False,  # they hold hands and seeds (H1)
)


@app.command()
def serve(  # noqa: PLR0913, PLR0917 - an option each
    host: Annotated[str, typer.Option(help="Address to listen on; all interfaces if left out.")] = "",
    port: Annotated[int, typer.Option(help="Port to listen on; 0: any free one.")] = 8661,
    data: Annotated[Path, typer.Option(help="Folder of the embedded store.")] = Path("data"),
    store: Annotated[str, typer.Option(help="sqlite, memory, or redis://HOST:PORT.")] = "sqlite",
    durability: Annotated[str, typer.Option(help="power: survives a power cut; process: faster.")] = "power",
    origin: Annotated[list[str] | None, typer.Option(help="An origin of browsers to admit beside its own.")] = None,
    proxy: Annotated[list[str] | None, typer.Option(help="A proxy whose X-Forwarded-For is believed.")] = None,
    monitor: Annotated[list[str] | None, typer.Option(help="Who may read /metrics beside this machine.")] = None,
    bot_workers: Annotated[int | None, typer.Option(help="Processes for bots that search; 0: none of those.")] = None,
    limit: Annotated[list[str] | None, typer.Option(help="NAME=N sets a limit; 0: none.")] = None,
) -> None:
    """Serve tables to browsers and bots."""
    given: dict[str, object] = {
        "host": host,
        "port": port,
        "data": data,
        "store": store,
        "durability": durability,
        "origins": tuple(origin or ()),
        "proxies": tuple(proxy or ()),
        "monitors": tuple(monitor or ()),
        "limits": dict(_limit(text) for text in limit or ()),
    }
    if bot_workers is not None:
        given["bot_workers"] = bot_workers
    raise typer.Exit(serve_command.run(given))


def _limit(text: str) -> tuple[str, str]:
    name, separator, value = text.partition("=")
    if not separator:
        raise typer.BadParameter(f"{text!r} is not NAME=N", param_hint="--limit")
    return name, value


@app.command()
def bot(
    url: Annotated[str, typer.Option(help="WebSocket address of the server: ws://HOST:PORT/ws")],
    room: Annotated[str, typer.Option(help="Code of the room.")],
    seat: Annotated[int | None, typer.Option(help="Seat to take, from 0; the first free one if left out.")] = None,
    level: Annotated[str, typer.Option(help="How well it plays.")] = "club",
    command: Annotated[str | None, typer.Option(help="A program that chooses: JSON lines, see docs/bots.md.")] = None,
) -> None:
    """Seat one bot at a table over the network; it comes back after a lost connection."""
    raise typer.Exit(bot_command.run(url, room, seat, level, command))


@app.command()
def check(files: Annotated[list[Path], typer.Argument(help="Rule transcripts: .jsonl or .jsonl.gz")]) -> None:
    """Replay rule transcripts through the engine and report every difference."""
    raise typer.Exit(check_command.run(files))


@app.command()
def verify(
    record: Annotated[
        str, typer.Argument(help="File of a record, one JSON object, gzipped or not; -: standard input.")
    ],
    commitment: Annotated[str | None, typer.Option(help="What your client was told before the match.")] = None,
) -> None:
    """Deal and play a finished match again from its record, and say what that proves."""
    raise typer.Exit(verify_command.run(record, commitment))


@app.command()
def load(
    url: Annotated[str, typer.Option(help="WebSocket address of the server: ws://HOST:PORT/ws")],
    rooms: Annotated[int, typer.Option(min=1, help="How many rooms to fill.")],
    seats: Annotated[int, typer.Option(min=2, max=4, help="Players in each, all of them ours.")] = 4,
    game: Annotated[str, typer.Option(help="The game they play.")] = "fives-threes",
    seconds: Annotated[float, typer.Option(min=0, help="How long to measure.")] = 10.0,
    think: Annotated[float, typer.Option(min=0, help="Mean seconds of thought before a play.")] = 0.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Fill rooms over real sockets, measure the server, and check that nothing is lost, repeated or reordered."""
    raise typer.Exit(load_command.run(url, rooms, seats, game, seconds, think, as_json=as_json))


app.command()(arena_command.arena)


@app.command()
def migrate(
    source: Annotated[str, typer.Argument(metavar="FROM", help="A data folder, or redis://HOST:PORT.")],
    target: Annotated[str, typer.Argument(metavar="TO", help="An empty one of either kind.")],
) -> None:
    """Copy rooms, players and records of a stopped server from one store to another."""
    logs.configure()
    raise typer.Exit(migrate_command.run(source, target))


@app.command()
def schema() -> None:
    """Print the wire protocol as an AsyncAPI 3 document."""
    typer.echo(json.dumps(asyncapi(), indent=2))


def main() -> None:
    """Run the command line."""
    app()


if __name__ == "__main__":
    main()
