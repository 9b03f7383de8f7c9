"""Questions that cannot be answered at once: each has a task of its own, and each gets its answer."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, TypeAlias

import structlog

from protocol.errors import ErrorCode, ProtocolError
from server.outgoing import Outgoing
from server.waiting import Send, Waiting

MAX_OPEN = 4
"""Questions of one connection that may be open; whoever asks for more is to ask again."""
ASK_AGAIN = 1.0
"""Seconds after which."""

Answering: TypeAlias = Coroutine[Any, Any, Outgoing]

logger = structlog.get_logger(__name__)


class Questions:
    """Those of one connection, to which ``send`` writes."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._open = Waiting(lambda bug: logger.error("question.bug", exc_info=bug))

    def require_room(self) -> None:
        """Refuse a question where too many are open.

        Raises:
            ProtocolError: ``rate_limited``.
        """
        if len(self._open) >= MAX_OPEN:
            raise ProtocolError(ErrorCode.RATE_LIMITED, "too many questions at once", retry_after=ASK_AGAIN)

    def ask(self, message_id: str | None, answering: Answering) -> None:
        """Send what ``answering`` gives, or the refusal that it raises, to the message of that id."""
        self._open.begin(self._send, message_id, answering)
