"""How a process ends: what was taken is finished, written and told, and only then are all connections closed."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Collection
from typing import Protocol

import structlog

from protocol.errors import CloseCode
from server.clock import Clock
from server.connection import Connection
from server.journal import Journal
from server.outgoing import Outgoing
from server.registry import Registry
from server.store.base import StoreError

TELL_WITHIN = 3.0
"""Seconds in which the store may still take what was decided; then everybody is sent away without being told."""
COME_BACK_WITHIN = 2.0
"""Clients are asked to come back after a random part of this many seconds, so that they do not all come at once."""
CLOSE_AT_ONCE = 200
CLOSE_PAUSE = 0.05
"""A server that sends everybody away closes so many connections, then pauses for so many seconds."""

logger = structlog.get_logger(__name__)


class Rooms(Protocol):
    """Where rooms go that other processes can take."""

    async def hand_over(self) -> None:
        """Let them. Raises StoreError if the store is out of reach."""
        ...


class Farewell:
    """Ends the service of a process to its ``connections``. ``spread`` keeps them from coming back all at once."""

    def __init__(
        self,
        registry: Registry,
        journal: Journal,
        connections: Collection[Connection],
        clock: Clock,
        spread: random.Random,
    ) -> None:
        self._registry = registry
        self._journal = journal
        self._connections = connections
        self._clock = clock
        self._spread = spread

    async def say(self, shared: Rooms | None = None) -> None:
        """Take nothing new, tell all that was decided, and send everybody away.

        Others go on with the rooms that are ``shared`` while everybody is still connected here.
        """
        self._registry.drain()
        if shared is not None:
            await self._hand_over(shared)
        for connection in list(self._connections):
            connection.hold()
        self._registry.rest()
        await self._tell()
        await self.send_all_away()
        await self._journal.flushed()  # that they are away

    async def _hand_over(self, shared: Rooms) -> None:
        try:
            await shared.hand_over()
        except StoreError as error:
            logger.warning("server.hand_over", error=str(error))  # the others take the rooms when this process is gone

    async def _tell(self) -> None:
        try:
            async with asyncio.timeout(TELL_WITHIN):
                await self._journal.flushed()
        except TimeoutError:
            logger.warning("server.untold", seconds=TELL_WITHIN)

    async def send_all_away(self) -> None:
        """Close all connections that are open; return when they are gone."""
        there = sorted((each for each in self._connections if each.is_open), key=lambda each: each.number)
        for number, connection in enumerate(there, start=1):
            if number % CLOSE_AT_ONCE == 0:
                await self._clock.sleep(CLOSE_PAUSE)
            self.send_away(connection)
        await asyncio.gather(*(connection.wait_closed() for connection in there))

    def send_away(self, connection: Connection) -> None:
        """Ask whoever is there to come back, and close."""
        retry_after = round(self._spread.uniform(0, COME_BACK_WITHIN), 3)
        connection.send(Outgoing({"type": "closing", "reason": "restart", "retry_after": retry_after}))
        connection.close_now(CloseCode.RESTART)
