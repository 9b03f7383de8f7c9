"""Where players are connected and in which rooms they have seats, as all nodes know it."""

from __future__ import annotations

from unittest.mock import AsyncMock

import pytest

from server.store.base import StoreError
from tests.cluster.exchange import kinds_to
from tests.cluster.houses import SETTINGS, Houses, at_two_nodes, present
from tests.server.tables import ANN, BOB


async def test_a_room_that_ended_with_its_node_counts_for_nobody(houses: Houses) -> None:
    _, second = houses.nodes
    houses.shared.seats[BOB.player] = {"ZZZZZZ"}
    bob = second.person(BOB)
    assert await second.house.arrive(BOB.player, bob.number) == ["ZZZZZZ"]

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
    monkeypatch.setattr(first.exchange, "rooms_of", AsyncMock(side_effect=StoreError("out of reach")))

    with pytest.raises(StoreError):
        await first.house.arrive(ANN.player, 7)

    assert ANN.player not in houses.shared.connected


async def test_a_connection_that_is_replaced_while_it_is_looked_up_is_told(houses: Houses) -> None:
    first, second = houses.nodes
    people = first.house._people
    people._arriving[ANN.player, 7] = False
    houses.shared.connected[ANN.player] = first.exchange.me, 7

    await second.house.arrive(ANN.player, 8)
    await houses.settle()

    assert people._arriving[ANN.player, 7]
    assert first.replaced == []
    assert "replaced" in kinds_to(houses.shared, first.exchange.me)


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
