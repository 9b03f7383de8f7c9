"""Work for a message that cannot be done at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeAlias

from protocol.errors import ErrorCode
from server.outgoing import Outgoing, refusal_for, refusal_of

Send: TypeAlias = Callable[[Outgoing], None]
Work: TypeAlias = Coroutine[Any, Any, Outgoing | None]
"""Gives the answer to the message; None: that is given elsewhere."""


class Waiting:
    """Each piece has a task of its own, and what goes wrong is answered.

    ``log_bug`` takes what was a fault of ours.
    """

    def __init__(self, log_bug: Callable[[Exception], object]) -> None:
        self._log_bug = log_bug
        self._tasks: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        return len(self._tasks)

    def begin(self, send: Send, message_id: str | None, work: Work) -> None:
        """Do ``work`` for the message of that id, and send what it gives, or the refusal that it raises."""
        task = asyncio.get_running_loop().create_task(self._do(send, message_id, work), name="waiting")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda _: work.close())  # it never began if the process stops now

    async def _do(self, send: Send, message_id: str | None, work: Work) -> None:
        try:
            answer = await work
        except Exception as error:  # noqa: BLE001 - every request is answered
            refusal = refusal_for(error)
            if refusal.code is ErrorCode.INTERNAL:
                self._log_bug(error)
            answer = refusal_of(message_id, refusal)
        if answer is not None:
            send(answer)
