"""What a headless bot and the server say to each other, apart from the connection that carries it.

Feed it every message in order and send what it gives back. It outlives connections: a new one begins with `hello`.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bots.fold import fold, view_of
from engine.actions import Action
from engine.outcome import Choice
from engine.view import SeatView
from protocol.convert import Wire, action_to_wire, choices_from_wire
from protocol.errors import ErrorCode

_PASSING = {ErrorCode.DRAINING, ErrorCode.UNAVAILABLE, ErrorCode.INTERNAL}
"""Refusals that a later connection may not meet."""
_PAUSE = 1.0
"""Seconds without a message where the server asks for fewer and does not say how long."""
_TAKEN_BACK = {"undone", "redone", "restarted"}


@dataclass(frozen=True, slots=True)
class Ending:
    """Why there is nothing more to do: a sentence for people, and whether it is what one would wish for."""

    text: str
    is_failure: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """A choice that is due, with what its seat may know, at step ``seq``. People want ``delay`` seconds to follow."""

    view: SeatView
    legal: tuple[Choice, ...]
    seq: int
    delay: float


class TryLater(Exception):
    """The server cannot serve now: come back after ``seconds`` at the earliest, on a new connection."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"try again in {seconds:g} s")
        self.seconds = seconds


class Dialogue:
    """One bot at one table: ``room`` and ``seat`` (None: any), under ``name``. ``rng`` makes its ids unique."""

    def __init__(self, room: str, seat: int | None, name: str, rng: random.Random) -> None:
        self._room = room.upper()
        self._seat = seat
        self._name = name
        self._prefix = f"{rng.getrandbits(64):016x}"
        self._said = 0
        self._me = ""
        self._token: str | None = None
        self._table: Wire | None = None
        self._asked: dict[str, Wire] = {}
        """What was said on this connection and is not answered, by id."""
        self._act: Wire | None = None
        """Sent and not answered: said again under its id after a lost connection."""
        self._in_step = False
        """Whether the table is known as it is now: not before the answer to `join` or `sync`."""
        self._next_said: object = None
        self.is_welcome = False
        """Whether `hello` was answered on this connection."""
        self.retry_after = 0.0
        """Seconds that the server asked to wait before the next connection."""
        self.pause = 0.0
        """Seconds that the server asked to wait before the next message; the caller waits and sets it back."""
        self.ending: Ending | None = None

    @property
    def is_known(self) -> bool:
        """Whether the server has ever answered."""
        return self._token is not None

    # What to say.

    def hello(self) -> Wire:
        """The first message of a new connection."""
        self._asked.clear()
        self._in_step = self.is_welcome = False
        token = {} if self._token is None else {"token": self._token}
        return self._message("hello", name=self._name, bot=True, **token)

    def leave(self) -> Wire:
        """Gives the seat up."""
        return self._message("leave", room=self._room)

    def act(self, question: Question, action: Action) -> Wire:
        """The answer to ``question``."""
        self._act = self._message(
            "act", room=self._room, seat=question.view.seat, seq=question.seq, action=action_to_wire(action)
        )
        return self._act

    def question(self) -> Question | None:
        """The choice that is due now, if one is."""
        table = self._table
        if table is None or not self._in_step or self._act is not None or self.ending is not None:
            return None
        if table["paused"]:  # somebody reads: the update with the last `continued` has the turn again
            return None
        turn = table["turn"]
        if turn is None or turn["seat"] not in table["you"]["seats"] or not turn.get("legal"):
            return None
        delay = table["settings"]["bot_delay"]
        return Question(view_of(table, turn["seat"]), choices_from_wire(turn["legal"]), table["seq"], delay)

    def _message(self, kind: str, **fields: object) -> Wire:
        self._said += 1
        return self._again({"type": kind, "id": f"{self._prefix}-{self._said}", **fields})

    def _again(self, message: Wire) -> Wire:
        """``message``, of which an answer is expected."""
        self._asked[message["id"]] = message
        return message

    def _sync(self) -> Wire:
        """Asks for what was missed; for everything where nothing is known."""
        self._in_step = False
        cursor = {} if self._table is None else {"epoch": self._table["epoch"], "after": self._table["seq"]}
        return self._message("sync", room=self._room, **cursor)

    def _join(self) -> Wire:
        seat = {} if self._seat is None else {"seat": self._seat}
        return self._message("join", room=self._room, **seat)

    # What is heard.

    def hear(self, message: Mapping[str, Any]) -> Sequence[Wire]:
        """What to say to ``message``. Sets ``ending`` when there is nothing more to do.

        Raises:
            TryLater: the connection is of no use for now.
        """
        asked = self._asked.pop(message.get("re", ""), None)
        kind = None if asked is None else asked["type"]
        match message["type"]:
            case "welcome":
                return self._welcomed(message)
            case "snapshot" if message["room"] == self._room:
                return self._saw(message, kind)
            case "update" if message["room"] == self._room:
                return self._learned(message)
            case "ok":
                return self._done(kind)
            case "error" if message["code"] == ErrorCode.RATE_LIMITED and asked is not None:
                self.pause = message.get("retry_after", _PAUSE)
                return (self._again(asked),)
            case "error":
                return self._refused(kind, message)
            case "closing":
                self.retry_after = message.get("retry_after", 0.0)
        return ()

    def _welcomed(self, message: Mapping[str, Any]) -> Sequence[Wire]:
        self._me, self._token, self.retry_after = message["player"], message["token"], 0.0
        self.is_welcome = True
        return (self._join() if self._table is None else self._sync(),)

    def _saw(self, snapshot: Mapping[str, Any], kind: str | None) -> Sequence[Wire]:
        if snapshot.get("reset"):
            self._act = None  # chosen on steps that may be lost
        self._table = dict(snapshot)
        self._in_step = True
        return (*self._caught_up(kind), *self._go_on())

    def _learned(self, update: Mapping[str, Any]) -> Sequence[Wire]:
        table = self._table
        if table is None or update["seq"] <= table["seq"]:
            return ()
        if update["seq"] > table["seq"] + 1:
            return (self._sync(),) if self._in_step else ()
        self._table = fold(table, update, self._me)
        events = {event["type"]: event for event in update["events"]}
        if _TAKEN_BACK & events.keys():
            self._in_step = False  # until the snapshot that follows
        if "closed" in events:
            self.ending = Ending(f"The table has closed: {events['closed']['reason']}.")
        return self._go_on()

    def _done(self, kind: str | None) -> Sequence[Wire]:
        if kind == "act":
            self._act = None
        return self._caught_up(kind)

    def _caught_up(self, kind: str | None) -> Sequence[Wire]:
        """Where `sync` is answered: in step again, and an act whose answer was lost is said again."""
        if kind != "sync":
            return ()
        self._in_step = True
        return () if self._act is None else (self._again(self._act),)

    def _refused(self, kind: str | None, error: Mapping[str, Any]) -> Sequence[Wire]:
        if error["code"] in _PASSING:
            raise TryLater(error.get("retry_after", 0.0))
        match kind:
            case "hello" if self._token is not None:  # the server does not know it any more
                self._token = self._table = self._act = None
                return (self.hello(),)
            case "hello" | "join" | "sync":
                self.ending = Ending(error["message"], is_failure=True)
            case "act":
                self._act = None
                self._in_step = False
                return (self._message("sync", room=self._room),)
        return ()

    def _go_on(self) -> Sequence[Wire]:
        """Ready for the next deal or match, said once each; or, without a seat, the end."""
        table = self._table
        if table is None or self.ending is not None:
            return ()
        if not _is_at_table(table):
            self.ending = Ending("The seat was given to somebody else.")
            return ()
        occasion = (table["phase"], table["commitment"], table["deal"] and table["deal"]["number"])
        if table["phase"] not in ("deal_over", "match_over") or occasion == self._next_said:
            return ()
        self._next_said = occasion
        return (self._message("next", room=self._room),)


def _is_at_table(table: Wire) -> bool:
    """Whether the bot has a seat, or is to have one after the deal."""
    return bool(table["you"]["seats"]) or any(seat["coming"] is not None for seat in table["seats"])
