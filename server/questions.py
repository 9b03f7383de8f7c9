"""Questions that cannot be answered at once: each has a task of its own, and each gets its answer."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, TypeAlias

import structlog

from server.outgoing import Outgoing
from server.waiting import Send, Waiting

MAX_OPEN = 4
"""Questions of one connection that may be open; whoever asks for more is to ask again."""

Answering: TypeAlias = Coroutine[Any, Any, Outgoing]

logger = structlog.get_logger(__name__)


class Questions:
    """Those of one connection, to which ``send`` writes."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._open = Waiting(lambda bug: logger.error("question.bug", exc_info=bug), MAX_OPEN)

    def ask(self, message_id: str | None, answering: Answering) -> None:
        """Send what ``answering`` gives, or the refusal that it raises, to the message of that id.

        Raises:
            ProtocolError: ``rate_limited``: too many are open.
        """
        self._open.begin(self, self._send, message_id, answering)
