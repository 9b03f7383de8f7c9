"""Whether whoever sits at a table has agreed to what takes its match elsewhere (U3), worked out from the log alone."""

from __future__ import annotations

from collections.abc import Callable

from server.table.events import Answered, Asked, MatchOver, PlayedAgain, Redone, Undone
from server.table.evolve import Step
from server.table.log import Cause
from server.table.state import Table


class Agreement:
    """Follows one room: who asks, and who has said yes by a message of their own."""

    def __init__(self, complain: Callable[[str], None]) -> None:
        self._complain = complain
        self._asker: str | None = None
        self._agreed: set[str] = set()

    def follow(self, before: Table, step: Step, after: Table, cause: Cause | None) -> None:
        """``step`` has led from ``before`` to ``after``; ``cause`` is the message that it followed from."""
        sender = None if cause is None else cause.player
        if before.ask is None:
            self._asker, self._agreed = sender, set()
        for event in step.events:
            if isinstance(event, Asked) and event.cover is None:
                self._check_asked(before, event)
            if isinstance(event, Answered) and event.yes and sender == before.places[event.seat].player and sender:
                self._agreed.add(sender)
            if isinstance(event, Undone | Redone | PlayedAgain) or (
                isinstance(event, MatchOver) and event.winner is None
            ):
                missing = _people(before) & _people(after) - self._agreed - {self._asker}
                if missing:
                    self._complain(f"step {step.seq} is {event}, asked for by {self._asker} without {missing}")

    def _check_asked(self, before: Table, asked: Asked) -> None:
        others = {
            place.seat for place in before.places
            if place.player is not None and place.bot is None and place.player != before.places[asked.seat].player
        }  # fmt: skip
        if set(asked.need) != others:
            self._complain(f"{asked} asks {set(asked.need)}, and not {others}")


def _people(table: Table) -> set[str]:
    return {place.player for place in table.places if place.player is not None and place.bot is None}
