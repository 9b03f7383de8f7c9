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
SELDOM = 0.1
"""How often an owner does each thing that is not just the next step."""


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


@dataclass(frozen=True)
class Bar:
    """What a claim or a release has settled: no step after step ``head`` is of an epoch below ``epoch``."""

    epoch: int
    head: int


@dataclass
class Contest:
    """What is asked for, and what the owners were answered."""

    rounds: int
    """So often somebody appends something."""
    rng: random.Random
    accepted: list[Step] = field(default_factory=list)
    outcomes: Counter[str] = field(default_factory=Counter)
    claims: list[Bar] = field(default_factory=list)
    releases: list[Bar] = field(default_factory=list)

    @property
    def is_over(self) -> bool:
        """All rounds were held."""
        return self.rounds <= 0


class Owner:
    """A process that claims the room whenever it can and writes to it as long as it may."""

    def __init__(self, name: str, store: RedisStore, clock: Pausing, contest: Contest, loses: float = 0.0) -> None:
        self._name = name
        self._store = store
        self._clock = clock
        self._contest = contest
        self._loses = loses
        """How often an answer is thrown away here, where no line loses any."""
        self._epoch = 0
        """Under which it had the room last; 0: it never had."""
        self._steps = 0

    async def run(self) -> None:
        """Contend until the contest is over."""
        while not self._contest.is_over:
            try:
                claim = await self._store.claim(ROOM, 0.0)
                if isinstance(claim, Claimed):
                    self._contest.claims.append(Bar(claim.epoch, claim.head))
                    await self._have(claim)
            except StoreError:
                self._contest.outcomes["lost"] += 1
            else:
                await asyncio.sleep(claim.seconds / 2 + LEASE / 8 if isinstance(claim, Held) else 0)

    async def _have(self, claim: Claimed) -> None:
        """Write until that is refused, or one of the things happens after which a room is claimed anew."""
        if self._epoch and self._happens():
            await self._come_late(claim.head, self._epoch)
        self._epoch = claim.epoch
        head = claim.head
        while not self._contest.is_over:
            if self._happens():
                await self._clock.pause(self._contest.rng.uniform(0.5, 2.5) * LEASE)
            gap = int(self._happens())  # what was sent before has not arrived
            count = self._contest.rng.randint(1, 3)
            if not await self._append([self._step(head + gap + place, claim.epoch) for place in range(1, count + 1)]):
                return
            head += gap + count
            if self._happens():
                await self._give_up(head, claim.epoch)
            if self._happens():
                return

    async def _give_up(self, head: int, epoch: int) -> None:
        await self._store.release(ROOM)
        self._contest.releases.append(Bar(epoch + 1, head))
        await self._come_late(head, epoch)

    async def _come_late(self, head: int, epoch: int) -> None:
        """A step that was decided when the room was still this owner's under ``epoch``, and was long on its way."""
        await self._append([self._step(head + 1, epoch)])

    def _happens(self) -> bool:
        return self._contest.rng.random() < SELDOM

    def _step(self, seq: int, epoch: int) -> Step:
        self._steps += 1
        return Step(ROOM, seq, epoch, f"{self._name} {self._steps}".encode())

    async def _append(self, steps: list[Step]) -> bool:
        """One round. Whether all of ``steps`` count."""
        self._contest.rounds -= 1
        outcomes = await self._answer(steps)
        self._contest.outcomes.update(outcome.name for outcome in outcomes)
        self._contest.accepted += [step for step, outcome in zip(steps, outcomes, strict=True) if outcome.counts]
        return outcomes[-1].counts

    async def _answer(self, steps: list[Step]) -> list[Outcome]:
        """Until there is one: the same steps again, as the journal's rooms do."""
        while True:
            try:
                outcomes = await self._store.append(steps)
            except StoreError:
                self._contest.outcomes["lost"] += 1
            else:
                if self._contest.rng.random() >= self._loses:
                    return list(outcomes)
                self._contest.outcomes["lost"] += 1


async def hold(url: str, seed: int, rounds: int, loses: float = 0.0) -> tuple[Contest, list[Step]]:
    """A contest at ``url``, and the log that it has made."""
    loop = asyncio.get_running_loop()
    is_debugging = loop.get_debug()
    loop.set_debug(False)  # it makes a command take half of such a lease
    contest = Contest(rounds, random.Random(seed))
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
        loop.set_debug(is_debugging)


def faults(contest: Contest, log: list[Step]) -> list[str]:
    """What must not be: a hole, who wrote without having the room, an accepted step that is not there exactly once."""
    found = []
    if [step.seq for step in log] != list(range(1, len(log) + 1)):
        found.append("the numbers of the log have a hole")
    if any(later.epoch < step.epoch for step, later in pairwise(log)):
        found.append("an epoch goes down")
    for bar in (*contest.claims, *contest.releases):
        found += [f"{step} came after {bar}" for step in log if step.seq > bar.head and step.epoch < bar.epoch]
    if len({bar.epoch for bar in contest.claims}) != len(contest.claims):
        found.append("an epoch was given out twice")
    times = Counter(step.payload for step in log)
    found += [f"{payload!r} is there {count} times" for payload, count in times.items() if count > 1]
    there = {step.seq: step for step in log}
    found += [f"{step} was accepted and is not there" for step in contest.accepted if there.get(step.seq) != step]
    if len(set(contest.accepted)) != len(contest.accepted):
        found.append("a step was accepted twice")
    if len(contest.accepted) != len(log) - 1:
        found.append(f"{len(log) - 1} steps are there, {len(contest.accepted)} were accepted")
    return found
