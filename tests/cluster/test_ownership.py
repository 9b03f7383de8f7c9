"""Which node has a room, whatever each of them believes."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator

import pytest
from structlog.testing import capture_logs

from server.cluster.metrics import show
from server.cluster.ownership import AT_ONCE, HAND_OVER_WITHIN
from server.limits import Limits
from server.metrics import Metrics
from server.store.base import StoreError
from server.table.state import Actor, PlayerId
from tests.cluster.exchange import kinds_to
from tests.cluster.houses import Houses, Person, at_two_nodes, open_houses, present
from tests.server.tables import ANN, BOB

SETTINGS = {"game": "block", "seats": 2, "bot_delay": 1}


@pytest.fixture
async def houses() -> AsyncIterator[Houses]:
    """Two nodes at which a lobby ends after five seconds."""
    async with open_houses(limits=Limits(idle_lobby=5)) as houses:
        yield houses


class Asleep:
    """In place of what a node does about its rooms: it is frozen."""

    is_checked = True

    async def reconcile(self) -> None:
        """Nothing is seen."""


async def out_of_reach(*_: object) -> None:
    """In place of what a store does."""
    raise StoreError("out of reach")


async def ann_alone(houses: Houses) -> tuple[Person, str]:
    """Ann is connected to the first node, and her room is there."""
    ann = houses.nodes[0].person(ANN)
    return ann, (await ann.ask("create", settings=SETTINGS))["room"]


async def test_a_node_that_was_frozen_answers_nothing_until_it_knows_what_is_still_its_own(houses: Houses) -> None:
    first, _ = houses.nodes
    ann, room = await ann_alone(houses)
    first.exchange.lapses += 1

    assert (await ann.ask("react", room=room, key="nice"))["code"] == "unavailable"

    await houses.pass_time(1)
    assert (await ann.ask("react", room=room, key="nice"))["type"] == "ok"


async def test_who_listens_to_a_room_that_has_ended_elsewhere_is_told_to_come_again(
    houses: Houses, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = houses.nodes
    ann, room = await ann_alone(houses)
    first.exchange.is_frozen = True
    houses.shared.die(first.exchange.me)
    with monkeypatch.context() as frozen:
        frozen.setattr(first.house, "_ownership", Asleep())
        first.registry.find(room).rest()
        await second.registry.take(room)
        await houses.pass_time(8)
    assert room not in houses.shared.store._index.open_rooms()

    houses.shared.wake(first.exchange)
    await houses.pass_time(4)

    assert not first.registry.has(room)
    assert ann.is_sent_back


async def test_a_room_that_has_another_owner_by_the_store_goes_on_there(houses: Houses) -> None:
    first, second = houses.nodes
    ann, room = await ann_alone(houses)

    houses.shared.owners[room] = second.exchange.me  # as it was before: the store has lost its last moments
    await houses.pass_time(4)

    assert (first.registry.has(room), second.registry.has(room)) == (False, True)
    assert (await ann.ask("react", room=room, key="nice"))["type"] == "ok"
    assert ann.seqs == sorted(set(ann.seqs))


async def test_who_has_seen_steps_that_the_store_has_lost_is_told_so_though_nobody_acts(houses: Houses) -> None:
    first, second = houses.nodes
    ann, room = await ann_alone(houses)
    bob = second.person(BOB)
    await bob.ask("join", room=room)
    await ann.ask("react", room=room, key="nice")
    log = houses.shared.store._index.find(room)
    assert log is not None
    was_at = log.head

    del log.rows[-1]
    with capture_logs() as logs:
        await houses.pass_time(4)

    shown = [[message for message in person.heard if message.get("reset")] for person in (ann, bob)]
    assert [[snapshot["seq"] for snapshot in snapshots] for snapshots in shown] == [[was_at - 1]] * 2
    assert {"event": "room.reset", "log_level": "error", "room": room, "told": was_at, "seq": was_at - 1} in logs
    assert first.registry.find(room).is_settled


async def test_a_node_shows_what_becomes_of_it_and_of_the_others(houses: Houses) -> None:
    first, second = houses.nodes
    await ann_alone(houses)
    metrics = Metrics()
    show(metrics, second.exchange, second.registry)
    before = metrics.text().decode()
    houses.shared.die(first.exchange.me)
    second.exchange.may_serve, second.exchange.lapses, second.exchange.losses = False, 3, 4
    await houses.pass_time(4)
    after = metrics.text().decode()

    names = ("lease_held", "lease_lapses_total", "nodes", "rooms_taken_total", "relay_losses_total")
    shown = [
        [re.findall(rf"^doublesix_{name} (.*)$", text, re.MULTILINE) for name in names] for text in (before, after)
    ]
    assert shown == [[["1.0"], ["0.0"], ["2.0"], ["0.0"], ["0.0"]], [["0.0"], ["3.0"], ["1.0"], ["1.0"], ["4.0"]]]


async def test_the_log_names_a_room_that_the_store_does_not_have_any_more(houses: Houses) -> None:
    ann, room = await ann_alone(houses)
    del houses.shared.store._index._open[room]
    del houses.shared.owners[room]

    with capture_logs() as logs:
        await houses.pass_time(4)

    assert {"event": "room.gone", "log_level": "warning", "room": room, "seq": 1} in logs
    assert ann.is_sent_back


async def test_a_room_that_a_node_was_not_able_to_load_is_loaded_when_it_is_asked_for(houses: Houses) -> None:
    first, second = houses.nodes
    _, room = await ann_alone(houses)
    first.registry.index.drop(room)
    bob = second.person(BOB)

    assert (await bob.ask("join", room=room))["type"] == "snapshot"
    assert first.registry.has(room)


async def test_a_room_that_a_node_was_not_able_to_load_goes_on_though_nobody_asks_for_it(houses: Houses) -> None:
    first, _ = houses.nodes
    _, room = await ann_alone(houses)
    first.registry.index.drop(room)

    await houses.pass_time(3)

    assert first.registry.has(room)


async def test_a_room_whose_log_its_node_cannot_read_is_none(houses: Houses, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = houses.nodes
    _, room = await ann_alone(houses)
    first.registry.index.drop(room)
    monkeypatch.setattr(first.registry, "_admit", lambda *_: None)
    bob = second.person(BOB)

    assert (await bob.ask("join", room=room))["code"] == "no_such_room"
    await houses.pass_time(6)
    assert kinds_to(houses.shared, second.exchange.me).count("none") == 1


async def test_rooms_of_a_node_that_stops_go_on_at_once_though_nobody_visits_them(houses: Houses) -> None:
    first, second = houses.nodes
    codes = [(await first.person(ANN).ask("create", settings=SETTINGS))["room"] for _ in range(3)]

    await houses.stop(first)

    assert sorted(second.registry.codes) == sorted(codes)


async def test_a_node_that_stops_keeps_the_other_rooms_until_the_first_were_taken(houses: Houses) -> None:
    first, second = houses.nodes
    for number in range(2 * AT_ONCE):
        player = Actor(PlayerId(f"player {number}"), "Somebody")
        await first.person(player).ask("create", settings=SETTINGS)
    first.registry.drain()
    handing = asyncio.create_task(first.house.hand_over())
    for _ in range(AT_ONCE):
        await asyncio.sleep(0)  # nothing is delivered

    assert len(first.registry.codes) == AT_ONCE

    await houses.pass_time(0.5)
    await handing
    assert len(second.registry.codes) == 2 * AT_ONCE


async def test_a_node_that_stops_waits_for_a_room_whose_steps_are_on_their_way(houses: Houses) -> None:
    first, second = houses.nodes
    ann, room = await ann_alone(houses)
    first.store.gate.clear()
    asked = ann.say("react", room=room, key="nice")
    first.registry.drain()
    handing = asyncio.create_task(first.house.hand_over())
    await houses.settle()
    assert first.registry.has(room)

    first.store.gate.set()
    await houses.pass_time(1)

    await handing
    assert (ann.answer(asked) or {})["type"] == "ok"
    assert second.registry.has(room)


async def test_a_node_that_stops_takes_no_room_back_for_what_is_said_while_the_store_lets_go_of_it(
    houses: Houses, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = houses.nodes
    ann, bob, room = await at_two_nodes(houses)
    seq, release, may_release = ann.seqs[-1], first.store.release, asyncio.Event()

    async def release_late(code: str) -> None:
        await may_release.wait()
        await release(code)

    monkeypatch.setattr(first.store, "release", release_late)
    first.registry.drain()
    handing = asyncio.create_task(first.house.hand_over())
    await houses.settle()
    asked = [(person, person.say("react", room=room, key="nice")) for person in (ann, bob)]
    await houses.pass_time(0.5)
    assert not first.registry.has(room)
    assert len(await first.store.history(room)) == seq

    may_release.set()
    await houses.pass_time(2)

    await handing
    assert second.registry.has(room)
    assert [(person.answer(message_id) or {})["type"] for person, message_id in asked] == ["ok", "ok"]
    assert present(houses, room) == {"ann", "bob"}


async def test_a_node_ends_although_its_store_takes_no_steps(houses: Houses, monkeypatch: pytest.MonkeyPatch) -> None:
    first, _ = houses.nodes
    ann, room = await ann_alone(houses)
    first.store.is_failing = True
    monkeypatch.setattr(first.store, "claim", out_of_reach)
    ann.say("react", room=room, key="nice")
    await houses.settle()
    first.registry.drain()
    handing = asyncio.create_task(first.house.hand_over())

    await houses.pass_time(HAND_OVER_WITHIN - 1)
    assert not handing.done()

    await houses.pass_time(2)
    assert handing.done()
    handing.result()


async def test_a_room_is_not_read_over_the_one_that_was_opened_while_it_was_looked_for(
    houses: Houses, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, _ = houses.nodes
    _, room = await ann_alone(houses)
    opened = first.registry.index.rooms.pop(room)
    load = first.store.load

    async def load_late(code: str) -> object:
        first.registry.index.rooms[code] = opened
        return await load(code)

    monkeypatch.setattr(first.store, "load", load_late)
    await first.registry.take(room)

    assert first.registry.find(room) is opened


@pytest.mark.parametrize("has_left", [False, True])
@pytest.mark.parametrize("kind", ["create", "quick"])
async def test_a_message_sent_again_when_its_room_was_left_or_has_closed_opens_another_one(
    houses: Houses, kind: str, *, has_left: bool
) -> None:
    first, _ = houses.nodes
    ann = first.person(ANN)
    fields = {"settings": SETTINGS} if kind == "create" else {"game": "block", "seats": 2}
    room = (await ann.ask(kind, id="once", **fields))["room"]
    if has_left:
        await ann.ask("leave", room=room)
    else:
        await houses.pass_time(6)
        assert not first.registry.codes
    ann.heard.clear()

    again = await ann.ask(kind, id="once", **fields)

    assert again["type"] == "snapshot"
    assert again["room"] != room
