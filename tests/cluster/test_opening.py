"""`create` and `quick` lead to one room, at whatever nodes they are said and whatever becomes of these."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from server.cluster.house import MAX_WAITING
from server.table.state import PlayerId
from tests.cluster.houses import SETTINGS, Houses, present
from tests.server.tables import ANN, BOB, CAT, DAN


async def test_a_node_that_stops_opens_no_room(houses: Houses) -> None:
    first, _ = houses.nodes
    await houses.stop(first)

    answer = await first.person(ANN).ask("create", settings=SETTINGS)

    assert answer["code"] == "draining"


async def test_a_message_sent_again_to_another_node_opens_no_second_room(houses: Houses) -> None:
    first, second = houses.nodes
    opened, again = (node.person(ANN) for node in (first, second))

    answers = [opened.say("create", settings=SETTINGS, id="once"), again.say("create", settings=SETTINGS, id="once")]
    await houses.pass_time(1)

    rooms = {(person.answer(answer) or {})["room"] for person, answer in zip((opened, again), answers, strict=True)}
    assert len(rooms) == 1
    assert rooms == set(houses.shared.store._index.open_rooms())


async def test_a_message_sent_again_after_its_node_has_died_leads_to_the_room_that_it_has_opened(
    houses: Houses,
) -> None:
    first, second = houses.nodes
    opened = await first.person(ANN).ask("create", settings=SETTINGS, id="once")
    houses.shared.die(first.exchange.me)

    again = await second.person(ANN).ask("create", settings=SETTINGS, id="once")

    assert (again["type"], again["room"]) == ("snapshot", opened["room"])
    assert list(houses.shared.store._index.open_rooms()) == [opened["room"]]


async def test_nor_does_it_open_a_second_one_where_the_dead_node_still_writes_the_first(houses: Houses) -> None:
    first, second = houses.nodes
    first.store.gate.clear()
    first.person(ANN).say("create", settings=SETTINGS, id="once")
    await houses.settle()
    houses.shared.die(first.exchange.me)
    ann = second.person(ANN)

    again = await ann.ask("create", settings=SETTINGS, id="once")
    first.store.gate.set()
    await houses.pass_time(1)

    assert again["type"] == "snapshot"
    assert list(houses.shared.store._index.open_rooms()) == [again["room"]]
    assert present(houses, again["room"]) == {ANN.player}


async def test_a_room_that_nobody_waits_for_any_more_is_found_to_be_none(houses: Houses) -> None:
    first, _ = houses.nodes
    ann, bob = first.person(ANN), first.person(BOB)
    first.store.gate.clear()
    ann.say("create", settings=SETTINGS, id="once")
    for _ in range(3):
        await houses.settle()
    ann.hang_up()
    code = houses.shared.made[ANN.player, "once"]

    assert not first.house._edge.opens(code)

    first.store.gate.set()
    assert (await bob.ask("join", room="ZZZZZZ"))["code"] == "no_such_room"
    assert bob.guesses == 1


async def test_who_has_hung_up_takes_no_seat_afterwards(houses: Houses) -> None:
    first, second = houses.nodes
    bob = second.person(BOB)
    bob.say("create", settings=SETTINGS)
    bob.hang_up()

    await houses.pass_time(1)

    assert not first.registry.codes
    assert not second.registry.codes


@pytest.mark.parametrize("at", [(0, 0), (0, 1)], ids=["one node", "two nodes"])
async def test_who_look_for_a_match_at_the_same_moment_meet(houses: Houses, at: tuple[int, int]) -> None:
    people = [houses.nodes[node].person(actor) for node, actor in zip(at, (ANN, BOB), strict=True)]

    asked = [person.say("quick", game="draw", seats=2) for person in people]
    await houses.settle()

    rooms = {
        answer["room"]
        for person, message_id in zip(people, asked, strict=True)
        if (answer := person.answer(message_id))
    }
    assert len(rooms) == 1
    assert present(houses, *rooms) == {ANN.player, BOB.player}


async def test_of_four_who_look_for_a_match_for_two_at_the_same_moment_nobody_is_alone(houses: Houses) -> None:
    first, second = houses.nodes
    people = [first.person(ANN), second.person(BOB), first.person(CAT), second.person(DAN)]

    asked = [person.say("quick", game="draw", seats=2) for person in people]
    await houses.pass_time(2)

    answers = [person.answer(message_id) for person, message_id in zip(people, asked, strict=True)]
    assert Counter(Counter(answer and answer["room"] for answer in answers).values()) == {2: 2}


@pytest.mark.parametrize("change", ["leave", "start"])
async def test_quick_match_leads_to_no_table_that_has_changed_since_it_was_listed(houses: Houses, change: str) -> None:
    first, second = houses.nodes
    ann, bob = first.person(ANN), second.person(BOB)
    room = (await ann.ask("quick", game="draw", seats=3))["room"]
    await houses.pass_time(4)
    assert second.registry.open_tables.lists(room)

    ann.say("start", room=room)  # and waits for two more
    ann.say(change, room=room)
    asked = bob.say("quick", game="draw", seats=3)
    await houses.pass_time(4)

    answer = bob.answer(asked)
    assert answer is not None
    assert (answer["type"], answer["room"] == room) == ("snapshot", False)


async def test_so_many_rooms_may_be_asked_for_at_once_and_no_more(
    houses: Houses, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = (houses.nodes[0].person(who) for who in (ANN, BOB))
    directory, gate = houses.nodes[0].exchange.directory, asyncio.Event()
    room_for = directory.room_for

    async def late(player: PlayerId, message_id: str) -> str | None:
        await gate.wait()
        return await room_for(player, message_id)

    monkeypatch.setattr(directory, "room_for", late)
    asked = [ann.say("create", settings=SETTINGS) for _ in range(MAX_WAITING + 1)]
    others = bob.say("create", settings=SETTINGS)
    refused = ann.answer(asked.pop())
    gate.set()
    await houses.settle()

    assert refused is not None
    assert (refused["code"], refused["retry_after"]) == ("rate_limited", 1.0)
    assert all(ann.answer(message_id) for message_id in asked)
    assert (bob.answer(others) or {})["type"] == "snapshot"
    assert not houses.nodes[0].house._waiting._open
