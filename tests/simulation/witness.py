"""Watches everything that the server sends, and holds it against the log at the moment in which it is sent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Protocol

from protocol.convert import Wire
from protocol.messages import check_sent
from server import views
from server.audience import has_part
from server.limits import Limits
from server.table.state import PlayerId
from tests.simulation import timing
from tests.simulation.curtain import Curtains
from tests.simulation.history import Histories, RoomHistory
from tests.simulation.judge import Case, refusal_hangs_on_hidden_tiles
from tests.simulation.listing import InsightIntoTables, Listings
from tests.simulation.network import Link
from tests.simulation.secrecy import Known
from tests.simulation.shelf import Shelf

CHECK_EVERY = 8
"""Messages after which one is held to its model."""
EXCUSES = ("unavailable", "rate_limited", "no_such_room")
"""Why any message that was accepted may be refused when it comes again."""
LAPSED = {"not_your_turn", "stale", "refused"}
"""What a hint is answered that comes again when the choice is over, or its hand is covered."""
ROUNDING = 0.001
"""Seconds that a duration on the wire may be off."""


class Insight(InsightIntoTables, Protocol):
    """What can be seen of the server from outside its messages."""

    limits: Limits

    def server_time(self) -> float:
        """Seconds of the server's clock."""
        ...


class Witness:
    """Hears every message of every connection before it is on its way."""

    def __init__(self, histories: Histories, insight: Insight, complain: Callable[[str], None]) -> None:
        self._histories = histories
        self._insight = insight
        self._complain = complain
        self.heard: Counter[str] = Counter()
        """What has been told at all, by kind: shows what a run has been through."""
        self._refused: Counter[tuple[str, str]] = Counter()
        """By player and message id: answers that said that nothing was changed."""
        self._curtains = Curtains()
        self._shelf = Shelf(histories, complain)
        self.listings = Listings(histories, insight, complain)
        self._messages = 0
        self._confirmed: set[tuple[str, str]] = set()
        """Messages that were told that they have made a step."""
        self._idle: set[tuple[str, str]] = set()
        """Messages that were told that they have changed nothing, and are accepted."""

    def hear(self, link: Link, message: Wire) -> None:
        """``message`` is being written to ``link``."""
        message_id = message.get("re")
        if message_id is not None and link.answered[message_id] > link.delivered[message_id]:
            self._complain(f"#{link.number} is answered {message_id} more often than it asked")
        asked = link.asked.get(message_id) if message_id is not None else None
        self._count(asked, message)
        self._messages += 1
        if self._messages % CHECK_EVERY == 0:
            check_sent(message)
        self._hear_kind(link, asked, message)
        if asked is not None and link.player is not None:
            self._hear_answer(link, link.player, asked, message)

    def _hear_kind(self, link: Link, asked: Wire | None, message: Wire) -> None:  # one flat case a kind of message
        match message["type"]:
            case "update":
                self._hear_update(link, message)
            case "snapshot" | "hint":
                self._hear_standing(link, message)
            case "error":
                self._hear_refusal(link, asked, message)
            case "welcome":
                self._hear_welcome(message)
            case "hand":
                self._hear_hand(link, message)
            case "record":
                self._shelf.hear(link.player, link.opened, asked, message)
            case "rooms":
                self.listings.hear(link, asked, message)
            case "ok" if asked is not None and asked["type"] == "sync":
                self._curtains.cover(link.number, asked["room"])

    def _hear_update(self, link: Link, message: Wire) -> None:
        history, seq = self._histories.room(message["room"]), message["seq"]
        if not self._is_durable(link, history, message):
            return
        public = [{name: event[name] for name in event if name not in ("hand", "tile") or _is_play(event)}
                  for event in message["events"]]  # fmt: skip
        if public != self._for_strangers(history, seq):
            self._complain(f"step {seq} of {history.code} is told as {public}, but is {history.steps[seq - 1]}")
        if message["epoch"] != history.steps[seq - 1].epoch:
            self._complain(f"step {seq} of {history.code} is told under epoch {message['epoch']}")
        self._check_known(link, message, history.during[seq - 1], history)
        self._check_left(link, message, history)
        self._curtains.hear_update(link.number, message, history.tables[seq - 1])

    def _for_strangers(self, history: RoomHistory, seq: int) -> list[Wire]:
        if seq not in history.public:
            shown = (views.event_for(event, None) for event in history.steps[seq - 1].events)
            history.public[seq] = [event for event in shown if event is not None]
        return history.public[seq]

    def _hear_standing(self, link: Link, message: Wire) -> None:
        """Hear what tells how a table stands."""
        history = self._histories.room(message["room"])
        if message["type"] == "snapshot":
            self._curtains.cover(link.number, history.code)
        if self._is_durable(link, history, message):
            self._check_known(link, message, history.after[message["seq"] - 1], history)
            self._check_left(link, message, history)
            if not has_part(history.tables[message["seq"] - 1], PlayerId(link.player or "")):
                self._complain(f"#{link.number} is shown {history.code} at {message['seq']} and has no part in it")

    def _hear_hand(self, link: Link, message: Wire) -> None:
        """One of the receiver's own hands is uncovered, with all its tiles and no other."""
        history = self._histories.room(message["room"])
        told, seat = self._insight.told(history.code), message["seat"]
        if not told or told > history.head:
            return
        self._curtains.uncover(link.number, history.code, seat)
        self._check_known(link, message, history.after[told - 1], history)
        match = history.tables[told - 1].match
        hand = () if match is None or match.deal is None else match.deal.hands[seat]
        if sorted(message["hand"]) != sorted(map(str, hand)):
            self._complain(f"#{link.number} is told {message['hand']} as the hand of seat {seat} of {history.code}")

    def _hear_refusal(self, link: Link, asked: Wire | None, message: Wire) -> None:
        """A refusal was decided on the newest step that is told: whatever it hangs on was known then."""
        history = self._history_of(asked)
        told = None if history is None else self._insight.told(history.code)
        if history is None or not told or told > history.head:
            return
        self._check_known(link, message, history.after[told - 1], history)
        table = history.tables[told - 1]
        if not asked or not link.player:
            return
        own = table.eyes.get(PlayerId(link.player), ())
        if len(own) > 1:
            own = tuple(seat for seat in own if seat == self._curtains.shown(link.number, history.code))
        if refusal_hangs_on_hidden_tiles(table, link.player, own, asked, message):
            self._complain(f"#{link.number}: {message} is more than follows from what it may know, at {table}")

    def _hear_welcome(self, message: Wire) -> None:
        """Who comes back is told of every table at which there is a seat."""
        if self._insight.has_many_nodes:
            return  # they are told by and by
        for history in self._histories.rooms.values():
            has_seat = bool(history.steps) and history.table.place_of(PlayerId(message["player"])) is not None
            if has_seat and not history.table.closed and history.code not in message["rooms"]:
                self._complain(f"{message['player']} has a seat in {history.code} and is not told so in {message}")

    def _is_durable(self, link: Link, history: RoomHistory, message: Wire) -> bool:
        if message["seq"] > history.head:
            self._complain(f"#{link.number} is told step {message['seq']} of {history.code} before it is durable")
            return False
        return True

    def _check_known(self, link: Link, message: Wire, known: Known, history: RoomHistory) -> None:
        found = known.leaks(link.player, str(message), self._curtains.shown(link.number, history.code))
        if found:
            self._complain(f"#{link.number} ({link.player}) is told {found} of {history.code} in {message}")

    def _check_left(self, link: Link, message: Wire, history: RoomHistory) -> None:
        """What is left for a choice is its full time, but for what has passed while somebody was there."""
        if message.get("turn") is None or self._insight.has_many_nodes:
            return
        told, index = message["turn"].get("left"), message["seq"] - 1
        left = timing.left(history.tables[index], history.moments[index], self._insight.server_time())
        if (told is None) != (left is None) or (left is not None and abs(told - left) > ROUNDING):
            self._complain(f"#{link.number} is told {told} s left in {history.code} at {message['seq']}, not {left} s")

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
            self._refused[key] += not _tells_of_now(asked, message)
            if history is not None and is_known and message["code"] not in self._excuses(history, key):
                self._complain(f"{asked['id']} made step {seq} and is refused: {message}")
            if key in self._idle and message["code"] not in EXCUSES:
                self._complain(f"{asked['id']} was accepted and is refused: {message}")
            return
        if history is not None and seq is not None and key not in self._confirmed:
            self._confirmed.add(key)
            self._judge(history, player, asked, seq)
        if message["type"] == "ok" and asked["type"] != "sync" and message.get("seq") != seq:
            self._complain(f"{asked['id']} is answered step {message.get('seq')}, but the log has {seq}")
        if message["type"] == "ok" and asked["type"] != "sync" and seq is None:
            self._idle.add(key)

    def _excuses(self, history: RoomHistory, key: tuple[str, str]) -> set[str]:
        """Why a message may be refused whose answer is known where its room is."""
        excuses = set(EXCUSES)
        if not self._insight.has_many_nodes:
            excuses.remove("unavailable")  # else the room may be out of reach
        cause = history.causes[history.accepted[key] - 1]
        if cause is not None and cause.answer == "snapshot":
            excuses.add("not_seated")  # who has no part in the table any more is shown nothing of it
        if cause is not None and cause.answer == "hint":
            excuses |= LAPSED
        return excuses

    def _judge(self, history: RoomHistory, player: str, asked: Wire, seq: int) -> None:
        if seq == 1:
            return
        before, after = history.tables[seq - 2], history.tables[seq - 1]
        case = Case(player, asked, before, after, history.steps[:seq])
        for objection in case.objections(self._insight.limits):
            self._complain(f"{asked} of {player} was accepted as step {seq} of {history.code}: {objection}")

    def _count(self, asked: Wire | None, message: Wire) -> None:
        if message["type"] == "error":
            self.heard[f"error {message['code']}"] += 1
        elif message["type"] == "update":
            self.heard.update(event["type"] for event in message["events"])
        elif message["type"] in ("hand", "hint", "review", "record", "rooms"):
            self.heard[message["type"] if "re" in message else f"{message['type']} pushed"] += 1
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
                if key in self._idle:
                    self._complain(f"{key[1]} was told that it changed nothing, but made step {seq} of {history.code}")
                if self._refused[key] and self._refused[key] == delivered[key]:
                    self._complain(f"{key[1]} was only ever refused, but made step {seq} of {history.code}")


def _tells_of_now(asked: Wire, refusal: Wire) -> bool:
    """Whether a copy was refused that came too late, whatever became of the first, whose answer may be lost.

    A hint whose choice is over, or its hand covered; somebody who has no part in the table any more.
    """
    if asked["type"] == "hint":
        return refusal["code"] in LAPSED
    return asked["type"] in ("join", "watch") and refusal["code"] == "not_seated"


def _is_play(event: Wire) -> bool:
    return bool(event["type"] == "played")
