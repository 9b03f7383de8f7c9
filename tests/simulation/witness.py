"""Watches everything that the server sends, and holds it against the log at the moment in which it is sent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from protocol.messages import check_sent
from tests.simulation.history import Histories, RoomHistory
from tests.simulation.network import Link

Wire = dict[str, Any]


CHECK_EVERY = 8
"""Messages after which one is held to its model."""
LAPSED = {"not_your_turn", "stale"}
"""What a hint is answered that comes again when the choice is over."""


class Witness:
    """Hears every message of every connection before it is on its way."""

    def __init__(self, histories: Histories, complain: Callable[[str], None]) -> None:
        self._histories = histories
        self._complain = complain
        self.heard: Counter[str] = Counter()
        """What has been told at all, by kind: shows what a run has been through."""
        self._refused: Counter[tuple[str, str]] = Counter()
        """By player and message id: answers that said that nothing was changed."""
        self._messages = 0
        self._confirmed: set[tuple[str, str]] = set()

    def hear(self, link: Link, message: Wire) -> None:
        """``message`` is being written to ``link``."""
        kind = message["type"]
        message_id = message.get("re")
        if message_id is not None and link.answered[message_id] > link.delivered[message_id]:
            self._complain(f"#{link.number} is answered {message_id} more often than it asked")
        asked = link.asked.get(message_id) if message_id is not None else None
        self._count(asked, message)
        self._messages += 1
        if self._messages % CHECK_EVERY == 0:
            check_sent(message)
        if kind == "update":
            self._hear_update(link, message)
        elif kind in ("snapshot", "hint"):
            self._hear_standing(link, message)
        elif kind == "error":
            self._check_secrets(link, message, self._history_of(asked), during=False)
        if asked is not None and link.player is not None:
            self._hear_answer(link, link.player, asked, message)

    def _hear_update(self, link: Link, message: Wire) -> None:
        history, seq = self._histories.room(message["room"]), message["seq"]
        if not self._is_durable(link, history, message):
            return
        public = [{name: event[name] for name in event if name not in ("hand", "tile") or _is_play(event)}
                  for event in message["events"]]  # fmt: skip
        if history.told.setdefault(seq, public) != public:
            self._complain(f"step {seq} of {history.code} is told in two ways: {history.told[seq]} and {public}")
        if message["epoch"] != history.steps[seq - 1].epoch:
            self._complain(f"step {seq} of {history.code} is told under epoch {message['epoch']}")
        self._check_secrets(link, message, history, during=True)

    def _hear_standing(self, link: Link, message: Wire) -> None:
        """Hear what tells how a table stands."""
        history = self._histories.room(message["room"])
        if self._is_durable(link, history, message):
            self._check_secrets(link, message, history, during=False)

    def _is_durable(self, link: Link, history: RoomHistory, message: Wire) -> bool:
        if message["seq"] > history.head:
            self._complain(f"#{link.number} is told step {message['seq']} of {history.code} before it is durable")
            return False
        return True

    def _check_secrets(self, link: Link, message: Wire, history: RoomHistory | None, *, during: bool) -> None:
        if history is None or not history.steps:
            return
        if "seq" in message:
            known = (history.during if during else history.after)[message["seq"] - 1]
        else:  # decided before steps that are durable by now, but not told
            known = history.after[max(history.told, default=1) - 1].joined(history.after[-1])
        found = known.leaks(link.player, str(message))
        if found:
            self._complain(f"#{link.number} ({link.player}) is told {found} of {history.code} in {message}")

    def _hear_answer(self, link: Link, player: str, asked: Wire, message: Wire) -> None:
        """What was accepted is in the log, and is answered alike ever after.

        A copy that came before may have been refused, and its answer may come last: only what was asked on a newer
        connection, or after the answer, must be known.
        """
        key = (player, asked["id"])
        history = self._history_of(asked, message)
        seq = None if history is None else history.accepted.get(key)
        is_known = key in self._confirmed or (history is not None and history.was_accepted_before(key, link.opened))
        self.heard["answered again"] += is_known
        if message["type"] == "error":
            # A copy of a hint whose choice is over: the first may have been accepted, and its answer lost.
            self._refused[key] += asked["type"] != "hint" or message["code"] not in LAPSED
            if history is not None and is_known and message["code"] not in _excuses(history, key):
                self._complain(f"{asked['id']} made step {seq} and is refused: {message}")
            return
        if seq is not None:
            self._confirmed.add(key)
        if message["type"] == "ok" and asked["type"] != "sync" and message.get("seq") != seq:
            self._complain(f"{asked['id']} is answered step {message.get('seq')}, but the log has {seq}")

    def _count(self, asked: Wire | None, message: Wire) -> None:
        if message["type"] == "error":
            self.heard[f"error {message['code']}"] += 1
        elif message["type"] == "update":
            self.heard.update(event["type"] for event in message["events"])
        elif message.get("reset"):
            self.heard["reset"] += 1
        elif message["type"] == "ok" and asked is not None and asked["type"] == "sync":
            self.heard["resumed"] += 1

    def _history_of(self, asked: Wire | None, answer: Wire | None = None) -> RoomHistory | None:
        for message in (asked, answer):
            room = None if message is None else message.get("room")
            if isinstance(room, str) and room in self._histories.rooms:
                return self._histories.rooms[room]
        return None

    def check_refusals(self, delivered: Counter[tuple[str, str]]) -> None:
        """What was refused each time that it was ``delivered`` has changed nothing."""
        for history in self._histories.rooms.values():
            for key, seq in history.accepted.items():
                if self._refused[key] and self._refused[key] == delivered[key]:
                    self._complain(f"{key[1]} was only ever refused, but made step {seq} of {history.code}")


def _excuses(history: RoomHistory, key: tuple[str, str]) -> set[str]:
    """Why a message that was accepted may be refused when it comes again."""
    excuses = {"unavailable", "rate_limited", "no_such_room"}
    cause = history.causes[history.accepted[key] - 1]
    if cause is not None and cause.answer == "snapshot":
        excuses.add("not_seated")  # who has no part in the table any more is shown nothing of it
    if cause is not None and cause.answer == "hint":
        excuses |= LAPSED
    return excuses


def _is_play(event: Wire) -> bool:
    return bool(event["type"] == "played")
