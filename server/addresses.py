"""What is counted by network address: open connections, and guesses at room codes."""

from __future__ import annotations

from collections import Counter, OrderedDict

from server.config import Limits
from server.rates import MinuteCount

REMEMBERED = 10_000
"""Addresses whose wrong guesses are remembered; the one seen longest ago is forgotten first."""


class Addresses:
    """Loose limits by address; those of a connection and of a player come first."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._open: Counter[str] = Counter()
        self._wrong_codes: OrderedDict[str, MinuteCount] = OrderedDict()

    def enter(self, address: str) -> bool:
        """Count a connection from ``address``; False, and not counted, above the limit."""
        limit = self._limits.connections_per_address
        if limit and self._open[address] >= limit:
            return False
        self._open[address] += 1
        return True

    def leave(self, address: str) -> None:
        """A counted connection is gone."""
        self._open[address] -= 1
        if self._open[address] <= 0:
            del self._open[address]

    def wrong_codes(self, address: str) -> MinuteCount:
        """The unknown room codes that came from ``address``."""
        count = self._wrong_codes.setdefault(address, MinuteCount(self._limits.wrong_codes_per_address))
        self._wrong_codes.move_to_end(address)
        if len(self._wrong_codes) > REMEMBERED:
            self._wrong_codes.popitem(last=False)
        return count
