"""A random walk through everything that moves a match back and forth, held to a model that knows nothing of it.

Run as a program it walks through all games: ``python -m tests.server.walk STEPS [SEED]``.
"""

from __future__ import annotations

import asyncio
import random
import sys
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any

from engine import events as rules
from engine import match as matches
from engine.actions import Action, Draw, Knock, Play
from engine.games import GAMES
from engine.match import Match
from engine.seats import Seat
from engine.shuffle import Shuffle
from protocol.convert import choice_to_wire
from server.table import events as happenings
from server.table import log
from server.table.evolve import Step
from server.table.state import Phase, Table
from tests.fakes import FailingStore, FakeClock
from tests.server.rooms import Ear, House, open_house
from tests.server.tables import ANN, BOB, CAT

PEOPLE = (ANN, BOB, CAT)


@dataclass
class Model:
    """The match as the engine plays it from the acts that count, and nothing else.

    It reads the log: each act is decided anew by the engine, and must lead to the very events that the log holds.
    """

    game: str
    seats: int
    target: int | None
    lead: Any
    stands: list[tuple[int, Match]] = field(default_factory=list)
    """The match after each step that counts."""
    taken_back: list[list[tuple[int, Match]]] = field(default_factory=list)
    shuffle: Shuffle | None = None
    seed: str = ""
    next_seed: str = ""

    def read(self, step: Step) -> None:
        """Take in a step of the log."""
        match: Match | None = self.stands[-1][1] if self.stands else None
        moved = False
        for event in step.events:
            match event:
                case happenings.Created(seed=seed, next_seed=next_seed):
                    self.seed, self.next_seed = seed, next_seed
                case happenings.MatchStarted():
                    match, moved = self._begin(event), False
                case happenings.MatchOver(winner, scores):
                    match = matches.evolve(self._of(match), rules.MatchEnded(winner, scores))
                    self.stands, self.taken_back, moved = [(step.seq, match)], [], False
                case happenings.Undone(to):
                    kept = [stand for stand in self.stands if stand[0] <= to]
                    self.taken_back.append(self.stands[len(kept) :])
                    self.stands = kept
                case happenings.Redone():
                    self.stands += self.taken_back.pop()
                case happenings.PlayedAgain(to):
                    self.stands, self.taken_back = [stand for stand in self.stands if stand[0] == to], []
                case _ if isinstance(event, rules.Event):
                    match, moved = self._on(self._of(match), event), True
                case _:
                    pass
        if moved and match is not None:
            self.stands.append((step.seq, match))
            self.taken_back = []

    def _begin(self, started: happenings.MatchStarted) -> Match:
        if any(match.over for _, match in self.stands) or self.shuffle is not None:
            self.seed = self.next_seed
        self.next_seed = started.next_seed
        self.shuffle = Shuffle(bytes.fromhex(self.seed), [bytes.fromhex(value) for _, value in started.entropy])
        self.stands, self.taken_back = [], []
        return matches.begin(GAMES[self.game], self.seats, target=self.target, lead=self.lead)

    def _on(self, match: Match, event: rules.Event) -> Match:
        """The match after ``event``, which must be what the engine says happens now."""
        if isinstance(event, rules.LotDrawn | rules.DealStarted):
            assert self.shuffle is not None
            assert event in matches.next_deal(match, self.shuffle), event
        elif isinstance(event, rules.Played | rules.Drew | rules.Knocked):
            assert event in matches.decide(match, event.seat, _action(event)), event
        return matches.evolve(match, event)

    @staticmethod
    def _of(match: Match | None) -> Match:
        assert match is not None
        return match

    @property
    def match(self) -> Match | None:
        return self.stands[-1][1] if self.stands else None


def _action(event: rules.Event) -> Action:
    match event:
        case rules.Played(tile=tile, end=end):
            return Play(tile, end)
        case rules.Drew():
            return Draw()
        case rules.Knocked():
            return Knock()
    raise TypeError(f"{type(event).__name__} is no act")


class Walk:
    """One room with up to three people, through as many steps as wanted."""

    def __init__(self, seed: str) -> None:
        self.rng = random.Random(seed)
        self.store = FailingStore()
        self.clock = FakeClock()
        seats = self.rng.choice([2, 3, 4])
        self.local = self.rng.choice([1, 1, 2]) if seats > 2 else 1
        self.people = PEOPLE[: self.rng.randint(1, seats - self.local + 1)]
        self.settings: dict[str, Any] = {
            "game": self.rng.choice(sorted(GAMES)), "seats": seats, "local": self.local, "bot": "novice",
            "bot_delay": 0, "target": self.rng.choice([None, 30]), "next_deal_after": 3600,
        }  # fmt: skip
        self.model = Model(self.settings["game"], seats, self.settings["target"], "lot")
        self.seen = 0
        self.done: dict[str, int] = {}

    async def run(self, steps: int) -> int:
        """Walk until the room has so many steps; gives how many it has."""
        async with AsyncExitStack() as stack:
            await self._open(stack)
            room = (await self.ears[0].ask("create", settings=self.settings))["room"]
            self.room = room
            for ear in self.ears[1:]:
                await ear.ask("join", room=room)
            while self.seen < steps:
                await self._happen(stack)
                await self._check()
        return self.seen

    async def _open(self, stack: AsyncExitStack) -> None:
        self.house: House = await stack.enter_async_context(open_house(self.store, clock=self.clock))
        self.ears: list[Ear] = [self.house.ear(who) for who in self.people]

    @property
    def table(self) -> Table:
        return self.house.registry.find(self.room).table

    async def _happen(self, stack: AsyncExitStack) -> None:
        """One thing happens."""
        rng, ear = self.rng, self.rng.choice(self.ears)
        kinds = ["act", "undo", "redo", "restart", "new_game", "go", "reconnect", "process"]
        kind = rng.choices(kinds, [60, 14, 10, 1, 0.5, 1.5, 3, 0.5])[0]
        if kind == "act":
            await self._go_on()
        elif kind == "reconnect":
            self.clock.advance(1)
            ear.hang_up()
            await self._come_back(self.ears.index(ear))
        elif kind == "go":
            await ear.ask("leave" if self.table.place_of(ear.actor.player) else "join", room=self.room)
        elif kind == "process":
            await self._restart(stack)
        else:
            await self._wish(ear, kind)

    async def _go_on(self) -> None:
        table = self.table
        match table.phase:
            case Phase.LOBBY:
                await self.ears[0].ask("start", room=self.room, entropy=self.rng.randbytes(32).hex())
            case Phase.PLAYING:
                await self._act(table)
            case _:
                for ear in self.ears:
                    await ear.ask("next", room=self.room)

    async def _act(self, table: Table) -> None:
        place = table.places[Seat(table.turn or 0)]
        ear = next((ear for ear in self.ears if ear.actor.player == place.player), None)
        if ear is None or table.match is None:
            self.clock.advance(0.01)
            await self.house.settle()
            return
        if self.local > 1:
            await ear.ask("show", room=self.room, seat=place.seat)
        choice = choice_to_wire(self.rng.choice(matches.choices(table.match)))
        await ear.ask("act", room=self.room, seq=table.seq, action=choice["action"])

    async def _wish(self, ear: Ear, kind: str) -> None:
        answer = await ear.ask(kind, room=self.room)
        self.done[kind] = self.done.get(kind, 0) + (answer["type"] != "error")
        if answer["type"] == "consent_asked":
            yes = self.rng.random() < 0.9
            for other in self.ears:
                if other is not ear:
                    going = "leave" if self.rng.random() < 0.05 else "consent"
                    fields = {} if going == "leave" else {"ask": answer["ask"], "yes": yes}
                    await other.ask(going, room=self.room, **fields)

    async def _come_back(self, number: int) -> None:
        self.ears[number] = self.house.ear(self.people[number])
        await self.ears[number].ask("sync", room=self.room)

    async def _restart(self, stack: AsyncExitStack) -> None:
        """Another process takes the room from the log."""
        before = self.table
        self.house.registry.find(self.room).rest()
        await stack.aclose()
        await self._open(stack)
        await self.house.registry.load()
        await self.house.settle()
        assert (self.table.match, self.table.line, self.table.redo) == (before.match, before.line, before.redo)
        for number in range(len(self.ears)):
            await self._come_back(number)

    async def _check(self) -> None:
        steps = await self.store.history(self.room)
        for stored in steps[self.seen :]:
            self.model.read(log.unpack(stored.seq, stored.epoch, stored.payload)[0])
        self.seen = len(steps)
        table = self.table
        assert table.seq == self.seen
        assert table.match == self.model.match
        assert bool(table.redo) == bool(self.model.taken_back)


async def main(steps: int, seed: int) -> None:
    """Walk through room after room until there were ``steps`` steps."""
    walked, rooms, done = 0, 0, dict[str, int]()
    while walked < steps:
        walk = Walk(f"{seed} {rooms}")
        walked += await walk.run(2_000)
        rooms += 1
        for kind, times in walk.done.items():
            done[kind] = done.get(kind, 0) + times
    told = ", ".join(f"{times} {kind}" for kind, times in sorted(done.items()))
    sys.stdout.write(
        f"{walked} steps in {rooms} rooms ({told}): the state is that of the acts that count, after every step\n"
    )


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1))
