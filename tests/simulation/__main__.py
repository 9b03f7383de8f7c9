"""``python -m tests.simulation``: many seeds, on all processors."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Annotated

import typer

from tests.simulation.run import Report, simulate

CHUNK = 10
"""Seeds that a process takes at a time."""
SHOWN = 3
"""Failing runs that are shown with their trace."""
PROGRESS_EVERY = 500


def main(
    seeds: Annotated[int, typer.Option(min=1, help="How many.")] = 1000,
    first: Annotated[int, typer.Option(min=0, help="The seed to begin at.")] = 0,
    jobs: Annotated[int, typer.Option(min=1, help="Processes.")] = os.cpu_count() or 1,
) -> None:
    """Simulate the server under SEEDS seeds. Exit 1 if one of them breaks a promise."""
    steps = violations = 0
    for number, report in enumerate(_reports(range(first, first + seeds), jobs), 1):
        steps += report.steps
        if report.violations:
            violations += 1
            typer.echo(str(report) if violations <= SHOWN else f"seed {report.seed}: {report.violations[0]}")
        if number % PROGRESS_EVERY == 0:
            typer.echo(f"{number} seeds, {steps} steps, {violations} violations", err=True)
    typer.echo(f"{seeds} seeds, {steps} steps, {violations} violations")
    sys.exit(1 if violations else 0)


def _reports(seeds: range, jobs: int) -> Iterator[Report]:
    if jobs == 1 or len(seeds) == 1:
        yield from map(simulate, seeds)
        return
    with ProcessPoolExecutor(min(jobs, len(seeds))) as pool:
        yield from pool.map(simulate, seeds, chunksize=CHUNK)


if __name__ == "__main__":
    typer.run(main)
