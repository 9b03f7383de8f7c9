"""Which rooms this node has: those that it opens, those that nobody has, and none that another node has taken."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypeAlias

import structlog

from protocol.errors import ErrorCode, ProtocolError
from server.cluster.edge import NotNow
from server.cluster.exchange import Exchange, NodeId
from server.registry import Registry
from server.store.base import Held, StoreError

Shuffle: TypeAlias = Callable[[list[Any]], None]

logger = structlog.get_logger(__name__)


class Ownership:
    """``opens`` says of a room whether something that waits here is to open it."""

    def __init__(self, registry: Registry, exchange: Exchange, opens: Callable[[str], bool], shuffle: Shuffle) -> None:
        self._registry = registry
        self._exchange = exchange
        self._opens = opens
        self._shuffle = shuffle
        self._taking: dict[str, asyncio.Task[Held | None]] = {}
        self._is_draining = False

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
        if self._is_draining:
            if self._opens(room):
                raise ProtocolError(ErrorCode.DRAINING)
            raise NotNow  # another node takes it, and who is connected here is about to be sent there
        held = await self._take(room)
        if held is not None:
            return NodeId(held.by)
        if self._registry.has(room) or self._opens(room):
            return self._exchange.me
        if self._registry.open_tables.put(room, None):
            self._exchange.note_listed(room, None)
        return None

    async def _take(self, room: str) -> Held | None:
        if room not in self._taking:
            task = asyncio.get_running_loop().create_task(self._registry.take(room), name=f"take {room}")
            self._taking[room] = task
            task.add_done_callback(lambda _: self._taking.pop(room))
        return await asyncio.shield(self._taking[room])

    async def look(self) -> None:
        """Go on with the rooms that nobody has, and give up those that another node has taken.

        Each node begins with others, so that they share them. A node that was frozen, or cut off for long, is not told
        which of its rooms were taken; nobody who listens to one here would hear of it any more.

        Raises:
            StoreError: nobody knows.
        """
        owners = await self._exchange.owners()
        for room, owner in owners.items():
            if owner is not None and owner != self._exchange.me:
                self._registry.doubt(room)
        rooms = [room for room, owner in owners.items() if owner is None]
        self._shuffle(rooms)
        for room in rooms:
            if not self._is_draining:
                await self._take_free(room)

    async def _take_free(self, room: str) -> None:
        try:
            await self._take(room)
        except StoreError:
            raise
        except Exception:
            logger.exception("house.take", room=room)  # the other rooms can do without it

    async def hand_over(self) -> None:
        """Let other nodes have the rooms of this one: each as soon as nothing of it is on its way to the store.

        Raises:
            StoreError: the store is out of reach.
        """
        self._is_draining = True
        while self._registry.codes:
            for code in self._registry.codes:
                await self._registry.give_up(code)
            await asyncio.sleep(0)
