"""What players notice of the nodes: nothing, whatever becomes of them and of what they tell each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator

import pytest

from server.cluster.exchange import Item, NodeId
from tests.cluster.exchange import kinds_to
from tests.cluster.houses import Cluster, Person, open_cluster
from tests.server.tables import ANN, BOB, CAT, DAN

SETTINGS = {"game": "block", "seats": 2, "bot_delay": 1}


@pytest.fixture
async def cluster() -> AsyncIterator[Cluster]:
    async with open_cluster() as cluster:
        yield cluster


async def at_two_nodes(cluster: Cluster) -> tuple[Person, Person, str]:
    """Ann's room is at the first node; Bob is connected to the second."""
    first, second = cluster.nodes
    ann, bob = first.person(ANN), second.person(BOB)
    room = (await ann.ask("create", settings=SETTINGS))["room"]
    await bob.ask("join", room=room)
    return ann, bob, room


def present(cluster: Cluster, room: str) -> set[str]:
    """Who is there, by the node that has the room."""
    owner = cluster.shared.owners[room]
    (table,) = (node.registry.find(room).table for node in cluster.nodes if node.exchange.me == owner)
    return {str(place.player) for place in table.places if place.player is not None and place.is_here}


async def test_people_at_two_nodes_hear_the_same_steps(cluster: Cluster) -> None:
    ann, bob, room = await at_two_nodes(cluster)

    await bob.ask("react", room=room, key="nice")
    await ann.ask("start", room=room)

    assert ann.seqs[-2:] == bob.seqs[-2:]


async def test_what_arrives_twice_counts_once(cluster: Cluster) -> None:
    cluster.shared.is_doubling = True

    ann, bob, room = await at_two_nodes(cluster)
    await ann.ask("start", room=room)

    assert bob.seqs == sorted(set(bob.seqs))
    assert bob.seqs[-1] == ann.seqs[-1]


async def test_an_update_that_was_lost_between_nodes_is_told_as_soon_as_that_is_noticed(cluster: Cluster) -> None:
    ann, bob, room = await at_two_nodes(cluster)
    heard = len(bob.seqs)
    cluster.shared.loses = lambda posted: posted.item["kind"] == "tell"
    await ann.ask("react", room=room, key="nice")
    cluster.shared.loses = lambda _: False

    await ann.ask("start", room=room)

    assert bob.seqs[heard:] == ann.seqs[-len(bob.seqs[heard:]) :]
    assert len(bob.seqs[heard:]) >= 2


async def test_a_message_that_was_lost_between_nodes_is_said_again(cluster: Cluster) -> None:
    ann, bob, room = await at_two_nodes(cluster)
    cluster.shared.loses = lambda posted: posted.item["kind"] == "say"
    asked = bob.say("react", room=room, key="nice")
    await cluster.settle()
    assert bob.answer(asked) is None
    cluster.shared.loses = lambda _: False

    await cluster.pass_time(4)

    assert (bob.answer(asked) or {})["type"] == "ok"
    assert ann.seqs == sorted(set(ann.seqs))


async def test_who_hung_up_is_away_although_the_word_of_it_was_lost(cluster: Cluster) -> None:
    _, bob, room = await at_two_nodes(cluster)
    cluster.shared.loses = lambda posted: posted.item["kind"] == "end"
    bob.hang_up()
    await cluster.settle()
    assert "bob" in present(cluster, room)
    cluster.shared.loses = lambda _: False

    cat = cluster.nodes[1].person(CAT)
    await cat.ask("watch", room=room)

    assert "bob" not in present(cluster, room)


async def test_a_room_whose_node_died_goes_on_at_the_other(cluster: Cluster) -> None:
    first, second = cluster.nodes
    _, bob, room = await at_two_nodes(cluster)
    cluster.shared.die(first.exchange.me)

    await cluster.pass_time(1)

    assert second.registry.has(room)
    assert bob.seqs == list(range(bob.seqs[0], bob.seqs[-1] + 1))
    assert present(cluster, room) >= {"bob"}
    assert (await bob.ask("react", room=room, key="nice"))["type"] == "ok"


async def test_what_was_asked_of_a_node_that_died_is_answered_by_the_next(cluster: Cluster) -> None:
    first, _ = cluster.nodes
    _, bob, room = await at_two_nodes(cluster)
    first.exchange.is_frozen = True
    asked = bob.say("react", room=room, key="nice")
    cluster.shared.die(first.exchange.me)

    await cluster.pass_time(1)

    assert (bob.answer(asked) or {})["type"] == "ok"


async def test_a_node_that_was_frozen_gives_up_the_rooms_that_were_taken(cluster: Cluster) -> None:
    first, second = cluster.nodes
    ann, bob = first.person(ANN), second.person(BOB)
    room = (await ann.ask("create", settings=SETTINGS))["room"]
    first.exchange.is_frozen = True
    cluster.shared.die(first.exchange.me)
    await second.registry.take(room)
    cluster.shared.wake(first.exchange)

    await cluster.pass_time(4)
    joined = await bob.ask("join", room=room)

    assert not first.registry.has(room)
    assert ann.seqs[-1] >= joined["seq"]
    assert not ann.is_sent_back


async def test_a_node_that_was_taken_for_dead_hears_again_of_rooms_elsewhere(cluster: Cluster) -> None:
    ann, bob, room = await at_two_nodes(cluster)
    second = cluster.nodes[1]
    second.exchange.is_frozen = True
    cluster.shared.die(second.exchange.me)
    await ann.ask("react", room=room, key="nice")
    cluster.shared.wake(second.exchange)

    await cluster.settle()
    await ann.ask("react", room=room, key="nice")

    assert bob.seqs == list(range(bob.seqs[0], ann.seqs[-1] + 1))
    assert present(cluster, room) == {"ann", "bob"}


async def test_a_node_that_stops_hands_its_rooms_over(cluster: Cluster) -> None:
    first, second = cluster.nodes
    ann, bob, room = await at_two_nodes(cluster)

    await cluster.stop(first)
    await cluster.pass_time(3)

    assert second.registry.has(room)
    assert (await bob.ask("react", room=room, key="nice"))["type"] == "ok"
    assert ann.seqs[-1] == bob.seqs[-1]


async def test_what_is_asked_at_a_node_that_stops_waits_for_another_to_take_the_room(cluster: Cluster) -> None:
    first, second = cluster.nodes
    ann = first.person(ANN)
    room = (await ann.ask("create", settings=SETTINGS))["room"]
    cluster.shared.loses = lambda posted: posted.item["kind"] == "take"
    await cluster.stop(first)

    asked = ann.say("react", room=room, key="nice")
    await cluster.pass_time(0.5)
    assert ann.answer(asked) is None

    await second.registry.take(room)
    await cluster.pass_time(4)
    assert (ann.answer(asked) or {})["type"] == "ok"


async def test_a_node_that_stops_opens_no_room(cluster: Cluster) -> None:
    first, _ = cluster.nodes
    await cluster.stop(first)

    answer = await first.person(ANN).ask("create", settings=SETTINGS)

    assert answer["code"] == "draining"


async def test_a_message_sent_again_to_another_node_opens_no_second_room(cluster: Cluster) -> None:
    first, second = cluster.nodes
    opened, again = (node.person(ANN) for node in (first, second))

    answers = [opened.say("create", settings=SETTINGS, id="once"), again.say("create", settings=SETTINGS, id="once")]
    await cluster.pass_time(1)

    rooms = {(person.answer(answer) or {})["room"] for person, answer in zip((opened, again), answers, strict=True)}
    assert len(rooms) == 1
    assert rooms == set(cluster.shared.store._index.open_rooms())


async def test_a_room_that_nobody_waits_for_any_more_is_found_to_be_none(cluster: Cluster) -> None:
    first, _ = cluster.nodes
    ann, bob = first.person(ANN), first.person(BOB)
    first.store.gate.clear()
    ann.say("create", settings=SETTINGS, id="once")
    for _ in range(3):
        await cluster.settle()
    ann.hang_up()
    code = cluster.shared.made[ANN.player, "once"]

    assert not first.house._edge.opens(code)

    first.store.gate.set()
    assert (await bob.ask("join", room="ZZZZZZ"))["code"] == "no_such_room"
    assert bob.guesses == 1


async def test_who_has_hung_up_takes_no_seat_afterwards(cluster: Cluster) -> None:
    first, second = cluster.nodes
    bob = second.person(BOB)
    bob.say("create", settings=SETTINGS)
    bob.hang_up()

    await cluster.pass_time(1)

    assert not first.registry.codes
    assert not second.registry.codes


async def test_a_room_that_ended_with_its_node_counts_for_nobody(cluster: Cluster) -> None:
    _, second = cluster.nodes
    cluster.shared.seats[BOB.player] = {"ZZZZZZ"}
    bob = second.person(BOB)
    assert await second.house.arrive(BOB.player, bob.number) == ["ZZZZZZ"]

    await bob.ask("sync", room="ZZZZZZ")

    assert not cluster.shared.seats[BOB.player]
    assert not second.house.knows(BOB.player, "ZZZZZZ")


@pytest.mark.parametrize(("kind", "answer"), [("sync", "error"), ("watch", "snapshot")])
async def test_a_seat_that_was_left_when_its_node_died_counts_no_more(cluster: Cluster, kind: str, answer: str) -> None:
    first, second = cluster.nodes
    room = (await first.person(ANN).ask("create", settings=SETTINGS))["room"]
    cluster.shared.seats[BOB.player] = {room}

    told = await second.person(BOB).ask(kind, room=room)

    assert told["type"] == answer
    assert not cluster.shared.seats[BOB.player]
    assert cluster.shared.seats[ANN.player] == {room}


async def test_a_connection_that_is_replaced_while_it_is_looked_up_is_told(cluster: Cluster) -> None:
    first, second = cluster.nodes
    replaced = []
    first.house.people.replaced = lambda player, number: replaced.append((player, number))
    first.house.people._arriving[ANN.player, 7] = False
    cluster.shared.connected[ANN.player] = first.exchange.me, 7

    await second.house.arrive(ANN.player, 8)
    await cluster.settle()

    assert first.house.people._arriving[ANN.player, 7]
    assert replaced == []
    assert "replaced" in kinds_to(cluster.shared, first.exchange.me)


async def test_a_node_without_a_lease_answers_that_nothing_is_known_and_sends_nobody_away(cluster: Cluster) -> None:
    first, _ = cluster.nodes
    _, bob, room = await at_two_nodes(cluster)
    first.exchange.may_serve = False

    assert (await bob.ask("react", room=room, key="nice"))["code"] == "unavailable"
    second_edge = cluster.nodes[1].house._edge
    second_edge.missed(first.exchange.me)
    await cluster.settle()
    first.exchange.may_serve = True
    await cluster.pass_time(4)

    assert not bob.is_sent_back
    assert (await bob.ask("react", room=room, key="nice"))["type"] == "ok"


async def test_hands_of_one_device_are_covered_when_the_table_moves_and_can_be_shown_again(cluster: Cluster) -> None:
    first, second = cluster.nodes
    opened = first.person(ANN)
    room = (await opened.ask("create", settings={**SETTINGS, "local": 2, "names": ["Bob"]}))["room"]
    await opened.ask("start", room=room)
    opened.hang_up()
    ann = second.person(ANN)
    turn = (await ann.ask("sync", room=room))["turn"]["seat"]
    assert (await ann.ask("show", room=room, seat=turn))["type"] == "hand"

    cluster.shared.die(first.exchange.me)
    await cluster.pass_time(1)

    (moved,) = [message for message in ann.heard if message["type"] == "snapshot" and "re" not in message]
    assert moved["you"]["shown"] == []
    assert (await ann.ask("show", room=room, seat=turn))["type"] == "hand"


async def test_who_watches_goes_on_watching_where_the_table_has_moved(cluster: Cluster) -> None:
    first, second = cluster.nodes
    ann, bob, room = await at_two_nodes(cluster)
    cat = second.person(CAT)
    await cat.ask("watch", room=room)
    cluster.shared.die(first.exchange.me)
    ann.hang_up()

    await cluster.pass_time(1)
    await bob.ask("react", room=room, key="nice")

    assert cat.seqs[-1] == bob.seqs[-1]
    assert not cat.is_sent_back


@pytest.mark.parametrize("at", [(0, 0), (0, 1)], ids=["one node", "two nodes"])
async def test_who_look_for_a_match_at_the_same_moment_meet(cluster: Cluster, at: tuple[int, int]) -> None:
    people = [cluster.nodes[node].person(actor) for node, actor in zip(at, (ANN, BOB), strict=True)]

    asked = [person.say("quick", game="draw", seats=2) for person in people]
    await cluster.settle()

    rooms = {
        answer["room"]
        for person, message_id in zip(people, asked, strict=True)
        if (answer := person.answer(message_id))
    }
    assert len(rooms) == 1
    assert present(cluster, *rooms) == {ANN.player, BOB.player}


async def test_of_four_who_look_for_a_match_for_two_at_the_same_moment_nobody_is_alone(cluster: Cluster) -> None:
    first, second = cluster.nodes
    people = [first.person(ANN), second.person(BOB), first.person(CAT), second.person(DAN)]

    asked = [person.say("quick", game="draw", seats=2) for person in people]
    await cluster.pass_time(2)

    answers = [person.answer(message_id) for person, message_id in zip(people, asked, strict=True)]
    assert Counter(Counter(answer and answer["room"] for answer in answers).values()) == {2: 2}


@pytest.mark.parametrize("change", ["leave", "start"])
async def test_quick_match_leads_to_no_table_that_has_changed_since_it_was_listed(
    cluster: Cluster, change: str
) -> None:
    first, second = cluster.nodes
    ann, bob = first.person(ANN), second.person(BOB)
    room = (await ann.ask("quick", game="draw", seats=3))["room"]
    await cluster.pass_time(4)
    assert second.registry.open_tables.lists(room)

    ann.say("start", room=room)  # and waits for two more
    ann.say(change, room=room)
    asked = bob.say("quick", game="draw", seats=3)
    await cluster.pass_time(4)

    answer = bob.answer(asked)
    assert answer is not None
    assert (answer["type"], answer["room"] == room) == ("snapshot", False)


async def test_who_left_in_a_step_that_counts_after_all_has_no_seat_any_more(cluster: Cluster) -> None:
    ann, bob, room = await at_two_nodes(cluster)
    first, _ = cluster.nodes
    first.store.is_failing = first.store.writes_before_failing = True
    left = bob.say("leave", room=room)
    await cluster.settle()
    first.store.is_failing = False

    await cluster.pass_time(3)

    answer = bob.answer(left)
    assert answer is not None
    assert answer["type"] == "ok"
    assert cluster.shared.seats == {ann.actor.player: {room}, bob.actor.player: set()}


async def test_a_message_that_the_owner_of_the_room_does_not_know_is_answered(cluster: Cluster) -> None:
    _, bob, room = await at_two_nodes(cluster)
    _, second = cluster.nodes
    say = second.exchange.post

    def post_newer(node: NodeId, item: Item) -> None:
        if item["kind"] == "say":
            item = {**item, "message": {**item["message"], "type": "teleport"}}
        say(node, item)

    second.exchange.post = post_newer  # type: ignore[method-assign]  # a node of a newer version
    answer = await bob.ask("react", room=room, key="nice")

    assert (answer["type"], answer["code"]) == ("error", "unsupported")


@pytest.mark.parametrize("item", [{"kind": "future"}, {"no": "kind"}, {"kind": "moved", "room": "ABCDEF", "new": 1}])
async def test_what_a_newer_node_says_is_passed_over(cluster: Cluster, item: Item) -> None:
    ann, bob, room = await at_two_nodes(cluster)
    first, second = cluster.nodes

    second.exchange.post(first.exchange.me, item)
    await cluster.settle()
    await bob.ask("react", room=room, key="nice")

    assert bob.seqs[-1] == ann.seqs[-1]
