"""A visitor without a connection."""

from __future__ import annotations

from typing import Any

from server.outgoing import Outgoing
from tests.server.tables import ANN


class Ear:
    """A visitor who remembers what was said."""

    def __init__(self) -> None:
        self.actor = ANN
        self.is_open = True
        self.heard: list[dict[str, Any]] = []
        self.is_sent_back = False
        self.guesses = 0

    def send(self, outgoing: Outgoing) -> None:
        self.heard.append(outgoing.message)

    def come_again(self) -> None:
        self.is_sent_back = True

    def cut(self) -> None:
        self.is_sent_back = True

    def count_guess(self) -> None:
        self.guesses += 1

    def entered(self, room: object) -> None:
        """See `Visitor`."""

    def left(self, room: object) -> None:
        """See `Visitor`."""

    @property
    def seqs(self) -> list[int]:
        return [message["seq"] for message in self.heard]
