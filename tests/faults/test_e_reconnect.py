"""Section E of docs/faults.md: lost connections. What needs a browser is in browser/test_coming_back.py."""

from __future__ import annotations

import asyncio

import pytest

from server.table.state import Presence
from tests.fakes import FailingStore
from tests.faults.proxy import proxy_to
from tests.faults.waiting import until
from tests.server.rooms import open_house
from tests.server.tables import ANN, BOB, CAT, DAN
from tests.system.client import Client
from tests.system.party import gather
from tests.system.scenes import in_turn
from tests.system.servers import Server

REFRESHES = 100
LOADS = 20


def stranger_with(server: Server, token: str | None) -> Client:
    """A client that will say that it has ``token``."""
    client = server.stranger("Ann", prefix="again")
    client.token = token
    return client


@pytest.mark.parametrize("later", [0, 1, 300], ids=["at once", "a second later", "five minutes later"])
async def test_who_comes_back_while_the_old_line_still_looks_open_has_the_seat_at_once(
    server: Server, later: float
) -> None:
    """E1, E2: the old line has fallen silent, and nobody has been told."""
    async with proxy_to(server.port) as line:
        scene = await in_turn(server)
        old = scene.sender
        await old.drop()
        await old.come_back(line.url)
        await old.say("sync", room=scene.room)
        line.hold()
        server.let_pass(later)
        new = stranger_with(server, old.token)

        await new.come_back()
        table = await new.say("sync", room=scene.room)

        assert (new.player, table["you"]["seats"]) == (old.player, [0])
        assert [seat["state"] for seat in table["seats"]] == ["present", "present", "present"]
        await new.say("act", room=scene.room, seq=table["seq"], action=table["turn"]["legal"][0]["action"])
        line.release()
        assert await old.close_code() == 4003
        assert server.table(scene.room).places[0].presence is Presence.PRESENT


async def test_no_wrong_token_ends_the_grace_of_who_is_away(server: Server) -> None:
    """E4: whatever is tried, the right one works, and the room ends in its time."""
    scene = await in_turn(server)
    ann, bob = scene.sender, scene.bystander
    await ann.drop()
    await bob.hear(scene.room, "away")
    server.let_pass(30)
    intruder = stranger_with(server, None)
    await intruder.open()
    for token in ("x" * 32, "", f"{ann.token}x"):
        assert (await intruder.refused("hello", name="Ann", token=token))["code"] == "unauthorized"
    await intruder.hello(token=bob.token)
    assert (await intruder.refused("act", room=scene.room, seq=1, action={"type": "knock"}))["code"] == "not_your_turn"
    assert server.table(scene.room).places[0].presence is Presence.AWAY

    await ann.come_back()
    await ann.resume(scene.room)

    assert server.table(scene.room).places[0].presence is Presence.PRESENT
    await server.send_all_away()
    await until(lambda: server.table(scene.room).is_deserted)
    server.let_pass(24 * 60 * 60 - 1)
    assert len(server.app.registry) == 1
    server.let_pass(1)
    await until(lambda: len(server.app.registry) == 0)


@pytest.mark.parametrize(("is_playing", "limit"), [(False, 30 * 60), (True, 24 * 60 * 60)], ids=["lobby", "match"])
async def test_a_room_to_which_nobody_comes_back_ends_in_its_time_and_leaves_no_timer(
    is_playing: bool, limit: float
) -> None:
    """E5."""
    async with open_house() as house:
        ann, bob = house.ear(ANN), house.ear(BOB)
        room = (await ann.ask("create", settings={"game": "draw", "seats": 3, "turn_timer": 20}))["room"]
        await bob.ask("join", room=room)
        if is_playing:
            await ann.ask("start", room=room)
        tasks = asyncio.all_tasks()
        ann.hang_up()
        bob.hang_up()
        await house.settle()

        await house.pass_time(limit - 1)
        before = len(house.registry)
        await house.pass_time(1)

        assert (before, len(house.registry)) == (1, 0)
        assert [handle for handle in house.clock._due if not handle.is_cancelled] == []
        assert asyncio.all_tasks() == tasks
        assert house.registry.rooms_of(ANN.player) == []


async def test_a_refreshed_page_comes_back_to_the_room_of_its_address_and_to_no_other(server: Server) -> None:
    """E7: a hundred times, with seats in two rooms."""
    ann, bob = await server.client("Ann"), await server.client("Bob")
    rooms = [await host.create(game="draw", seats=2) for host in (ann, bob)]
    await ann.say("join", room=rooms[1])

    for number in range(REFRESHES):
        room = rooms[number % 2]
        await ann.drop()
        await ann.come_back()
        table = await ann.say("sync", room=room)
        assert (table["room"], table["you"]["seats"]) == (room, [number % 2])

    assert len(server.app.registry) == 2
    assert [len([p for p in server.table(room).places if p.player]) for room in rooms] == [1, 2]


async def test_every_return_is_told_of_players_and_of_those_who_watch(server: Server) -> None:
    """E13: nobody stays marked as away."""
    party = await gather(server, 2, game="block", seats=2)
    ann, bob = party.players

    for _ in range(3):
        await party.lose(bob)
        assert ann.tables[party.room]["seats"][1]["state"] == "away"
        await party.bring_back(bob, with_cursor=True)
        assert ann.tables[party.room]["seats"][1]["state"] == "present"
        await party.lose(party.watcher)
        assert ann.tables[party.room]["watchers"] == []
        await party.bring_back(party.watcher, with_cursor=False)
        assert ann.tables[party.room]["watchers"] == ["Eve"]


async def test_a_table_that_is_loaded_twenty_times_has_the_same_seats_each_time() -> None:
    """E17: nobody is told that the match has begun already."""
    store, people = FailingStore(), (ANN, BOB, CAT, DAN)
    async with open_house(store) as house:
        ann = house.ear(ANN)
        room = (await ann.ask("create", settings={"game": "all-fives", "seats": 4, "lead": 2}))["room"]
        for seat, who in ((3, BOB), (1, CAT), (2, DAN)):
            await house.ear(who).ask("join", room=room, seat=seat)
        await ann.ask("start", room=room)

    for _ in range(LOADS):
        async with open_house(store) as house:
            await house.registry.load()
            seats = [(await house.ear(who).ask("sync", room=room))["you"]["seats"] for who in people]
            assert seats == [[0], [3], [1], [2]]


@pytest.mark.parametrize("with_cursor", [True, False], ids=["by cursor", "by snapshot"])
async def test_who_was_away_when_the_turn_came_is_asked_on_return(server: Server, with_cursor: bool) -> None:
    """E19."""
    scene = await in_turn(server)
    ann, bob = scene.sender, scene.bystander
    await bob.drop()
    await ann.hear(scene.room, "away")
    table = ann.tables[scene.room]
    await ann.say("act", room=scene.room, seq=table["seq"], action=table["turn"]["legal"][0]["action"])
    assert server.table(scene.room).turn == 1

    await bob.come_back()
    if with_cursor:
        await bob.resume(scene.room)
    else:
        await bob.say("sync", room=scene.room)

    turn = bob.tables[scene.room]["turn"]
    assert turn["seat"] == 1
    seq = bob.tables[scene.room]["seq"]
    await bob.say("act", room=scene.room, seq=seq, action=turn["legal"][0]["action"])
