"""The exchange of a cluster on Redis: a stream for each node's inbox, and what all look up in keys of their own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress

import structlog

from server.clock import Clock
from server.cluster.directory import NodeId
from server.cluster.exchange import Heard
from server.cluster.items import Here, Item, Listing, Replaced, Stopping, Tell, Unknown
from server.cluster.redis_directory import RedisDirectory
from server.cluster.redis_neighbours import Neighbours
from server.cluster.redis_reader import TIMEOUT, Reader
from server.cluster.redis_speaker import Speaker
from server.outgoing import Outgoing
from server.rates import OnceAMinute
from server.store.base import StoreError
from server.store.redis import keys
from server.store.redis.client import Client
from server.store.redis.store import RedisStore

REFRESH_EVERY = 1.0
"""Seconds between looks at which nodes are alive."""
INBOX_KEPT = 60
"""Seconds after which the inbox of a node that is no more goes away."""
STOP_WITHIN = 2.0
"""Seconds that a node which stops has for what it still has to say."""
logger = structlog.get_logger(__name__)


class RedisExchange:
    """`start` it, let it `run`, and `stop` it before its store is closed."""

    def __init__(self, store: RedisStore, reader: Client, writer: Client, clock: Clock) -> None:
        self._store = store
        self._clients = (reader, writer)
        self._clock = clock
        self._me = NodeId(store.lease.incarnation)
        self._neighbours = Neighbours(store, self._me, clock)
        self._speaker = Speaker(writer, self._me, clock)
        self._reader = Reader(reader, self._me, clock, self._heard_from, self._make_good)
        self.directory = RedisDirectory(writer, self._me, self._speaker.note, self._tell_all, self._meet)
        self._failures = OnceAMinute(clock.monotonic)
        self._heard: Heard = _nobody
        self._died: Callable[[NodeId], None] = _nothing
        self._servers: frozenset[str] = frozenset()
        """Those of which it is known that the rooms of this node are there as they were told."""

    @classmethod
    async def open(cls, url: str, store: RedisStore, clock: Clock) -> RedisExchange:
        """The exchange of the nodes that keep their rooms in ``store``, at ``url``.

        Raises:
            StoreError: out of reach.
        """
        reader = await Client.connect(url, 1, TIMEOUT)
        try:
            writer = await Client.connect(url)
        except BaseException:
            await reader.close()
            raise
        return cls(store, reader, writer, clock)

    @property
    def me(self) -> NodeId:
        """This node."""
        return self._me

    @property
    def may_serve(self) -> bool:
        """Whether no other node can have taken our rooms because we seemed dead."""
        return self._store.lease.is_valid

    @property
    def lapses(self) -> int:
        """See `Exchange`."""
        return self._store.lease.lapses

    @property
    def others(self) -> Collection[NodeId]:
        """See `Exchange`."""
        return self._neighbours.living

    @property
    def losses(self) -> int:
        """How often something that another node has said was lost on its way here, or read in vain."""
        return self._reader.losses

    def listen(self, heard: Heard, died: Callable[[NodeId], None]) -> None:
        """See `Exchange`."""
        self._heard, self._died = heard, died

    async def start(self) -> None:
        """Learn who else is there, and which tables are listed.

        Raises:
            StoreError: Redis is out of reach.
        """
        await self._refresh()
        await self._read_listing()

    async def run(self) -> None:
        """Listen and speak, until cancelled. Raises what has ended a part of that, or the renewal of the lease."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._reader.run(), name="inbox")
            tasks.create_task(self._speaker.run(), name="outbox")
            tasks.create_task(self._watch(), name="nodes")
            tasks.create_task(self._store.lease.kept(), name="kept")

    async def stop(self) -> None:
        """Say that this node is about to go, and what else is to be said, within `STOP_WITHIN`; then speak no more."""
        self._tell_all(Stopping())
        await self._speaker.finish(STOP_WITHIN)
        self._reader.is_stopped = True
        for client in self._clients:
            await client.close()

    # Speaking

    def post(self, node: NodeId, item: Item) -> None:
        """See `Exchange`."""
        if node == self._me:
            self._heard(node, item)
        elif self._neighbours.lives(node):
            self._speaker.post(node, item)

    def tell(self, node: NodeId, visit: int, outgoing: Outgoing) -> None:
        """See `Exchange`."""
        if node == self._me:
            self._heard(node, Tell([visit], outgoing))
        elif self._neighbours.lives(node):
            self._speaker.tell(node, visit, outgoing)

    def _tell_all(self, item: Item) -> None:
        for node in self.others:
            self.post(node, item)

    # Listening

    def _heard_from(self, sender: NodeId, item: Item | Unknown | None) -> None:
        self._neighbours.spoke(sender)
        if isinstance(item, Stopping):
            self._neighbours.stops(sender)
        else:
            self._hear(sender, item)

    async def _make_good(self) -> None:
        """Look up what a node has told us in vain, or when it did not know yet that we are there."""
        while True:
            try:
                for player, since in await self.directory.replaced():
                    self._hear(self._me, Replaced(player, since))
                await self._read_listing()
            except StoreError as error:
                await self._reader.pause(error)
            else:
                return

    async def _read_listing(self) -> None:
        self._hear(self._me, Listing(await self.directory.listing()))

    def _hear(self, sender: NodeId, item: Item | Unknown | None) -> None:
        try:
            self._heard(sender, item)
        except Exception:
            logger.exception("inbox.bug", kind=type(item).__name__)

    # Nodes

    async def _watch(self) -> None:
        while True:
            await self._clock.sleep(REFRESH_EVERY)
            try:
                await self._refresh()
            except StoreError as error:
                if not self._reader.is_stopped and (times := self._failures.count("nodes")):
                    logger.warning("nodes.unknown", error=str(error), times=times)
            self._tell_all(Here())  # from its number they learn what they have missed
            with suppress(StoreError):
                if await self._store.is_emptied():
                    logger.error("redis.emptied")

    async def _refresh(self) -> None:
        """See who is alive, and keep the own inbox small and in being."""
        gone = await self._neighbours.refresh()
        self._speaker.note("XTRIM", keys.inbox(self._me), "MINID", self._reader.last)
        self._speaker.note("EXPIRE", keys.inbox(self._me), INBOX_KEPT)
        for node in gone:
            self._speaker.outbox.forget(node)
            self._speaker.note("EXPIRE", keys.inbox(node), INBOX_KEPT)  # it was written to, perhaps, when it had gone
            self._reader.forget(node)
            self._died(node)

    async def _meet(self, node: NodeId) -> None:
        """Learn of ``node``, which may have come just now."""
        if not self._neighbours.lives(node):
            await self._refresh()

    # Rooms

    async def owner(self, room: str) -> NodeId | None:
        """See `Exchange`."""
        found = await self._store.owner(room)
        if found is None:
            return None
        node = NodeId(found)
        await self._meet(node)
        return node if self._neighbours.lives(node) else None

    async def owners(self) -> Mapping[str, NodeId | None]:
        """See `Exchange`."""
        await self._refresh()
        owners = {room: NodeId(by) for room, by in (await self._store.owners()).items()}
        return {room: by if self._neighbours.lives(by) else None for room, by in owners.items()}

    async def behind(self, rooms: Mapping[str, int]) -> Collection[str]:
        """See `Exchange`."""
        servers = await self._store.run_ids()
        if servers == self._servers:
            return ()
        heads = await self._store.heads(list(rooms))
        self._servers = servers
        return [room for room, seq in rooms.items() if heads[room] < seq]

    async def is_over(self, room: str) -> bool:
        """See `Exchange`."""
        return await self._store.is_over(room)


def _nobody(_node: NodeId, _item: Item | Unknown | None) -> None:
    """Nobody listens yet."""


def _nothing(_node: NodeId) -> None:
    """Nobody wants to know yet."""
