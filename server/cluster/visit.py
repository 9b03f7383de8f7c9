"""What one connected player is told of one room, without a gap, wherever the room is."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from protocol.convert import Wire
from protocol.messages import client as messages
from server.cluster.asked import PASSING, Asked, Pending
from server.cluster.directory import NodeId
from server.dispatch import Visitor
from server.outgoing import Outgoing

STEP_OF = {"ok": "seq", "consent_asked": "ask"}
"""Where an answer names a step that everybody is told."""


@dataclass(slots=True, eq=False)
class Visit:
    """Updates are passed on in order and without a gap, also while the room moves from one node to another."""

    number: int
    visitor: Visitor
    room: str
    owner: NodeId | None = None
    is_listening: bool = False
    """The room tells this visitor its steps."""
    asked: Asked = field(default_factory=Asked)
    is_watching: bool = False
    """The visitor has no seat, so nobody but a newcomer can go on in its place."""
    resuming: str | None = None
    """The id of a question of our own that is on its way: the room has moved, or something of it was lost."""
    _resuming_since: float = 0.0
    _is_reset: bool = False
    """Since that was asked the room has said by itself that steps are lost, which is told once."""
    _has_hands: bool = False
    """The visitor has several seats, whose hands are covered wherever the room goes on."""
    _told: tuple[int | None, int] | None = None
    """Epoch and number of the newest step that was passed on; no epoch where the client has named none."""
    _early: dict[str, Outgoing] = field(default_factory=dict)
    """Answers that name a step which was lost on its way: they wait for it."""
    _synced_by: str | None = None
    """The id of the newest question of the client for steps."""
    _again_after: int | None = None
    """The client itself asks for the steps after this one once more."""

    @property
    def is_idle(self) -> bool:
        """Nothing is asked, and nothing will be told."""
        return not self.is_listening and not self.asked.pending and self.resuming is None

    def is_late(self, before: float) -> bool:
        """Nobody has answered what was asked before that, or nobody is known who could tell the next step."""
        is_stuck = self.resuming is not None and self._resuming_since < before
        return self.asked.is_late(before) or is_stuck or (self.owner is None and self.is_listening)

    def ask(self, pending: Pending, message_id: str) -> None:
        """``pending`` goes to the owner under this id; perhaps it has done so before and waits for its answer."""
        self.asked.add(pending, message_id)
        message = pending.message
        if isinstance(message, messages.Sync) and message.after is not None:
            if message_id == self._synced_by and self._told is not None and self._told[1] > message.after:
                # It is said again, for it was not answered; but the steps that it asks for have come.
                epoch, seq = self._told
                pending.message = message.model_copy(update={"epoch": epoch, "after": seq})
                self._again_after = seq
                return
            self._synced_by = message_id
            self._again_after = message.after
            if self._told is None:
                self._told = (message.epoch, message.after)

    def resume(self, message_id: str, now: float) -> messages.Sync | messages.Watch:
        """Ask for what was told since; for everything, where no updates would tell all, or watchers are forgotten."""
        self.resuming, self._resuming_since, self._is_reset = message_id, now, False
        if self.is_watching:
            return messages.Watch(type="watch", id=message_id, room=self.room)
        epoch, seq = (None, None) if self._told is None or self._has_hands else self._told
        return messages.Sync(type="sync", id=message_id, room=self.room, epoch=epoch, after=seq)

    def take(self, outgoing: Outgoing) -> bool:
        """Pass on what the room says. False: steps are missing before it, so it is not passed on."""
        message = outgoing.message
        re = message.get("re")
        if re is not None and re == self.resuming:
            self._resumed(outgoing)
        elif re is not None:
            if not self.asked.is_said_again(re, message):
                self.answer(re, outgoing)
        elif message["type"] == "update":
            return self._take_update(outgoing)
        else:
            self._note(message)
            self._is_reset |= bool(message.get("reset"))
            self.visitor.send(outgoing)
        return True

    def _resumed(self, outgoing: Outgoing) -> None:
        message = outgoing.message
        is_refused = message["type"] == "error"
        if is_refused and message["code"] in PASSING:
            self._resuming_since = -math.inf  # nothing is known: `is_late` has it asked again
            for message_id in self.asked.refusable():
                self.answer(message_id, Outgoing({**message, "re": message_id}))
            return
        self.resuming = None
        if is_refused:
            self.is_listening = False
            if not self._leaves:
                self.visitor.come_again()
        elif message["type"] == "snapshot":
            self._note(message)
            self.visitor.send(unasked(outgoing, "reset") if self._is_reset else unasked(outgoing))
        early, self._early = self._early, {}
        for message_id, answer in early.items():
            self.answer(message_id, answer)

    @property
    def _leaves(self) -> bool:
        """The visitor has asked to leave, so it is no surprise to have no part in the room."""
        return any(isinstance(pending.message, messages.Leave) for pending in self.asked.pending.values())

    def answer(self, re: str, outgoing: Outgoing) -> None:
        """Pass on the answer to what was asked under ``re``, unless it tells of a step that has not been passed on."""
        if self.resuming is not None and self._is_early(outgoing.message):
            self._early[re] = outgoing
            return
        pending = self.asked.pending.pop(re, None)
        if pending is None:
            return  # it was asked again at another owner, and both have answered
        if isinstance(pending.message, messages.Sync):
            self._again_after = None
        self._note(outgoing.message)
        pending.answer(outgoing)

    def _is_early(self, message: Wire) -> bool:
        """Whether it is said of a step that has not been passed on."""
        step = message.get(STEP_OF.get(message["type"], ""), 0)
        return self._told is not None and step > self._told[1]

    def _take_update(self, outgoing: Outgoing) -> bool:
        seq = outgoing.message["seq"]
        newest = None if self._told is None else self._told[1]
        if seq in (_next(newest), _next(self._again_after)):
            if seq == _next(self._again_after):
                self._again_after = None
            self._told = (outgoing.message["epoch"], seq)
            self.visitor.send(outgoing)
            return True
        return newest is not None and seq <= newest

    def _note(self, message: Wire) -> None:
        if message["type"] == "snapshot":
            self._told = (message["epoch"], message["seq"])
            self.is_watching = message["you"]["watching"]
            self._has_hands = len(message["you"]["seats"]) > 1


def _next(seq: int | None) -> int | None:
    return None if seq is None else seq + 1


def unasked(outgoing: Outgoing, *told: str) -> Outgoing:
    """The same without the id that it answers, as the client has used none or has not asked, and what was ``told``."""
    return Outgoing({name: value for name, value in outgoing.message.items() if name not in ("re", *told)})
