"""Reads from Redis what other nodes say to this one: batches in its inbox, in their order, each once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from typing import Any

import msgpack
import structlog

from protocol.convert import Wire
from server.clock import Clock
from server.cluster.directory import NodeId
from server.cluster.exchange import Heard
from server.cluster.items import read
from server.cluster.redis_directory import pairs
from server.cluster.redis_speaker import RETRY_AFTER
from server.rates import OnceAMinute
from server.store.base import StoreError
from server.store.redis import keys
from server.store.redis.client import Client

WAIT = 1.0
"""Seconds for which a look into the inbox waits for something to come."""
TIMEOUT = WAIT + 2.5
"""Seconds that the answer may take: that nothing has come is known when the wait is over, and may be late by as much as
other answers."""
BEGINNING = "0-0"
"""Before the first entry of any inbox."""

logger = structlog.get_logger(__name__)


class Reader:
    """`run` is its one task.

    ``heard`` takes each item, and None where something is lost; ``make_good`` is awaited before that, and before the
    first batch of a node.
    """

    def __init__(
        self, client: Client, me: NodeId, clock: Clock, heard: Heard, make_good: Callable[[], Awaitable[None]]
    ) -> None:
        self._client = client
        self._inbox = keys.inbox(me)
        self._clock = clock
        self._heard = heard
        self._make_good = make_good
        self._failures = OnceAMinute(clock.monotonic)
        self._newest: dict[NodeId, int] = {}
        self.last = BEGINNING
        """The newest entry of the inbox that was read."""
        self.losses = 0
        """How often something that another node has said was lost on its way here, or read in vain."""
        self.is_stopped = False
        """That Redis does not answer is no news any more."""

    def newest_of(self, node: NodeId) -> int:
        """The number of the newest batch of ``node``; 0: none was read."""
        return self._newest.get(node, 0)

    def forget(self, node: NodeId) -> None:
        """``node`` is no more."""
        self._newest.pop(node, None)

    async def run(self) -> None:
        """Read again and again until cancelled."""
        while True:
            wait = ("XREAD", "COUNT", 100, "BLOCK", round(WAIT * 1000), "STREAMS", self._inbox, self.last)
            try:
                answer = await self._client.call(*wait)
                if not answer:
                    await self._begin_again_if_gone_back()
            except StoreError as error:
                await self.pause(error)
                continue
            for number, fields in _entries(answer):
                await self._take(fields)
                self.last = number

    async def pause(self, error: StoreError) -> None:
        """Redis has not answered: wait until it is worth asking again."""
        if not self.is_stopped and (times := self._failures.count("inbox")):
            logger.warning("inbox.failed", error=str(error), times=times)
        await self._clock.sleep(RETRY_AFTER)

    async def _begin_again_if_gone_back(self) -> None:
        """Read the inbox from its beginning if its newest entry, which stays there, is older than what was read of it.

        So it is where another Redis has taken over that had not got all, and whose clock is behind: what is posted
        there would not be read before that clock has come so far. What comes twice is known by its number.
        """
        entries = await self._client.call("XREVRANGE", self._inbox, "+", "-", "COUNT", 1)
        newest = entries[0][0].decode() if entries else BEGINNING  # by the old measure all was cleared away
        if _place(newest) < _place(self.last):
            logger.warning("inbox.gone_back", read=self.last, newest=newest)
            self.last = BEGINNING

    async def _take(self, fields: dict[bytes, bytes]) -> None:
        try:
            sender, number, items = _batch(fields)
        except ValueError:
            logger.warning("inbox.unreadable")  # the number of the next one shows that it is missing
            return
        newest = self._newest.get(sender)
        if newest is not None and number <= newest:
            return  # it was written twice
        if newest is None or number > newest + 1:
            await self._make_good()
        self._newest[sender] = number
        if number > (newest or 0) + 1:
            self.losses += 1
            self._heard(sender, None)
        for item in map(read, items):
            if item is not None:
                self._heard(sender, item)


def _entries(answer: Any) -> Iterator[tuple[str, dict[bytes, bytes]]]:  # noqa: ANN401 - None, or lists of lists
    """The entries of one stream."""
    for _, entries in answer or ():
        for number, fields in entries:
            yield number.decode(), dict(pairs(fields))


def _place(entry: str) -> tuple[int, int]:
    """Where the entry of that id stands among the others of its stream."""
    time, _, number = entry.partition("-")
    return int(time), int(number)


def _batch(fields: Mapping[bytes, bytes]) -> tuple[NodeId, int, list[Wire]]:
    """Whose batch it is, its number, and what is in it, not looked into yet.

    Raises:
        ValueError: it cannot be read.
    """
    try:
        items = msgpack.unpackb(fields[b"d"])
        if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
            raise ValueError("these are no items")
        return NodeId(fields[b"f"].decode()), int(fields[b"n"]), items
    except (KeyError, msgpack.UnpackException) as error:
        raise ValueError("this is no batch") from error
