from __future__ import annotations

import pytest

from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import parse
from server.advising import HINT_PATIENCE, REVIEW_PATIENCE
from server.cluster.asked import MAX_PENDING
from server.cluster.edge import ANSWER_WITHIN, SPREAD
from server.outgoing import Outgoing
from server.store.base import StoreError
from tests.cluster.ears import Ear
from tests.cluster.places import REMEMBERED, ROOM, B, C, Place


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


async def test_an_owner_that_does_not_answer_in_time_is_asked_again(place: Place) -> None:
    await place.say()

    await place.retry_late(ANSWER_WITHIN / 2)
    assert len(place.owners.said) == 1

    await place.retry_late(ANSWER_WITHIN)
    assert len(place.owners.said) == 2


@pytest.mark.parametrize(("kind", "patience"), [("hint", HINT_PATIENCE), ("review", REVIEW_PATIENCE)])
async def test_what_is_searched_for_may_take_its_time(place: Place, kind: str, patience: float) -> None:
    await place.say("slow", kind)

    await place.retry_late(patience + ANSWER_WITHIN / 2)
    assert place.ids_said == ["slow"]

    await place.retry_late(ANSWER_WITHIN)
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
    await place.retry_late(ANSWER_WITHIN + SPREAD)
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

    await place.retry_late(ANSWER_WITHIN * 2)

    assert [message.id for _, _, message in place.owners.said] == ["nice", "s", "nice"]


async def test_a_question_of_our_own_that_is_lost_is_asked_again(place: Place) -> None:
    await place.say()
    number = place.owners.said[-1][1]
    place.edge.tell(number, Outgoing({"type": "ok", "re": "nice"}), B)
    place.edge.listens(number, is_listening=True, owner=B)
    place.edge.missed(B)

    await place.retry_late(ANSWER_WITHIN * 2)

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

    await place.retry_late(ANSWER_WITHIN * 2)

    assert [owner for owner, _, _ in place.owners.said] == [B, C]


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
