"""What one process counts and measures, for Prometheus. No label holds what a player has said, is or has.

Names and kinds follow https://prometheus.io/docs/practices/naming/; docs/operations.md lists them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from prometheus_client import CollectorRegistry, Counter, GCCollector, Histogram, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from server.clock import Clock

LAG_EVERY = 0.5
"""Seconds between looks at how late the event loop is."""
SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Bounds of the histograms: from a batch that is written at once to a player who takes it for a broken line."""

Read: TypeAlias = Callable[[], float]


class Metrics:
    """Each server has its own, so that several can run in one process."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        GCCollector(registry=self._registry)
        self._received = Counter("doublesix_messages", "Valid messages of clients.", ["type"], registry=self._registry)
        self._refused = Counter("doublesix_errors", "Answers of type error.", ["code"], registry=self._registry)
        self._cut = Counter("doublesix_cut", "Connections cut that took too little.", registry=self._registry)
        self._steps = Counter("doublesix_steps", "Steps written to the store.", registry=self._registry)
        self._failed = Counter(
            "doublesix_store_failures", "Batches that the store did not take.", registry=self._registry
        )
        self._batches = self._histogram("doublesix_batch_seconds", "How long the store took for a batch of steps.")
        self._lag = self._histogram("doublesix_loop_lag_seconds", "How late the event loop came back to its work.")

    def _histogram(self, name: str, text: str) -> Histogram:
        return Histogram(name, text, buckets=SECONDS, registry=self._registry)

    def received(self, message: str) -> None:
        """A valid message of this type has come."""
        self._received.labels(message).inc()

    def refused(self, code: str) -> None:
        """A request was answered with an error of this code."""
        self._refused.labels(code).inc()

    def cut(self) -> None:
        """A connection was cut because too much was waiting for it, or for too long."""
        self._cut.inc()

    def written(self, steps: int, seconds: float) -> None:
        """The store has taken a batch."""
        self._steps.inc(steps)
        self._batches.observe(seconds)

    def not_written(self) -> None:
        """The store has not taken a batch, or perhaps has."""
        self._failed.inc()

    async def measure_lag(self, clock: Clock) -> None:
        """See again and again how late the event loop is, until cancelled."""
        while True:
            due = clock.monotonic() + LAG_EVERY
            await clock.sleep(LAG_EVERY)
            self._lag.observe(max(0.0, clock.monotonic() - due))

    def gauge(self, name: str, text: str, read: Read) -> None:
        """Show what ``read`` gives whenever somebody asks."""
        self._registry.register(_Shown(lambda: GaugeMetricFamily(name, text, value=read())))

    def counter(self, name: str, text: str, read: Read) -> None:
        """The same for something that never gets less."""
        self._registry.register(_Shown(lambda: CounterMetricFamily(name, text, value=read())))

    def text(self) -> bytes:
        """Everything, in the text format of Prometheus."""
        return generate_latest(self._registry)


@dataclass(frozen=True, slots=True)
class _Shown(Collector):
    """A value that is kept elsewhere."""

    family: Callable[[], CounterMetricFamily | GaugeMetricFamily]

    def collect(self) -> Iterator[CounterMetricFamily | GaugeMetricFamily]:
        yield self.family()
