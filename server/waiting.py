"""Work for a message that cannot be done at once."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine
from typing import Any, TypeAlias

from protocol.errors import ErrorCode, ProtocolError
from server.outgoing import Outgoing, refusal_for, refusal_of

Send: TypeAlias = Callable[[Outgoing], None]
ASK_AGAIN = 1.0
"""Seconds after which whoever asks for too much at once is to ask again."""

Work: TypeAlias = Coroutine[Any, Any, Outgoing | None]
"""Gives the answer to the message; None: that is given elsewhere."""


class Waiting:
    """Each piece has a task of its own, and what goes wrong is answered.

    ``log_bug`` takes what was a fault of ours; ``most`` pieces may be open for one asker.
    """

    def __init__(self, log_bug: Callable[[Exception], object], most: int) -> None:
        self._log_bug = log_bug
        self._most = most
        self._tasks: set[asyncio.Task[None]] = set()
        self._open: Counter[object] = Counter()

    def begin(self, asker: object, send: Send, message_id: str | None, work: Work) -> None:
        """Do ``work`` for the message of that id, and send what it gives, or the refusal that it raises.

        Raises:
            ProtocolError: ``rate_limited``: too much of ``asker`` is open.
        """
        if self._open[asker] >= self._most:
            work.close()
            raise ProtocolError(ErrorCode.RATE_LIMITED, "too many questions at once", retry_after=ASK_AGAIN)
        self.go_on(asker, send, message_id, work)

    def go_on(self, asker: object, send: Send, message_id: str | None, work: Work) -> None:
        """`begin` with what belongs to something that was let in before, however much is open."""
        task = asyncio.get_running_loop().create_task(self._do(send, message_id, work), name="waiting")
        self._tasks.add(task)
        self._open[asker] += 1

        def is_done(task: asyncio.Task[None]) -> None:
            self._tasks.discard(task)
            self._open[asker] -= 1
            if not self._open[asker]:
                del self._open[asker]
            work.close()  # it never began if the process stops now

        task.add_done_callback(is_done)

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
