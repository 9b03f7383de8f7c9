"""What became of what the clients asked for. Bob acts in steps 6, 13 and 16, and looks at the room in the end."""

from __future__ import annotations

import pytest

from bots.load.checker import check
from bots.load.history import Accepted, Asked, Refused
from bots.load.violations import Fault
from tests.load.histories import LAST, entries, faults, history, place_of, replace_ok, request_id, step

ANN, BOB = 0, 1
OF_ANN, OF_BOB = 5, 6
FIRST = request_id(BOB, OF_BOB)
"""The id of Bob's first act."""
OTHER = "Bob-act-99"


def test_an_answer_that_comes_again_is_no_fault() -> None:
    room = history()
    ok = Accepted(FIRST, OF_BOB)
    replace_ok(room, ok.id, ok, ok)

    assert check(room) == []


def test_an_act_that_was_refused_and_not_done_is_no_fault() -> None:
    room = history()
    entries(room)[-1:-1] = [Asked(OTHER, "1 knock"), Refused(OTHER)]

    assert check(room) == []


def test_an_act_that_was_refused_and_done_when_it_was_said_again_is_no_fault() -> None:
    room = history()
    replace_ok(room, FIRST, Refused(FIRST), Accepted(FIRST, OF_BOB))

    assert check(room) == []


def test_a_next_that_nobody_waits_for_may_be_acknowledged_without_a_step() -> None:
    room = history()
    entries(room)[-1:-1] = [Asked("Bob-next-99", "1 next"), Accepted("Bob-next-99", None)]

    assert check(room) == []


@pytest.mark.parametrize("what", ["1 knock", "1 next", None])
def test_what_was_never_answered_is_named(what: str | None) -> None:
    room = history()
    entries(room).insert(-1, Asked(OTHER, what))

    [violation] = check(room)

    assert (violation.fault, violation.witness) == (Fault.UNANSWERED, "Bob")
    assert OTHER in violation.text


def test_an_act_that_was_done_and_never_answered_is_named() -> None:
    room = history()
    replace_ok(room, FIRST)

    assert faults(room) == {Fault.UNANSWERED}


def test_who_could_not_look_at_the_room_in_the_end_may_have_missed_the_answer() -> None:
    room = history()
    replace_ok(room, FIRST)
    entries(room).pop()

    assert faults(room) == {Fault.UNPROVEN}


@pytest.mark.parametrize("later", [False, True], ids=["at once", "in the end"])
def test_what_was_acknowledged_and_then_refused_is_named(later: bool) -> None:
    room = history()
    place = -1 if later else entries(room).index(Accepted(FIRST, OF_BOB)) + 1
    entries(room).insert(place, Refused(FIRST))

    [violation] = check(room)

    assert (violation.fault, violation.seq, violation.witness) == (Fault.DENIED, OF_BOB, "Bob")


@pytest.mark.parametrize("seq", [1, OF_ANN, 13], ids=["nobody's", "another one's", "an own one"])
def test_an_ok_for_another_step_than_its_own_is_named(seq: int) -> None:
    room = history()
    entries(room).insert(-1, Accepted(FIRST, seq))
    replace_ok(room, FIRST)

    assert Fault.UNFOUNDED in faults(room)


def test_an_ok_to_an_act_that_names_no_step_is_named() -> None:
    room = history()
    replace_ok(room, FIRST, Accepted(FIRST, None))

    assert Fault.UNFOUNDED in faults(room)


def test_an_ok_without_its_step_is_named() -> None:
    room = history()
    entries(room)[-1:-1] = [Asked(OTHER, "1 knock"), Accepted(OTHER, LAST + 1)]

    assert Fault.UNFOUNDED in faults(room)
    assert Fault.LOST in faults(room)


def test_an_ok_for_what_was_never_asked_is_named() -> None:
    room = history()
    entries(room).insert(-1, Accepted(OTHER, OF_BOB))

    assert Fault.UNFOUNDED in faults(room)


def test_an_ok_for_a_step_that_is_older_than_the_act_is_named() -> None:
    room = history()
    done = step(OF_BOB).deed
    entries(room)[-1:-1] = [Asked(OTHER, done), Accepted(OTHER, OF_BOB)]

    unfounded = [violation for violation in check(room) if violation.fault is Fault.UNFOUNDED]

    assert f"{OTHER} ({done}) came after this step" in {violation.text for violation in unfounded}


def test_an_ok_twice_for_different_steps_is_named() -> None:
    room = history()
    entries(room).insert(-1, Accepted(FIRST, 13))

    assert Fault.ANSWERED_TWICE in faults(room)


def test_one_step_acknowledged_as_two_acts_is_named() -> None:
    room = history()
    entries(room).insert(place_of(room, OF_BOB), Asked(OTHER, step(OF_BOB).deed))
    entries(room).insert(-1, Accepted(OTHER, OF_BOB))

    [violation] = check(room)

    assert (violation.fault, violation.seq) == (Fault.UNFOUNDED, OF_BOB)


def test_an_ok_before_the_update_is_named() -> None:
    room = history()
    replace_ok(room, FIRST)
    entries(room).insert(place_of(room, OF_BOB), Accepted(FIRST, OF_BOB))

    [violation] = check(room)

    assert (violation.fault, violation.seq) == (Fault.EARLY, OF_BOB)


def test_an_act_that_nobody_asked_for_is_named() -> None:
    room = history()
    own = entries(room)
    own[:] = [entry for entry in own if not (isinstance(entry, Asked | Accepted) and entry.id == FIRST)]

    [violation] = check(room)

    assert (violation.fault, violation.seq) == (Fault.UNASKED, OF_BOB)


def test_an_act_that_was_refused_and_done_is_named() -> None:
    room = history()
    replace_ok(room, FIRST, Refused(FIRST))

    assert faults(room) == {Fault.UNASKED}


def test_one_unanswered_act_excuses_one_step_alone() -> None:
    room = history()
    again = step(OF_BOB)._replace(seq=LAST + 1, epoch=step(LAST).epoch)
    for who in range(3):
        entries(room, who).insert(-1, again)
    replace_ok(room, FIRST)

    unasked = [violation.seq for violation in check(room) if violation.fault is Fault.UNASKED]

    assert unasked == [LAST + 1]
