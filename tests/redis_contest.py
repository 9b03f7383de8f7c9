"""Several processes that contend for one room, pause at the wrong moment, and lose answers; and what came of it."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise

from server.clock import SystemClock
from server.store.base import Claimed, Held, Outcome, Step, StoreError
from server.store.redis.store import RedisStore

ROOM = "AAAAAA"
LEASE = 0.04
OWNERS = 5
PATIENCE = 100.0


class Pausing(SystemClock):
    """The clock of a process that stands still now and then, its lease with it."""

    def __init__(self) -> None:
        super().__init__()
        self._runs = asyncio.Event()
        self._runs.set()

    async def sleep(self, seconds: float) -> None:
        await super().sleep(seconds)
        await self._runs.wait()

    async def pause(self, seconds: float) -> None:
        """Stand still for so long."""
        self._runs.clear()
        await asyncio.sleep(seconds)
        self._runs.set()


@dataclass
class Contest:
    """What is asked for, and what the owners were answered."""

    wanted: int
    rng: random.Random
    accepted: list[Step] = field(default_factory=list)
    outcomes: Counter[str] = field(default_factory=Counter)

    @property
    def is_over(self) -> bool:
        """Enough has happened, of every kind."""
        rare = ("FENCED", "ALREADY_THERE", "taken", "lost")
        return len(self.accepted) >= self.wanted and all(self.outcomes[kind] >= 3 for kind in rare)


class Owner:
    """A process that claims the room whenever it can and writes to it as long as it may."""

    def __init__(self, name: str, store: RedisStore, clock: Pausing, contest: Contest, loses: float = 0.0) -> None:
        self._name = name
        self._store = store
        self._clock = clock
        self._contest = contest
        self._loses = loses
        """How often an answer is thrown away here, where no line loses any."""
        self._steps = 0

    async def run(self) -> None:
        """Contend until the contest is over."""
        while not self._contest.is_over:
            try:
                claim = await self._store.claim(ROOM, 0.0)
                if isinstance(claim, Claimed):
                    self._contest.outcomes["taken"] += 1
                    await self._write(claim)
            except StoreError:
                self._contest.outcomes["lost"] += 1
            else:
                await asyncio.sleep(claim.seconds / 4 if isinstance(claim, Held) else 0)

    async def _write(self, claim: Claimed) -> None:
        rng = self._contest.rng
        head = claim.head
        while not self._contest.is_over:
            if rng.random() < 0.1:
                await self._clock.pause(rng.uniform(0.5, 2.5) * LEASE)
            steps = [self._step(head + place, claim.epoch) for place in range(1, rng.randint(1, 3) + 1)]
            outcomes = await self._append(steps)
            self._contest.outcomes.update(outcome.name for outcome in outcomes)
            self._contest.accepted += [step for step, outcome in zip(steps, outcomes, strict=True) if outcome.counts]
            if not outcomes[-1].counts:
                return
            head = steps[-1].seq

    def _step(self, seq: int, epoch: int) -> Step:
        self._steps += 1
        return Step(ROOM, seq, epoch, f"{self._name} {self._steps}".encode())

    async def _append(self, steps: list[Step]) -> list[Outcome]:
        """Until there is an answer: the same steps again, as the journal's rooms do."""
        while True:
            try:
                outcomes = await self._store.append(steps)
            except StoreError:
                self._contest.outcomes["lost"] += 1
            else:
                if self._contest.rng.random() >= self._loses:
                    return list(outcomes)
                self._contest.outcomes["lost"] += 1


async def hold(url: str, seed: int, wanted: int, loses: float = 0.0) -> tuple[Contest, list[Step]]:
    """A contest at ``url``, and the log that it has made."""
    contest = Contest(wanted, random.Random(seed))
    clocks = [Pausing() for _ in range(OWNERS)]
    stores = [await RedisStore.open(url, clock=clock, ttl=LEASE) for clock in clocks]
    try:
        await stores[0].append([Step(ROOM, 1, 1, b"the first")])
        owners = [Owner(f"{n}", stores[n], clocks[n], contest, loses) for n in range(OWNERS)]
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*[owner.run() for owner in owners])
        return contest, list(await stores[0].history(ROOM))
    finally:
        for store in stores:
            await store.close()


def faults(contest: Contest, log: list[Step]) -> list[str]:
    """What must not be: a hole, an epoch that goes down, and an accepted step that is not there exactly once."""
    found = []
    if [step.seq for step in log] != list(range(1, len(log) + 1)):
        found.append("the numbers of the log have a hole")
    if any(later.epoch < step.epoch for step, later in pairwise(log)):
        found.append("an epoch goes down")
    times = Counter(step.payload for step in log)
    found += [f"{payload!r} is there {count} times" for payload, count in times.items() if count > 1]
    lost = [step for step in contest.accepted if log[step.seq - 1 : step.seq] != [step]]
    found += [f"{step} was accepted and is not there" for step in lost]
    if len(set(contest.accepted)) != len(contest.accepted):
        found.append("a step was accepted twice")
    if len(contest.accepted) != len(log) - 1:
        found.append(f"{len(log) - 1} steps are there, {len(contest.accepted)} were accepted")
    return found
