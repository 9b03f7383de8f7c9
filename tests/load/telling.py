"""What runs under load say on the terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from bots.load.report import Report
from server.commands.load import summary


def say(line: str) -> None:
    """At once: a run takes long."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def tell(report: Report, run: str, more: Iterable[str] = ()) -> int:
    """Say what was wrong in ``run``, what ``more`` is known of it, and what was checked; 1 for a violation."""
    for line in (*map(str, report.violations), *more):
        say(line)
    say(f"errors: {dict(report.errors)}; connections lost: {dict(report.cuts)}")
    say(f"{run}: {summary(report)}")
    return 1 if report.violations else 0
