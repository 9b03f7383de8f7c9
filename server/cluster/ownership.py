"""Which rooms this node has: those that it opens, those that nobody has, and none that another node has taken."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import structlog

from protocol.errors import ErrorCode, ProtocolError
from server.clock import Clock
from server.cluster.directory import NodeId
from server.cluster.edge import NotNow
from server.cluster.exchange import Exchange
from server.cluster.items import Take
from server.rates import OnceAMinute
from server.registry import Registry
from server.store.base import Held, StoreError

AT_ONCE = 16
"""Rooms that are taken, or handed over, at the same time."""
HAND_OVER_WITHIN = 10.0
"""Seconds after which a node that stops keeps what it could not hand over: the others take it when this one is gone."""
PACED_FOR = 8.0
"""Seconds for which a node that stops hands over no more rooms before the last ones are taken, and play meanwhile."""
TAKEN_WITHIN = 1.0
"""Seconds in which they should have been."""
PAUSE = 0.01
"""Seconds until a room that could not be handed over, or was not taken yet, is looked at again."""

Shuffle: TypeAlias = Callable[[list[Any]], None]

logger = structlog.get_logger(__name__)


class Ownership:
    """``opens`` says of a room whether something that waits here is to open it."""

    def __init__(
        self, registry: Registry, exchange: Exchange, clock: Clock, opens: Callable[[str], bool], shuffle: Shuffle
    ) -> None:
        self._registry = registry
        self._exchange = exchange
        self._clock = clock
        self._opens = opens
        self._shuffle = shuffle
        self._failures = OnceAMinute(clock.monotonic)
        self._taking: dict[str, asyncio.Task[Held | None]] = {}
        self._soon: set[asyncio.Task[None]] = set()
        self._unreadable: set[str] = set()
        """Rooms that were looked at in vain: their log cannot be read, or has ended."""
        self._checked_after = 0
        """The lapses of our lease that were there when we last looked which rooms are ours."""

    @property
    def is_sure(self) -> bool:
        """Whether no other node can have taken a room of ours without our knowing."""
        return self._exchange.may_serve and self.is_checked

    @property
    def is_checked(self) -> bool:
        """Whether we have looked which rooms are ours since our lease was last without effect."""
        return self._checked_after == self._exchange.lapses

    # One room

    async def find(self, room: str) -> NodeId | None:
        """The node that has ``room``: this one from now on, if nobody had it. None: there is no such room.

        Raises:
            NotNow: it is to be looked for again.
            ProtocolError: ``draining``.
            StoreError: nobody knows.
        """
        if self._registry.has(room):
            return self._exchange.me
        owner = await self._exchange.owner(room)
        if owner is not None and owner != self._exchange.me:
            return owner
        if self._registry.is_draining:
            if self._opens(room):
                raise ProtocolError(ErrorCode.DRAINING)
            raise NotNow  # another node takes it, and who is connected here is about to be sent there
        held = await self._take(room)
        if held is not None:
            return NodeId(held.by)
        if self._registry.has(room):
            return self._exchange.me
        if self._opens(room) and not await self._exchange.is_over(room):
            return self._exchange.me
        if self._registry.open_tables.put(room, None):
            self._exchange.directory.note_listed(room, None)
        return None

    async def _take(self, room: str) -> Held | None:
        if room not in self._taking:
            task = asyncio.get_running_loop().create_task(self._registry.take(room), name=f"take {room}")
            self._taking[room] = task
            task.add_done_callback(lambda _: self._taking.pop(room))
        return await asyncio.shield(self._taking[room])

    def take_soon(self, room: str) -> None:
        """Another node is about to stop and wants this one to go on with ``room``."""
        task = asyncio.get_running_loop().create_task(self._take_some(iter([room])), name=f"take {room} soon")
        self._soon.add(task)
        task.add_done_callback(self._soon.discard)

    # All rooms

    async def reconcile(self) -> None:
        """Go on with the rooms that nobody has, and give up those that another node has taken.

        A node that was frozen, or cut off for long, is not told which of its rooms were taken, and perhaps have ended
        since; nobody who listens to one here would hear of it any more. And where Redis has lost its last moments, a
        room may be ours again that was another node's, or stand where it has stood before.

        Raises:
            StoreError: nobody knows.
        """
        lapses, settled = self._exchange.lapses, self._registry.settled
        owners = await self._exchange.owners()
        behind = await self._exchange.behind(settled)
        for room in settled:
            if owners.get(room) != self._exchange.me or room in behind:
                self._registry.doubt(room)
        self._checked_after = lapses
        await self._take_all(owners)

    async def _take_all(self, owners: Mapping[str, NodeId | None]) -> None:
        """Each node begins with others, so that they share them."""
        self._unreadable &= owners.keys()
        rooms = [room for room, owner in owners.items() if owner in (None, self._exchange.me)]
        self._shuffle(rooms)
        remaining = (room for room in rooms if room not in self._unreadable)
        await asyncio.gather(*(self._take_some(remaining) for _ in range(AT_ONCE)))

    async def _take_some(self, rooms: Iterator[str]) -> None:
        for room in rooms:
            if self._registry.is_draining:
                return
            try:
                await self._take_free(room)
            except StoreError as error:
                if times := self._failures.count("take"):
                    logger.warning("house.take", room=room, error=str(error), times=times)
                return

    async def _take_free(self, room: str) -> None:
        try:
            held = await self._take(room)
        except StoreError:
            raise
        except Exception:
            logger.exception("house.take", room=room)  # the other rooms can do without it
        else:
            if held is None and not self._registry.has(room):
                self._unreadable.add(room)

    # The end

    async def hand_over(self) -> None:
        """Let other nodes have the rooms of this one, which drains: each as soon as nothing of it waits for the store.

        Raises:
            StoreError: the store is out of reach.
        """
        began = self._clock.monotonic()
        while True:
            for piece in _pieces(self._registry.codes):
                await asyncio.gather(*(self._hand_over(code) for code in piece))
                if self._clock.monotonic() < began + PACED_FOR:
                    await self._taken([code for code in piece if not self._registry.has(code)])
            if not self._registry.codes or self._clock.monotonic() >= began + HAND_OVER_WITHIN:
                return
            await self._clock.sleep(PAUSE)

    async def _hand_over(self, code: str) -> None:
        """Somebody is asked to take it: a room that nobody visits from elsewhere would not be missed for a while."""
        others = sorted(self._exchange.others)
        self._shuffle(others)
        if await self._registry.hand_over(code) and others:
            self._exchange.post(others[0], Take(code))

    async def _taken(self, rooms: Sequence[str]) -> None:
        """Wait until other nodes have ``rooms``, if there are any."""
        deadline = self._clock.monotonic() + TAKEN_WITHIN
        while self._exchange.others and self._clock.monotonic() < deadline:
            owners = await asyncio.gather(*(self._exchange.owner(room) for room in rooms))
            if None not in owners:
                return
            await self._clock.sleep(PAUSE)


def _pieces(codes: Iterable[str]) -> Iterator[list[str]]:
    remaining = list(codes)
    while remaining:
        yield remaining[:AT_ONCE]
        del remaining[:AT_ONCE]
