"""People and bots at one table, led through a match step by step; after each step everybody's view is compared."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from engine.seats import Seat
from protocol.convert import Wire
from tests.system.client import JSON, MSGPACK, Client
from tests.system.secrecy import leaks, public, read_log
from tests.system.servers import Server

PEOPLE = ("Ann", "Bob", "Cat", "Dan")


@dataclass
class Party:
    """``players`` sit at seats 0, 1, ... of ``room``, bots on the others; ``watcher`` has no seat."""

    server: Server
    room: str
    players: list[Client]
    watcher: Client
    absent: list[Client] = field(default_factory=list)
    """Those whose connection was cut."""
    rng: random.Random = field(default_factory=lambda: random.Random(1))

    @property
    def everyone(self) -> list[Client]:
        """All who are there."""
        return [client for client in (*self.players, self.watcher) if client not in self.absent]

    @property
    def view(self) -> Wire:
        """What everybody sees, by the eyes of one of them."""
        return self.everyone[-1].tables[self.room]

    @property
    def seq(self) -> int:
        """The newest step."""
        return self.server.table(self.room).seq

    async def settle(self) -> None:
        """Everybody takes in the newest step, and a fresh snapshot shows the same; all are told of the same turn."""
        for client in self.everyone:
            await client.reach(self.room, self.seq)
            await client.look(self.room)
        turns = {_turn(client.tables[self.room]) for client in self.everyone}
        assert turns == {self.server.table(self.room).turn}

    async def step(self) -> None:
        """Whoever is to do something does it: a person, a bot, or all who are there say `next`."""
        turn = _turn(self.view)
        if turn is None:
            for player in self.players:
                if player not in self.absent:
                    await player.say("next", room=self.room)
                    await self.settle()
        elif self._is_bots(turn):
            await self.pass_time()
        elif self.players[turn] not in self.absent:
            await self._act(self.players[turn])
            await self.settle()

    async def pass_time(self, seconds: float = 0.0) -> None:
        """Time passes, and something happens by it: the earliest of what is due."""
        self.server.let_pass(seconds)
        await self.everyone[0].reach(self.room, self.view["seq"] + 1)
        await self.settle()

    def _is_bots(self, turn: int) -> bool:
        seat = self.view["seats"][turn]
        return seat["player"] is None or seat["state"] == "bot_in"

    async def _act(self, player: Client) -> None:
        table = player.tables[self.room]
        legal = table["turn"]["legal"]
        asked = {"room": self.room, "seq": table["seq"], "action": self.rng.choice(legal)["action"]}
        for other in self.everyone:
            if other is not player:
                code = "not_seated" if other is self.watcher else "not_your_turn"
                assert (await other.refused("act", **asked))["code"] == code
        await player.say("act", **asked)

    async def start(self) -> None:
        """Begin the match."""
        await self.players[0].say("start", room=self.room)
        await self.settle()

    async def play_on(self) -> None:
        """Play to the end of the match."""
        while self.view["phase"] != "match_over":
            await self.step()

    async def play_match(self) -> None:
        """Play from the start to the end of the match."""
        await self.start()
        await self.play_on()

    async def lose(self, client: Client) -> None:
        """The connection of ``client`` is cut, and the others hear of it."""
        self.absent.append(client)
        witness = self.everyone[0]
        seq = self.seq
        await client.drop()
        await witness.reach(self.room, seq + 1)

    async def bring_back(self, client: Client, *, with_cursor: bool) -> None:
        """``client`` returns to the table, with the updates that it has missed or with nothing."""
        await client.come_back()
        if client is self.watcher:
            await client.say("watch", room=self.room)
        elif with_cursor:
            await client.resume(self.room)
        else:
            await client.say("sync", room=self.room)
        self.absent.remove(client)
        await self.settle()

    async def check_what_was_told(self) -> None:
        """Nobody was told a secret, and all were told the same steps."""
        log = await read_log(self.server.store, self.room)
        for seat, player in enumerate(self.players):
            assert leaks(player, self.room, log, Seat(seat)) == []
        assert leaks(self.watcher, self.room, log, None) == []
        for one, other in combinations(self.everyone, 2):
            assert _told_to_both(one, other, self.room)


def _turn(table: Wire) -> int | None:
    return None if table["turn"] is None else table["turn"]["seat"]


def _told_to_both(one: Client, other: Client, room: str) -> bool:
    """Whether the steps that both were told of are the same, and there are such."""
    first, second = ({told["seq"]: public(told) for told in client.updates(room)} for client in (one, other))
    both = first.keys() & second.keys()
    return bool(both) and all(first[seq] == second[seq] for seq in both)


async def gather(server: Server, people: int, **settings: Any) -> Party:
    """A lobby with ``people`` seated, who speak JSON and MessagePack by turns, and a watcher who speaks the other."""
    players = [await server.client(name, (JSON, MSGPACK)[number % 2]) for number, name in enumerate(PEOPLE[:people])]
    host, *guests = players
    room = await host.create(**{"bot_delay": 0, **settings})
    for guest in guests:
        await guest.say("join", room=room)
    watcher = await server.client("Eve", (JSON, MSGPACK)[people % 2])
    await watcher.say("watch", room=room)
    return Party(server, room, players, watcher)
