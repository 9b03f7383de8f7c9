"""What a room and a connected player know of each other."""

from __future__ import annotations

from typing import Protocol

from server.outgoing import Outgoing
from server.table.state import Actor


class Subscription(Protocol):
    """A room, as the player sees it who listens to it."""

    @property
    def code(self) -> str:
        """The room's code."""
        ...

    def lost(self, listener: Listener) -> None:
        """The connection of ``listener`` is gone."""
        ...


class Listener(Protocol):
    """A connected player, as a room sees it."""

    @property
    def actor(self) -> Actor:
        """Who it is."""
        ...

    @property
    def is_open(self) -> bool:
        """False from the moment on which the connection is lost or replaced."""
        ...

    def send(self, outgoing: Outgoing) -> None:
        """Write a message to the connection; never waits."""
        ...

    def cut(self) -> None:
        """Close the connection, for a fault of ours: the client comes back and is told what it has missed."""
        ...

    def entered(self, room: Subscription) -> None:
        """The room has this listener from now on, and wants to hear when the connection is lost."""
        ...

    def left(self, room: Subscription) -> None:
        """The room has this listener no longer."""
        ...
