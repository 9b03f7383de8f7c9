"""Work for a message that cannot be done at once."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeAlias

import structlog

from protocol.errors import ErrorCode
from server.listener import Listener
from server.outgoing import refusal_for, refusal_of

Work: TypeAlias = Coroutine[Any, Any, None]

logger = structlog.get_logger(__name__)


class Waiting:
    """Each piece has a task of its own, and what goes wrong is answered."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self, listener: Listener, message_id: str | None, work: Work) -> None:
        """Do ``work`` for the message of that id, and answer what goes wrong."""
        task = asyncio.get_running_loop().create_task(_do(listener, message_id, work), name="house")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda _: work.close())  # it never began if the process stops now


async def _do(listener: Listener, message_id: str | None, work: Work) -> None:
    try:
        await work
    except Exception as error:
        refusal = refusal_for(error)
        if refusal.code is ErrorCode.INTERNAL:
            logger.exception("house.bug")
        listener.send(refusal_of(message_id, refusal))
