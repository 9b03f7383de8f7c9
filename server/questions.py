"""Questions that cannot be answered at once: each has a task of its own, and each gets its answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeAlias

import structlog

from protocol.errors import ErrorCode, ProtocolError
from server.outgoing import Outgoing, refusal_for, refusal_of

MAX_OPEN = 4
"""Questions of one connection that may be open; whoever asks for more is to ask again."""
ASK_AGAIN = 1.0
"""Seconds after which."""

Answering: TypeAlias = Coroutine[Any, Any, Outgoing]

logger = structlog.get_logger(__name__)


class Questions:
    """Those of one connection, to which ``send`` writes."""

    def __init__(self, send: Callable[[Outgoing], None]) -> None:
        self._send = send
        self._open: set[asyncio.Task[None]] = set()

    def require_room(self) -> None:
        """Refuse a question where too many are open.

        Raises:
            ProtocolError: ``rate_limited``.
        """
        if len(self._open) >= MAX_OPEN:
            raise ProtocolError(ErrorCode.RATE_LIMITED, "too many questions at once", retry_after=ASK_AGAIN)

    def ask(self, message_id: str | None, answering: Answering) -> None:
        """Send what ``answering`` gives, or the refusal that it raises, to the message of that id."""
        task = asyncio.get_running_loop().create_task(self._answer(message_id, answering))
        self._open.add(task)
        task.add_done_callback(self._open.discard)
        task.add_done_callback(lambda _: answering.close())  # it never began if the process stops now

    async def _answer(self, message_id: str | None, answering: Answering) -> None:
        try:
            answer = await answering
        except Exception as error:
            refusal = refusal_for(error)
            if refusal.code is ErrorCode.INTERNAL:
                logger.exception("question.bug")
            answer = refusal_of(message_id, refusal)
        self._send(answer)
