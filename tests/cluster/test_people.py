"""Where players are connected and in which rooms they have seats, as all nodes know it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from itertools import permutations
from unittest.mock import AsyncMock

import pytest

from server.limits import Limits
from server.store.base import StoreError
from server.table.state import PlayerId
from tests.cluster.houses import SETTINGS, Houses, at_two_nodes, open_houses, present
from tests.server.lines import Line, hello
from tests.server.tables import ANN, BOB


async def test_a_room_that_ended_with_its_node_counts_for_nobody(houses: Houses) -> None:
    _, second = houses.nodes
    houses.shared.seats[BOB.player] = {"ZZZZZZ"}
    bob = second.person(BOB)
    assert (await second.house.arrive(BOB.player, bob.number)).rooms == ["ZZZZZZ"]

    await bob.ask("sync", room="ZZZZZZ")

    assert not houses.shared.seats[BOB.player]
    assert not second.house.knows(BOB.player, "ZZZZZZ")


@pytest.mark.parametrize(("kind", "answer"), [("sync", "error"), ("watch", "snapshot")])
async def test_a_seat_that_was_left_when_its_node_died_counts_no_more(houses: Houses, kind: str, answer: str) -> None:
    first, second = houses.nodes
    room = (await first.person(ANN).ask("create", settings=SETTINGS))["room"]
    houses.shared.seats[BOB.player] = {room}

    told = await second.person(BOB).ask(kind, room=room)

    assert told["type"] == answer
    assert not houses.shared.seats[BOB.player]
    assert houses.shared.seats[ANN.player] == {room}


async def test_a_leave_that_was_written_when_its_node_died_is_noted_when_it_is_said_again(houses: Houses) -> None:
    first, second = houses.nodes
    room = (await first.person(ANN).ask("create", settings=SETTINGS))["room"]
    bob = second.person(BOB)
    await bob.ask("join", room=room)
    await bob.ask("leave", room=room, id="gone")
    houses.shared.seats[BOB.player] = {room}

    again = await second.person(BOB).ask("leave", room=room, id="gone")

    assert again["type"] == "ok"
    assert not houses.shared.seats[BOB.player]


async def test_who_cannot_be_let_in_is_connected_nowhere(houses: Houses, monkeypatch: pytest.MonkeyPatch) -> None:
    first, _ = houses.nodes
    monkeypatch.setattr(first.exchange.directory, "rooms_of", AsyncMock(side_effect=StoreError("out of reach")))

    with pytest.raises(StoreError):
        await first.house.arrive(ANN.player, 7)

    assert ANN.player not in houses.shared.connected


@pytest.mark.parametrize("is_heard_late", [False, True])
@pytest.mark.parametrize("arriving", [*permutations([("A", 7), ("A", 8), ("B", 3), ("B", 9)])])
async def test_of_all_connections_of_a_player_that_stays_which_came_last(
    houses: Houses, arriving: Sequence[tuple[str, int]], is_heard_late: bool
) -> None:
    """Connections are opened in one order, and their players found in another."""
    nodes = dict(zip("AB", houses.nodes, strict=True))
    lines = {each: Line(each[1]) for each in arriving}
    token = await a_token(houses)

    for node, number in arriving:
        await nodes[node].sessions.greet(lines[node, number], hello(token))
        if not is_heard_late:
            await houses.settle()
    await houses.settle()

    assert [each for each, line in lines.items() if not line.is_replaced] == [arriving[-1]]


@pytest.mark.parametrize("comes_first", [True, False])
async def test_of_two_connections_the_newer_stays_though_one_is_looked_up_for_long(
    houses: Houses, monkeypatch: pytest.MonkeyPatch, comes_first: bool
) -> None:
    first, second = houses.nodes
    slow, other = Line(1), Line(2)
    token = await a_token(houses)
    found = asyncio.Event()
    monkeypatch.setattr(first.exchange.directory, "rooms_of", slow_answer(found))

    if not comes_first:
        await second.sessions.greet(other, hello(token))
    greeting = asyncio.create_task(first.sessions.greet(slow, hello(token)))
    await houses.settle()
    if comes_first:
        await second.sessions.greet(other, hello(token))
    await houses.settle()
    found.set()
    await greeting
    await houses.settle()

    assert (slow.is_replaced, other.is_replaced) == (comes_first, not comes_first)


async def test_nobody_has_more_rooms_than_are_allowed_at_all_nodes_together() -> None:
    async with open_houses(limits=Limits(rooms_per_player=1)) as houses:
        first, second = houses.nodes
        here, there = first.person(ANN), second.person(ANN)
        await first.house.arrive(ANN.player, here.number)
        room = (await here.ask("create", settings=SETTINGS))["room"]
        others = (await second.person(BOB).ask("create", settings=SETTINGS))["room"]
        await second.house.arrive(ANN.player, there.number)

        refused = [await there.ask("create", settings=SETTINGS), await there.ask("join", room=others)]
        await there.ask("leave", room=room)
        joined = await there.ask("join", room=others)

        assert [(answer["code"], answer["reason"]) for answer in refused] == [("refused", "too_many_rooms")] * 2
        assert joined["type"] == "snapshot"


async def test_rooms_that_are_opened_at_once_are_not_more_than_are_allowed() -> None:
    async with open_houses(limits=Limits(rooms_per_player=1)) as houses:
        _, second = houses.nodes
        ann = second.person(ANN)
        await second.house.arrive(ANN.player, ann.number)

        said = [ann.say("create", settings=SETTINGS) for _ in range(3)]
        await houses.settle()

        answers = [ann.answer(message_id) for message_id in said]
        assert sorted(answer["type"] for answer in answers if answer is not None) == ["error", "error", "snapshot"]
        assert len(houses.shared.seats[ANN.player]) == 1


async def a_token(houses: Houses) -> str:
    """Of a player who is connected to no node any more."""
    node, line = houses.nodes[0], Line(0)
    session = await node.sessions.greet(line, hello())
    node.sessions.end(session)
    token: str = line.sent[0]["token"]
    return token


def slow_answer(found: asyncio.Event) -> Callable[[PlayerId], Coroutine[None, None, list[str]]]:
    """Finds the rooms of a player when it is told to."""

    async def rooms_of(_player: PlayerId) -> list[str]:
        await found.wait()
        return []

    return rooms_of


async def test_who_left_in_a_step_that_counts_after_all_has_no_seat_any_more(houses: Houses) -> None:
    ann, bob, room = await at_two_nodes(houses)
    first, _ = houses.nodes
    first.store.is_failing = first.store.writes_before_failing = True
    left = bob.say("leave", room=room)
    await houses.settle()
    first.store.is_failing = False

    await houses.pass_time(3)

    answer = bob.answer(left)
    assert answer is not None
    assert answer["type"] == "ok"
    assert houses.shared.seats == {ann.actor.player: {room}, bob.actor.player: set()}


async def test_what_was_said_before_another_connection_and_comes_after_it_takes_no_seat_from_that(
    houses: Houses,
) -> None:
    first, second = houses.nodes
    room = (await first.person(ANN).ask("create", settings=SETTINGS))["room"]
    older, newer = second.person(BOB), first.person(BOB)
    await second.house.arrive(BOB.player, older.number)
    houses.shared.loses = lambda posted: posted.item["kind"] == "say"
    older.say("join", room=room)
    await houses.settle()
    houses.shared.loses = lambda _: False
    (late,) = [posted for posted in houses.shared.posted if posted.item["kind"] == "say"]
    await first.house.arrive(BOB.player, newer.number)
    await newer.ask("join", room=room)

    houses.shared.waiting.append(late)
    await houses.settle()
    older.hang_up()
    await houses.settle()

    assert BOB.player in present(houses, room)
    assert (await newer.ask("react", room=room, key="nice"))["type"] == "ok"
