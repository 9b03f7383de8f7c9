"""What one seat says and hears. It outlives connections, and knows of the game only what it is told it may do."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from bots.load.hand import Hand
from bots.load.history import Accepted, Asked, ClientHistory, Connected, OtherHand, Refused, Told, deed, is_next
from bots.load.requests import Requests, Socket, kind_of
from bots.load.world import Timer, World
from protocol.convert import Wire
from protocol.errors import ErrorCode

if TYPE_CHECKING:
    from bots.load.table import Table

RETRY_AFTER = 0.1
"""Seconds until something refused for now is said again, where the server does not say how long to wait."""

_NOTED = ("act", "start", "next")
"""What may change the room and has an answer of its own: the history tells what became of it."""
_PASSING = {ErrorCode.DRAINING, ErrorCode.UNAVAILABLE, ErrorCode.INTERNAL, ErrorCode.RATE_LIMITED}


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
        self.looked = asyncio.Event()
        """Set once the last look at the room has been taken."""
        self._table = table
        self._world = world
        self._requests = Requests(f"{world.rng.getrandbits(64):016x}")
        self._connections = 0
        self._token: str | None = None
        self._cursor: tuple[int, int] | None = None
        """Epoch and number of the newest step known; None before the first snapshot."""
        self._in_step = False
        """Whether the table is known as it is now: not before the answer to `sync`."""
        self._legal: Sequence[Wire] | None = None
        """What it may do, if it is its turn."""
        self._hand = Hand()
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
        self._in_step, self.retry_after = False, 0.0
        self._connections += 1
        self.history.entries.append(Connected(self._connections))
        self._requests.connected(socket)
        token = {} if self._token is None else {"token": self._token}
        self._requests.say("hello", name=self.name, **token)

    def disconnected(self) -> None:
        """The connection is gone."""
        self._in_step = False
        self._requests.disconnected()

    def start(self) -> None:
        """Start the match, as the host."""
        self._ask("start")

    def stop(self) -> None:
        """Do nothing more than wait for the answers to what was said."""
        self._is_stopping, self._legal = True, None

    async def quiet(self) -> None:
        """Return when nothing that was said waits for an answer."""
        await self._requests.quiet.wait()

    def look(self) -> None:
        """Take the last look at the room, on this connection or the next one."""
        self._is_looking = True
        if self._in_step:
            self._sync()

    def give_up(self) -> None:
        """Nothing more can come of this seat."""
        self.is_over = True
        self.looked.set()
        self._requests.abort()

    # What is heard

    def hear(self, payload: bytes) -> None:
        """A message has arrived. The last look ends the history: what comes after it is how the others leave."""
        if self.looked.is_set():
            return
        message, told, ends_deal = self._table.read(payload)
        match message["type"]:
            case "update" if told is not None:
                self._hand.learn(self.number, told.seq, message["events"])
                self._learn(told, message["turn"])
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
        self._requests.answered(welcome)
        self._token = welcome["token"]
        if self._cursor is None:
            self._requests.repeat_all()
            self.enter()
        else:
            self._sync()

    def enter(self) -> None:
        """Open the room or sit down there, if that is due."""
        words = self._table.first_words(self)
        if words is not None and self.is_known and self._cursor is None and self._requests.quiet.is_set():
            self._requests.say(**words)

    def _learn(self, told: Told, turn: Mapping[str, Any] | None) -> None:
        self.history.entries.append(told)
        self._cursor = told.epoch, told.seq
        if told.deed is not None and not is_next(told.deed):
            self._table.seen(told, self)
        self._note_turn(turn)

    def _note_turn(self, turn: Mapping[str, Any] | None) -> None:
        is_mine = turn is not None and turn["seat"] == self.number and not self._is_stopping
        self._legal = turn.get("legal") if turn is not None and is_mine else None

    def _see(self, snapshot: Mapping[str, Any]) -> None:
        said = self._requests.answered(snapshot)
        if not snapshot["you"]["seats"]:
            self.give_up()
            return
        self.number = snapshot["you"]["seats"][0]
        is_first = self._cursor is None
        self._cursor = snapshot["epoch"], snapshot["seq"]
        self.history.entries.append(self._table.shown(snapshot))
        self._compare_hand(snapshot)
        if self._is_looking and said is not None and "after" not in said:
            self.looked.set()
            return
        self._note_turn(snapshot["turn"])
        self._now_in_step()
        if snapshot["phase"] in ("deal_over", "match_over") and not snapshot["seats"][self.number]["ready"]:
            self._go_on()
        if is_first:
            self._table.entered(self, snapshot["room"])

    def _compare_hand(self, snapshot: Mapping[str, Any]) -> None:
        """Note a hand that is another one than was told: the other clients cannot know."""
        hands = (snapshot.get("deal") or {}).get("hands", {})
        shown = hands.get(str(self.number))
        told = self._hand.shown(snapshot["seq"], shown)
        if told is not None:
            self.history.entries.append(OtherHand(snapshot["seq"], told, shown))

    def _done(self, ok: Mapping[str, Any]) -> None:
        said = self._requests.answered(ok)
        kind = kind_of(ok["re"])
        if kind in _NOTED:
            self.history.entries.append(Accepted(ok["re"], ok.get("seq")))
        if kind == "sync":
            self._now_in_step()
        elif kind == "act" and said is not None:
            self._act_id = None
            self._world.tally.acknowledge()
            self._act()

    def _refused(self, error: Mapping[str, Any]) -> None:
        self._world.tally.errors[error["code"]] += 1
        if kind_of(error.get("re", "")) in _NOTED and error["code"] not in _PASSING:
            self.history.entries.append(Refused(error["re"]))
        said = self._requests.asked(error)
        if said is None:
            return
        if error["code"] in _PASSING:
            wait = max(error.get("retry_after", 0.0), RETRY_AFTER)
            self._world.later(wait, partial(self._requests.repeat, said["id"]))
            return
        self._requests.answered(error)
        match said["type"]:
            case "act":
                self._act_id = self._legal = self.sent_at = None
                self._sync(whole=True)
            case "hello" | "sync" | "create" | "join" | "start":
                self.give_up()

    def _now_in_step(self) -> None:
        if self._is_looking:
            self._sync()
            return
        self._in_step = True
        self._requests.repeat_all()
        self._act()

    # What is said

    def _say(self, kind: str, **fields: object) -> str:
        return self._requests.say(kind, room=self._table.room, **fields)

    def _ask(self, kind: str, what: str | None = None, **fields: object) -> str:
        """Say something that may change the room; ``what`` is the deed."""
        name = self._say(kind, **fields)
        self.history.entries.append(Asked(name, what))
        return name

    def _sync(self, *, whole: bool = False) -> None:
        """Ask for what was missed, or for the ``whole`` table."""
        self._in_step = False
        if self._cursor is None or whole or self._is_looking:
            self._say("sync")
        else:
            self._say("sync", epoch=self._cursor[0], after=self._cursor[1])

    def _go_on(self) -> None:
        """Ready for the next deal or match."""
        if not self._is_stopping and self.number is not None:
            self._ask("next", deed(self.number, {"type": "next"}))

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
        what = deed(self.number, action)
        self._act_id = self._ask("act", what, seat=self.number, seq=self._cursor[1], action=action)
