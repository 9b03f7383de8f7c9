"""One node's line to the Redis of a run: commands take time, fail before or after they are done, or are done later."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from server.store.base import StoreError
from server.store.redis import scripts
from server.store.redis.client import Command
from tests.simulation.cluster.redis_server import RedisServer
from tests.simulation.disk import Weather

FAILS = 0.15
"""How often a command fails, before or after it is done, while the server is unreliable."""
ON_THE_WAY = (0.0, 0.05, 0.3, 2.0)
"""Seconds for which steps are on their way that count as lost."""
LATE = 0.3
"""Of these, how many are done when who asked has given up: they were on their way."""
DELAYS = (0.001, 0.02, 0.7, 2.5)
"""Seconds; less than `server.store.redis.client.TIMEOUT`."""
_FIRST_SEQ = 9
"""Where in a call of append.lua the number of the first step stands."""


@dataclass
class Site:
    """The Redis of a run, and how well it can be reached."""

    server: RedisServer
    rng: random.Random
    now: Callable[[], float]
    weather: Weather = Weather.FAIR
    is_delaying: bool = False
    """The next steps that are written count as lost, and are written a little later."""
    late: list[tuple[float, Sequence[Command]]] = field(default_factory=list)
    """What will be done though nobody waits for it, and when."""

    @property
    def next_due(self) -> float | None:
        """When the next of these is done."""
        return min((when for when, _ in self.late), default=None)

    def catch_up(self) -> None:
        """Do what is due of these."""
        due = [commands for when, commands in self.late if when <= self.now()]
        self.late = [(when, commands) for when, commands in self.late if when > self.now()]
        for commands in due:
            for command in commands:
                self.server.do(command)


class Line:
    """In place of `server.store.redis.client.Client`."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._rng = site.rng
        self.is_cut = False
        """Nothing passes for now."""
        self.is_dead = False
        """The process is dead, or has closed it."""
        self.busy = 0
        """Calls under way, but for those that wait for something to come."""

    async def call(self, *command: str | bytes | int | float) -> Any:
        """Do ``command``."""
        if command[0] == "XREAD":
            return await self._wait_for(command)
        (answer,) = await self.call_all([command])
        return answer

    async def call_all(self, commands: Sequence[Command]) -> list[Any]:
        """Do ``commands``; they are done also if who waits is cancelled."""
        if not commands:
            return []
        doing = asyncio.ensure_future(self._call_all(commands))
        doing.add_done_callback(lambda done: done.cancelled() or done.exception())
        return await asyncio.shield(doing)

    async def post_all(self, commands: Sequence[Command]) -> list[str]:
        """Do ``commands``, none of which is refused."""
        await self.call_all(commands)
        return []

    async def _call_all(self, commands: Sequence[Command]) -> list[Any]:
        self.busy += 1
        try:
            await self._pause(commands)
            if self._site.is_delaying and _goes_on(commands):
                self._site.is_delaying = False
                self._site.late.append((self._site.now() + self._rng.choice(ON_THE_WAY), commands))
                raise StoreError("out of reach")
            answers = []
            for command in commands:
                if self._is_unreliable and self._rng.random() < 0.1:
                    await asyncio.sleep(0)  # others come in between
                if self.is_dead:
                    raise StoreError("the process is dead")
                answers.append(self._site.server.do(command))
            await self._pause([])
            return answers
        finally:
            self.busy -= 1

    async def _wait_for(self, command: Command) -> Any:
        await self._pause([])
        answer = self._site.server.do(command)
        if not answer:
            key, milliseconds = str(command[command.index("STREAMS") + 1]), command[command.index("BLOCK") + 1]
            come = asyncio.Event()
            self._site.server.wakes(key, come)
            with suppress(TimeoutError):
                async with asyncio.timeout(int(milliseconds) / 1000):
                    await come.wait()
            answer = self._site.server.do(command)
        await self._pause([])
        return answer

    @property
    def _is_unreliable(self) -> bool:
        return self._site.weather is Weather.FLAKY

    async def _pause(self, commands: Sequence[Command]) -> None:
        """Time passes; or nothing comes back, and ``commands``, which were on their way, may be done all the same."""
        if self._is_unreliable and self._rng.random() < 0.3:
            await asyncio.sleep(self._rng.choice(DELAYS))
        if self.is_dead:
            raise StoreError("closed")
        if self.is_cut or self._site.weather is Weather.DOWN:
            raise StoreError("out of reach")
        if self._is_unreliable and self._rng.random() < FAILS:
            if commands and not _opens(commands) and self._rng.random() < LATE:
                self._site.late.append((self._site.now() + self._rng.choice((0.0, 0.5, 3.0)), commands))
            raise StoreError("out of reach")

    async def run_ids(self) -> frozenset[str]:
        """Of servers that lose nothing: they are always the same ones."""
        await self._pause([])
        return frozenset({"one"})

    async def close(self) -> None:
        """Release everything."""
        self.is_dead = True


def _goes_on(commands: Sequence[Command]) -> bool:
    """Whether steps are written, none of them the first of its room."""
    return any(scripts.APPEND.sha in command for command in commands) and not _opens(commands)


def _opens(commands: Sequence[Command]) -> bool:
    """Whether the first step of a room is written: nobody can have taken that room, so nothing fences it."""
    return any(scripts.APPEND.sha in command and command[_FIRST_SEQ] == 1 for command in commands)
