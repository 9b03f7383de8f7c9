"""Rooms whose memory may differ from their log: what is in the log counts, whatever memory says."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias

import structlog

from protocol.errors import ErrorCode
from server.rates import OnceAMinute
from server.room import Room
from server.store.base import Claimed, Held, Step, StoreError
from server.world import World

RELOAD_AFTER = 1.0
"""Seconds between attempts to read a broken room from the store."""

Replace: TypeAlias = Callable[[Room, Sequence[Step], int], None]
"""Takes a room, the end of its log and the epoch from now on."""
Forget: TypeAlias = Callable[[Room, Held | None], None]
"""Takes a room that another process has; None: that nobody has, since the log knows no such room."""

logger = structlog.get_logger(__name__)


class Rereading:
    """Stops each such room and reads it from the store, as soon as that is possible."""

    def __init__(self, world: World, replace: Replace, forget: Forget) -> None:
        self._world = world
        self._replace = replace
        self._forget = forget
        self._failures = OnceAMinute(world.clock.monotonic)
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self, room: Room) -> None:
        """Stop ``room`` and read it again."""
        if room.is_broken:
            return
        room.broke()
        if self._world.clock.monotonic() < room.read_again_at + RELOAD_AFTER:
            self._read_later(room)  # it broke again at once: the store takes no steps, or the fault is in the room
        else:
            self._read_soon(room)

    def _read_soon(self, room: Room) -> None:
        task = asyncio.get_running_loop().create_task(self._read(room), name=f"reload {room.code}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _read(self, room: Room) -> None:
        try:
            await self._world.journal.discard(room.code)
            claim = await self._world.store.claim(room.code, self._world.clock.time())
            if isinstance(claim, Claimed):
                self._replace(room, await self._world.store.load(room.code), claim.epoch)
            else:
                self._forget(room, claim)
        except StoreError as error:
            if times := self._failures.count("reload"):
                logger.warning("room.reload", room=room.code, error=str(error), times=times)
            self._read_later(room)
        except Exception:
            logger.exception("room.unreadable", room=room.code)
            room.refuse_unsettled(ErrorCode.INTERNAL)
            self._read_later(room)

    def _read_later(self, room: Room) -> None:
        due = self._world.clock.monotonic() + RELOAD_AFTER
        self._world.clock.call_at(due, partial(self._read_soon, room))
