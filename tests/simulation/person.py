"""A player behind a client that does everything right, and does not trust the server in anything.

It folds updates, acts from ``turn.legal``, comes back with its cursor after a lost connection and then says again,
under the old ids, what was not answered.
"""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass, field
from typing import Any, Protocol

from bots.fold import fold, uncovered
from protocol.codecs import Codec
from protocol.convert import Wire
from protocol.errors import CloseCode
from tests.simulation.network import Client, Closed, Link
from tests.simulation.snapshots import covered, has_part, lasting

PATIENCE = 10.0
"""Seconds without an answer after which a client gives a connection up."""
RETRY_AFTER = 0.5
"""Seconds after which a client tries again where the server does not say when."""
QUESTIONS = ("hello", "sync", "ping", "show", "review", "record", "rooms")
"""What is not said again by itself after a reconnect."""
REMEMBERED = 32
"""Messages of a player that a room knows again."""
CHECK_EVERY = 4
"""Steps after which what was folded is held against the log, in the middle of everything."""
TAKES_BACK = ("undone", "redone", "restarted")
"""Events after which a snapshot comes."""
OLDER = 6
"""Earlier states of a table that a client keeps: cursors to come back with."""


class Surroundings(Protocol):
    """What clients need of the world."""

    rng: random.Random
    now: float
    """Seconds."""
    wild: set[str]
    """Ids of messages that no good client sends."""
    codes: dict[str, None]
    """The rooms that people have heard of."""
    has_many_nodes: bool
    """Who watches is shown the table anew where it goes on."""

    def note(self, what: str) -> None:
        """For the trace."""
        ...

    def complain(self, what: str) -> None:
        """The server has broken a promise."""
        ...

    def connect(self, client: Client) -> Link | None:
        """A new connection, if the server takes any."""
        ...

    def truth(self, room: str, seq: int, player: str) -> Wire:
        """The snapshot that the log makes."""
        ...


@dataclass
class Seen:
    """What a client has of one table."""

    snapshot: Wire
    is_live: bool
    """It is told every step on the present connection."""
    older: deque[Wire] = field(default_factory=lambda: deque(maxlen=OLDER))
    since: int = 0
    """The step of the newest snapshot that was sent."""
    awaits_snapshot: bool = False
    """The match stands elsewhere: what was folded since is not all, and a snapshot must come next."""


class Person:
    """One identity over many connections."""

    def __init__(self, name: str, codec: Codec, around: Surroundings, *, headless: bool = False) -> None:
        self.name = name
        self.codec = codec
        self.headless = headless
        self.player = ""
        self.token: str | None = None
        self.link: Link | None = None
        self.is_greeted = False
        self.tables: dict[str, Seen] = {}
        self.pending: dict[str, Wire] = {}
        """What was said and not answered, by id."""
        self.answered: deque[Wire] = deque(maxlen=OLDER)
        """What was said and answered, the newest last."""
        self.ended: dict[str, str] = {}
        """The rooms of the matches whose end was heard, by the ids of their records."""
        self.asleep_until = 0.0
        """The phone's screen is off: nothing is taken in."""
        self._around = around
        self._said = 0
        self._due: set[str] = set()
        """Ids of questions for records of which it was told that there are some."""
        self._waiting_since = 0.0
        self._quiet_until = 0.0

    # The connection.

    def connect(self) -> None:
        """Open a connection and say hello."""
        self.link = self._around.connect(self)
        self._waiting_since = self._around.now
        if self.link is not None:
            self._say_hello()

    def leave_link(self) -> None:
        """Use the present connection no more, whatever becomes of it."""
        self.link = None
        self.is_greeted = False
        for seen in self.tables.values():
            seen.is_live = False
        self.pending = {id_: message for id_, message in self.pending.items() if self._may_say_again(message)}

    def _may_say_again(self, message: Wire) -> bool:
        """Whether it is no question, and its room would still know that it was said."""
        if message["type"] in QUESTIONS:
            return False
        _, _, number = message["id"].rpartition(".")
        return self._said - int(number) < REMEMBERED

    def hear_end(self, link: Link, closed: Closed) -> None:
        """See `Client`."""
        if link is not self.link:
            return
        # Which of two connections at two nodes is the newer one, only their hellos tell, and one may come late.
        if closed.code == CloseCode.REPLACED and not self._around.has_many_nodes:
            self._complain("was replaced by a connection that it did not open")
        self.leave_link()

    @property
    def is_quiet(self) -> bool:
        """The server has asked to be left alone for a while."""
        return self._quiet_until > self._around.now

    def wait(self) -> None:
        """Say hello again if it was refused; give up a connection on which nothing is answered."""
        if self.link is None:
            return
        if not self.pending and not self.is_greeted:
            self._say_hello()
        elif self._around.now - self._waiting_since > PATIENCE:
            self.link.hang_up()
            self.leave_link()

    # Saying.

    def say(self, kind: str, **fields: Any) -> None:
        """Say something under a new id."""
        self.say_again({"type": kind, "id": self._new_id(), **fields})

    def say_again(self, message: Wire) -> None:
        """Say something under the id that it has."""
        if not self.pending:
            self._waiting_since = self._around.now
        self.pending[message["id"]] = message
        self._send(message)

    def say_wildly(self, kind: object, **fields: Any) -> None:
        """Send what no good client sends. No answer is waited for."""
        message = {"type": kind, "id": self._new_id(), **fields}
        self._around.wild.add(message["id"])
        self._send(message)

    def repeat(self, message: Wire) -> None:
        """Say once more what was answered already. What brings a table anew or takes it away is taken in again."""
        if message["type"] in ("create", "quick", "join", "watch", "leave"):
            self.say_again(message)
        else:
            self._send(message)

    def is_asking(self, room: str, *kinds: str) -> bool:
        """Whether something of this kind was said about ``room`` and not answered."""
        return any(m.get("room") == room and m["type"] in kinds for m in self.pending.values())

    @property
    def is_opening(self) -> bool:
        """Whether a table was asked for that may be any: a snapshot of it comes when nobody knows."""
        return any(message["type"] in ("create", "quick") for message in self.pending.values())

    def sync(self, room: str) -> None:
        """Listen to ``room`` again: from the newest step seen, from an older one, or from a fresh snapshot."""
        seen = self.tables.get(room)
        chance = self._around.rng.random()
        if seen is None or seen.is_live or chance < 0.2:
            self.say("sync", room=room)
            return
        if chance < 0.4 and seen.older:
            seen.snapshot = self._around.rng.choice(list(seen.older))
            seen.older.clear()
        seen.snapshot = covered(seen.snapshot)
        self.say("sync", room=room, epoch=seen.snapshot["epoch"], after=seen.snapshot["seq"])

    def ask_for_record(self, record: str) -> None:
        """Ask for the record of that id."""
        self._due.add(record)
        self.say_again({"type": "record", "id": record})

    def ask_for_last_record(self, room: str) -> None:
        """Ask for the record of the last match of ``room``."""
        message = {"type": "record", "id": self._new_id(), "room": room}
        if room in self.ended.values():
            self._due.add(message["id"])
        self.say_again(message)

    def _say_hello(self) -> None:
        token = {} if self.token is None else {"token": self.token}
        self.say("hello", name=self.name, **token, **({"bot": True} if self.headless else {}))

    def _new_id(self) -> str:
        self._said += 1
        return f"{self.name}.{self._said}"

    def _send(self, message: Wire) -> None:
        assert self.link is not None
        said = " ".join(f"{name}={value}" for name, value in message.items() if name != "token")
        self._around.note(f"{self.name}#{self.link.number} says {said}")
        self.link.say(message)

    # Hearing.

    def hear(self, link: Link, message: Wire) -> None:
        """See `Client`."""
        if link is not self.link:
            return  # a client does not listen to a connection that it has given up
        self._waiting_since = self._around.now
        asked = self.pending.pop(message["re"], None) if "re" in message else None
        if asked is not None and asked["type"] not in QUESTIONS:
            self.answered.append(asked)
        match message["type"]:
            case "welcome":
                self._hear_welcome(message)
            case "snapshot":
                self._hear_snapshot(message, shows_hand=asked is not None and asked["type"] == "join")
            case "update":
                self._hear_update(message)
            case "hand":
                self._hear_hand(message)
            case "ok":
                self._hear_ok(asked or self._copy_of(message.get("re")), message)
            case "error" if asked is not None:
                self._hear_error(asked, message)

    def _hear_welcome(self, message: Wire) -> None:
        if self.token is not None and (message["token"], message["player"]) != (self.token, self.player):
            self._complain("came back as somebody else")
        self.token, self.player = message["token"], message["player"]
        self.is_greeted = True
        for room in dict.fromkeys([*message["rooms"], *self.tables]):
            self.sync(room)
        for pending in list(self.pending.values()):
            if pending["type"] not in QUESTIONS:
                self.say_again(pending)

    def _hear_snapshot(self, message: Wire, *, shows_hand: bool) -> None:
        room = message["room"]
        self._around.codes[room] = None
        if message.get("reset") and message.get("re") not in self._around.wild:
            self._complain(f"is told that steps of {room} are lost")
        seen = self.tables.get(room)
        is_due = seen is not None and seen.awaits_snapshot
        is_fresh = len(message["you"]["seats"]) > 1 or self._around.has_many_nodes  # its hands, or its node, changed
        if "re" not in message and not is_due and not is_fresh:
            self._complain(f"is sent a snapshot of {room} that nobody asked for")
        # Who takes a hand back is not told it by the update, nor is anybody told by one where a match has gone back to.
        if seen is not None and not shows_hand and not seen.awaits_snapshot:
            self._check_snapshot(seen, message)
        fresh = {name: value for name, value in message.items() if name not in ("re", "reset")}
        is_live = has_part(fresh) or any(seat["coming"] for seat in fresh["seats"])
        self.tables[room] = Seen(fresh, is_live, since=fresh["seq"])

    def _check_snapshot(self, seen: Seen, fresh: Wire) -> None:
        at = seen.snapshot["seq"]
        if fresh["seq"] < at:
            self._complain(f"has {fresh['room']} at {at} and is sent back to {fresh['seq']}")
        elif fresh["seq"] == at:
            self.compare(seen.snapshot, fresh)
        elif seen.is_live and has_part(seen.snapshot) and not self._around.has_many_nodes:
            self._complain(f"has {fresh['room']} at {at}, the snapshot at {fresh['seq']}")

    def _hear_update(self, message: Wire) -> None:
        room = message["room"]
        seen = self.tables.get(room)
        if seen is None:
            self._complain(f"is told of {room} without a snapshot")
            return
        before = seen.snapshot
        if message["seq"] != before["seq"] + 1:
            if self._is_old_news(seen, message):
                return
            self._complain(f"is told step {message['seq']} of {room} after {before['seq']}")
        if message["epoch"] < before["epoch"]:
            self._complain(f"is told step {message['seq']} of {room} under an older epoch")
        self.ended |= {event["record"]: room for event in message["events"] if event["type"] == "match_ended"}
        seen.older.append(before)
        seen.snapshot = fold(before, message, self.player)
        stays = seen.is_live and has_part(seen.snapshot) and not self.is_asking(room, "leave")
        if seen.awaits_snapshot and stays:
            self._complain(f"is told step {message['seq']} of {room} before the snapshot that was due")
        seen.awaits_snapshot |= any(event["type"] in TAKES_BACK for event in message["events"])
        is_whole = not seen.awaits_snapshot and message["turn"] is not None  # who has left since is sent no snapshot
        if is_whole and message["seq"] % CHECK_EVERY == 0 and not self.is_asking(room, "join"):
            self.check(seen)
        if any(event["type"] == "closed" for event in message["events"]):
            del self.tables[room]
        elif has_part(before) and not has_part(seen.snapshot):
            seen.is_live = False  # the host took the seat

    def _is_old_news(self, seen: Seen, message: Wire) -> bool:
        """Still on its way to who lost the seat; or asked for from a step that another answer has overtaken."""
        is_overtaken = message["seq"] <= seen.snapshot["seq"] and self.is_asking(message["room"], "sync")
        return not seen.is_live or is_overtaken

    def _copy_of(self, message_id: str | None) -> Wire | None:
        """What was said more than once under that id: the first may have been refused, and a copy accepted."""
        return next((said for said in self.answered if said["id"] == message_id), None)

    def _hear_hand(self, message: Wire) -> None:
        seen = self.tables.get(message["room"])
        if seen is not None and seen.is_live and len(seen.snapshot["you"]["seats"]) > 1:
            seen.snapshot = uncovered(seen.snapshot, message)

    def _hear_ok(self, asked: Wire | None, message: Wire) -> None:
        room = "" if asked is None else asked.get("room", "")
        seen = self.tables.get(room)
        if asked is None or seen is None:
            return
        at = seen.snapshot["seq"]
        if asked["type"] == "sync":
            if message["seq"] != at:
                self._complain(f"is at {at} of {room} after a sync to {message['seq']}")
            seen.is_live = True
            seen.snapshot = covered(seen.snapshot)
            self.check(seen)
        elif asked["type"] == "leave":
            if message["seq"] > seen.since:  # else it is the answer of a time before the player came again
                del self.tables[room]
        elif seen.is_live and message.get("seq", 0) > at:
            self._complain(f"has the ok to step {message['seq']} of {room} before its update")

    def _hear_error(self, asked: Wire, message: Wire) -> None:
        if message["code"] in ("unavailable", "rate_limited"):
            self._quiet_until = self._around.now + message.get("retry_after", RETRY_AFTER)
        elif message.get("reason") == "no_record" and asked["id"] in self._due:
            self._complain(f"was told of the end of a match, and is refused its record: {asked}")
        elif message["code"] == "no_such_room" or (message["code"] == "not_seated" and asked["type"] == "sync"):
            self.tables.pop(asked.get("room", ""), None)

    # Doubting.

    def check(self, seen: Seen) -> None:
        """What was folded must be what the log makes."""
        room, seq = seen.snapshot["room"], seen.snapshot["seq"]
        self.compare(seen.snapshot, self._around.truth(room, seq, self.player))

    def compare(self, folded: Wire, truth: Wire) -> None:
        """Two snapshots of one step must be the same, but for what `lasting` leaves out."""
        has, is_true = lasting(folded), lasting(truth)
        for name, value in is_true.items():
            if has[name] != value:
                self._complain(f"has {name} {has[name]} in {truth['room']} at {truth['seq']}; true is {value}")

    def _complain(self, what: str) -> None:
        self._around.complain(f"{self.name} {what}")
