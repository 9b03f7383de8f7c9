"""What becomes of a visit whose room goes from one owner to another."""

from __future__ import annotations

import pytest

from server.cluster.edge import ANSWER_WITHIN, SPREAD, NotNow
from server.outgoing import Outgoing
from tests.cluster.places import ROOM, B, C, Place


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


async def test_an_owner_that_has_a_room_no_longer_keeps_no_guest_for_it(place: Place) -> None:
    await place.say()
    number = place.owners.said[-1][1]

    place.edge.moved(ROOM, B)

    assert place.owners.ended == [(B, number)]


async def test_an_owner_that_has_a_room_no_longer_is_left_where_there_is_none_any_more(place: Place) -> None:
    await place.say()
    ((_, number, _),) = place.owners.said

    place.owners.owner = None
    await place.retry_late(ANSWER_WITHIN + SPREAD)

    assert place.codes == ["no_such_room"]
    assert place.owners.ended == [(B, number)]


async def test_what_nobody_can_take_just_now_waits(place: Place) -> None:
    place.owners.owner = NotNow()
    await place.say()
    assert place.ear.heard == []
    place.owners.owner = C

    await place.retry_late(ANSWER_WITHIN * 2)

    assert [owner for owner, _, _ in place.owners.said] == [C]


async def goes_on_elsewhere(place: Place) -> int:
    """Somebody who listens to the room, whose owner is lost; the number of the visit there."""
    await place.say()
    number = place.owners.said[-1][1]
    place.edge.listens(number, is_listening=True, owner=B)
    place.owners.owner = C
    place.edge.lost(B)
    await place.settle()
    return number


async def test_nothing_is_asked_of_a_next_owner_before_what_it_has_told_meanwhile_has_come(place: Place) -> None:
    await goes_on_elsewhere(place)
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
            await place.retry_late(ANSWER_WITHIN + SPREAD)

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
    number = await goes_on_elsewhere(place)

    place.edge.listens(number, is_listening=False, owner=B)
    place.edge.missed(C)

    assert place.owners.said[-2][2].type == "sync"
