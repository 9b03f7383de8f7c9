"""Section I of docs/faults.md: rooms, memory and closed connections."""

from __future__ import annotations

import asyncio
import gc
from collections import Counter
from pathlib import Path

import pytest

from server.connection import Connection
from server.limits import Limits
from server.room import Room
from server.session import Session
from server.table.state import Phase
from tests.faults.waiting import until
from tests.server.rooms import House, open_house
from tests.server.tables import ANN, BOB
from tests.system.client import Client
from tests.system.servers import Server

ROOMS = 1000
MATCHES = 100
CYCLES = 400
REFRESHES = 500
A_MINUTE = 60.0
A_DAY = 24 * 60 * 60.0
"""The clock of the tests lets go of a timer, cancelled or not, when its time has come."""


def alive(*kinds: type) -> Counter[str]:
    """How many objects of each kind something still holds."""
    gc.collect()
    return Counter(type(thing).__name__ for thing in gc.get_objects() if type(thing) in kinds)


def handles() -> int:
    """Open files and sockets of this process."""
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


@pytest.mark.parametrize("is_there", [True, False], ids=["its maker still connected", "its maker gone"])
async def test_a_thousand_rooms_that_nobody_joins_are_gone_in_their_time(is_there: bool) -> None:
    """I1: whether or not a connection ever ends."""
    async with open_house(limits=Limits(rooms_per_player=0, idle_lobby=1800)) as house:
        ann = house.ear(ANN)
        for _ in range(ROOMS):
            ann.say("create", settings={"game": "draw", "seats": 2, "public": True})
        await house.settle()
        opened = len(house.registry)
        if not is_there:
            ann.hang_up()
        await house.settle()

        await house.pass_time(1800)

        assert (opened, len(house.registry)) == (ROOMS, 0)
        assert house.registry.rooms_of(ANN.player) == []
        assert [handle for handle in house.clock._due if not handle.is_cancelled] == []


async def play_short_match(house: House, number: int) -> None:
    """Ann against a bot until one of them has a point, and then she goes."""
    ann = house.ear(ANN)
    settings = {"game": "fives-threes", "seats": 2, "target": 1, "bot_delay": 0, "bot": "novice", "next_deal_after": 0}
    room = (await ann.ask("create", settings=settings))["room"]
    await ann.ask("start", room=room)
    table = house.registry.find(room).table
    while table.phase is not Phase.MATCH_OVER:
        if table.turn == 0:
            update = ann.updates()[-1]
            ann.say("act", room=room, seq=update["seq"], action=update["turn"]["legal"][0]["action"])
        house.clock.advance(0)
        for _ in range(3):  # the journal writes, the room tells
            await asyncio.sleep(0)
        table = house.registry.find(room).table
    if number % 2:
        ann.hang_up()


async def test_of_finished_matches_nothing_stays_in_memory() -> None:
    """I2."""
    async with open_house() as house:
        for number in range(MATCHES):
            await play_short_match(house, number)
            if number % 10 == 9:
                await house.pass_time(600)
        await house.pass_time(A_DAY)
        idle = len(house.registry), [handle for handle in house.clock._due if not handle.is_cancelled]

        await house.ear(BOB).ask("create", settings={"game": "draw", "seats": 2})

        assert idle == (0, [])
        assert alive(Room) == {"Room": 1}


async def test_a_lobby_whose_people_have_vanished_is_offered_to_nobody_for_long(server: Server) -> None:
    """I4: no word was said, the lines are cut."""
    ann, bob = await server.client("Ann"), await server.client("Bob")
    rooms = {
        (await ann.say("quick", game="draw", seats=2))["room"],
        await ann.create(game="draw", seats=2, public=True),
    }
    at_first = await bob.say("rooms")
    await ann.drop()
    await until(lambda: all(server.table(room).is_deserted for room in rooms))
    deserted = await bob.say("rooms")

    server.let_pass(30 * 60)
    await until(lambda: len(server.app.registry) == 0)
    found = await bob.say("quick", game="draw", seats=2)

    assert {shown["room"] for shown in at_first["rooms"]} <= rooms
    assert at_first["rooms"]
    assert deserted["rooms"] == []
    assert found["room"] not in rooms
    assert [seat["name"] for seat in found["seats"]] == ["Bob", None]


async def come_and_go(server: Server, number: int, room: str) -> None:
    """Connect and hang up, each time at another moment."""
    zoe = Client(server.url, "Zoe", prefix=f"zoe-{number}")
    await zoe.open()
    if number % 4 > 0:
        await zoe.send("hello", name="Zoe")
    if number % 4 > 1:
        await zoe.receive()
    if number % 4 > 2:
        await zoe.send("watch", room=room)
    await zoe.drop()


async def all_come_and_go(server: Server, room: str, cycles: int) -> None:
    """So many times, until the server has noticed; its clock goes on, and its timers with it."""
    for number in range(cycles):
        await come_and_go(server, number, room)
    await until(lambda: len(server.app._connections) == 1 and not server.table(room).watchers)
    server.let_pass(A_MINUTE)


async def test_connections_that_come_and_go_leave_nothing_behind(server: Server) -> None:
    """I7: tasks, handles and what the server knows of them are back where they were."""
    ann = await server.client("Ann")
    room = await ann.create(game="draw", seats=2)
    await all_come_and_go(server, room, 4)
    tasks, files, kept = len(asyncio.all_tasks()), handles(), alive(Connection, Session)

    await all_come_and_go(server, room, CYCLES)

    await until(lambda: len(asyncio.all_tasks()) <= tasks)
    await until(lambda: handles() <= files)
    await until(lambda: alive(Connection, Session) <= kept)


async def test_a_page_that_is_refreshed_again_and_again_is_one_player_at_one_table(server: Server) -> None:
    """I10."""
    ann = await server.client("Ann")
    room = await ann.create(game="draw", seats=2)
    for _ in range(REFRESHES):
        await ann.drop()
        await ann.come_back()
        await ann.say("sync", room=room)

    await until(lambda: len(server.app._connections) == 1)
    server.let_pass(A_MINUTE)
    assert len(server.app.registry) == 1
    assert [place.player for place in server.table(room).places] == [ann.player, None]
    await until(lambda: alive(Connection, Session, Room) == {"Connection": 1, "Session": 1, "Room": 1})
