"""Who can be entered: a level, or a program."""

from __future__ import annotations

import random
import shlex
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from bots.guarded import Guarded
from bots.levels import EVERY_LEVEL, Factory
from bots.process import ProcessPlayer
from engine.actions import Action
from engine.outcome import Choice
from engine.view import SeatView

PROGRAM = "cmd:"
"""What a program's name begins with."""

Clock: TypeAlias = Callable[[], float]
"""Seconds."""


class UnknownEntrant(Exception):
    """There is no such level."""

    def __init__(self, name: str) -> None:
        super().__init__(f"there is no level {name}; there are {', '.join(EVERY_LEVEL)}, and {PROGRAM}PROGRAM")


class Effort(NamedTuple):
    """What choosing has cost so far; turns with a single legal action apart."""

    choices: int = 0
    seconds: float = 0.0
    faults: int = 0
    """Choices, all turns counted, that had to be replaced by the first legal action."""

    def plus(self, other: Effort) -> Effort:
        """Both together."""
        return Effort(self.choices + other.choices, self.seconds + other.seconds, self.faults + other.faults)


@dataclass(frozen=True, slots=True)
class Entrant:
    """Makes a player for each sample. A level is timed by the processor, a program by the clock on the wall."""

    make: Factory
    clock: Clock

    def player(self, rng: random.Random) -> Timed:
        """A player with no memory of other samples, unless it is a program: that one goes on."""
        return Timed(Guarded(self.make(rng)), self.clock)


class Timed:
    """Measures how ``player`` chooses."""

    def __init__(self, player: Guarded, clock: Clock) -> None:
        self._player = player
        self._clock = clock
        self._choices, self._seconds = 0, 0.0

    def choose(self, view: SeatView, legal: Sequence[Choice]) -> Action:
        """See `bots.player.Player`."""
        began = self._clock()
        action = self._player.choose(view, legal)
        if len(legal) > 1:
            self._choices += 1
            self._seconds += self._clock() - began
        return action

    @property
    def effort(self) -> Effort:
        """Since it was made."""
        return Effort(self._choices, self._seconds, self._player.faults.total())


@contextmanager
def entered(name: str, budget: float) -> Iterator[Entrant]:
    """The entrant of that name, a program with ``budget`` seconds for a choice; its process ends with the context.

    Raises:
        UnknownEntrant: no level is called so.
        OSError, ValueError: the program cannot be started; none is named, or quotes in its command do not close.
    """
    if not name.startswith(PROGRAM):
        if name not in EVERY_LEVEL:
            raise UnknownEntrant(name)
        yield Entrant(EVERY_LEVEL[name], time.process_time)
        return
    with ProcessPlayer(shlex.split(name.removeprefix(PROGRAM)), budget) as program:
        yield Entrant(lambda _rng: program, time.monotonic)
