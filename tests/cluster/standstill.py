"""For how long rooms stood still while something happened to their cluster."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field


@dataclass(slots=True)
class Standstill:
    """Seconds; one entry for each room that was concerned."""

    done: Counter[str] = field(default_factory=Counter)
    """What has happened how often."""
    killed: list[float] = field(default_factory=list)
    """From the death of its node to the first step at another one."""
    frozen: list[float] = field(default_factory=list)
    """From the moment at which its node was stopped, for good as far as players know, to the first step at another."""
    drained: list[float] = field(default_factory=list)
    """From the last step at a node that was told to end to the first one at another node."""
    killed_acts: list[float] = field(default_factory=list)
    """The longest time between two acts of players around the death of a node."""
    frozen_acts: list[float] = field(default_factory=list)
    """The same around such a freeze, whose connections nobody ends but nginx."""
    drained_acts: list[float] = field(default_factory=list)
    """The same around a planned end, whose clients are told to come back within two seconds."""
    without_redis: list[float] = field(default_factory=list)
    """The longest time between two acts around a restart of Redis, less the time for which there was none."""

    @property
    def summary(self) -> str:
        """What has happened, in one line."""
        return ", ".join(f"{count} times {what}" for what, count in self.done.items())

    def lines(self) -> Iterator[str]:
        """One for each distribution that there is."""
        named = {
            "takeover, node killed": self.killed,
            "takeover, node frozen": self.frozen,
            "takeover, planned end": self.drained,
            "between two acts, node killed": self.killed_acts,
            "between two acts, node frozen": self.frozen_acts,
            "between two acts, planned end": self.drained_acts,
            "between two acts, Redis restarted, beyond the outage": self.without_redis,
        }
        for name, seconds in named.items():
            if seconds:
                yield f"{name}: {distribution(seconds)}"


def distribution(seconds: Sequence[float]) -> str:
    """Median, 95th percentile and longest, by nearest rank."""
    ordered = sorted(seconds)
    median, p95 = (ordered[-(-len(ordered) * percent // 100) - 1] for percent in (50, 95))
    return f"{len(ordered)} times, median {median:.2f} s, p95 {p95:.2f} s, longest {ordered[-1]:.2f} s"


def longest_gap(times: Sequence[float], since: float) -> float:
    """The longest time between two of ``times``, which are in order, of which the later one is after ``since``."""
    first = max(1, bisect_right(times, since))
    return max((times[place] - times[place - 1] for place in range(first, len(times))), default=0.0)
