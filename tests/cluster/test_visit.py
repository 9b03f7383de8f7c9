from __future__ import annotations

from typing import Any

import pytest

from protocol.messages import ClientMessage, parse
from protocol.messages import client as messages
from server.cluster.asked import Pending
from server.cluster.directory import NodeId
from server.cluster.visit import Visit
from server.outgoing import Outgoing
from tests.cluster.ears import Ear

ROOM = "K7QM2X"
OWNER = NodeId("B")


def update(seq: int, epoch: int = 1) -> Outgoing:
    return Outgoing({"type": "update", "room": ROOM, "epoch": epoch, "seq": seq})


def snapshot(seq: int, seats: int = 1, *, watching: bool = False, re: str | None = None) -> Outgoing:
    you = {"seats": list(range(seats)), "watching": watching}
    message = {"type": "snapshot", "room": ROOM, "epoch": 1, "seq": seq, "you": you}
    return Outgoing(message if re is None else {**message, "re": re})


def refusal(code: str, re: str) -> Outgoing:
    return Outgoing({"type": "error", "code": code, "re": re})


def asked(visit: Visit, kind: str, message_id: str, **fields: Any) -> list[dict[str, Any]]:
    """The answers that the message gets."""
    answers: list[dict[str, Any]] = []
    message: ClientMessage = parse({"type": kind, "id": message_id, "room": ROOM, **fields})
    visit.ask(Pending(message, lambda answer: answers.append(answer.message), 0.0), message_id)
    return answers


@pytest.fixture
def ear() -> Ear:
    return Ear()


@pytest.fixture
def visit(ear: Ear) -> Visit:
    """Of somebody who sits there and has been told step 5."""
    visit = Visit(1, ear, ROOM, OWNER, is_listening=True)
    visit.take(snapshot(5))
    ear.heard.clear()
    return visit


def test_updates_are_passed_on_in_order_and_once(visit: Visit, ear: Ear) -> None:
    assert all(visit.take(update(seq)) for seq in (6, 6, 7, 5, 8))

    assert ear.seqs == [6, 7, 8]


def test_an_update_after_a_gap_is_held_back(visit: Visit, ear: Ear) -> None:
    assert not visit.take(update(7))

    assert ear.seqs == []


def test_steps_that_the_client_asks_for_once_more_are_passed_on(visit: Visit, ear: Ear) -> None:
    asked(visit, "sync", "again", epoch=1, after=3)

    assert all(visit.take(update(seq)) for seq in (4, 5, 6))

    assert ear.seqs == [4, 5, 6]


def test_steps_that_have_come_do_not_come_again_when_the_client_repeats_what_was_not_answered(
    visit: Visit, ear: Ear
) -> None:
    asked(visit, "sync", "again", epoch=1, after=3)
    for outgoing in (update(4), update(5), update(6), refusal("unavailable", "again")):
        visit.take(outgoing)

    asked(visit, "sync", "again", epoch=1, after=3)
    for seq in (4, 5, 6, 7):
        visit.take(update(seq))

    assert ear.seqs == [4, 5, 6, 7]
    sync = visit.asked.pending["again"].message
    assert isinstance(sync, messages.Sync)
    assert sync.after == 6


def test_a_visit_goes_on_after_the_newest_step_that_was_passed_on(visit: Visit) -> None:
    visit.take(update(6, epoch=2))

    question = visit.resume("own", 0.0)

    assert question == messages.Sync(type="sync", id="own", room=ROOM, epoch=2, after=6)


def test_who_has_several_hands_is_shown_all_of_the_table_where_they_are_covered(visit: Visit) -> None:
    visit.take(snapshot(6, seats=2))

    question = visit.resume("own", 0.0)

    assert question == messages.Sync(type="sync", id="own", room=ROOM)


def test_who_watches_watches_anew(visit: Visit) -> None:
    visit.take(snapshot(6, seats=0, watching=True))

    assert visit.resume("own", 0.0).type == "watch"


def test_what_answers_a_question_of_our_own_carries_no_id_of_ours(visit: Visit, ear: Ear) -> None:
    visit.resume("own", 0.0)

    visit.take(snapshot(9, re="own"))

    assert ear.seqs == [9]
    assert "re" not in ear.heard[0]
    assert visit.resuming is None


def test_who_has_no_part_any_more_is_sent_to_look_again(visit: Visit, ear: Ear) -> None:
    visit.resume("own", 0.0)

    visit.take(refusal("not_seated", "own"))

    assert ear.is_sent_back
    assert not visit.is_listening


def test_who_leaves_while_the_room_moves_hears_the_answer_alone(visit: Visit, ear: Ear) -> None:
    answers = asked(visit, "leave", "bye")
    visit.resume("own", 0.0)

    visit.take(refusal("not_seated", "own"))
    visit.take(Outgoing({"type": "ok", "re": "bye"}))

    assert not ear.is_sent_back
    assert [answer["type"] for answer in answers] == ["ok"]


@pytest.mark.parametrize("code", ["unavailable", "draining", "internal"])
def test_a_question_of_our_own_that_nobody_can_answer_now_is_asked_later(visit: Visit, ear: Ear, code: str) -> None:
    visit.resume("own", 10.0)
    assert not visit.is_late(10.0)

    visit.take(refusal(code, "own"))

    assert not ear.is_sent_back
    assert visit.is_listening
    assert visit.is_late(10.0)


def test_what_waits_for_a_question_of_our_own_that_nobody_can_answer_now_is_not_known_either(visit: Visit) -> None:
    visit.resume("own", 0.0)
    answers = asked(visit, "react", "nice", key="nice")

    visit.take(refusal("unavailable", "own"))

    assert [(answer["code"], answer["re"]) for answer in answers] == [("unavailable", "nice")]


@pytest.mark.parametrize(("kind", "names"), [("ok", "seq"), ("consent_asked", "ask")])
def test_an_answer_that_names_a_step_which_was_lost_waits_for_it(visit: Visit, ear: Ear, kind: str, names: str) -> None:
    answers = asked(visit, "react", "nice", key="nice")
    assert not visit.take(update(7))
    visit.resume("own", 0.0)

    visit.take(Outgoing({"type": kind, "re": "nice", names: 7}))
    assert answers == []

    for outgoing in (update(6), update(7), Outgoing({"type": "ok", "re": "own", "seq": 7})):
        visit.take(outgoing)
    assert ear.seqs == [6, 7]
    assert [answer["type"] for answer in answers] == [kind]


def test_a_message_has_one_answer_though_two_owners_give_it(visit: Visit) -> None:
    answers = asked(visit, "react", "nice", key="nice")

    for _ in range(2):
        visit.take(Outgoing({"type": "ok", "re": "nice"}))

    assert len(answers) == 1


def test_what_is_said_twice_under_one_id_is_answered_twice(visit: Visit) -> None:
    first, second = asked(visit, "react", "again", key="nice"), asked(visit, "react", "again", key="nice")

    visit.take(Outgoing({"type": "ok", "re": "again", "seq": 5}))

    assert len(first) == len(second) == 1
    assert visit.asked.waiting == 0


def test_what_an_owner_has_had_is_not_refused_because_nobody_knows(visit: Visit) -> None:
    asked(visit, "react", "had", key="nice")
    asked(visit, "react", "new", key="nice")
    visit.asked.pending["had"].may_count = True

    assert visit.asked.refusable() == ["new"]


def test_that_steps_are_lost_is_told_once_though_the_visit_has_asked_meanwhile(visit: Visit, ear: Ear) -> None:
    visit.resume("own", 0.0)
    lost = Outgoing({**snapshot(3).message, "reset": True})

    visit.take(lost)
    visit.take(Outgoing({**lost.message, "re": "own"}))

    assert [message.get("reset") for message in ear.heard] == [True, None]
