"""Which other nodes are alive, by their leases in Redis."""

from __future__ import annotations

from collections.abc import Collection

import structlog

from server.clock import Clock
from server.cluster.directory import NodeId
from server.store.base import StoreError
from server.store.redis.store import RedisStore

logger = structlog.get_logger(__name__)


class Neighbours:
    """As far as this node, ``me``, has seen or heard."""

    def __init__(self, store: RedisStore, me: NodeId, clock: Clock) -> None:
        self._store = store
        self._me = me
        self._clock = clock
        self.living: frozenset[NodeId] = frozenset()
        self._stopping: set[NodeId] = set()
        """Those that are about to go, as they have said."""
        self._unsure_until = clock.monotonic()
        """Redis was away, or took nothing: until then whoever was alive before is taken to be."""

    def lives(self, node: NodeId) -> bool:
        """Whether ``node`` is alive, this one included."""
        return node == self._me or node in self.living

    def spoke(self, node: NodeId) -> None:
        """``node`` is alive: it is new, perhaps, and waits for an answer."""
        self.living |= {node}

    def stops(self, node: NodeId) -> None:
        """``node`` is about to go."""
        self._stopping.add(node)

    async def refresh(self) -> Collection[NodeId]:
        """See who is alive; returns those that are no more.

        Nobody is taken for dead because Redis was away, or full, and their leases have ended meanwhile.

        Raises:
            StoreError: Redis is out of reach.
        """
        try:
            living = frozenset(NodeId(name) for name in await self._store.living()) - {self._me}
        except StoreError:
            self._be_unsure()
            raise
        if self._store.lease.is_failing:
            self._be_unsure()
        if self._clock.monotonic() < self._unsure_until:
            living |= self.living
        gone, self.living = self.living - living, living
        for node in gone:
            self._note_gone(node)
        return gone

    def _be_unsure(self) -> None:
        self._unsure_until = self._clock.monotonic() + self._store.lease.ttl

    def _note_gone(self, node: NodeId) -> None:
        if node in self._stopping:
            self._stopping.remove(node)
            logger.info("node.stopped", node=node)
        else:
            logger.warning("node.gone", node=node)
