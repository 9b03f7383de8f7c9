"""What one connected player has asked of one room and got no answer to yet, whichever node has the room meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from protocol.convert import Wire
from protocol.errors import ErrorCode
from protocol.messages import ClientMessage
from protocol.messages import client as messages
from server.advising import HINT_PATIENCE, REVIEW_PATIENCE
from server.outgoing import Outgoing

MAX_PENDING = 64
"""Messages of one visit that may wait for their answer."""
PASSING = (ErrorCode.UNAVAILABLE, ErrorCode.DRAINING, ErrorCode.INTERNAL)
"""What an owner says that can do better a little later."""
CHANGES_NOTHING = (messages.Show, messages.Review, messages.Sync, messages.Record)
"""What may be said again at any time: no room remembers that it was said."""


@dataclass(slots=True)
class Pending:
    """A message on its way to the room's owner, and what takes the answer."""

    message: ClientMessage
    reply: Callable[[Outgoing], None]
    since: float
    is_said: bool = False
    """Its owner has it. It waits for that until the visit has been told what the room has said meanwhile."""
    may_count: bool = False
    """Some owner has had it: nobody but the log can say that it has changed nothing."""
    place: int = 0
    """Which of the visit's messages it was, in the order in which they were first said to an owner."""
    unanswered: int = 0
    """How often it was said to its owner without an answer, as far as is known."""
    opens: bool = False
    """It may open the room at this node, if there is none of that code."""
    again: list[Callable[[Outgoing], None]] = field(default_factory=list)
    """What take the answer too: the client has said the same under the same id since."""

    @property
    def is_remembered(self) -> bool:
        """A room that has accepted it knows that, until the player has said enough else."""
        return not isinstance(self.message, CHANGES_NOTHING)

    @property
    def due_after(self) -> float:
        """When its answer should be there: what is searched for takes its time. Seconds, monotonic."""
        match self.message:
            case messages.Hint():
                return self.since + HINT_PATIENCE
            case messages.Review():
                return self.since + REVIEW_PATIENCE
            case _:
                return self.since

    def answer(self, outgoing: Outgoing) -> None:
        """Each time that it was said is answered."""
        for reply in (self.reply, *self.again):
            reply(outgoing)


@dataclass(slots=True, eq=False)
class Asked:
    """All that waits for its answer: it is said again until somebody gives one, and answered once."""

    pending: dict[str, Pending] = field(default_factory=dict)
    """By the id under which it went to the owner, in the order in which it was said."""
    _said: int = 0
    """Messages that some owner has had."""

    @property
    def waiting(self) -> int:
        """How many answers are waited for."""
        return sum(1 + len(pending.again) for pending in self.pending.values())

    def is_late(self, before: float) -> bool:
        """Nobody has answered what was asked before that."""
        return any(pending.due_after < before for pending in self.pending.values())

    def refusable(self) -> list[str]:
        """The ids of the messages of which it is known that they have changed nothing."""
        return [message_id for message_id, pending in self.pending.items() if not pending.may_count]

    def add(self, pending: Pending, message_id: str) -> None:
        """``pending`` goes to the owner under this id; perhaps it has done so before and waits for its answer."""
        earlier = self.pending.get(message_id)
        if earlier is not None:
            pending.again = [earlier.reply, *earlier.again]
            pending.opens |= earlier.opens
            pending.may_count |= earlier.may_count
            pending.place, pending.unanswered = earlier.place, earlier.unanswered
        self.pending[message_id] = pending

    def may_say(self, pending: Pending, remembered: int) -> bool:
        """Whether everything that waits could be said again afterwards, to a room that remembers so many answers.

        0: it remembers all. What was said before may be said again in any case, for it was seen to then.
        """
        if not remembered or pending.may_count:
            return True
        counted = (one.place for one in self.pending.values() if one.may_count and one.is_remembered)
        oldest = next(counted, None)
        return oldest is None or self._said - oldest < remembered - 1

    def note_said(self, pending: Pending, now: float) -> None:
        """``pending`` goes to the owner."""
        if not pending.may_count:
            self._said += 1
            pending.place = self._said
        pending.is_said = pending.may_count = True
        pending.since = now
        pending.unanswered += 1

    def say_all_again(self, now: float) -> None:
        """What waits is to be said once more."""
        for pending in self.pending.values():
            pending.is_said, pending.since = False, now

    def left(self) -> None:
        """Nothing that its owner has not answered until now will be answered by it."""
        for pending in self.pending.values():
            pending.unanswered = 0

    def is_said_again(self, re: str, message: Wire) -> bool:
        """Whether this is no answer yet: it says that nothing has counted, but what was said once more still may."""
        pending = self.pending.get(re)
        if pending is None:
            return False
        pending.unanswered -= 1
        return message["type"] == "error" and message["code"] in PASSING and pending.unanswered > 0
