"""Answers that a room owes: some hang on steps on their way to the store, some can only be given by the log."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

import structlog

from protocol.errors import ErrorCode, ProtocolError
from server.advising import Advising
from server.answers import Answer
from server.audience import Audience
from server.journal import Entry
from server.listener import Listener
from server.outgoing import refusal_of
from server.replies import Replies, short_answer

Say: TypeAlias = Callable[[], None]
"""Something that is said to a listener when the time has come."""
Promise: TypeAlias = tuple[Say, Say]
"""What is done about an answer when the step that it hangs on is durable, and when that may not have been written."""

MAX_HELD = 100
"""Answers that may wait for one step; whoever asks for more while the store takes its time gets ``unavailable``."""

logger = structlog.get_logger(__name__)


class Promises:
    """Every request is answered. ``broken`` is called when an answer has met a fault of ours."""

    def __init__(self, audience: Audience, advising: Advising, replies: Replies, broken: Callable[[], None]) -> None:
        self._audience = audience
        self._advising = advising
        self._replies = replies
        self._broken = broken
        self.newest: Entry | None = None
        """The newest step that is on its way to the store."""
        self._unsettled: list[tuple[Listener, str | None]] = []
        """Who waits for the log to say whether a step counts that may have been written, or is `unavailable`."""

    def make(self, listener: Listener, message_id: str | None, say: Say) -> Promise:
        """``say`` is done when a step is durable that is about to be handed to the journal."""
        return partial(self._say, listener, message_id, say), partial(self._unsettled.append, (listener, message_id))

    def when_durable(self, listener: Listener, message_id: str | None, say: Say) -> None:
        """Say something that may hang on steps which the journal does not have yet."""
        if self.newest is None:
            self._say(listener, message_id, say)
        elif len(self.newest.held) >= MAX_HELD:
            self._replies.has_come(listener)
            _unavailable(listener, message_id)
        else:
            self.newest.held.append(self.make(listener, message_id, say))

    def refuse(self, listener: Listener, message_id: str | None, refusal: ProtocolError) -> None:
        """Say ``refusal`` as soon as what it was decided on is durable."""
        self.when_durable(listener, message_id, partial(listener.send, refusal_of(message_id, refusal)))

    def answer_again(self, listener: Listener, message_id: str | None, first: Answer) -> None:
        """Give the answer ``first`` once more, a snapshot afresh."""
        if first.kind == "hint":
            self.when_durable(listener, message_id, partial(self._advising.hint, listener, message_id))
        elif first.kind != "snapshot":
            answer = short_answer(first.kind, message_id, first.seq)
            self.when_durable(listener, message_id, partial(listener.send, answer))
        else:
            self._replies.expect(listener)
            self.when_durable(listener, message_id, partial(self._replies.enter_again, listener, message_id))

    # Where the log decides

    def wait_for_log(self, listener: Listener, message_id: str | None) -> None:
        """Whether what was said under this id counts is not known before the room is read from its log."""
        if len(self._unsettled) < MAX_HELD:
            self._unsettled.append((listener, message_id))
        else:
            _unavailable(listener, message_id)

    def take_over(self, broken: Promises, answer_again: Callable[[Listener, str | None], bool]) -> None:
        """The room has been read from its log: ``answer_again`` to whoever has waited for that, if the log knows it."""

        def settle(listener: Listener, message_id: str | None) -> None:
            if not answer_again(listener, message_id):
                _unavailable(listener, message_id)

        for listener, message_id in broken._unsettled:
            self._say(listener, message_id, partial(settle, listener, message_id))

    def settle_last(self, first_of: Callable[[Listener, str | None], Answer | None]) -> None:
        """The room has ended. ``first_of`` finds what was answered; nobody listens any more."""
        for listener, message_id in self._unsettled:
            first = first_of(listener, message_id)
            self._say(listener, message_id, partial(self._answer_last, listener, message_id, first))

    def _answer_last(self, listener: Listener, message_id: str | None, first: Answer | None) -> None:
        if first is None or first.kind == "hint":
            listener.send(refusal_of(message_id, ProtocolError(ErrorCode.NO_SUCH_ROOM)))
        elif first.kind == "snapshot":
            self._audience.snapshot(listener, message_id)
        else:
            listener.send(short_answer(first.kind, message_id, first.seq))

    def refuse_unsettled(self, code: ErrorCode) -> None:
        """Nothing better than ``code`` can be said to those who wait for the log."""
        for listener, message_id in self._unsettled:
            listener.send(refusal_of(message_id, ProtocolError(code)))
        self._unsettled.clear()

    def _say(self, listener: Listener, message_id: str | None, say: Say) -> None:
        """Answer a message. Who meets a fault of ours is told so, and the room is read again; others go on."""
        try:
            say()
        except Exception:
            logger.exception("room.answering", room=self._audience.told.room, seq=self._audience.told.seq)
            listener.send(refusal_of(message_id, ProtocolError(ErrorCode.INTERNAL)))
            self._broken()


def _unavailable(listener: Listener, message_id: str | None) -> None:
    listener.send(refusal_of(message_id, ProtocolError(ErrorCode.UNAVAILABLE)))
