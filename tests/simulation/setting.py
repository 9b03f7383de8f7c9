"""What the server side needs of a run."""

from __future__ import annotations

import random
from typing import Protocol

from server.limits import Limits
from tests.simulation.history import Histories
from tests.simulation.scenario import Scenario

UNIX = 1_790_000_000.0
"""When every run begins."""


class Setting(Protocol):
    """A run, as its servers know it."""

    rng: random.Random
    now: float
    """Seconds."""
    scenario: Scenario
    limits: Limits
    histories: Histories

    def note(self, what: str) -> None:
        """For the trace."""
        ...

    def complain(self, what: str) -> None:
        """The server has broken a promise."""
        ...

    def wait(self, seconds: float) -> None:
        """So much time passes, in which nobody notices anything."""
        ...
