"""One live table with its log."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import structlog

from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import client as messages
from server import views
from server.advising import Advising
from server.alarm import Alarm, due_request
from server.answers import Answer, Answers, Unlogged
from server.audience import Audience
from server.journal import Entry
from server.limits import Limits
from server.listener import Listener
from server.promises import Promise, Promises, Say
from server.replies import Question, Replies, kind_of_answer
from server.store.base import Step as StoredStep
from server.table import checkpoint, log
from server.table.decide import (
    Decided,
    Lost,
    Restarted,
    Returned,
    RoomMessage,
    ServerRequest,
    decide,
    decide_for_server,
)
from server.table.draft import Moment
from server.table.events import MatchOver
from server.table.evolve import Step, created, evolve
from server.table.log import Cause
from server.table.state import Actor, PlayerId, Table
from server.table.timers import endless
from server.thinking import Thinking
from server.world import World

CHECKPOINT_EVERY = 256
"""Steps from one written-down table to the next: a room that is loaded folds that many and `TAIL` more at most.

The table at the beginning of a match is written down too: whoever makes the match's record needs it and no more.
"""

logger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Hooks:
    """Whom a room tells what has become of it."""

    changed: Callable[[Room, Table | None], None]
    """Called with the room and the table before it, when a step was taken into memory."""
    told: Callable[[Table, Table], None]
    """Called with the tables before and after each step, when the step is durable and told."""
    ended: Callable[[str, str], None]
    """Called with the room's code and the id of the record when the end of a match is durable and told."""
    closed: Callable[[Room], None]
    """Called when the room's last step is durable and told."""
    broken: Callable[[Room], None]
    """Called when memory and log of a room may differ: it is to be rebuilt from the log."""


class Room:
    """Synchronous: no await between a request and the journal, so no lock and no queue.

    ``table`` may run ahead of the journal within a batch; what the room says waits until the journal has every step
    that it was said on.
    """

    def __init__(self, table: Table, epoch: int, world: World, hooks: Hooks) -> None:
        self.table = table
        self.epoch = epoch
        self.audience = Audience(self, table, world.clock)
        self.is_broken = False
        self.read_again_at = -math.inf
        """When the room was rebuilt from the log."""
        self._world = world
        self._hooks = hooks
        self._answers = Answers(world.limits.answered_ids)
        self._untold: deque[tuple[Step, Table]] = deque()
        """Steps on their way to the store, each with the table after it."""
        self._advising = Advising(self.audience, world.house, world.clock)
        self._replies = Replies(self.audience, self._advising, self._serve)
        self._promises = Promises(self.audience, self._advising, self._replies, partial(hooks.broken, self))
        self._thinking = Thinking(world.house, epoch)
        self._alarm = Alarm(world.clock, self._thinking, self._wake)
        self._rests = False

    @classmethod
    def load(cls, code: str, steps: Sequence[StoredStep], epoch: int, world: World, hooks: Hooks) -> Room:
        """The room as its log made it.

        Raises:
            ValueError: the log is not that of a room.
        """
        if not steps:
            raise ValueError(f"room {code} has no steps")
        first, *others = steps
        if first.checkpoint is None:
            step, cause, also = log.unpack_all(first.seq, first.epoch, first.payload)
            room = cls(created(code, step), epoch, world, hooks)
            room._recall(step, cause, also)
        else:
            table, answers = checkpoint.unpack(first.checkpoint)
            room = cls(table, epoch, world, hooks)
            room._answers.recall(answers)
        for stored in others:
            step, cause, also = log.unpack_all(stored.seq, stored.epoch, stored.payload)
            room.table = evolve(room.table, step)
            room._recall(step, cause, also)
        return room

    def _recall(self, step: Step, cause: Cause | None, also: Sequence[Cause]) -> None:
        """``step`` of the log has led to the table."""
        self.audience.note(step, self.table)
        for other in also:
            self._remember(other, None)
        if cause is not None:
            self._remember(cause, step.seq)

    @property
    def code(self) -> str:
        """The room's code."""
        return self.table.room

    @property
    def is_durable(self) -> bool:
        """Its first step is: there was a room."""
        return not self._untold or self._untold[0][0].seq > 1

    @property
    def is_settled(self) -> bool:
        """Nothing of it is on its way to the store, and memory is what the log says."""
        return self._promises.newest is None and not self.is_broken

    # Requests

    def handle(self, listener: Listener, message: RoomMessage) -> None:
        """Decide ``message`` and journal the step. The answer waits until the journal has it."""
        if self.answer_again(listener, message.id):
            return
        try:
            decided = self._decide(listener.actor, message)
        except ProtocolError as refusal:
            self._promises.refuse(listener, message.id, refusal)
            return
        except Exception:
            self._hooks.broken(self)
            raise
        answer = partial(self._replies.answer, listener, message, decided.step)
        cause = None
        if message.id is not None and not isinstance(message, messages.Sync):
            cause = Cause(listener.actor.player, message.id, kind_of_answer(message, decided.step))
        if isinstance(message, messages.Join | messages.Watch | messages.Sync):
            self._replies.expect(listener)
        if decided.step is not None:
            self._commit(decided, cause, self._promises.make(listener, message.id, answer))
        else:
            self._promises.when_durable(listener, message.id, answer)
            if cause is not None:
                self._answers.remember_unchanged(cause, self.table.seq, self._seated())

    def _decide(self, actor: Actor, message: RoomMessage) -> Decided:
        self._require_open()
        try:
            decided = decide(self.table, actor, message, self._moment(), self._world.limits)
        except ProtocolError as refusal:
            if refusal.code is ErrorCode.ILLEGAL_ACTION:
                self._advising.require_shown(actor.player, self.table)
                refusal.legal = views.legal_for(self.table)
            raise
        if isinstance(message, messages.Act | messages.Hint):
            self._advising.require_shown(actor.player, self.table)
        return decided

    def ask(self, listener: Listener, message: Question) -> None:
        """Answer ``message``, which is no step: a hand that is uncovered (H3) belongs to the connection."""
        try:
            self._require_open()
        except ProtocolError as refusal:
            self._promises.refuse(listener, message.id, refusal)
        else:
            self._promises.when_durable(listener, message.id, partial(self._replies.tell, listener, message))

    def open(self, decided: Decided, listener: Listener, message: messages.Create | messages.Quick) -> None:
        """Journal the creation and answer its sender."""
        cause = None if message.id is None else Cause(listener.actor.player, message.id, "snapshot")
        answer = partial(self._replies.enter, listener, message.id)
        self._commit(decided, cause, self._promises.make(listener, message.id, answer))

    def has_answered(self, player: PlayerId, message_id: str | None) -> bool:
        """Whether a message of ``player`` under this id was accepted and is remembered."""
        return self._answers.find(player, message_id) is not None

    def _first_answer(self, listener: Listener, message_id: str | None) -> Answer | None:
        return self._answers.find(listener.actor.player, message_id)

    def answer_again(self, listener: Listener, message_id: str | None) -> bool:
        """Give the first answer once more, a snapshot afresh, if there was one under this id."""
        first = self._first_answer(listener, message_id)
        if first is None:
            return False
        if self.is_broken:
            self._promises.wait_for_log(listener, message_id)
        else:
            self._promises.answer_again(listener, message_id, first)
        return True

    def lost(self, listener: Listener) -> None:
        """The connection of ``listener`` is gone."""
        if self.audience.remove(listener):
            self._serve(Lost(listener.actor.player))

    def restarted(self) -> None:
        """This process has just taken the room: nobody is connected yet."""
        self._serve(Restarted())
        self.arm()

    def take_over(self, broken: Room) -> None:
        """Go on for ``broken``, which stopped at a step that may not have been written.

        Its listeners stay. Whatever of the log they have not been told they are told now, or that the store has lost
        what they were told, and whoever waits to hear whether a message counted gets the answer.
        """
        self.audience.take_over(broken.audience)
        self._answers.adopt(broken._answers, self.table.seq, self._seated())
        self._promises.take_over(broken._promises, self.answer_again)
        self._call_the_roll()
        self.arm()

    def end_as_logged(self) -> None:
        """The log has no such room: its creation did not count, or its end did, though the store reported a failure."""
        if not self.table.closed:
            self.hand_over()
            return
        for step, after in self._untold:
            self.audience.tell(step, after)
        self.audience.dissolve()
        self._promises.settle_last(self._first_answer)

    def hand_over(self) -> None:
        """The room is not here any more: nobody listens, and who waits hears that nothing is known."""
        self.audience.dissolve()
        self._promises.refuse_unsettled(ErrorCode.UNAVAILABLE)

    def refuse_unsettled(self, code: ErrorCode) -> None:
        """Tell who waits to hear whether a message counted that nothing better can be said than ``code``."""
        self._promises.refuse_unsettled(code)

    def _call_the_roll(self) -> None:
        """Connections were lost, and steps counted that nobody heard of: who listens is there, and nobody else."""
        here = [place.player for place in self.table.places if place.player is not None and place.is_here]
        for player in (*here, *self.table.watchers):
            if player not in self.audience.listeners:
                self._serve(Lost(player))
        for listener in list(self.audience.listeners.values()):
            self._serve(Returned(listener.actor))

    def _serve(self, request: ServerRequest) -> None:
        """Decide what the server itself asks for."""
        if self.is_broken or self.table.closed:
            return
        decided = decide_for_server(self.table, request, self._moment(), self._limits)
        if decided.step is not None:
            self._commit(decided, None, (_nothing, _nothing))

    def _moment(self) -> Moment:
        return Moment(self._world.clock.time(), self.epoch, self._world.random_bytes)

    def _require_open(self) -> None:
        if self.is_broken or self._world.journal.is_full:
            raise ProtocolError(ErrorCode.UNAVAILABLE)
        if self.table.closed:
            raise ProtocolError(ErrorCode.NO_SUCH_ROOM)

    # Journal

    def _commit(self, decided: Decided, cause: Cause | None, promise: Promise) -> None:
        """Take the step into memory and hand it to the journal; what is promised follows."""
        step = decided.step
        if step is None:
            raise ValueError("there is no step to commit")
        before, self.table = (self.table if step.seq > 1 else None), decided.after
        self._hooks.changed(self, before)
        if cause is not None:
            self._remember(cause, step.seq)
        self._untold.append((step, self.table))
        also = self._answers.unlogged
        payload = log.pack(step, cause, [unlogged.cause for unlogged in also])
        stored = StoredStep(self.code, step.seq, step.epoch, payload, self.table.closed, self._checkpoint())
        answer, unanswered = promise
        told = partial(self._told, step, decided.after, answer, also)
        self._promises.newest = Entry(stored, told, failed=partial(self._failed, unanswered))
        self._world.journal.add(self._promises.newest)

    def _checkpoint(self) -> bytes | None:
        begins_match = self.table.match_seq == self.table.seq
        if self.table.seq % CHECKPOINT_EVERY and not begins_match:
            return None
        return checkpoint.pack(self.table, self._answers.to_entry())

    def _told(self, step: Step, after: Table, answer: Say, also: Sequence[Unlogged]) -> None:
        """``step`` is durable: everybody hears of it, then the sender gets its answer."""
        self._answers.logged(also)
        if self.table.seq == step.seq:
            self._promises.newest = None
        self._untold.popleft()
        before = self.audience.told
        try:
            for ended in (event for event in step.events if isinstance(event, MatchOver)):
                self._hooks.ended(self.code, ended.record)  # before anybody hears of it, and may ask for the record
            self.audience.tell(step, after)
            answer()
            if self.is_broken:
                return  # all else that follows is done when the room has been read from the log
            self.audience.remove_strangers()
            self._hooks.told(before, after)
            if after.closed:
                self.audience.dissolve()
                self._hooks.closed(self)
        except Exception:
            logger.exception("room.telling", room=self.code, seq=step.seq)
            self._hooks.broken(self)
            return
        self.arm()

    def _failed(self, unanswered: Say) -> None:
        """A step may not have been written: nobody was told of it, and the log decides."""
        self._promises.newest = None
        if not self.is_broken:
            self._hooks.broken(self)
        unanswered()

    def _remember(self, cause: Cause, seq: int | None) -> None:
        self._answers.remember(cause, seq, self._seated())

    def _seated(self) -> list[PlayerId | None]:
        return [place.player for place in self.table.places]

    # Time

    def arm(self) -> None:
        """Sleep until the table next has something to do by itself; later, if a step is on its way to the store."""
        if self.table.closed or self.is_broken or self._rests:
            self._alarm.cancel()
        elif self._promises.newest is None:
            self._alarm.set(self.table, self._limits)

    @property
    def _limits(self) -> Limits:
        """A room does not end while a record may be missing: of what has ended the store keeps no log."""
        limits = self._world.limits
        return endless(limits) if self._world.archive.is_behind(self.code) else limits

    def is_recorded(self) -> None:
        """All its records are kept: now it may end."""
        self.arm()

    def broke(self) -> None:
        """Memory and log may differ: nothing more is decided here, and the log says how the room goes on."""
        self.is_broken = True
        self.rest()

    def rest(self) -> None:
        """Do nothing any more when time passes, whatever happens."""
        self._rests = True
        self._alarm.cancel()

    def _wake(self) -> None:
        try:
            self._serve(due_request(self.table, self._world.clock.time(), self._thinking))
        except Exception:
            logger.exception("room.timer", room=self.code, seq=self.table.seq)
            self._hooks.broken(self)
            return
        self.arm()


def _nothing() -> None:
    """Nobody waits for an answer to what the server itself did."""
