"""A table without server: requests go straight to `decide`, time is a number that the test moves."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from engine import match as matches
from engine.seats import Seat
from protocol.convert import choice_to_wire
from protocol.errors import ProtocolError
from protocol.messages import Settings, parse
from server import views
from server.limits import Limits
from server.table.decide import (
    HouseActs,
    Lost,
    RoomMessage,
    ServerRequest,
    TimePassed,
    create,
    decide,
    decide_for_server,
)
from server.table.draft import Moment
from server.table.evolve import Step
from server.table.state import Actor, Place, PlayerId, Table

CODE = "K7QM2X"


def actor(name: str, *, headless: bool = False) -> Actor:
    """A player whose id is the name in small letters."""
    return Actor(PlayerId(name.lower()), name, headless)


ANN, BOB, CAT, DAN, EVE = (actor(name) for name in ("Ann", "Bob", "Cat", "Dan", "Eve"))


class Driver:
    """One table through its steps, with its log kept."""

    def __init__(
        self, creator: Actor = ANN, *, seed: int = 1, seat: int = 0, quick: bool = False, **settings: Any
    ) -> None:
        self.limits = Limits()
        self.now = 1000.0
        self._bytes = random.Random(seed).randbytes
        chosen = Settings.model_validate({"game": "fives-threes", "seats": 2} | settings)
        decided = create(CODE, creator, chosen, Seat(seat), self.moment(), quick=quick)
        assert decided.step is not None
        self.table: Table = decided.after
        self.log: list[Step] = [decided.step]

    def moment(self) -> Moment:
        return Moment(self.now, 7, self._bytes)

    def say(self, who: Actor, kind: str, **fields: Any) -> Step | None:
        """``who`` sends a message; returns its step. Raises ProtocolError where it is refused."""
        message = parse({"type": kind, "room": CODE, **fields})
        decided = decide(self.table, who, _for_room(message), self.moment(), self.limits)
        self._keep(decided.step, decided.after)
        return decided.step

    def serve(self, request: ServerRequest) -> Step | None:
        """The server itself asks."""
        decided = decide_for_server(self.table, request, self.moment(), self.limits)
        self._keep(decided.step, decided.after)
        return decided.step

    def lose(self, who: Actor) -> Step | None:
        """The connection of ``who`` is lost."""
        return self.serve(Lost(who.player))

    def wait(self, seconds: float) -> Step | None:
        """Time passes; returns the step of what was due first, if anything was."""
        self.now += seconds
        return self.serve(TimePassed())

    def _keep(self, step: Step | None, after: Table) -> None:
        if step is not None:
            self.log.append(step)
            self.table = after

    def place(self, seat: int) -> Place:
        return self.table.places[seat]

    def act(self, choice: int = 0) -> Step:
        """Whoever is in turn, a person or a bot, takes the legal action number ``choice``."""
        seat, match = self.table.turn, self.table.match
        assert seat is not None
        assert match is not None
        legal = matches.choices(match)
        step = self.serve(HouseActs(seat, legal[choice % len(legal)].action))
        assert step is not None
        return step

    def legal(self) -> list[dict[str, Any]]:
        """The legal actions of the seat in turn, as the wire has them."""
        assert self.table.match is not None
        return [choice_to_wire(choice)["action"] for choice in matches.choices(self.table.match)]

    def choose(self, who: Actor, choice: int = 0) -> Step:
        """``who``, in turn, sends the legal action number ``choice``."""
        legal = self.legal()
        step = self.say(who, "act", seq=self.table.seq, action=legal[choice % len(legal)])
        assert step is not None
        return step

    def time_out(self) -> Step:
        """The time of the seat in turn runs out, and a bot acts for it."""
        seat, match = self.table.turn, self.table.match
        assert seat is not None
        assert match is not None
        step = self.serve(HouseActs(seat, matches.choices(match)[0].action, timed_out=True))
        assert step is not None
        return step

    def play_deal(self) -> None:
        """Play with first choices until the deal is over."""
        while self.table.turn is not None:
            self.act()

    def snapshot(self, who: Actor | None) -> dict[str, Any]:
        return views.snapshot_for(self.table, None if who is None else who.player, self.now)

    def update(self, step: Step, who: Actor) -> dict[str, Any]:
        """What ``who`` is told of ``step``, which has just happened."""
        eye = self.table.eye(who.player)
        return {
            "type": "update",
            "room": CODE,
            "epoch": step.epoch,
            "seq": step.seq,
            "events": views.events_for(step.events, eye),
            "turn": views.turn_for(self.table, eye, self.now),
        }


def _for_room(message: Any) -> RoomMessage:
    known: RoomMessage = message
    return known


def kinds(step: Step | None) -> list[str]:
    """The events of a step by the names of their classes."""
    return [] if step is None else [type(event).__name__ for event in step.events]


def refused(driver: Driver, who: Actor, kind: str, **fields: Any) -> ProtocolError:
    """The refusal of a message that must be refused and must change nothing."""
    before = driver.table
    try:
        driver.say(who, kind, **fields)
    except ProtocolError as refusal:
        assert driver.table is before
        return refusal
    raise AssertionError(f"{kind} was not refused")


def seats_of(places: Sequence[Place]) -> list[str | None]:
    """Who sits where, by name."""
    return [place.name for place in places]
