from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from protocol.messages import parse
from server.cluster.directory import NodeId
from server.cluster.guests import Guests, Key
from server.dispatch import Dispatcher
from server.outgoing import Outgoing
from tests.server.rooms import SETTINGS, House, open_house
from tests.server.tables import ANN

ROOM = "K7QM2X"
B, C = NodeId("B"), NodeId("C")


class Edges:
    """Remembers what the other nodes are told."""

    def __init__(self) -> None:
        self.told: list[tuple[Key, dict[str, Any]]] = []
        self.listening: list[tuple[Key, bool]] = []
        self.moved: list[tuple[NodeId, str]] = []

    def tell(self, key: Key, outgoing: Outgoing) -> None:
        self.told.append((key, outgoing.message))

    def listens(self, key: Key, is_listening: bool) -> None:
        self.listening.append((key, is_listening))

    def cut(self, key: Key) -> None:
        raise AssertionError(key)

    def sent_on(self, node: NodeId, room: str) -> None:
        self.moved.append((node, room))


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with open_house() as house:
        yield house


@pytest.fixture
def edges() -> Edges:
    return Edges()


@pytest.fixture
async def guests(house: House, edges: Edges) -> Guests:
    """Ann, connected to B, has a room here."""
    guests = Guests(Dispatcher(house.registry), edges)
    guests.say((B, 1), ROOM, ANN, 2, parse({"type": "create", "id": "c", "settings": SETTINGS}))
    await house.settle()
    return guests


def is_here(house: House) -> bool:
    (ann, *_) = house.registry.find(ROOM).table.places
    return ann.is_here


async def test_the_answer_and_that_the_room_is_listened_to_go_to_the_visit(guests: Guests, edges: Edges) -> None:
    del guests

    assert [(key, message["type"], message["re"]) for key, message in edges.told] == [((B, 1), "snapshot", "c")]
    assert edges.listening == [((B, 1), True)]


async def test_a_refusal_goes_to_the_visit(guests: Guests, edges: Edges) -> None:
    guests.say((C, 1), "ZZZZZZ", ANN, 2, parse({"type": "start", "id": "s", "room": "ZZZZZZ"}))

    key, message = edges.told[-1]
    assert (key, message["code"], message["re"]) == ((C, 1), "no_such_room", "s")


async def test_who_ends_the_visit_is_away(guests: Guests, house: House) -> None:
    guests.end((B, 1))
    await house.settle()

    assert not is_here(house)


async def test_all_visits_end_with_their_node(guests: Guests, house: House) -> None:
    guests.end_all_of(C)
    await house.settle()
    assert is_here(house)

    guests.end_all_of(B)
    await house.settle()
    assert not is_here(house)


async def test_visits_that_their_node_does_not_know_any_more_end(guests: Guests, house: House) -> None:
    guests.end_all_but(B, {1})
    await house.settle()
    assert is_here(house)

    guests.end_all_but(B, {2})
    await house.settle()
    assert not is_here(house)


async def test_a_room_that_is_elsewhere_says_nothing_more_and_the_nodes_look_for_it(
    guests: Guests, edges: Edges, house: House
) -> None:
    guests.send_on(ROOM)
    told = len(edges.told)

    house.registry.find(ROOM).hand_over()
    await house.settle()

    assert edges.moved == [(B, ROOM)]
    assert len(edges.told) == told
    assert edges.listening == [((B, 1), True)]


JOIN = parse({"type": "join", "id": "j", "room": ROOM})


async def test_what_an_older_connection_has_said_comes_too_late(guests: Guests, edges: Edges, house: House) -> None:
    guests.say((C, 1), ROOM, ANN, 1, JOIN)
    guests.end((C, 1))
    await house.settle()

    assert [message["code"] for key, message in edges.told if key == (C, 1)] == ["unavailable"]
    assert is_here(house)


async def test_a_newer_connection_goes_on_in_place_of_the_older(guests: Guests, edges: Edges, house: House) -> None:
    guests.say((C, 1), ROOM, ANN, 3, JOIN)
    guests.say((B, 1), ROOM, ANN, 2, JOIN)
    guests.end((B, 1))
    await house.settle()

    assert [message["type"] for key, message in edges.told if key == (C, 1)] == ["snapshot"]
    assert is_here(house)


async def test_what_was_said_over_the_connection_that_is_left_counts(
    guests: Guests, edges: Edges, house: House
) -> None:
    guests.say((C, 1), ROOM, ANN, 1, JOIN)
    guests.end((B, 1))

    guests.say((C, 1), ROOM, ANN, 1, JOIN)
    await house.settle()

    assert [message["type"] for key, message in edges.told if key == (C, 1)] == ["error", "snapshot"]
    assert is_here(house)
