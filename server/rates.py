"""How often something may happen, or be said: a token bucket, a count within a sliding minute, and once a minute."""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Callable, Hashable

MINUTE = 60.0


def told(wait: float) -> float:
    """``wait`` as a client is told it: whole milliseconds, rounded up, so that who waits so long is served."""
    return (math.floor(wait * 1000) + 1) / 1000


class TokenBucket:
    """``rate`` a second on average, ``burst`` at once. 0 for one of them allows everything."""

    __slots__ = ("_burst", "_rate", "_since", "_tokens")

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self._rate = rate
        self._burst = burst
        self._tokens = burst
        self._since = now

    def take(self, now: float) -> float:
        """Take one token. 0.0 if there was one, else the seconds until there is one; then none is taken."""
        if not self._rate or not self._burst:
            return 0.0
        self._tokens = min(self._burst, self._tokens + (now - self._since) * self._rate)
        self._since = now
        if self._tokens >= 1:
            self._tokens -= 1
            return 0.0
        return (1 - self._tokens) / self._rate


class MinuteCount:
    """Counts events of the last minute, up to ``limit``. A limit of 0 counts nothing."""

    __slots__ = ("_limit", "_times")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._times: deque[float] = deque(maxlen=limit)

    def add(self, now: float) -> None:
        """One more event."""
        self._times.append(now)

    @property
    def is_unused(self) -> bool:
        """Nothing was ever counted."""
        return not self._times

    def wait(self, now: float) -> float:
        """Seconds until another event is within the limit; 0.0 if it is now."""
        if not self._limit or len(self._times) < self._limit:
            return 0.0
        return max(0.0, self._times[0] + MINUTE - now)


class OnceAMinute:
    """What is worth a line in the log, though not again and again."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._unsaid: Counter[Hashable] = Counter()
        self._said_at: dict[Hashable, float] = {}

    def count(self, what: Hashable) -> int:
        """``what`` has happened once more. How often since it was last said, if it is to be said now; else 0."""
        self._unsaid[what] += 1
        now = self._monotonic()
        if now - self._said_at.get(what, -math.inf) < MINUTE:
            return 0
        self._said_at[what] = now
        return self._unsaid.pop(what)
