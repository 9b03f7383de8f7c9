"""`doublesix arena`: how much stronger one player is than another."""

from __future__ import annotations

import json
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from bots.arena.contest import Terms
from bots.arena.entrant import UnknownEntrant
from bots.arena.log import OtherRun, RunGoesOn, kept
from bots.arena.report import Report, milliseconds
from bots.arena.run import Run
from bots.arena.verdict import is_gain
from bots.duel import Estimate
from engine.games import GAMES

FEWEST = 2
"""Samples for an interval."""


def arena(  # noqa: PLR0913, PLR0917 - an option each
    a: Annotated[str, typer.Option(help="A level, or cmd:PROGRAM.")],
    b: Annotated[str, typer.Option(help="A level, or cmd:PROGRAM.")],
    game: Annotated[str, typer.Option(help="The game they play.")] = "fives-threes",
    seats: Annotated[int, typer.Option(min=2, max=4, help="Seats at the table.")] = 4,
    deals: Annotated[int, typer.Option(min=FEWEST, help="How many matches; each is played in every seating.")] = 200,
    seed: Annotated[int, typer.Option(help="What is dealt, and the chance of the levels, hang on it.")] = 1,
    single: Annotated[bool, typer.Option("--single", help="Only the first deal of each match.")] = False,
    alone: Annotated[bool, typer.Option("--alone", help="With three sides: A has one of them, B the others.")] = False,
    budget: Annotated[int, typer.Option(min=1, help="Milliseconds that a program has for a choice.")] = 1000,
    gain: Annotated[float | None, typer.Option(help="Stop when known: does A win 0.5, or so much more?")] = None,
    log: Annotated[Path | None, typer.Option(help="File to keep each match in; a run that is there goes on.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Let two players meet in duplicate matches, and say how much stronger A is."""
    if game not in GAMES:
        raise _refused(f"there is no game {game}; there are {', '.join(GAMES)}")
    if gain is not None:
        _check(gain, single=single, alone=alone)
    terms = Terms(game, seats, a, b, seed, single, budget, alone)
    try:
        with nullcontext() if log is None else kept(log, terms) as kept_in:
            run = Run(terms, deals, gain, kept_in)
            _play(run, deals)
    except (UnknownEntrant, OtherRun, RunGoesOn, OSError, ValueError) as error:
        raise _refused(str(error)) from None
    report = Report(terms, run.outcomes, run.verdict)
    if as_json:
        typer.echo(json.dumps(report.to_json()))
    else:
        show(report)


def _check(gain: float, *, single: bool, alone: bool) -> None:
    """Refuse a ``gain`` that cannot be asked about."""
    if alone:
        raise _refused("--gain asks about a half of the matches, and --alone is about a third")
    if single:
        raise _refused("--gain asks about matches, and --single plays single deals")
    if not is_gain(gain):
        raise _refused("--gain is by how much A wins more than half of the matches: between 0 and 0.5")


def _refused(why: str) -> typer.Exit:
    """Exit status 2, as for any bad option."""
    typer.echo(f"doublesix: {why}", err=True)
    return typer.Exit(2)


def _play(run: Run, samples: int) -> None:
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task("", total=samples, completed=len(run.outcomes))
        for _ in run.play():
            known = _said(Estimate.of([each.won for each in run.outcomes])) if len(run.outcomes) > 1 else ""
            progress.update(task, advance=1, description=known)


def show(report: Report) -> None:
    """Print ``report`` for people."""
    terms = report.terms
    typer.echo(f"{terms.a} against {terms.b}: {terms.game}, {terms.seats} seats, {len(report.outcomes)} samples")
    if not terms.single:
        typer.echo(f"matches won     {_said(report.won)}")
    typer.echo(f"points a deal   {_said(report.points)}")
    for name, who in ((terms.a, "a"), (terms.b, "b")):
        effort = report.effort(who)
        replaced = f", {effort.faults} replaced" if effort.faults else ""
        typer.echo(f"ms a choice     {milliseconds(effort)} {name}{replaced}")
    if report.verdict is not None:
        typer.echo(f"verdict         {terms.a} is {report.verdict}")


def _said(estimate: Estimate) -> str:
    return f"{estimate.mean:.3f} ± {estimate.margin:.3f}"
