"""What a node shows of its cluster, for Prometheus; a server that is alone shows the same names."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from server.metrics import Metrics
from server.registry import Registry


class Neighbourhood(Protocol):
    """How this node stands to the others; see `Exchange`."""

    @property
    def may_serve(self) -> bool:
        """Whether no other node can have taken our rooms because we seemed dead."""
        ...

    @property
    def lapses(self) -> int:
        """How often `may_serve` was not so until now."""
        ...

    @property
    def others(self) -> Collection[object]:
        """The other nodes that are alive, as far as it is known here."""
        ...

    @property
    def losses(self) -> int:
        """How often something that another node has said was lost on its way here, or has been read in vain."""
        ...


class Alone:
    """There are no others."""

    may_serve = True
    lapses = 0
    others: Collection[object] = ()
    losses = 0


def show(metrics: Metrics, neighbourhood: Neighbourhood, registry: Registry) -> None:
    """Show it from now on, whenever somebody asks."""
    held = "1 while no other process can have taken the rooms of this one: it lives, as far as the others know."
    metrics.gauge("doublesix_lease_held", held, lambda: neighbourhood.may_serve)
    lapses = "Times that the lease had ended before it was renewed."
    metrics.counter("doublesix_lease_lapses", lapses, lambda: neighbourhood.lapses)
    nodes = "Nodes that are alive, this one included."
    metrics.gauge("doublesix_nodes", nodes, lambda: 1 + len(neighbourhood.others))
    taken = "Rooms with which this process has gone on for another one."
    metrics.counter("doublesix_rooms_taken", taken, lambda: registry.taken)
    losses = "Times that something which another node has said was lost on its way here."
    metrics.counter("doublesix_relay_losses", losses, lambda: neighbourhood.losses)
