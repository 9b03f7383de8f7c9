"""A table of the load tool without sockets: the test is the server, and moves the time."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import msgpack

from bots.load.seat import Seat
from bots.load.table import Table
from bots.load.tally import Tally
from bots.load.world import World
from protocol.convert import Wire
from protocol.messages import parse
from tests.fakes import FakeClock, FakeHandle

ROOM = "ABC234"
EPOCH = 1000
SETTINGS: dict[str, Any] = {"game": "draw", "seats": 2}
PLAY: dict[str, Any] = {"type": "play", "tile": "1-4", "end": "left"}


class Ear:
    """A connection that keeps what was sent over it."""

    def __init__(self) -> None:
        self.said: list[Wire] = []
        self.is_cut = False

    def send(self, payload: bytes) -> None:
        message = msgpack.unpackb(payload)
        parse(message)
        self.said.append(message)

    def abort(self) -> None:
        self.is_cut = True

    @property
    def last(self) -> Wire:
        return self.said[-1]

    def kinds(self) -> list[str]:
        return [message["type"] for message in self.said]


class Talk:
    """Two seats; what `tell` sends to one of them is what a server would send."""

    def __init__(self, think: float = 0.0) -> None:
        self.clock = FakeClock()
        self.tally = Tally()
        world = World(self.tally, random.Random(1), think, self.clock.monotonic, self._later)
        self.table = Table(1, SETTINGS, world)
        self.ears = [Ear(), Ear()]

    def _later(self, seconds: float, callback: Callable[[], None]) -> FakeHandle:
        return self.clock.call_at(self.clock.monotonic() + seconds, callback)

    def seat(self, who: int) -> Seat:
        return self.table.seats[who]

    def tell(self, who: int, **message: Any) -> None:
        self.seat(who).hear(msgpack.packb(message))

    def connect(self, who: int) -> Ear:
        """A new connection, up to the answer to its `hello`."""
        ear = self.ears[who] = Ear()
        self.seat(who).connected(ear)
        self.tell(who, type="welcome", re=ear.last["id"], token=f"token-{who}")
        return ear

    def cut(self, who: int) -> None:
        self.seat(who).disconnected()

    def answer(self, who: int, kind: str, **fields: Any) -> None:
        """Answer the last message of a seat."""
        self.tell(who, type=kind, re=self.ears[who].last["id"], **fields)

    def snapshot(self, who: int, seq: int, *, re: str | None = None, **fields: Any) -> None:
        message = {
            "type": "snapshot",
            "room": ROOM,
            "epoch": EPOCH,
            "seq": seq,
            "you": {"seats": [who]},
            "seats": [{"ready": False}, {"ready": False}],
            "phase": "lobby",
            "turn": None,
            **fields,
        }
        self.tell(who, **message, re=self.ears[who].last["id"] if re is None else re)

    def update(self, who: int, seq: int, *events: Wire, turn: Wire | None = None) -> None:
        self.tell(who, type="update", room=ROOM, epoch=EPOCH, seq=seq, events=list(events), turn=turn)

    def sit_down(self) -> None:
        """Both come in and the match begins; seat 0 is to act next."""
        self.connect(0)
        self.snapshot(0, 1)
        self.connect(1)
        self.snapshot(1, 2)
        self.update(0, 2, {"type": "seated", "seat": 1})
        self.table.start()
        self.update(0, 3, {"type": "match_started"})
        self.update(1, 3, {"type": "match_started"})
        self.answer(0, "ok", seq=3)


def turn(seat: int, *actions: Wire) -> Wire:
    """That ``seat`` is to act, as it is told itself."""
    return {"seat": seat, "legal": [{"action": action} for action in actions or (PLAY,)]}


def played(seat: int) -> Wire:
    """The event that tells of `PLAY`."""
    return {**PLAY, "type": "played", "seat": seat}
