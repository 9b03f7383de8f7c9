"""Nodes without processes on a real Redis: they tell each other things, and keep what they hear."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from server.cluster.directory import NodeId
from server.cluster.items import Here, Item, Unknown
from server.cluster.redis_exchange import RedisExchange
from server.store.redis.lease import TTL
from server.store.redis.store import RedisStore
from tests.fakes import FakeClock
from tests.redis_servers import RedisServer

T = TypeVar("T")

A, B, C = NodeId("A"), NodeId("B"), NodeId("C")
SLEEPERS = 2
"""What waits for a node's clock: the next look, and the next renewal."""


class Ear:
    """One node: it keeps what it hears. Its looks and renewals happen when its clock is moved."""

    def __init__(self, exchange: RedisExchange, store: RedisStore, clock: FakeClock) -> None:
        self.exchange = exchange
        self.store = store
        self.clock = clock
        self.heard: list[tuple[NodeId, Item | Unknown | None]] = []
        self.died: list[NodeId] = []
        exchange.listen(lambda node, item: self.heard.append((node, item)), self.died.append)

    def kinds(self, node: NodeId) -> list[Any]:
        """What ``node`` has posted here, but its being there; None where something was lost."""
        kinds = [None if item is None else type(item) for sender, item in self.heard if sender == node]
        return [kind for kind in kinds if kind is not Here]

    def items(self, kind: type[T]) -> list[T]:
        """All of one kind."""
        return [item for _, item in self.heard if isinstance(item, kind)]

    async def look(self, after: float = TTL / 3 + 0.1) -> None:
        """See who is alive, and renew the lease, when so many seconds have passed."""
        await until(lambda: len(self.clock._due) >= SLEEPERS)
        self.clock.advance(after)
        await asyncio.sleep(0)


async def until(is_so: Callable[[], object]) -> None:
    async with asyncio.timeout(10):
        while not is_so():  # noqa: ASYNC110 - it comes by way of another process
            await asyncio.sleep(0.005)


@asynccontextmanager
async def node(redis: RedisServer, name: NodeId, url: str | None = None) -> AsyncIterator[Ear]:
    """A node that listens and speaks, by way of ``url`` if that is not the server itself."""
    clock = FakeClock()
    store = await RedisStore.open(redis.url, incarnation=name, clock=clock)
    exchange = await RedisExchange.open(url or redis.url, store, clock)
    ear = Ear(exchange, store, clock)
    await exchange.start()
    running = asyncio.create_task(exchange.run())
    try:
        yield ear
    finally:
        await exchange.stop()
        running.cancel()
        await asyncio.wait([running])
        await store.close()
