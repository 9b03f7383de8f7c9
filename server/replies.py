"""What a room answers, and who listens to it from then on."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from engine.seats import Seat
from protocol.convert import Wire
from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import client as messages
from server.advising import Advising
from server.audience import Audience, has_part
from server.listener import Listener
from server.outgoing import Outgoing, answer_to, refusal_of
from server.table.decide import Lost, Returned, RoomMessage, ServerRequest
from server.table.events import Asked
from server.table.evolve import Step
from server.table.state import PlayerId

Question: TypeAlias = messages.Show | messages.Review
"""What is asked of a room and is no step of it."""


class Replies:
    """Answers for one room. ``serve`` decides what the server itself asks for when somebody has come or is gone."""

    def __init__(self, audience: Audience, advising: Advising, serve: Callable[[ServerRequest], None]) -> None:
        self._audience = audience
        self._advising = advising
        self._serve = serve
        self._entering: dict[PlayerId, Listener] = {}
        """Who listens as soon as the answer can be given: the newest connection of each player that asked to."""

    def expect(self, listener: Listener) -> None:
        """``listener`` will get an answer with which it begins to listen."""
        self._entering[listener.actor.player] = listener

    def answer(self, listener: Listener, message: RoomMessage, step: Step | None) -> None:
        """``message`` was accepted and led to ``step``, if to any."""
        match message:
            case messages.Join() | messages.Watch():
                self.enter(listener, message.id)
            case messages.Sync():
                self._resume(listener, message)
            case messages.Hint():
                self._advising.hint(listener, message.id)
            case _:
                if isinstance(message, messages.Leave):
                    self._audience.remove(listener)
                kind = kind_of_answer(message, step)
                listener.send(short_answer(kind, message.id, None if step is None else step.seq))

    def tell(self, listener: Listener, message: Question) -> None:
        """Answer what changes nothing."""
        if isinstance(message, messages.Review):
            self._advising.review(listener, message)
        else:
            self._show(listener, message)

    def _show(self, listener: Listener, message: messages.Show) -> None:
        """Answer with the hand of a seat of the sender's."""
        hand = self._audience.show(listener, Seat(message.seat))
        if hand is None:
            refusal = ProtocolError(ErrorCode.NOT_SEATED, f"you have no hand at seat {message.seat}", path="seat")
            listener.send(refusal_of(message.id, refusal))
        else:
            listener.send(answer_to(message.id, {"type": "hand", **hand}))

    def _resume(self, listener: Listener, message: messages.Sync) -> None:
        if self._audience.resume(listener, message.after, message.epoch):
            listener.send(short_answer("ok", message.id, self._audience.told.seq))
            self._subscribe(listener)
        else:
            reset = message.after is not None and self._audience.is_reset(message.after, message.epoch)
            self.enter(listener, message.id, reset=reset)

    def enter(self, listener: Listener, message_id: str | None, *, reset: bool = False) -> None:
        """Answer with a snapshot; the listener is told every later step."""
        self._audience.snapshot(listener, message_id, reset=reset)
        self._subscribe(listener)

    def enter_again(self, listener: Listener, message_id: str | None) -> None:
        """A message that was answered with a snapshot came again; its sender may have lost the part it had."""
        if has_part(self._audience.told, listener.actor.player):
            self.enter(listener, message_id)
        else:
            self.has_come(listener)
            refusal = ProtocolError(ErrorCode.NOT_SEATED, "you are not at this table any more")
            listener.send(refusal_of(message_id, refusal))

    def _subscribe(self, listener: Listener) -> None:
        player = listener.actor.player
        is_newest = self.has_come(listener)
        if not has_part(self._audience.told, player):
            return
        if listener.is_open:
            self._audience.add(listener)
            self._serve(Returned(listener.actor))
        elif is_newest and player not in self._audience.listeners:
            self._serve(Lost(player))

    def has_come(self, listener: Listener) -> bool:
        """``listener`` gets its answer. False: a newer connection of the same player waits for one."""
        player = listener.actor.player
        if self._entering.get(player, listener) is not listener:
            return False
        self._entering.pop(player, None)
        return True


def kind_of_answer(message: RoomMessage, step: Step | None) -> str:
    """What is answered to ``message``, which was accepted and led to ``step``, if to any."""
    if isinstance(message, messages.Join | messages.Watch):
        return "snapshot"
    if isinstance(message, messages.Hint):
        return "hint"
    is_asked = step is not None and any(isinstance(event, Asked) for event in step.events)
    return "consent_asked" if is_asked else "ok"


def short_answer(kind: str, message_id: str | None, seq: int | None) -> Outgoing:
    """An answer that says only which step there was: ``ok``, or ``consent_asked``, whose request that step names."""
    answer: Wire = {"type": kind}
    if seq is not None:
        answer["ask" if kind == "consent_asked" else "seq"] = seq
    return answer_to(message_id, answer)
