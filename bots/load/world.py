"""What all seats share: the count, chance and time."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from bots.load.tally import Tally


class Timer(Protocol):
    """Something that will be done later."""

    def cancel(self) -> None:
        """Let it not be done."""
        ...


@dataclass(frozen=True, slots=True)
class World:
    """Passed in, so that tests can hold it still."""

    tally: Tally
    rng: random.Random
    think: float
    """Mean seconds of thought before an act."""
    now: Callable[[], float]
    """Seconds since some fixed moment."""
    later: Callable[[float, Callable[[], None]], Timer]
    """Calls something so many seconds later."""
