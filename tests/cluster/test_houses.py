"""What players notice of the nodes: nothing, whatever becomes of them and of what they tell each other."""

from __future__ import annotations

import asyncio
from unittest.mock import AsyncMock

import pytest

from protocol.errors import ErrorCode, ProtocolError, RefusalReason
from server.store.base import StoreError
from tests.cluster.houses import SETTINGS, Houses, at_two_nodes, present
from tests.server.tables import ANN, BOB, CAT


async def test_people_at_two_nodes_hear_the_same_steps(houses: Houses) -> None:
    ann, bob, room = await at_two_nodes(houses)

    await bob.ask("react", room=room, key="nice")
    await ann.ask("start", room=room)

    assert ann.seqs[-2:] == bob.seqs[-2:]


async def test_what_arrives_twice_counts_once(houses: Houses) -> None:
    houses.shared.is_doubling = True

    ann, bob, room = await at_two_nodes(houses)
    await ann.ask("start", room=room)

    assert bob.seqs == sorted(set(bob.seqs))
    assert bob.seqs[-1] == ann.seqs[-1]


async def test_an_update_that_was_lost_between_nodes_is_told_as_soon_as_that_is_noticed(houses: Houses) -> None:
    ann, bob, room = await at_two_nodes(houses)
    heard = len(bob.seqs)
    houses.shared.loses = lambda posted: posted.item["kind"] == "tell"
    await ann.ask("react", room=room, key="nice")
    houses.shared.loses = lambda _: False

    await ann.ask("start", room=room)

    assert bob.seqs[heard:] == ann.seqs[-len(bob.seqs[heard:]) :]
    assert len(bob.seqs[heard:]) >= 2


async def test_a_message_that_was_lost_between_nodes_is_said_again(houses: Houses) -> None:
    ann, bob, room = await at_two_nodes(houses)
    houses.shared.loses = lambda posted: posted.item["kind"] == "say"
    asked = bob.say("react", room=room, key="nice")
    await houses.settle()
    assert bob.answer(asked) is None
    houses.shared.loses = lambda _: False

    await houses.pass_time(4)

    assert (bob.answer(asked) or {})["type"] == "ok"
    assert ann.seqs == sorted(set(ann.seqs))


async def test_who_hung_up_is_away_although_the_word_of_it_was_lost(houses: Houses) -> None:
    _, bob, room = await at_two_nodes(houses)
    houses.shared.loses = lambda posted: posted.item["kind"] == "end"
    bob.hang_up()
    await houses.settle()
    assert "bob" in present(houses, room)
    houses.shared.loses = lambda _: False

    cat = houses.nodes[1].person(CAT)
    await cat.ask("watch", room=room)

    assert "bob" not in present(houses, room)


async def test_a_room_whose_node_died_goes_on_at_the_other(houses: Houses) -> None:
    first, second = houses.nodes
    _, bob, room = await at_two_nodes(houses)
    houses.shared.die(first.exchange.me)

    await houses.pass_time(1)

    assert second.registry.has(room)
    assert bob.seqs == list(range(bob.seqs[0], bob.seqs[-1] + 1))
    assert present(houses, room) >= {"bob"}
    assert (await bob.ask("react", room=room, key="nice"))["type"] == "ok"


async def test_what_was_asked_of_a_node_that_died_is_answered_by_the_next(houses: Houses) -> None:
    first, _ = houses.nodes
    _, bob, room = await at_two_nodes(houses)
    first.exchange.is_frozen = True
    asked = bob.say("react", room=room, key="nice")
    houses.shared.die(first.exchange.me)

    await houses.pass_time(1)

    assert (bob.answer(asked) or {})["type"] == "ok"


async def test_a_node_that_was_frozen_gives_up_the_rooms_that_were_taken(houses: Houses) -> None:
    first, second = houses.nodes
    ann, bob = first.person(ANN), second.person(BOB)
    room = (await ann.ask("create", settings=SETTINGS))["room"]
    first.exchange.is_frozen = True
    houses.shared.die(first.exchange.me)
    await second.registry.take(room)
    houses.shared.wake(first.exchange)

    await houses.pass_time(4)
    joined = await bob.ask("join", room=room)

    assert not first.registry.has(room)
    assert ann.seqs[-1] >= joined["seq"]
    assert not ann.is_sent_back


async def test_a_node_that_was_taken_for_dead_hears_again_of_rooms_elsewhere(houses: Houses) -> None:
    ann, bob, room = await at_two_nodes(houses)
    second = houses.nodes[1]
    second.exchange.is_frozen = True
    houses.shared.die(second.exchange.me)
    await ann.ask("react", room=room, key="nice")
    houses.shared.wake(second.exchange)

    await houses.settle()
    await ann.ask("react", room=room, key="nice")

    assert bob.seqs == list(range(bob.seqs[0], ann.seqs[-1] + 1))
    assert present(houses, room) == {"ann", "bob"}


async def test_a_node_that_stops_hands_its_rooms_over(houses: Houses) -> None:
    first, second = houses.nodes
    ann, bob, room = await at_two_nodes(houses)

    await houses.stop(first)
    await houses.pass_time(3)

    assert second.registry.has(room)
    assert (await bob.ask("react", room=room, key="nice"))["type"] == "ok"
    assert ann.seqs[-1] == bob.seqs[-1]


async def test_what_is_asked_at_a_node_that_stops_waits_for_another_to_take_the_room(houses: Houses) -> None:
    first, second = houses.nodes
    ann = first.person(ANN)
    room = (await ann.ask("create", settings=SETTINGS))["room"]
    houses.shared.loses = lambda posted: posted.item["kind"] == "take"
    await houses.stop(first)

    asked = ann.say("react", room=room, key="nice")
    await houses.pass_time(0.5)
    assert ann.answer(asked) is None

    await second.registry.take(room)
    await houses.pass_time(4)
    assert (ann.answer(asked) or {})["type"] == "ok"


async def test_a_node_without_a_lease_answers_that_nothing_is_known_and_sends_nobody_away(houses: Houses) -> None:
    first, _ = houses.nodes
    _, bob, room = await at_two_nodes(houses)
    first.exchange.may_serve = False

    assert (await bob.ask("react", room=room, key="nice"))["code"] == "unavailable"
    second_edge = houses.nodes[1].house._edge
    second_edge.missed(first.exchange.me)
    await houses.settle()
    first.exchange.may_serve = True
    await houses.pass_time(4)

    assert not bob.is_sent_back
    assert (await bob.ask("react", room=room, key="nice"))["type"] == "ok"


async def test_hands_of_one_device_are_covered_when_the_table_moves_and_can_be_shown_again(houses: Houses) -> None:
    first, second = houses.nodes
    opened = first.person(ANN)
    room = (await opened.ask("create", settings={**SETTINGS, "local": 2, "names": ["Bob"]}))["room"]
    await opened.ask("start", room=room)
    opened.hang_up()
    ann = second.person(ANN)
    turn = (await ann.ask("sync", room=room))["turn"]["seat"]
    assert (await ann.ask("show", room=room, seat=turn))["type"] == "hand"

    houses.shared.die(first.exchange.me)
    await houses.pass_time(1)

    (moved,) = [message for message in ann.heard if message["type"] == "snapshot" and "re" not in message]
    assert moved["you"]["shown"] == []
    assert (await ann.ask("show", room=room, seat=turn))["type"] == "hand"


async def test_who_watches_goes_on_watching_where_the_table_has_moved(houses: Houses) -> None:
    first, second = houses.nodes
    ann, bob, room = await at_two_nodes(houses)
    cat = second.person(CAT)
    await cat.ask("watch", room=room)
    houses.shared.die(first.exchange.me)
    ann.hang_up()

    await houses.pass_time(1)
    await bob.ask("react", room=room, key="nice")

    assert cat.seqs[-1] == bob.seqs[-1]
    assert not cat.is_sent_back


async def test_why_a_record_is_refused_is_told_as_its_owner_has_said_it(
    houses: Houses, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, bob, room = await at_two_nodes(houses)
    first, second = houses.nodes
    refusal = ProtocolError(ErrorCode.REFUSED, "not now", reason=RefusalReason.NO_RECORD, retry_after=2.0)
    monkeypatch.setattr(first.house._dispatcher, "last_record", AsyncMock(side_effect=refusal))

    asking = asyncio.create_task(second.house.last_record(bob, room))
    await houses.settle()

    with pytest.raises(ProtocolError) as refused:
        await asking
    assert (refused.value.reason, refused.value.retry_after) == ("no_record", 2.0)


async def test_of_a_record_that_is_gone_with_its_room_meanwhile_nothing_is_known(
    houses: Houses, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, bob, room = await at_two_nodes(houses)
    first, second = houses.nodes
    monkeypatch.setattr(first.house._dispatcher, "last_record", AsyncMock(return_value=b"there it was"))

    asking = asyncio.create_task(second.house.last_record(bob, room))
    await houses.settle()

    with pytest.raises(StoreError):
        await asking
