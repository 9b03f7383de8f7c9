"""Writes to Redis what this node has to say: batches for the inboxes of others, and changes of what all look up."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import structlog

from server.clock import Clock
from server.cluster.directory import NodeId
from server.cluster.items import Item
from server.cluster.outbox import Batch, Outbox
from server.outgoing import Outgoing
from server.rates import OnceAMinute
from server.store.base import StoreError
from server.store.redis import keys
from server.store.redis.client import Client, Command

INBOX = 10_000
"""Batches that an inbox holds, about: a node that does not empty it loses the oldest, and notices."""
NOTES = 10_000
"""Changes of what all look up that may wait for Redis."""
RETRY_AFTER = 0.2
"""Seconds between attempts while Redis is out of reach."""

logger = structlog.get_logger(__name__)


class Speaker:
    """`run` is its one task: what was said in one turn of the event loop goes in one round trip, in its order."""

    def __init__(self, client: Client, me: NodeId, clock: Clock) -> None:
        self._client = client
        self._me = me
        self._clock = clock
        self._failures = OnceAMinute(clock.monotonic)
        self.outbox = Outbox()
        self._notes: list[Command] = []
        self._wake = asyncio.Event()
        self._is_idle = asyncio.Event()
        """Nothing waits to be said."""
        self._is_idle.set()

    @property
    def is_idle(self) -> bool:
        """Whether all that was to be said is said."""
        return self._is_idle.is_set()

    def post(self, node: NodeId, item: Item) -> None:
        """Put ``item`` into the inbox of ``node``."""
        self.outbox.post(node, item)
        self._has_more()

    def tell(self, node: NodeId, visit: int, outgoing: Outgoing) -> None:
        """Post a message to a visit of ``node``; together with the same message to other visits there."""
        self.outbox.tell(node, visit, outgoing)
        self._has_more()

    def note(self, *command: str | bytes | int) -> None:
        """Change what all look up, soon. While Redis is away for long, some changes are lost."""
        if len(self._notes) < NOTES:
            self._notes.append(command)
        elif times := self._failures.count("notes"):
            logger.error("exchange.notes_lost", waiting=NOTES, times=times)
        self._has_more()

    def _has_more(self) -> None:
        self._wake.set()
        self._is_idle.clear()

    async def run(self) -> None:
        """Write again and again until cancelled."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            await self._flush()
            if not self._wake.is_set():
                self._is_idle.set()

    async def finish(self, within: float) -> None:
        """Wait until all is said, but no longer than so many seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(within):
                await self._is_idle.wait()

    async def _flush(self) -> None:
        """Write what waits. What is written twice, because an answer was lost, is noticed by who reads it.

        What Redis refuses for good is lost, and holds nothing else up: of a batch its receiver will notice.
        """
        notes, self._notes = self._notes, []
        batches = list(self.outbox.take())
        commands = [*notes, *(self._posting(batch) for batch in batches)]
        while commands:
            try:
                refused = await self._client.post_all(commands)
            except StoreError as error:
                if times := self._failures.count("exchange"):
                    logger.warning("exchange.failed", error=str(error), batches=len(batches), times=times)
                await self._clock.sleep(RETRY_AFTER)
            else:
                if refused and (times := self._failures.count("refused")):
                    logger.error("exchange.refused", error=refused[0], commands=len(refused), times=times)
                return

    def _posting(self, batch: Batch) -> Command:
        fields = ("f", self._me, "n", batch.number, "d", batch.packed())
        return ("XADD", keys.inbox(batch.node), "MAXLEN", "~", INBOX, "*", *fields)
