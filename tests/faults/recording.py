"""Everything that is sent to everybody at one table, as bytes, held against what each may know."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator
from functools import reduce
from typing import Any

from engine import match as matches
from engine.seats import Seat
from protocol.codecs import CODECS
from server.audience import Audience
from server.listener import Listener, Subscription
from server.outgoing import Outgoing
from server.table.decide import HouseActs
from server.table.evolve import Step
from server.table.state import Actor, Phase
from tests.fakes import FakeClock
from tests.server.tables import ANN, BOB, CAT, DAN, EVE, Driver
from tests.simulation.secrecy import Knowledge, Known

JSON = next(codec for codec in CODECS if not codec.binary)
PEOPLE = (ANN, BOB, CAT, DAN)
LOOK_EVERY = 9
"""Steps between two snapshots for everybody."""


class Tape:
    """A listener that keeps the frames that it is sent."""

    def __init__(self, actor: Actor) -> None:
        self.actor = actor
        self.is_open = True
        self.frames: list[bytes] = []

    def send(self, outgoing: Outgoing) -> None:
        self.frames.append(outgoing.frame(JSON))

    def cut(self) -> None:
        raise AssertionError(f"{self.actor.name} could not be told something")

    def entered(self, room: Subscription) -> None: ...

    def left(self, room: Subscription) -> None: ...

    def taken(self) -> Iterator[str]:
        """What has come since this was asked last."""
        frames, self.frames = self.frames, []
        return (frame.decode("latin-1") for frame in frames)


class NoRoom:
    """What an audience tells its listeners that they have entered."""

    code = "K7QM2X"

    def lost(self, listener: Listener) -> None: ...


class Recording:
    """A table with a person on each seat and one who watches, played at random under one seed."""

    def __init__(self, seed: int, **settings: Any) -> None:
        self.rng = random.Random(seed)
        self.driver = Driver(seed=seed, **settings)
        self.frames = 0
        """How many frames were sent."""
        self.leaks: list[str] = []
        self._knowledge = Knowledge()
        self._audience = Audience(NoRoom(), self.driver.table, FakeClock())
        self._tapes = [Tape(actor) for actor in (*PEOPLE[: self.driver.table.settings.seats], EVE)]
        self._told = 0
        self._known = Known()
        self._recent: deque[Known] = deque(maxlen=3)
        """What could be known during each of the last steps."""
        self._gather()

    def _gather(self) -> None:
        for tape in self._tapes:
            self._audience.add(tape)
        self._tell()
        for tape in self._tapes[1:-1]:
            self._say(tape.actor, "join")
        self._say(EVE, "watch")
        self._say(ANN, "start")

    def _say(self, who: Actor, kind: str) -> None:
        self.driver.say(who, kind)
        self._tell()

    def play(self, deals: int) -> None:
        """Go on for so many deals; everybody is told of each step, and looks at the table now and then."""
        for _ in range(deals):
            while self.driver.table.turn is not None:
                self._act()
            self.go_on()

    def _act(self) -> None:
        table = self.driver.table
        if table.turn is None or table.match is None:
            raise ValueError("nobody is to act")
        choice = self.rng.choice(matches.choices(table.match))
        self.driver.serve(HouseActs(Seat(table.turn), choice.action))
        self._tell()
        if table.seq % LOOK_EVERY == 0:
            self.look()

    def go_on(self) -> None:
        """Everybody says `next`, until another deal or match has begun."""
        for tape in self._tapes[:-1]:
            if self.driver.table.phase is not Phase.PLAYING:
                self._say(tape.actor, "next")
        self.look()

    def look(self) -> None:
        """A fresh snapshot for everybody, and for somebody who has never been here."""
        for tape in (*self._tapes, Tape(Actor(EVE.player, "a late Eve"))):
            self._audience.snapshot(tape, None)
            self._check(tape, self._known)
            self._audience.resume(tape, self.driver.table.seq - len(self._recent), None)
            self._check(tape, reduce(Known.joined, self._recent))

    def _tell(self) -> None:
        for step in self.driver.log[self._told :]:
            self._tell_step(step)
        self._told = len(self.driver.log)

    def _tell_step(self, step: Step) -> None:
        during, self._known = self._knowledge.follow(step)
        self._recent.append(during)
        self._audience.tell(step, self.driver.table)
        for tape in self._tapes:
            self._check(tape, during)

    def _check(self, tape: Tape, known: Known) -> None:
        for text in tape.taken():
            self.frames += 1
            self.leaks += [f"{tape.actor.name}: {secret}" for secret in known.leaks(tape.actor.player, text)]
