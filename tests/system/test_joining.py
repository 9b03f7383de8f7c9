from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from tests.system.client import MSGPACK, Client
from tests.system.servers import Server


async def seat_of(client: Client, room: str) -> int | None:
    """Where ``client`` sits, by a fresh look at what it has folded."""
    await client.look(room)
    return client.seat(room)


async def test_twenty_joins_at_once_for_one_seat_seat_one(server: Server) -> None:
    ann = await server.client("Ann")
    room = await ann.create(game="draw", seats=2)
    guests = [await server.client(f"Guest {number}") for number in range(20)]

    answers = await asyncio.gather(*(guest.ask("join", room=room) for guest in guests))

    assert Counter(answer.get("code", answer["type"]) for answer in answers) == {"snapshot": 1, "room_full": 19}
    assert server.table(room).seq == 2
    await ann.reach(room, 2)
    await ann.look(room)


async def test_a_join_and_a_bot_at_once_fill_one_seat_once(server: Server) -> None:
    ann, bob = await server.client("Ann"), await server.client("Bob")
    room = await ann.create(game="draw", seats=2)

    answers = await asyncio.gather(bob.ask("join", room=room), ann.ask("add_bot", room=room, seat=1))

    assert sum(answer["type"] == "error" for answer in answers) == 1
    assert (await ann.look(room))["seats"][1]["name"] in {"Bob", "Computer"}


async def test_one_player_may_sit_in_two_rooms(server: Server) -> None:
    ann, bob = await server.client("Ann"), await server.client("Bob")
    first = await ann.create(game="draw", seats=2)
    second = await bob.create(game="block", seats=3)

    await ann.say("join", room=second)

    await ann.drop()
    assert (await ann.come_back())["rooms"] == sorted([first, second])
    for room in (first, second):
        await ann.resume(room)
    assert (await seat_of(ann, first), await seat_of(ann, second)) == (0, 1)


async def test_joining_again_gives_the_own_seat_and_is_no_step(server: Server) -> None:
    ann, bob = await server.client("Ann"), await server.client("Bob")
    room = await ann.create(game="draw", seats=4)
    await bob.say("join", room=room, seat=2)

    again = await bob.say("join", room=room)

    assert again["you"]["seats"] == [2]
    assert again["seq"] == 2


async def test_who_sits_in_the_lobby_moves_to_the_free_seat_that_is_named(server: Server) -> None:
    ann, bob = await server.client("Ann"), await server.client("Bob", MSGPACK)
    room = await ann.create(game="draw", seats=4, seat=1)
    await bob.say("join", room=room)

    await bob.say("join", room=room, seat=3)

    assert await seat_of(bob, room) == 3
    await ann.hear(room, "seated")
    await ann.reach(room, server.table(room).seq)
    assert [seat["name"] for seat in (await ann.look(room))["seats"]] == [None, "Ann", None, "Bob"]


async def test_equal_names_at_a_table_are_told_apart(server: Server) -> None:
    anns = [await server.client("Ann") for _ in range(3)]
    room = await anns[0].create(game="draw", seats=3)

    for ann in anns[1:]:
        await ann.say("join", room=room)

    snapshot = await anns[2].look(room)
    assert [seat["name"] for seat in snapshot["seats"]] == ["Ann", "Ann (2)", "Ann (3)"]
    assert len({seat["player"] for seat in snapshot["seats"]}) == 3


@pytest.mark.parametrize("name", ["Bob \U0001f43a", "Ana-Lucía", "田中", 'O\'Neil "x" <b>', "क्षि", "👩\u200d🚀"])
async def test_a_name_of_any_script_reaches_everybody(server: Server, name: str) -> None:
    ann, guest = await server.client("Ann"), await server.client(name, MSGPACK)
    room = await ann.create(game="draw", seats=2)

    await guest.say("join", room=room)

    assert (await ann.hear(room, "seated"))["name"] == name
    assert (await ann.look(room))["seats"][1]["name"] == name


@pytest.mark.parametrize(
    "name", ["", " ", "\u0301", "a\u202eb", "a\x00b", "a\nb", "x" * 21, "x" * 10_000, "a" + "\u0301" * 9]
)
async def test_a_name_that_would_spoil_the_table_is_refused_and_another_may_follow(server: Server, name: str) -> None:
    zoe = server.stranger("Zoe")
    await zoe.open()

    refusal = await zoe.refused("hello", name=name)

    assert (refusal["code"], refusal["path"]) == ("bad_message", "name")
    await zoe.hello()


async def test_two_who_want_a_quick_match_of_the_same_kind_meet_and_it_begins(server: Server) -> None:
    ann, bob, cat = await server.client("Ann"), await server.client("Bob"), await server.client("Cat")

    first = await ann.say("quick", game="draw", seats=2)
    other = await cat.say("quick", game="block", seats=2)
    second = await bob.say("quick", game="draw", seats=2)

    assert first["waiting"]
    assert first["settings"]["public"]
    assert (second["room"], second["phase"]) == (first["room"], "playing")
    assert other["room"] != first["room"]
    await ann.reach(first["room"], second["seq"])
    await ann.look(first["room"])


async def test_anyone_seated_may_start_a_quick_match_with_bots_in_the_empty_seats(server: Server) -> None:
    ann, bob = await server.client("Ann"), await server.client("Bob")
    room = (await ann.say("quick", game="fives-threes", seats=4))["room"]
    await bob.say("quick", game="fives-threes", seats=4)

    await bob.say("start", room=room)

    snapshot = await bob.look(room)
    assert snapshot["phase"] == "playing"
    assert [seat["bot"] for seat in snapshot["seats"]] == [None, None, "club", "club"]


async def test_a_table_that_waits_for_people_begins_when_the_last_seat_is_taken(server: Server) -> None:
    ann, bob, cat = await server.client("Ann"), await server.client("Bob"), await server.client("Cat")
    room = await ann.create(game="draw", seats=3, fill="wait")
    await bob.say("join", room=room)
    await ann.say("start", room=room)
    waiting = await ann.look(room)

    snapshot = await cat.say("join", room=room)

    assert (waiting["phase"], waiting["waiting"]) == ("lobby", True)
    assert (snapshot["phase"], snapshot["waiting"]) == ("playing", False)
    await bob.reach(room, snapshot["seq"])
    await bob.look(room)


async def test_a_table_that_has_waited_long_enough_begins_with_bots(server: Server) -> None:
    ann = await server.client("Ann")
    room = await ann.create(game="draw", seats=2, fill="wait", fill_after=30)
    await ann.say("start", room=room)

    server.let_pass(30)

    assert (await ann.hear(room, "deal_started"))["number"] == 1
    assert (await ann.look(room))["seats"][1]["bot"] == "club"


async def test_a_headless_bot_is_shown_as_one_and_never_waited_for(server: Server) -> None:
    ann = await server.client("Ann")
    robot = await server.client("Robot", MSGPACK, bot=True)
    room = await ann.create(game="block", seats=2, target=1_000_000, lead=0)
    joined = await robot.say("join", room=room)

    await ann.say("start", room=room)
    while (await ann.look(room))["phase"] == "playing":
        for player in (ann, robot):
            await player.look(room)
            table = player.tables[room]
            if table["turn"] is not None and table["turn"]["seat"] == player.seat(room):
                action = table["turn"]["legal"][0]["action"]
                await player.say("act", room=room, seq=table["seq"], action=action)
    await ann.say("next", room=room)

    assert joined["seats"][1]["bot"] == "headless"
    assert (await ann.look(room))["deal"]["number"] == 2
