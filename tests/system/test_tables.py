from __future__ import annotations

from typing import Any

import pytest

from protocol.convert import Wire
from tests.system.client import MSGPACK, Client
from tests.system.party import gather
from tests.system.secrecy import leaks, read_log
from tests.system.servers import Server, serving


async def look_all(server: Server, room: str, *clients: Client) -> Wire:
    """All take in the newest step, and each sees afresh what it has folded. Returns what the last one sees."""
    snapshot: Wire = {}
    for client in clients:
        await client.reach(room, server.table(room).seq)
        snapshot = await client.look(room)
    return snapshot


async def lobby_of_three(server: Server) -> tuple[str, Client, Client, Client]:
    """A lobby of four seats: the host, a guest at seat 3, and a watcher."""
    ann, bob, eve = await server.client("Ann"), await server.client("Bob", MSGPACK), await server.client("Eve")
    room = await ann.create(game="all-fives", seats=4)
    await eve.say("watch", room=room)
    await bob.say("join", room=room, seat=3)
    return room, ann, bob, eve


def names(table: Wire) -> list[str | None]:
    """Who sits where."""
    return [seat["name"] for seat in table["seats"]]


HOST_DOES: list[tuple[str, dict[str, Any], list[str | None]]] = [
    ("next", {}, ["Ann", None, None, "Bob"]),
    ("add_bot", {"seat": 1, "level": "novice"}, ["Ann", "Computer", None, "Bob"]),
    ("swap", {"seats": [1, 2]}, ["Ann", None, "Computer", "Bob"]),
    ("swap", {"seats": [0, 3]}, ["Bob", None, "Computer", "Ann"]),
    ("remove", {"seat": 2}, ["Bob", None, None, "Ann"]),
    ("join", {"seat": 1}, ["Bob", "Ann", None, None]),
]


async def test_what_the_host_does_in_the_lobby_is_told_to_all(server: Server) -> None:
    room, ann, bob, eve = await lobby_of_three(server)

    for kind, fields, seated in HOST_DOES:
        await ann.say(kind, room=room, **fields)

        assert names(await look_all(server, room, ann, bob, eve)) == seated


async def test_a_reaction_is_told_and_too_many_are_refused_for_a_while(server: Server) -> None:
    room, ann, bob, eve = await lobby_of_three(server)

    await bob.say("react", room=room, key="nice")
    refusal = await bob.refused("react", room=room, key="nice")
    server.let_pass(refusal["retry_after"])
    await bob.say("react", room=room, key="wow")

    assert refusal["code"] == "rate_limited"
    assert await ann.hear(room, "reacted") == {"type": "reacted", "seat": 3, "key": "nice"}
    await look_all(server, room, ann, bob, eve)


async def test_who_is_removed_is_told_so_and_then_nothing_more(server: Server) -> None:
    room, ann, bob, eve = await lobby_of_three(server)

    await ann.say("remove", room=room, seat=3)
    await ann.say("add_bot", room=room, seat=3)

    assert await bob.hear(room, "left") == {"type": "left", "seat": 3}
    assert (await bob.refused("sync", room=room))["code"] == "not_seated"
    assert bob.seat(room) is None
    await look_all(server, room, ann, eve)


async def test_the_host_s_part_goes_on_when_the_host_leaves_and_comes_back_to_an_empty_table(server: Server) -> None:
    room, ann, bob, eve = await lobby_of_three(server)

    await ann.say("leave", room=room)
    second = await look_all(server, room, bob, eve)
    await bob.say("leave", room=room)
    nobody = await look_all(server, room, eve)
    await ann.say("join", room=room)
    again = await look_all(server, room, ann, eve)

    assert [view["host"] for view in (second, nobody, again)] == [bob.player, None, ann.player]


async def test_who_watches_twice_is_one_watcher_and_may_leave(server: Server) -> None:
    room, ann, bob, eve = await lobby_of_three(server)
    seq = server.table(room).seq

    again = await eve.say("watch", room=room)
    await eve.say("leave", room=room)

    assert (again["seq"], again["watchers"]) == (seq, ["Eve"])
    assert (await look_all(server, room, ann, bob))["watchers"] == []
    assert (await eve.refused("leave", room=room))["code"] == "not_seated"


async def test_a_table_may_admit_no_watchers_or_only_so_many() -> None:
    async with serving(limits={"spectators": 1}) as server:
        ann, bob, cat = [await server.client(name) for name in ("Ann", "Bob", "Cat")]
        closed = await ann.create(game="draw", seats=2, spectators=False)
        small = await ann.create(game="draw", seats=2)

        await bob.say("watch", room=small)
        refusals = [await cat.refused("watch", room=room) for room in (closed, small)]

    assert [refusal["reason"] for refusal in refusals] == ["no_spectators", "too_many_spectators"]


async def test_a_newcomer_watches_the_running_deal_and_has_a_bot_s_seat_from_the_next_on(server: Server) -> None:
    party = await gather(server, 1, game="fives-threes", seats=2, target=1_000_000)
    await party.start()
    bob = await server.client("Bob")

    joined = await bob.say("join", room=party.room)
    party.watcher, eve = bob, party.watcher
    party.absent.append(eve)
    await eve.drop()
    while party.view["phase"] == "playing":
        await party.step()
    leaked = leaks(bob, party.room, await read_log(server.store, party.room), None)
    party.players.append(bob)
    await party.players[0].say("next", room=party.room)
    await bob.say("next", room=party.room)

    assert (joined["you"], joined["seats"][1]["coming"]) == ({"seats": [], "shown": [], "watching": True}, "Bob")
    assert leaked == []
    snapshot = await look_all(server, party.room, party.players[0], bob)
    assert (snapshot["you"]["seats"], len(snapshot["deal"]["hands"]["1"])) == ([1], 7)


async def test_who_leaves_a_match_gives_the_seat_to_a_bot_and_may_have_it_back_at_once(server: Server) -> None:
    party = await gather(server, 2, game="draw", seats=3, target=30)
    await party.start()
    ann, bob = party.players
    hand = bob.tables[party.room]["deal"]["hands"]["1"]

    await bob.say("leave", room=party.room)
    left = await look_all(server, party.room, ann, party.watcher)
    back = await bob.say("join", room=party.room)

    assert [seat["bot"] for seat in left["seats"]] == [None, "club", "club"]
    assert back["you"]["seats"] == [1]
    assert back["deal"]["hands"]["1"] == hand
    await party.settle()
    await party.play_on()
    await party.check_what_was_told()


async def test_a_room_without_a_connected_player_waits_for_one(server: Server) -> None:
    party = await gather(server, 1, game="draw", seats=2)
    await party.start()
    ann = party.players[0]
    while party.view["turn"] != {"seat": 1}:
        await party.step()

    await party.lose(ann)
    seq = party.seq
    server.let_pass(3600)
    waited = party.seq - seq
    await party.bring_back(ann, with_cursor=True)
    await party.step()

    assert waited == 0
    assert party.view["deal"]["events"][-1]["seat"] == 1


@pytest.mark.parametrize("absence", ["bot", "wait"])
async def test_the_host_s_part_goes_on_when_the_host_is_away_too_long(server: Server, absence: str) -> None:
    party = await gather(server, 2, game="draw", seats=2, absence=absence, grace=10)
    ann, bob = party.players

    await party.lose(ann)
    await party.pass_time(10)
    await party.bring_back(ann, with_cursor=False)

    assert party.view["host"] == bob.player


async def test_an_idle_lobby_ends_and_nobody_finds_it_any_more(server: Server) -> None:
    room, ann, bob, _ = await lobby_of_three(server)

    server.let_pass(30 * 60)

    for client in (ann, bob):
        assert await client.hear(room, "closed") == {"type": "closed", "reason": "idle"}
    assert (await ann.refused("sync", room=room))["code"] == "no_such_room"
    assert (await ann.refused("join", room=room))["code"] == "no_such_room"


async def test_the_next_deal_begins_by_itself_after_a_while(server: Server) -> None:
    party = await gather(server, 2, game="draw", seats=2, target=1_000_000, next_deal_after=15)
    await party.start()
    while party.view["phase"] == "playing":
        await party.step()

    await party.pass_time(15)

    assert party.view["deal"]["number"] == 2
    await party.step()


async def test_a_seat_of_the_deal_keeps_its_hand_when_its_holder_comes_back_on_another_codec(server: Server) -> None:
    party = await gather(server, 2, game="draw", seats=2)
    await party.start()
    ann = party.players[0]
    hand = ann.tables[party.room]["deal"]["hands"]["0"]

    await party.lose(ann)
    ann.subprotocol = MSGPACK
    await party.bring_back(ann, with_cursor=False)

    assert ann.tables[party.room]["deal"]["hands"]["0"] == hand
