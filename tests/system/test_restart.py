from __future__ import annotations

import random
from collections.abc import AsyncIterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from protocol.convert import Wire
from tests.redis_servers import redis_server
from tests.system.client import JSON, MSGPACK, Client
from tests.system.secrecy import TILE
from tests.system.servers import ServerProcess, server_process

SETTINGS: dict[str, Any] = {"game": "fives-threes", "seats": 4, "target": 31, "bot_delay": 0, "next_deal_after": 0}


WITH_BOTH_DURABILITIES = pytest.mark.parametrize("server", ["power", "process"], indirect=True)
ON_EVERY_STORE = pytest.mark.parametrize("server", ["power", "process", "redis"], indirect=True)


@pytest.fixture
async def server(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[ServerProcess]:
    """A server process on the embedded store, its parameter being the durability, or on Redis."""
    kind = getattr(request, "param", "power")
    with ExitStack() as around:
        if kind == "redis":
            (tmp_path / "redis").mkdir()
            arguments = ("--store", around.enter_context(redis_server(tmp_path / "redis")).url)
        else:
            arguments = ("--durability", kind)
        async with server_process(tmp_path, *arguments) as running:
            yield running


class Pair:
    """Two people and two bots in a match of a server process."""

    def __init__(self, server: ServerProcess, room: str, players: list[Client]) -> None:
        self.server = server
        self.room = room
        self.players = players
        self._rng = random.Random(3)

    @property
    def views(self) -> list[Wire]:
        return [player.tables[self.room] for player in self.players]

    async def in_turn(self) -> Client | None:
        """The player who is to act; None when the match is over."""
        while True:
            ahead = max(self.players, key=lambda player: player.tables[self.room]["seq"])
            view = ahead.tables[self.room]
            if view["phase"] == "match_over":
                for player in self.players:
                    await player.reach(self.room, view["seq"])
                return None
            for player in self.players:
                if view["turn"] is not None and player.seat(self.room) == view["turn"]["seat"]:
                    await player.reach(self.room, view["seq"])
                    return player
            await ahead.receive()

    def choose(self, player: Client) -> Wire:
        """An `act` that is legal for ``player``, who is in turn."""
        table = player.tables[self.room]
        legal = table["turn"]["legal"]
        return {"room": self.room, "seq": table["seq"], "action": self._rng.choice(legal)["action"]}

    async def play(self, acts: int) -> None:
        """So many acts of people, or fewer if the match ends; the last one has been answered."""
        for _ in range(acts):
            player = await self.in_turn()
            if player is not None:
                await player.say("act", **self.choose(player))

    async def restart(self) -> None:
        """Kill the server, start it again and come back, all without missing a step."""
        await self.server.kill()
        await self.server.start()
        await self.come_back()

    async def come_back(self) -> None:
        for player in self.players:
            welcome = await player.come_back(self.server.url)
            assert welcome["rooms"] == [self.room]
            assert (await player.resume(self.room))["type"] == "ok"
            await player.look(self.room)

    def steps_since(self, epoch: int) -> list[Wire]:
        """The steps that the first player was told of, written under a later epoch."""
        return [update for update in self.players[0].updates(self.room) if update["epoch"] > epoch]


@pytest.fixture
async def pair(server: ServerProcess) -> Pair:
    ann, bob = await server.client("Ann", JSON), await server.client("Bob", MSGPACK)
    room = await ann.create(**SETTINGS)
    await bob.say("join", room=room, seat=2)
    await ann.say("start", room=room)
    await bob.hear(room, "deal_started")
    return Pair(server, room, [ann, bob])


def acted(table: Wire) -> int:
    """How often the receiver of ``table`` has acted in the deal on it."""
    mine = table["you"]["seats"]
    return sum(event["type"] in ("played", "knocked") and event["seat"] in mine for event in table["deal"]["events"])


@ON_EVERY_STORE
async def test_a_killed_server_has_the_table_back_and_the_match_goes_on_to_its_end(pair: Pair) -> None:
    await pair.play(3)
    before = pair.views

    await pair.restart()

    first_step = pair.steps_since(before[0]["epoch"])[0]
    assert first_step["events"] == [{"type": "away", "seat": 0}, {"type": "away", "seat": 2}]
    assert [view["you"] for view in pair.views] == [view["you"] for view in before]
    await pair.play(1000)
    assert {view["phase"] for view in pair.views} == {"match_over"}


@WITH_BOTH_DURABILITIES
async def test_nothing_acknowledged_is_lost_whenever_the_server_is_killed(pair: Pair) -> None:
    for acts in (0, 1, 2, 3, 5, 8):
        await pair.play(acts)
        acknowledged = max(view["seq"] for view in pair.views)

        await pair.restart()

        assert min(view["seq"] for view in pair.views) > acknowledged


@WITH_BOTH_DURABILITIES
@pytest.mark.parametrize("is_answered", [True, False], ids=["an answered act", "an act without answer"])
async def test_an_act_sent_again_after_the_kill_happens_once(pair: Pair, is_answered: bool) -> None:
    await pair.play(1)
    player = await pair.in_turn()
    assert player is not None
    before = acted(player.tables[pair.room])
    act = pair.choose(player)
    act["id"] = await player.send("act", **act)
    answer = await player.answer(act["id"]) if is_answered else None

    await pair.restart()
    again = await player.say("act", **act)

    assert answer in (None, again)
    assert acted(await player.look(pair.room)) == before + 1


async def test_a_bot_whose_turn_it_was_at_the_kill_acts_once_somebody_is_back(pair: Pair) -> None:
    await pair.play(1)

    await pair.restart()

    assert await pair.in_turn() is not None


async def test_a_room_in_the_lobby_and_its_guests_outlive_a_kill(server: ServerProcess) -> None:
    ann, bob = await server.client("Ann"), await server.client("Bob")
    room = await ann.create(game="draw", seats=3, public=True)
    await bob.say("join", room=room)
    await ann.say("add_bot", room=room, seat=2, level="novice")
    await server.kill()

    await server.start()
    await ann.come_back(server.url)
    await ann.resume(room)
    snapshot = await ann.look(room)

    assert [seat["name"] for seat in snapshot["seats"]] == ["Ann", "Bob", "Computer"]
    assert [seat["state"] for seat in snapshot["seats"]] == ["present", "away", "present"]
    assert snapshot["phase"] == "lobby"


@ON_EVERY_STORE
async def test_a_server_that_is_told_to_stop_says_so_and_is_found_again_as_it_was(pair: Pair) -> None:
    await pair.play(2)

    status = await pair.server.terminate()

    for player in pair.players:
        assert await player.close_code() == 1012
        assert player.heard[-1]["type"] == "closing"
        assert player.heard[-1]["retry_after"] >= 0
    assert status == 0
    await pair.server.start()
    await pair.come_back()
    await pair.play(1000)
    assert {view["phase"] for view in pair.views} == {"match_over"}


async def test_the_log_of_the_process_holds_no_tile(pair: Pair) -> None:
    await pair.play(5)
    await pair.restart()
    await pair.server.terminate()

    log = pair.server.log.read_text(encoding="utf-8")

    assert "server.started" in log
    assert TILE.findall(log) == []
