"""The seats of one room: how they come together, and how long an act takes to reach them all."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import msgpack

from bots.load import history
from bots.load.history import RoomHistory, Shown, Told
from bots.load.seat import Seat
from bots.load.world import World
from protocol.convert import Wire

_RECENT = 8
"""Updates that are remembered to be decoded once."""


class Heard(NamedTuple):
    """A message, decoded. ``told``: what the history keeps of an update."""

    message: Wire
    told: Told | None = None
    ends_deal: bool = False


@dataclass(slots=True)
class _Spread:
    """How far the news of an act has come."""

    actor: Seat
    sent_at: float
    reached: int = 0


@dataclass(frozen=True, slots=True)
class Move:
    """The room has gone on at another process, or has been read again: its steps have a new epoch."""

    epoch: int
    heard_before: float
    """When the last step of the epoch before was first told to a seat."""
    heard: float
    """When the first step of this one was."""


class Table:
    """All seats of one room, each a player of its own. ``settings`` as in `create`."""

    def __init__(self, number: int, settings: Mapping[str, Any], world: World) -> None:
        self.room: str | None = None
        self.full = asyncio.Event()
        """Set once all seats sit in the room."""
        self.playing = asyncio.Event()
        """Set when a seat has acted. Cleared when the measuring begins."""
        self.seats = [Seat(f"Load {number}-{seat + 1}", self, world) for seat in range(settings["seats"])]
        self.acts: list[float] = []
        """When each act was first told to a seat."""
        self.moves: list[Move] = []
        self._settings = settings
        self._world = world
        self._recent: dict[bytes, Heard] = {}
        self._newest: Told | None = None
        self._epoch = 0
        self._heard = world.now()
        self._shown: Shown | None = None
        self._entered = 0
        self._spreads: dict[int, _Spread] = {}

    def history(self) -> RoomHistory:
        """What the seats that came to sit in the room have seen."""
        return RoomHistory(self.room or "", [seat.history for seat in self.seats if seat.number is not None])

    # Coming together

    def first_words(self, seat: Seat) -> Wire | None:
        """What ``seat`` is to say first, as `Requests.say` takes it; None while the room is not there."""
        if self.room is not None:
            return {"kind": "join", "room": self.room}
        return {"kind": "create", "settings": self._settings} if seat is self.seats[0] else None

    def entered(self, seat: Seat, room: str) -> None:
        """``seat`` sits in ``room``."""
        self._entered += 1
        if self.room is None:
            self.room = room
            for other in self.seats:
                if other is not seat:
                    other.enter()
        if self._entered == len(self.seats):
            self.full.set()

    def start(self) -> None:
        """Begin the match."""
        self.seats[0].start()

    # Listening

    def read(self, payload: bytes) -> Heard:
        """``payload`` decoded. Most seats are sent an update in the same bytes: these are decoded once."""
        heard = self._recent.get(payload)
        if heard is not None:
            return heard
        message = msgpack.unpackb(payload)  # not by the codec, which looks for what only a hostile client would send
        if message["type"] != "update":
            return Heard(message)
        if len(self._recent) == _RECENT:
            self._recent.clear()
        heard = self._recent[payload] = self._update(message)
        return heard

    def _update(self, message: Wire) -> Heard:
        told = history.told(message["epoch"], message["seq"], message["events"])
        if told == self._newest:
            told = self._newest  # kept once, not once a seat
        self._newest = told
        self._note_epoch(told.epoch)
        return Heard(message, told, any(event["type"] == "deal_ended" for event in message["events"]))

    def _note_epoch(self, epoch: int) -> None:
        now = self._world.now()
        if self._epoch and epoch > self._epoch:
            self.moves.append(Move(epoch, self._heard, now))
        if epoch >= self._epoch:
            self._epoch, self._heard = epoch, now

    def seen(self, told: Told, seat: Seat) -> None:
        """``seat`` was told of an act: the time it took counts when it is the actor, or the last seat."""
        spread = self._spreads.get(told.seq) or self._first_seen(told)
        if spread is None:
            return
        seconds = self._world.now() - spread.sent_at
        tally = self._world.tally
        if seat is spread.actor:
            seat.sent_at = None
            tally.to_sender.append(seconds)
        spread.reached += 1
        if spread.reached == len(self.seats):
            del self._spreads[told.seq]
            tally.to_last_seat.append(seconds)

    def _first_seen(self, told: Told) -> _Spread | None:
        actor = next((seat for seat in self.seats if told.deed and told.deed.startswith(f"{seat.number} ")), None)
        if actor is None or actor.sent_at is None:
            return None
        self.playing.set()
        self.acts.append(self._world.now())
        spread = self._spreads[told.seq] = _Spread(actor, actor.sent_at)
        return spread

    def shown(self, snapshot: Mapping[str, Any]) -> Shown:
        """A seat was shown the room, maybe in place of steps that it will not be told of; what the history keeps."""
        self._spreads.clear()
        shown = history.shown(snapshot)
        if shown != self._shown:
            self._shown = shown
        return self._shown
