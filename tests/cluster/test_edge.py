from __future__ import annotations

import asyncio

import pytest

from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import ClientMessage, parse
from server.advising import HINT_PATIENCE, REVIEW_PATIENCE
from server.cluster.asked import MAX_PENDING
from server.cluster.edge import ANSWER_WITHIN, SPREAD, Edge, NotNow
from server.cluster.exchange import NodeId
from server.cluster.visit import Visit
from server.outgoing import Outgoing
from server.store.base import StoreError
from tests.cluster.ears import Ear
from tests.fakes import FakeClock

ROOM = "K7QM2X"
B, C = NodeId("B"), NodeId("C")
REMEMBERED = 4
"""Answers to each player that the rooms remember."""


class Owners:
    """Knows what the test says."""

    def __init__(self) -> None:
        self.can_be_asked = True
        self.owner: NodeId | Exception | None = B
        self.said: list[tuple[NodeId, int, ClientMessage]] = []
        self.ended: list[tuple[NodeId, int]] = []
        self.none: list[str] = []

    async def find(self, room: str) -> NodeId | None:
        if isinstance(self.owner, Exception):
            raise self.owner
        return self.owner

    def say(self, owner: NodeId, visit: Visit, message: ClientMessage) -> None:
        self.said.append((owner, visit.number, message))

    def end(self, owner: NodeId, visit: Visit) -> None:
        self.ended.append((owner, visit.number))

    def has_no_room(self, visit: Visit) -> None:
        self.none.append(visit.room)


class Place:
    """An edge with one visitor."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.owners = Owners()
        self.jitter = 0.0
        self.edge = Edge(self.owners, self.clock, lambda count: b"x" * count, lambda: self.jitter, REMEMBERED)
        self.ear = Ear()

    async def say(self, message_id: str | None = "nice", kind: str = "react") -> None:
        message = {"type": kind, "room": ROOM, **({"key": "nice"} if kind == "react" else {})}
        self.edge.say(self.ear, ROOM, parse(message if message_id is None else {**message, "id": message_id}))
        await self.settle()

    def answer(self, message_id: str) -> None:
        """Let the owner accept what was asked under this id."""
        owner, number, _ = self.owners.said[-1]
        self.edge.tell(number, Outgoing({"type": "ok", "re": message_id}), owner)

    @property
    def ids_said(self) -> list[str | None]:
        return [message.id for _, _, message in self.owners.said]

    async def settle(self) -> None:
        for _ in range(5):
            self.clock.advance(0)
            await asyncio.sleep(0)

    async def look_after(self, seconds: float) -> None:
        self.clock.advance(seconds)
        self.edge.look_after()
        await self.settle()

    @property
    def codes(self) -> list[str]:
        return [message["code"] for message in self.ear.heard]


@pytest.fixture
def place() -> Place:
    return Place()


async def test_a_message_goes_to_the_owner_of_its_room(place: Place) -> None:
    await place.say()

    assert [(owner, message.id) for owner, _, message in place.owners.said] == [(B, "nice")]


async def test_what_is_asked_of_a_node_that_is_cut_off_is_refused_at_once_and_what_waits_goes_on_waiting(
    place: Place,
) -> None:
    await place.say("before")
    place.owners.can_be_asked = False

    with pytest.raises(ProtocolError) as refusal:
        await place.say("after")

    assert refusal.value.code is ErrorCode.UNAVAILABLE
    assert [message.id for _, _, message in place.owners.said] == ["before"]
    assert place.ear.heard == []


async def test_what_has_no_id_is_answered_without_one(place: Place) -> None:
    await place.say(None)
    ((_, number, message),) = place.owners.said

    place.edge.tell(number, Outgoing({"type": "ok", "re": message.id}), B)

    assert message.id is not None
    assert place.ear.heard == [{"type": "ok"}]


async def test_what_waits_is_said_to_the_next_owner_when_one_is_gone(place: Place) -> None:
    await place.say()
    place.owners.owner = C

    place.edge.lost(B)
    await place.settle()

    assert [(owner, message.id) for owner, _, message in place.owners.said] == [(B, "nice"), (C, "nice")]


async def test_a_room_that_is_given_up_is_looked_for_at_once_and_that_of_a_dead_owner_at_some_moment(
    place: Place,
) -> None:
    place.jitter = 1.0
    await place.say()

    place.edge.moved(ROOM, B)
    await place.settle()
    assert len(place.owners.said) == 2

    place.edge.lost(B)
    await place.settle()
    assert len(place.owners.said) == 2
    place.clock.advance(SPREAD)
    await place.settle()
    assert len(place.owners.said) == 3


async def test_an_owner_that_does_not_answer_in_time_is_asked_again(place: Place) -> None:
    await place.say()

    await place.look_after(ANSWER_WITHIN / 2)
    assert len(place.owners.said) == 1

    await place.look_after(ANSWER_WITHIN)
    assert len(place.owners.said) == 2


@pytest.mark.parametrize(("kind", "patience"), [("hint", HINT_PATIENCE), ("review", REVIEW_PATIENCE)])
async def test_what_is_searched_for_may_take_its_time(place: Place, kind: str, patience: float) -> None:
    await place.say("slow", kind)

    await place.look_after(patience + ANSWER_WITHIN / 2)
    assert place.ids_said == ["slow"]

    await place.look_after(ANSWER_WITHIN)
    assert place.ids_said == ["slow", "slow"]


async def test_what_waits_for_its_answer_is_not_overtaken_by_more_than_its_room_remembers(place: Place) -> None:
    await place.say("slow", "hint")
    quick = [f"quick-{number}" for number in range(REMEMBERED)]
    for message_id in quick:
        await place.say(message_id)

    for message_id in quick[:-1]:
        place.answer(message_id)
    assert place.ids_said == ["slow", *quick[:-1]]

    place.answer("slow")
    assert place.ids_said == ["slow", *quick]


async def test_where_it_is_said_again_it_comes_before_what_was_held_back_for_it(place: Place) -> None:
    await place.say("slow", "hint")
    quick = [f"quick-{number}" for number in range(REMEMBERED)]
    for message_id in quick:
        await place.say(message_id)
    place.answer(quick[0])
    place.owners.owner = C

    place.edge.lost(B)
    await place.settle()
    place.answer("slow")

    assert place.ids_said == ["slow", *quick[:-1], "slow", *quick[1:]]


async def test_a_question_that_changes_nothing_holds_nothing_back(place: Place) -> None:
    await place.say("slow", "review")
    quick = [f"quick-{number}" for number in range(2 * REMEMBERED)]

    for message_id in quick:
        await place.say(message_id)
        place.answer(message_id)

    assert place.ids_said == ["slow", *quick]


@pytest.mark.parametrize(("answers", "heard"), [(["unavailable", "ok"], ["ok"]), (["unavailable"] * 2, ["error"])])
async def test_that_nothing_has_counted_is_no_answer_to_what_was_said_again_since(
    place: Place, answers: list[str], heard: list[str]
) -> None:
    await place.say()
    await place.look_after(ANSWER_WITHIN + SPREAD)
    number = place.owners.said[-1][1]

    for answer in answers:
        told = {"type": "ok"} if answer == "ok" else {"type": "error", "code": answer}
        place.edge.tell(number, Outgoing({**told, "re": "nice"}), B)

    assert [message["type"] for message in place.ear.heard] == heard


async def test_nor_to_what_the_client_has_said_again_since(place: Place) -> None:
    for _ in range(3):
        await place.say()
    number = place.owners.said[-1][1]
    told = [{"type": "error", "code": "unavailable"}, {"type": "ok"}, {"type": "ok"}]

    for answer in told:
        place.edge.tell(number, Outgoing({**answer, "re": "nice"}), B)

    assert [message["type"] for message in place.ear.heard] == ["ok"] * 3


async def test_a_late_answer_to_one_disturbs_nobody_else_at_the_table(place: Place) -> None:
    await place.say()
    other = Ear()
    place.edge.say(other, ROOM, parse({"type": "sync", "id": "s", "room": ROOM, "epoch": 1, "after": 5}))
    number = place.owners.said[-1][1]
    place.edge.listens(number, is_listening=True, owner=B)
    place.edge.tell(number, Outgoing({"type": "ok", "re": "s"}), B)

    await place.look_after(ANSWER_WITHIN * 2)

    assert [message.id for _, _, message in place.owners.said] == ["nice", "s", "nice"]


async def test_a_question_of_our_own_that_is_lost_is_asked_again(place: Place) -> None:
    await place.say()
    number = place.owners.said[-1][1]
    place.edge.tell(number, Outgoing({"type": "ok", "re": "nice"}), B)
    place.edge.listens(number, is_listening=True, owner=B)
    place.edge.missed(B)

    await place.look_after(ANSWER_WITHIN * 2)

    assert [message.type for _, _, message in place.owners.said] == ["react", "sync", "sync"]


@pytest.mark.parametrize(("owner", "code"), [(None, "no_such_room"), (StoreError("away"), "unavailable")])
async def test_what_nobody_can_answer_is_refused(place: Place, owner: Exception | None, code: str) -> None:
    place.owners.owner = owner

    await place.say()

    assert place.codes == [code]
    assert place.ear.guesses == (1 if owner is None else 0)


async def test_what_may_have_counted_waits_until_somebody_knows(place: Place) -> None:
    await place.say()
    place.owners.owner = StoreError("away")
    place.edge.lost(B)
    await place.settle()
    assert place.codes == []
    place.owners.owner = C

    await place.look_after(ANSWER_WITHIN * 2)

    assert [owner for owner, _, _ in place.owners.said] == [B, C]


async def test_an_owner_that_has_a_room_no_longer_keeps_no_guest_for_it(place: Place) -> None:
    await place.say()
    number = place.owners.said[-1][1]

    place.edge.moved(ROOM, B)

    assert place.owners.ended == [(B, number)]


async def test_an_owner_that_has_a_room_no_longer_is_left_where_there_is_none_any_more(place: Place) -> None:
    await place.say()
    ((_, number, _),) = place.owners.said

    place.owners.owner = None
    await place.look_after(ANSWER_WITHIN + SPREAD)

    assert place.codes == ["no_such_room"]
    assert place.owners.ended == [(B, number)]


async def test_what_nobody_can_take_just_now_waits(place: Place) -> None:
    place.owners.owner = NotNow()
    await place.say()
    assert place.ear.heard == []
    place.owners.owner = C

    await place.look_after(ANSWER_WITHIN * 2)

    assert [owner for owner, _, _ in place.owners.said] == [C]


async def test_nothing_is_asked_of_a_next_owner_before_what_it_has_told_meanwhile_has_come(place: Place) -> None:
    await place.say()
    number = place.owners.said[-1][1]
    place.edge.listens(number, is_listening=True, owner=B)
    place.owners.owner = C
    place.edge.lost(B)
    await place.settle()
    await place.say("more")
    (_, number, resuming) = place.owners.said[-1]
    assert resuming.type == "sync"

    place.edge.tell(number, Outgoing({"type": "ok", "re": resuming.id}), C)

    assert [message.id for owner, _, message in place.owners.said[-2:]] == ["nice", "more"]


async def test_what_a_former_owner_still_says_is_nothing_to_a_visit_that_goes_on_elsewhere(place: Place) -> None:
    await place.say()
    number = place.owners.said[-1][1]
    place.owners.owner = C
    place.edge.lost(B)

    place.edge.tell(number, Outgoing({"type": "error", "code": "not_your_turn", "re": "nice"}), B)
    await place.settle()
    place.edge.tell(number, Outgoing({"type": "error", "code": "not_your_turn", "re": "nice"}), B)
    place.answer("nice")

    assert place.ear.heard == [{"type": "ok", "re": "nice"}]


@pytest.mark.parametrize("goes_away", [True, False], ids=["given up", "late"])
async def test_nor_is_what_an_owner_said_before_the_visit_left_it_and_came_back(
    place: Place, *, goes_away: bool
) -> None:
    await place.say()
    number = place.owners.said[-1][1]
    if goes_away:
        place.edge.moved(ROOM, B)
        await place.settle()
    else:
        for owner in (C, B):
            place.owners.owner = owner
            await place.look_after(ANSWER_WITHIN + SPREAD)

    place.edge.tell(number, Outgoing({"type": "error", "code": "unavailable", "re": "nice"}), B)
    place.answer("nice")

    assert [owner for owner, *_ in place.owners.said] == [B, B] if goes_away else [B, C, B]
    assert place.ear.heard == [{"type": "ok", "re": "nice"}]


async def test_a_room_that_its_owner_does_not_know_is_none(place: Place) -> None:
    await place.say()

    place.edge.has_none(ROOM, C)
    assert place.ear.heard == []

    place.edge.has_none(ROOM, B)
    assert place.codes == ["no_such_room"]


async def test_a_former_owner_does_not_end_what_the_next_one_tells(place: Place) -> None:
    await place.say()
    number = place.owners.said[-1][1]
    place.edge.listens(number, is_listening=True, owner=B)
    place.owners.owner = C
    place.edge.lost(B)
    await place.settle()

    place.edge.listens(number, is_listening=False, owner=B)
    place.edge.missed(C)

    assert place.owners.said[-2][2].type == "sync"


async def test_a_visit_ends_with_its_connection(place: Place) -> None:
    await place.say()
    assert place.edge.visits_at(B) == [1]

    place.edge.end(place.ear)

    assert place.owners.ended == [(B, 1)]
    assert place.edge.visits_at(B) == []


async def test_a_connection_that_is_lost_begins_no_visit(place: Place) -> None:
    place.ear.is_open = False

    with pytest.raises(ProtocolError) as refused:
        await place.say()

    assert refused.value.code is ErrorCode.UNAVAILABLE
    assert place.owners.said == []


async def test_no_more_may_wait_for_an_answer_than_can_be_said_again(place: Place) -> None:
    for number in range(MAX_PENDING):
        await place.say(f"nice-{number}")

    with pytest.raises(ProtocolError) as refused:
        await place.say("one-more")

    assert refused.value.code is ErrorCode.RATE_LIMITED
