"""`python -m tests.fuzz --frames N`: send frames in every phase of a match; exit status 1 if one has a fault."""

from __future__ import annotations

import argparse
import asyncio
import sys
import time

from tests.fuzz.fuzz import Report, fuzz
from tests.fuzz.sockets import fuzz_sockets

OVER_SOCKETS = 100
"""One frame of so many goes over a real socket."""
EVERY = 50_000
"""Frames between two lines of progress."""


def main() -> int:
    """Send the frames that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=100_000, help="how many frames")
    parser.add_argument("--seed", type=int, default=1, help="everything hangs on it")
    given = parser.parse_args()
    began = time.monotonic()
    reports = [fuzz(given.seed, given.frames - given.frames // OVER_SOCKETS, _progress)]
    reports.append(asyncio.run(fuzz_sockets(given.seed, given.frames // OVER_SOCKETS)))
    for report in reports:
        _print(*report.faults[:20])
        _print(f"answers: {_counted(report.outcomes)}", f"phases: {_counted(report.by_scene)}")
    names = ("without a socket", "over sockets")
    _print(*(f"{name}: {report}" for name, report in zip(names, reports, strict=True)))
    faults = sum(len(report.faults) for report in reports)
    frames = sum(report.frames for report in reports)
    near = sum(report.near for report in reports)
    took = time.monotonic() - began
    _print(f"{frames} frames, {near / frames:.0%} near a valid message, {faults} faults, {took:.0f} s")
    return 1 if faults else 0


def _progress(report: Report) -> None:
    if report.frames // EVERY > (report.frames - report.newest) // EVERY:
        _print(str(report))


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items(), key=lambda item: -item[1]))


def _print(*lines: str) -> None:
    for line in lines:
        sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
