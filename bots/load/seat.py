"""What one seat says and hears. It outlives connections, and knows of the game only what it is told it may do."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from bots.load.history import Accepted, Asked, ClientHistory, Connected, Refused, Shown, Told, Wire, deed
from bots.load.tally import Tally
from protocol.codecs import MsgpackCodec
from protocol.errors import ErrorCode

if TYPE_CHECKING:
    from bots.load.table import Table

RETRY_AFTER = 0.1
"""Seconds until something refused for now is said again, where the server does not say how long to wait."""

_PASSING = {ErrorCode.DRAINING, ErrorCode.UNAVAILABLE, ErrorCode.INTERNAL, ErrorCode.RATE_LIMITED}
_OF_A_CONNECTION = ("hello", "sync")
"""Said anew on each connection; all else is said again under its id until it is answered."""
_CODEC = MsgpackCodec()


class Socket(Protocol):
    """The connection under a seat."""

    def send(self, payload: bytes) -> None:
        """Send one message; lost if the connection is."""
        ...

    def abort(self) -> None:
        """Cut the connection."""
        ...


class Timer(Protocol):
    """Something that will be done later."""

    def cancel(self) -> None:
        """Let it not be done."""
        ...


@dataclass(frozen=True, slots=True)
class World:
    """What all seats share."""

    tally: Tally
    rng: random.Random
    think: float
    """Mean seconds of thought before an act."""
    now: Callable[[], float]
    """Seconds since some fixed moment."""
    later: Callable[[float, Callable[[], None]], Timer]
    """Calls something so many seconds later."""


class Seat:
    """One player at one table. Give it each new connection and every message, in order."""

    def __init__(self, name: str, table: Table, world: World) -> None:
        self.name = name
        self.history = ClientHistory(name)
        self.number: int | None = None
        """Its seat, once it sits."""
        self.sent_at: float | None = None
        """When the act that is on its way was first sent."""
        self.retry_after = 0.0
        """Seconds that the server asked to wait before the next connection."""
        self.is_over = False
        """Whether there is no use in another connection."""
        self.quiet = asyncio.Event()
        """Set while nothing that it said waits for an answer."""
        self.looked = asyncio.Event()
        """Set once the look at the room that `look` asked for has been taken."""
        self._table = table
        self._world = world
        self._prefix = f"{world.rng.getrandbits(64):016x}"
        self._said = self._connections = 0
        self._token: str | None = None
        self._cursor: tuple[int, int] | None = None
        """Epoch and number of the newest step known; None before the first snapshot."""
        self._unanswered: dict[str, Wire] = {}
        self._socket: Socket | None = None
        self._in_step = False
        """Whether the table is known as it is now: not before the answer to `sync`."""
        self._legal: Sequence[Wire] | None = None
        """What it may do, if it is its turn."""
        self._act_id: str | None = None
        self._thinking: Timer | None = None
        self._is_stopping = self._is_looking = False

    @property
    def is_known(self) -> bool:
        """Whether the server knows this player."""
        return self._token is not None

    # The run

    def connected(self, socket: Socket) -> None:
        """A new connection stands."""
        self._socket, self._in_step, self.retry_after = socket, False, 0.0
        self._connections += 1
        self.history.entries.append(Connected(self._connections))
        token = {} if self._token is None else {"token": self._token}
        self._say("hello", name=self.name, **token)

    def disconnected(self) -> None:
        """The connection is gone, and with it the answers that were on their way."""
        self._socket, self._in_step = None, False
        for name in [name for name, said in self._unanswered.items() if said["type"] in _OF_A_CONNECTION]:
            del self._unanswered[name]
        self._note_quiet()

    def stop(self) -> None:
        """Do nothing more than wait for the answers to what was said."""
        self._is_stopping, self._legal = True, None
        self._note_quiet()

    def look(self) -> None:
        """Look at the room once more, on this connection or the next one."""
        self._is_looking = True
        if self._socket is not None and self._in_step:
            self._sync()

    def give_up(self) -> None:
        """Nothing more can come of this seat."""
        self.is_over = True
        self.quiet.set()
        self.looked.set()
        if self._socket is not None:
            self._socket.abort()

    # What is heard

    def hear(self, payload: bytes) -> None:
        """A message has arrived. The last look ends the history: what comes after it is how the others leave."""
        if self.looked.is_set():
            return
        message, told, ends_deal = self._table.read(payload)
        match message["type"]:
            case "update" if told is not None:
                self._learn(message, told)
                if ends_deal:
                    self._go_on()
                self._act()
            case "ok":
                self._done(message)
            case "snapshot":
                self._see(message)
            case "welcome":
                self._welcomed(message)
            case "error":
                self._refused(message)
            case "closing":
                self.retry_after = message.get("retry_after", 0.0)

    def _welcomed(self, welcome: Mapping[str, Any]) -> None:
        self._answered(welcome)
        self._token = welcome["token"]
        if self._cursor is not None:
            self._sync()
        elif self._unanswered:
            self._repeat_all()
        else:
            self.enter()

    def enter(self) -> None:
        """Open the room or sit down there, as far as that can be done."""
        words = self._table.first_words(self)
        if words is not None and self._token is not None and not self._unanswered and self._cursor is None:
            self._say(**words)

    def _learn(self, update: Mapping[str, Any], told: Told) -> None:
        self.history.entries.append(told)
        self._cursor = told.epoch, told.seq
        if told.deed is not None:
            self._table.seen(told, self)
        self._note_turn(update["turn"])

    def _note_turn(self, turn: Mapping[str, Any] | None) -> None:
        is_mine = turn is not None and turn["seat"] == self.number and not self._is_stopping
        self._legal = turn.get("legal") if turn is not None and is_mine else None

    def _see(self, snapshot: Mapping[str, Any]) -> None:
        said = self._answered(snapshot)
        if not snapshot["you"]["seats"]:
            self.give_up()
            return
        is_first = self._cursor is None
        self._table.forget_spreads()
        self.history.entries.append(Shown(snapshot["epoch"], snapshot["seq"], bool(snapshot.get("reset"))))
        self._cursor = snapshot["epoch"], snapshot["seq"]
        self.number = snapshot["you"]["seats"][0]
        self._note_turn(snapshot["turn"])
        if self._is_looking and said is not None and "after" not in said:
            self.looked.set()
        self._now_in_step()
        if snapshot["phase"] in ("deal_over", "match_over") and not snapshot["seats"][self.number]["ready"]:
            self._go_on()
        if is_first:
            self._table.entered(self, snapshot["room"])

    def _done(self, ok: Mapping[str, Any]) -> None:
        said = self._answered(ok)
        kind = ok["re"].split("-")[1]
        if kind == "sync":
            self._now_in_step()
        elif kind == "act":
            self.history.entries.append(Accepted(ok["re"], ok["seq"]))
            if said is not None:
                self._act_id = None
                self._world.tally.acknowledge()
        self._act()

    def _refused(self, error: Mapping[str, Any]) -> None:
        code, name = error["code"], error.get("re", "")
        self._world.tally.errors[code] += 1
        if name not in self._unanswered:
            return
        if code in _PASSING:
            self._world.later(max(error.get("retry_after", 0.0), RETRY_AFTER), partial(self._repeat, name))
            return
        match self._unanswered.pop(name)["type"]:
            case "act":
                self.history.entries.append(Refused(name))
                self._act_id = self._legal = self.sent_at = None
                self._sync(whole=True)
            case "next":
                self._note_quiet()
            case _:
                self.give_up()

    def _answered(self, answer: Mapping[str, Any]) -> Wire | None:
        """What ``answer`` is to; None if nothing waits for it any more."""
        said = self._unanswered.pop(answer.get("re", ""), None)
        self._note_quiet()
        return said

    def _note_quiet(self) -> None:
        if self._unanswered:
            self.quiet.clear()
        else:
            self.quiet.set()

    # What is said

    def say_start(self) -> None:
        """Start the match, as the host."""
        self._say("start", room=self._table.room)

    def _say(self, type: str, **fields: object) -> str:  # noqa: A002 - the name on the wire
        self._said += 1
        name = f"{self._prefix}-{type}-{self._said}"
        self._unanswered[name] = {"type": type, "id": name, **fields}
        self.quiet.clear()
        self._repeat(name)
        return name

    def _repeat(self, name: str) -> None:
        """Say what waits for its answer, or say it again."""
        if self._socket is not None and name in self._unanswered:
            self._socket.send(_CODEC.encode(self._unanswered[name]))

    def _repeat_all(self) -> None:
        for name in list(self._unanswered):
            if self._unanswered[name]["type"] not in _OF_A_CONNECTION:
                self._repeat(name)

    def _sync(self, *, whole: bool = False) -> None:
        """Ask for what was missed, or for the ``whole`` table."""
        self._in_step = False
        cursor = {}
        if self._cursor is not None and not whole and not self._is_looking:
            cursor = {"epoch": self._cursor[0], "after": self._cursor[1]}
        self._say("sync", room=self._table.room, **cursor)

    def _now_in_step(self) -> None:
        self._in_step = True
        self._repeat_all()
        self._act()

    def _go_on(self) -> None:
        """Ready for the next deal or match."""
        if not self._is_stopping:
            self._say("next", room=self._table.room)

    def _act(self) -> None:
        """Act, after some thought, if it is time."""
        if not self._is_due() or self._thinking is not None:
            return
        if self._world.think:
            thought = self._world.rng.uniform(0, 2 * self._world.think)
            self._thinking = self._world.later(thought, self._has_thought)
        else:
            self._take()

    def _is_due(self) -> bool:
        return self._legal is not None and self._act_id is None and self._in_step

    def _has_thought(self) -> None:
        self._thinking = None
        if self._is_due():
            self._take()

    def _take(self) -> None:
        if self._legal is None or self._cursor is None or self.number is None:
            raise ValueError("it is not this seat's turn")
        action = self._world.rng.choice(self._legal)["action"]
        self._legal = None
        self.sent_at = self._world.now()
        self._act_id = self._say("act", room=self._table.room, seat=self.number, seq=self._cursor[1], action=action)
        self.history.entries.append(Asked(self._act_id, deed(self.number, action)))
