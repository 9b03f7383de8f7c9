"""What a load run has found, as one JSON object and in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from typing import Any

from bots.load.tally import Latency
from bots.load.violations import DISORDERS, LOSSES, REPETITIONS, Violation

SHOWN_VIOLATIONS = 100
"""More of them are counted, but not listed."""


@dataclass(frozen=True, slots=True)
class LoadSettings:
    """What load to make: ``rooms`` of ``game`` with ``seats`` players each."""

    url: str
    rooms: int
    seats: int = 4
    game: str = "fives-threes"
    seconds: float = 10.0
    """How long it is measured."""
    think: float = 0.0
    """Mean seconds between a seat's seeing that it is its turn and its act."""


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a run. Durations in seconds."""

    settings: LoadSettings
    playing: int
    """Rooms in which somebody acted while it was measured."""
    seconds: float
    """That were measured."""
    accepted: int
    """Acts (plays, draws and knocks) accepted in that time."""
    to_sender: Latency | None
    to_last_seat: Latency | None
    acknowledged: int
    """Acts accepted in the whole run, warming up and ending included: all of them are checked."""
    steps: int
    """Steps of all rooms that were told to at least one client."""
    errors: Mapping[str, int]
    not_connected: Mapping[str, int]
    cuts: Mapping[str, int]
    reconnections: int
    violations: Sequence[Violation]

    @property
    def rate(self) -> float:
        """Acts accepted a second."""
        return self.accepted / self.seconds if self.seconds else 0.0

    @property
    def lost(self) -> int:
        """Faults by which something acknowledged or told is not there."""
        return self._count(LOSSES)

    @property
    def repeated(self) -> int:
        """Faults by which something came or was done twice."""
        return self._count(REPETITIONS)

    @property
    def disordered(self) -> int:
        """Faults by which not all saw the same steps in the same order."""
        return self._count(DISORDERS)

    @property
    def by_fault(self) -> Mapping[str, int]:
        """How many violations of each kind."""
        return Counter(violation.fault.value for violation in self.violations)

    def _count(self, faults: frozenset[Any]) -> int:
        return sum(violation.fault in faults for violation in self.violations)

    def to_json(self) -> dict[str, Any]:
        """All of it, latencies in milliseconds."""
        return {
            "version": version("doublesix"),
            "settings": asdict(self.settings),
            "rooms_playing": self.playing,
            "seconds": round(self.seconds, 3),
            "plays": self.accepted,
            "plays_per_second": round(self.rate, 1),
            "latency_ms": {"sender": _milliseconds(self.to_sender), "last_seat": _milliseconds(self.to_last_seat)},
            "errors": dict(self.errors),
            "connections": {
                "lost": dict(self.cuts),
                "refused": dict(self.not_connected),
                "reconnections": self.reconnections,
            },
            "acknowledged": self.acknowledged,
            "steps": self.steps,
            "lost": self.lost,
            "repeated": self.repeated,
            "order_differences": self.disordered,
            "violations": {
                "by_fault": dict(self.by_fault),
                "first": [str(violation) for violation in self.violations[:SHOWN_VIOLATIONS]],
            },
        }


def _milliseconds(latency: Latency | None) -> dict[str, float] | None:
    if latency is None:
        return None
    return {name: round(1000 * seconds, 3) for name, seconds in asdict(latency).items()}
