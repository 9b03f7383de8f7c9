"""What a node does for its players while it is cut off from Redis: it lets them go to the others."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import structlog

from server.clock import Clock
from server.cluster.exchange import Exchange

CHECK_EVERY = 1.0
"""Seconds between checks of our lease."""
PATIENCE = 5
"""Checks in a row without it after which players are sent away.

Its lease has ended then for as long as one lasts: whoever else is alive has its tables. Where Redis itself was away for
a moment, however, nobody is better off elsewhere: the first check without a lease comes seconds after the last answer,
so all of it is eight seconds or so, more than a restart takes. These are checks, not seconds, because a node that was
frozen may have been away from Redis for long by its clock, and yet has its lease again at once.
"""

logger = structlog.get_logger(__name__)


class CutOff:
    """``send_away`` tells all players who are connected here to come back, and closes their connections."""

    def __init__(self, exchange: Exchange, clock: Clock, send_away: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self._exchange = exchange
        self._clock = clock
        self._send_away = send_away

    async def run(self) -> None:
        """Look, until cancelled."""
        checks = 0
        while True:
            await self._clock.sleep(CHECK_EVERY)
            checks = 0 if self._exchange.may_serve else checks + 1
            if checks == PATIENCE and self._exchange.others:  # alone, as far as we know, there is nowhere to go
                logger.warning("server.cut_off")
                await self._send_away()
