"""The exchange of a cluster on Redis: a stream for each node's inbox, and what all look up in keys of their own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

import msgpack
import structlog

from server.clock import Clock, SystemClock
from server.cluster.exchange import Arrival, Heard, NodeId
from server.cluster.items import Here, Item, Listed, Listing, Replaced, Stopping, Tell, Unknown, Wire, read
from server.cluster.redis_directory import Directory, pairs
from server.cluster.redis_speaker import RETRY_AFTER, Speaker
from server.outgoing import Outgoing
from server.rates import OnceAMinute
from server.store.base import StoreError
from server.store.redis import keys
from server.store.redis.client import Client
from server.store.redis.store import RedisStore
from server.table.state import PlayerId

WAIT = 1.0
"""Seconds for which a look into the inbox waits for something to come."""
LOOK = 1.0
"""Seconds between looks at which nodes are alive."""
INBOX_KEPT = 60
"""Seconds after which the inbox of a node that is no more goes away."""
BEGINNING = "0-0"
"""Before the first entry of any inbox."""
STOP_WITHIN = 2.0
"""Seconds that a node which stops has for what it still has to say."""
logger = structlog.get_logger(__name__)


class RedisExchange:
    """`start` it, let it `run`, and `stop` it before its store is closed."""

    def __init__(self, store: RedisStore, reader: Client, writer: Client, clock: Clock) -> None:
        self._store = store
        self._reader = reader
        self._writer = writer
        self._clock = clock
        self._me = NodeId(store.lease.incarnation)
        self._speaker = Speaker(writer, self._me, clock)
        self._directory = Directory(writer, self._me, self._speaker.note)
        self._living: frozenset[NodeId] = frozenset()
        self.losses = 0
        """How often something that another node has said was lost on its way here, or read in vain."""
        self._failures = OnceAMinute(clock.monotonic)
        self._is_stopped = False
        self._last = BEGINNING
        """The newest entry of the inbox that was read."""
        self._heard_last: dict[NodeId, int] = {}
        """The number of the newest batch of each node."""
        self._heard: Heard = _nobody
        self._died: Callable[[NodeId], None] = _nothing
        self._stopping: set[NodeId] = set()
        """Those that are about to go, as they have said."""
        self._servers: frozenset[str] = frozenset()
        """Those of which it is known that the rooms of this node are there as they were told."""
        self._unsure_until = clock.monotonic()
        """Redis was away: until then whoever was alive before is taken to be."""

    @classmethod
    async def open(cls, url: str, store: RedisStore, clock: Clock | None = None) -> RedisExchange:
        """The exchange of the nodes that keep their rooms in ``store``, at ``url``.

        Raises:
            StoreError: out of reach.
        """
        reader = await Client.connect(url, 1)
        try:
            writer = await Client.connect(url)
        except BaseException:
            await reader.close()
            raise
        return cls(store, reader, writer, clock or SystemClock())

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
        return self._living

    def listen(self, heard: Heard, died: Callable[[NodeId], None]) -> None:
        """See `Exchange`."""
        self._heard, self._died = heard, died

    async def start(self) -> None:
        """Learn who else is there, and which tables are listed.

        Raises:
            StoreError: Redis is out of reach.
        """
        await self._look()
        await self._read_listing()

    async def run(self) -> None:
        """Listen and speak, until cancelled. Raises what has ended a part of that, or the renewal of the lease."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._read(), name="inbox")
            tasks.create_task(self._speaker.run(), name="outbox")
            tasks.create_task(self._watch(), name="nodes")
            tasks.create_task(self._store.lease.kept(), name="kept")

    async def stop(self) -> None:
        """Say that this node is about to go, and what else is to be said, within `STOP_WITHIN`; then speak no more."""
        for node in self._living:
            self.post(node, Stopping())
        await self._speaker.finish(STOP_WITHIN)
        self._is_stopped = True
        await self._reader.close()
        await self._writer.close()

    # Speaking

    def post(self, node: NodeId, item: Item) -> None:
        """See `Exchange`."""
        if node == self._me:
            self._heard(node, item)
        elif node in self._living:
            self._speaker.post(node, item)

    def tell(self, node: NodeId, visit: int, outgoing: Outgoing) -> None:
        """See `Exchange`."""
        if node == self._me:
            self._heard(node, Tell([visit], outgoing))
        elif node in self._living:
            self._speaker.tell(node, visit, outgoing)

    # Listening

    async def _read(self) -> None:
        while True:
            wait = ("XREAD", "COUNT", 100, "BLOCK", round(WAIT * 1000), "STREAMS", keys.inbox(self._me), self._last)
            try:
                answer = await self._reader.call(*wait)
                if not answer:
                    await self._begin_again_if_gone_back()
            except StoreError as error:
                if times := self._failed("inbox"):
                    logger.warning("inbox.failed", error=str(error), times=times)
                await self._clock.sleep(RETRY_AFTER)
                continue
            for number, fields in _entries(answer):
                await self._take(fields)
                self._last = number

    async def _begin_again_if_gone_back(self) -> None:
        """Read the inbox from its beginning if its newest entry, which stays there, is older than what was read of it.

        So it is where another Redis has taken over that had not got all, and whose clock is behind: what is posted
        there would not be read before that clock has come so far. What comes twice is known by its number.
        """
        entries = await self._reader.call("XREVRANGE", keys.inbox(self._me), "+", "-", "COUNT", 1)
        newest = entries[0][0].decode() if entries else BEGINNING  # by the old measure all was cleared away
        if _place(newest) < _place(self._last):
            logger.warning("inbox.gone_back", read=self._last, newest=newest)
            self._last = BEGINNING

    async def _take(self, fields: dict[bytes, bytes]) -> None:
        try:
            sender, number, items = _batch(fields)
        except ValueError:
            logger.warning("inbox.unreadable")  # the number of the next one shows that it is missing
            return
        newest = self._heard_last.get(sender)
        if newest is not None and number <= newest:
            return  # it was written twice
        if newest is None or number > newest + 1:
            await self._make_good()
        self._heard_last[sender] = number
        self._living |= {sender}  # it is new, perhaps, and waits for an answer
        if number > (newest or 0) + 1:
            self.losses += 1
            self._hear(sender, None)
        for item in map(read, items):
            if isinstance(item, Stopping):
                self._stopping.add(sender)
            elif item is not None:
                self._hear(sender, item)

    async def _make_good(self) -> None:
        """Look up what a node has told us in vain, or when it did not know yet that we are there."""
        while True:
            try:
                for player, number in await self._directory.replaced():
                    self._hear(self._me, Replaced(player, number))
                await self._read_listing()
            except StoreError as error:
                if times := self._failed("inbox"):
                    logger.warning("inbox.failed", error=str(error), times=times)
                await self._clock.sleep(RETRY_AFTER)
            else:
                return

    async def _read_listing(self) -> None:
        self._hear(self._me, Listing(await self._directory.listing()))

    def _hear(self, sender: NodeId, item: Item | Unknown | None) -> None:
        try:
            self._heard(sender, item)
        except Exception:
            logger.exception("inbox.bug", kind=type(item).__name__)

    async def _watch(self) -> None:
        while True:
            await self._clock.sleep(LOOK)
            try:
                await self._look()
            except StoreError as error:
                if times := self._failed("look"):
                    logger.warning("nodes.unknown", error=str(error), times=times)
            for node in self._living:
                self.post(node, Here())  # from its number they learn what they have missed
            with suppress(StoreError):
                if await self._store.is_emptied():
                    logger.error("redis.emptied")

    async def _look(self) -> None:
        """See who is alive. Nobody is taken for dead because Redis was away and their leases have ended meanwhile."""
        try:
            living = frozenset(NodeId(name) for name in await self._store.living()) - {self._me}
        except StoreError:
            self._unsure_until = self._clock.monotonic() + self._store.lease.ttl
            raise
        if self._clock.monotonic() < self._unsure_until:
            living |= self._living
        gone, self._living = self._living - living, living
        self._speaker.note("XTRIM", keys.inbox(self._me), "MINID", self._last)
        self._speaker.note("EXPIRE", keys.inbox(self._me), INBOX_KEPT)
        for node in gone:
            self._note_gone(node)
            self._speaker.outbox.forget(node)
            self._speaker.note(
                "EXPIRE", keys.inbox(node), INBOX_KEPT
            )  # it may have been written to when it was gone already
            self._heard_last.pop(node, None)
            self._died(node)

    def _note_gone(self, node: NodeId) -> None:
        if node in self._stopping:
            self._stopping.remove(node)
            logger.info("node.stopped", node=node)
        else:
            logger.warning("node.gone", node=node)

    def _failed(self, what: str) -> int:
        """Redis has not answered: see `OnceAMinute`. After the lines to it were closed, that is no news."""
        return 0 if self._is_stopped else self._failures.count(what)

    # Rooms

    async def owner(self, room: str) -> NodeId | None:
        """See `Exchange`."""
        found = await self._store.owner(room)
        if found is None:
            return None
        node = NodeId(found)
        if node != self._me and node not in self._living:
            await self._look()
        return node if node == self._me or node in self._living else None

    async def owners(self) -> Mapping[str, NodeId | None]:
        """See `Exchange`."""
        await self._look()
        owners = {room: NodeId(by) for room, by in (await self._store.owners()).items()}
        living = self._living | {self._me}
        return {room: by if by in living else None for room, by in owners.items()}

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

    def note_listed(self, room: str, shown: Wire | None) -> None:
        """See `Exchange`."""
        self._directory.note_listed(room, shown)
        for node in self._living:
            self.post(node, Listed(room, shown))

    async def meet(self, game: str, seats: int, code: str, instead_of: str = "") -> str:
        """See `Exchange`."""
        return await self._directory.meet(game, seats, code, instead_of)

    # Players

    async def arrive(self, player: PlayerId, number: int) -> Arrival:
        """See `Exchange`."""
        arrival = await self._directory.arrive(player, number)
        if arrival.elsewhere is not None and arrival.elsewhere[0] not in self._living:
            await self._look()  # it may have come just now
        return arrival

    def depart(self, player: PlayerId, number: int) -> None:
        """See `Exchange`."""
        self._directory.depart(player, number)

    async def rooms_of(self, player: PlayerId) -> Sequence[str]:
        """See `Exchange`."""
        return await self._directory.rooms_of(player)

    def note_seats(self, room: str, left: Collection[PlayerId] = (), seated: Collection[PlayerId] = ()) -> None:
        """See `Exchange`."""
        self._directory.note_seats(room, left, seated)

    async def room_for(self, player: PlayerId, message_id: str) -> str | None:
        """See `Exchange`."""
        return await self._directory.room_for(player, message_id)

    async def keep_room_for(self, player: PlayerId, message_id: str, code: str, instead_of: str | None = None) -> str:
        """See `Exchange`."""
        return await self._directory.keep_room_for(player, message_id, code, instead_of)


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


def _nobody(_node: NodeId, _item: Item | Unknown | None) -> None:
    """Nobody listens yet."""


def _nothing(_node: NodeId) -> None:
    """Nobody wants to know yet."""
