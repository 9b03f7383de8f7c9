"""What the checker finds wrong."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Fault(StrEnum):
    """The kinds of violation of the protocol's promises. Keys of the report: never renamed."""

    LOST = "lost"
    """A step that a receiver was not told, or that was acknowledged or told and is not there any more."""
    REPEATED = "repeated"
    """A step told to one receiver twice."""
    ANSWERED_TWICE = "answered_twice"
    """One act, two steps: a resent act was done again."""
    UNASKED = "unasked"
    """A step in which a seat acts although no act of it asks for that, or it was refused."""
    DENIED = "denied"
    """A request that was acknowledged and then refused under its id."""
    UNANSWERED = "unanswered"
    """A request that has no answer although the client was connected in the end."""
    IMPOSSIBLE = "impossible"
    """A step that cannot follow on those before it: the server has not got the table that its clients were told of."""
    SWAPPED = "swapped"
    """Steps told in another order, to one receiver or to some."""
    ALTERED = "altered"
    """Two contents of one step, or a snapshot that shows something else than the steps up to it."""
    BACKDATED = "backdated"
    """A step under an older epoch than the one before it: two processes write one room."""
    UNFOUNDED = "unfounded"
    """An `ok` for what is not the step it names."""
    EARLY = "early"
    """An `ok` before the update of its step."""
    UNINVITED = "uninvited"
    """An update before any snapshot."""
    RESET = "reset"
    """The server says that it has lost steps; on one node that must not be."""
    UNPROVEN = "unproven"
    """The room could not be looked at in the end, so that nobody knows what has become of it."""


LOSSES = frozenset(
    {
        Fault.LOST, Fault.UNFOUNDED, Fault.DENIED, Fault.UNANSWERED, Fault.IMPOSSIBLE, Fault.RESET, Fault.UNPROVEN,
    }
)  # fmt: skip
"""The kinds that mean that something acknowledged or told is not there."""
REPETITIONS = frozenset({Fault.REPEATED, Fault.ANSWERED_TWICE, Fault.UNASKED})
"""The kinds that mean that something came or was done twice."""
DISORDERS = frozenset({Fault.SWAPPED, Fault.ALTERED, Fault.BACKDATED, Fault.EARLY, Fault.UNINVITED})
"""The kinds that mean that not all saw the same steps in the same order."""


@dataclass(frozen=True, slots=True)
class Violation:
    """One fault, and whom it befell: a client's name, or who else has told of it."""

    fault: Fault
    room: str
    seq: int
    witness: str
    text: str

    def __str__(self) -> str:
        return f"{self.fault} in room {self.room} at step {self.seq}, seen by {self.witness}: {self.text}"
