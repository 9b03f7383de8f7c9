"""One live table with its log."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import structlog

from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import client as messages
from server.alarm import Alarm, due_request
from server.answers import Answers, Unlogged
from server.audience import Audience, has_part
from server.journal import Entry
from server.listener import Listener
from server.outgoing import Outgoing
from server.store.base import Step as StoredStep
from server.table import log
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
from server.table.evolve import Step, created, evolve
from server.table.log import Cause
from server.table.state import PlayerId, Table
from server.world import World

Wire: TypeAlias = dict[str, Any]

Say: TypeAlias = Callable[[], None]
"""Something that is said to a listener when the time has come."""

MAX_HELD = 100
"""Answers that may wait for one step; whoever asks for more while the store takes its time gets ``unavailable``."""

logger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Hooks:
    """Whom a room tells what has become of it."""

    changed: Callable[[Room, Table | None], None]
    """Called with the room and the table before it, when a step was taken into memory."""
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
        self._last: Entry | None = None
        self._untold: deque[tuple[Step, Table]] = deque()
        """Steps on their way to the store, each with the table after it."""
        self._unsettled: list[tuple[Listener, str | None]] = []
        """Who waits for the log to say whether a step counts that may have been written, or not."""
        self._entering: dict[PlayerId, Listener] = {}
        """Who listens as soon as the answer can be given: the newest connection of each player that asked to."""
        self._alarm = Alarm(world.clock, world.limits, self._wake)

    @classmethod
    def load(cls, code: str, steps: Sequence[StoredStep], epoch: int, world: World, hooks: Hooks) -> Room:
        """The room as its log made it.

        Raises:
            ValueError: the log is not that of a room.
        """
        table: Table | None = None
        room: Room | None = None
        for stored in steps:
            step, cause, also = log.unpack_all(stored.seq, stored.epoch, stored.payload)
            table = created(code, step) if table is None else evolve(table, step)
            if room is None:
                room = cls(table, epoch, world, hooks)
            room.table = table
            room.audience.note(step, table)
            for other in also:
                room._remember(other, None)
            if cause is not None:
                room._remember(cause, step.seq)
        if room is None:
            raise ValueError(f"room {code} has no steps")
        return room

    @property
    def code(self) -> str:
        """The room's code."""
        return self.table.room

    # Requests

    def handle(self, listener: Listener, message: RoomMessage) -> None:
        """Decide ``message`` and journal the step. The answer waits until the journal has it."""
        if self.answer_again(listener, message.id):
            return
        try:
            self._require_open()
            decided = decide(self.table, listener.actor, message, self._moment(), self._world.limits)
        except ProtocolError as refusal:
            refusal.re = message.id
            self._when_durable(listener, message.id, partial(listener.send, Outgoing(refusal.to_wire())))
            return
        except Exception:
            self._hooks.broken(self)
            raise
        answer = partial(self._answer, listener, message, None if decided.step is None else decided.step.seq)
        cause = None
        if message.id is not None and not isinstance(message, messages.Sync):
            kind = "snapshot" if isinstance(message, messages.Join | messages.Watch) else "ok"
            cause = Cause(listener.actor.player, message.id, kind)
        if isinstance(message, messages.Join | messages.Watch | messages.Sync):
            self._entering[listener.actor.player] = listener
        if decided.step is not None:
            self._commit(decided, cause, answer, partial(self._wait, listener, message.id))
        else:
            self._when_durable(listener, message.id, answer)
            if cause is not None:
                self._answers.remember_unchanged(cause, self.table.seq, self._seated())

    def open(self, decided: Decided, listener: Listener, message: messages.Create | messages.Quick) -> None:
        """Journal the creation and answer its sender."""
        cause = None if message.id is None else Cause(listener.actor.player, message.id, "snapshot")
        answer = partial(self._enter, listener, message.id)
        self._commit(decided, cause, answer, partial(self._wait, listener, message.id))

    def has_answered(self, player: PlayerId, message_id: str | None) -> bool:
        """Whether a message of ``player`` under this id was accepted and is remembered."""
        return self._answers.find(player, message_id) is not None

    def answer_again(self, listener: Listener, message_id: str | None) -> bool:
        """Give the first answer once more, a snapshot afresh, if there was one under this id."""
        first = self._answers.find(listener.actor.player, message_id)
        if first is None:
            return False
        if self.is_broken and len(self._unsettled) < MAX_HELD:
            self._wait(listener, message_id)
        elif self.is_broken:
            _unavailable(listener, message_id)
        elif first.kind == "ok":
            answer = Outgoing(_ok(message_id, first.seq))
            self._when_durable(listener, message_id, partial(listener.send, answer))
        else:
            self._entering[listener.actor.player] = listener
            self._when_durable(listener, message_id, partial(self._enter_again, listener, message_id))
        return True

    def lost(self, listener: Listener) -> None:
        """The connection of ``listener`` is gone."""
        if self.audience.remove(listener):
            self._serve(Lost(listener.actor.player))

    def restarted(self) -> None:
        """This process has just taken the room: nobody is connected yet."""
        self._serve(Restarted())
        if self._last is None:
            self.arm()

    def take_over(self, broken: Room) -> None:
        """Go on for ``broken``, which stopped at a step that may not have been written.

        Its listeners stay. Whatever of the log they have not been told they are told now, and whoever waits to hear
        whether a message counted gets the answer.
        """
        seen = broken.audience.told.seq
        for listener in broken.audience.dissolve():
            self.audience.tell_again(listener, self.audience.since(seen))
            if has_part(self.audience.told, listener.actor.player):
                self.audience.add(listener)
        self._answers.adopt(broken._answers, self.table.seq, self._seated())
        for listener, message_id in broken._unsettled:
            if not self.answer_again(listener, message_id):
                _unavailable(listener, message_id)
        self._call_the_roll()
        if self._last is None:
            self.arm()

    def give_up(self) -> None:
        """The log has no such room: its creation did not count, or its end did, though the store reported a failure."""
        code = ErrorCode.UNAVAILABLE
        if self.table.closed:
            code = ErrorCode.NO_SUCH_ROOM
            for step, after in self._untold:
                self.audience.tell(step, after)
        self.audience.dissolve()
        self.answer_unsettled(code)

    def answer_unsettled(self, code: ErrorCode) -> None:
        """Tell who waits to hear whether a message counted that nothing better can be said than ``code``."""
        for listener, message_id in self._unsettled:
            listener.send(Outgoing(ProtocolError(code, re=message_id).to_wire()))
        self._unsettled.clear()

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
        decided = decide_for_server(self.table, request, self._moment(), self._world.limits)
        if decided.step is not None:
            self._commit(decided, None, _nothing, _nothing)

    def _moment(self) -> Moment:
        return Moment(self._world.clock.time(), self.epoch, self._world.random_bytes)

    def _require_open(self) -> None:
        if self.is_broken or self._world.journal.is_full:
            raise ProtocolError(ErrorCode.UNAVAILABLE)
        if self.table.closed:
            raise ProtocolError(ErrorCode.NO_SUCH_ROOM)

    # Journal

    def _commit(self, decided: Decided, cause: Cause | None, answer: Say, unanswered: Say) -> None:
        """Take the step into memory and hand it to the journal; ``answer`` follows when it is durable."""
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
        stored = StoredStep(self.code, step.seq, step.epoch, payload, closes=self.table.closed)
        told = partial(self._told, step, decided.after, answer, also)
        self._last = Entry(stored, told, failed=partial(self._failed, unanswered))
        self._world.journal.add(self._last)

    def _told(self, step: Step, after: Table, answer: Say, also: Sequence[Unlogged]) -> None:
        """``step`` is durable: everybody hears of it, then the sender gets its answer."""
        self._answers.logged(also)
        if self.table.seq == step.seq:
            self._last = None
        self._untold.popleft()
        try:
            self.audience.tell(step, after)
            answer()
            self.audience.remove_strangers()
            if after.closed:
                self.audience.dissolve()
                self._hooks.closed(self)
        except Exception:
            logger.exception("room.telling", room=self.code, seq=step.seq)
            self._hooks.broken(self)
            return
        if self._last is None:
            self.arm()

    def _failed(self, unanswered: Say) -> None:
        """A step may not have been written: nobody was told of it, and the log decides."""
        self._last = None
        if not self.is_broken:
            self._hooks.broken(self)
        unanswered()

    def _wait(self, listener: Listener, message_id: str | None) -> None:
        """Answer once the room has been read from the log: `unavailable` says that nothing has changed."""
        self._unsettled.append((listener, message_id))

    def _when_durable(self, listener: Listener, message_id: str | None, say: Say) -> None:
        """Say something that may hang on steps which the journal does not have yet."""
        if self._last is None:
            say()
        elif len(self._last.held) >= MAX_HELD:
            self._has_come(listener)
            _unavailable(listener, message_id)
        else:
            self._last.held.append((say, partial(self._wait, listener, message_id)))

    def _remember(self, cause: Cause, seq: int | None) -> None:
        self._answers.remember(cause, seq, self._seated())

    def _seated(self) -> list[PlayerId | None]:
        return [place.player for place in self.table.places]

    # Answers

    def _answer(self, listener: Listener, message: RoomMessage, seq: int | None) -> None:
        match message:
            case messages.Join() | messages.Watch():
                self._enter(listener, message.id)
            case messages.Sync():
                self._resume(listener, message)
            case messages.Leave():
                self.audience.remove(listener)
                listener.send(Outgoing(_ok(message.id, seq)))
            case _:
                listener.send(Outgoing(_ok(message.id, seq)))

    def _resume(self, listener: Listener, message: messages.Sync) -> None:
        if self.audience.resume(listener, message.after, message.epoch):
            listener.send(Outgoing(_ok(message.id, self.audience.told.seq)))
            self._subscribe(listener)
        else:
            reset = message.after is not None and self.audience.is_reset(message.after, message.epoch)
            self._enter(listener, message.id, reset=reset)

    def _enter(self, listener: Listener, message_id: str | None, *, reset: bool = False) -> None:
        """Answer with a snapshot; the listener is told every later step."""
        self.audience.snapshot(listener, message_id, reset=reset)
        self._subscribe(listener)

    def _enter_again(self, listener: Listener, message_id: str | None) -> None:
        """A message that was answered with a snapshot came again; its sender may have lost the part it had."""
        if has_part(self.audience.told, listener.actor.player):
            self._enter(listener, message_id)
        else:
            self._has_come(listener)
            refusal = ProtocolError(ErrorCode.NOT_SEATED, "you are not at this table any more", re=message_id)
            listener.send(Outgoing(refusal.to_wire()))

    def _subscribe(self, listener: Listener) -> None:
        player = listener.actor.player
        is_newest = self._has_come(listener)
        if not has_part(self.audience.told, player):
            return
        if listener.is_open:
            self.audience.add(listener)
            self._serve(Returned(listener.actor))
        elif is_newest and player not in self.audience.listeners:
            self._serve(Lost(player))

    def _has_come(self, listener: Listener) -> bool:
        """``listener`` gets its answer. False: a newer connection of the same player waits for one."""
        player = listener.actor.player
        if self._entering.get(player, listener) is not listener:
            return False
        self._entering.pop(player, None)
        return True

    # Time

    def arm(self) -> None:
        """Sleep until the table next has something to do by itself."""
        if self.table.closed or self.is_broken:
            self._alarm.cancel()
        else:
            self._alarm.set(self.table)

    def disarm(self) -> None:
        """Do nothing any more when time passes."""
        self._alarm.cancel()

    def _wake(self) -> None:
        try:
            self._serve(due_request(self.table, self._world.clock.time(), self._world.house))
        except Exception:
            logger.exception("room.timer", room=self.code, seq=self.table.seq)
            self._hooks.broken(self)
            return
        if self._last is None:
            self.arm()


def _ok(message_id: str | None, seq: int | None) -> Wire:
    answer: Wire = {"type": "ok"}
    if message_id is not None:
        answer["re"] = message_id
    if seq is not None:
        answer["seq"] = seq
    return answer


def _unavailable(listener: Listener, message_id: str | None) -> None:
    listener.send(Outgoing(ProtocolError(ErrorCode.UNAVAILABLE, re=message_id).to_wire()))


def _nothing() -> None:
    """Nobody waits for an answer to what the server itself did."""
