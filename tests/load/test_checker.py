from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.load.checker import check
from bots.load.history import Accepted, Asked, Connected, Entry, Refused, RoomHistory, Shown, Told
from bots.load.violations import DISORDERS, LOSSES, REPETITIONS, Fault
from tests.load.histories import ALL_IN_TURN, JOINED, ROOM, Cut, act_id, faults, history, step, steps

ANN, BOB = 0, 1
LAST = JOINED + len(ALL_IN_TURN)
OF_ANN, OF_BOB = 4, 5
"""Steps in which they act."""


def entries(room: RoomHistory, who: int = BOB) -> list[Entry]:
    return room.clients[who].entries


def index(room: RoomHistory, seq: int, who: int = BOB) -> int:
    """Where the update of ``seq`` stands among the entries of a client."""
    return next(i for i, entry in enumerate(entries(room, who)) if isinstance(entry, Told) and entry.seq == seq)


def replace_ok(room: RoomHistory, name: str, *others: Entry, who: int = BOB) -> None:
    """Put ``others`` in the place of the `ok` to the act ``name``."""
    all_entries = entries(room, who)
    place = next(i for i, entry in enumerate(all_entries) if isinstance(entry, Accepted) and entry.id == name)
    all_entries[place : place + 1] = others


# What is right.


def test_a_history_without_fault_passes() -> None:
    assert check(history()) == []
    assert check(history(), steps()) == []


@pytest.mark.parametrize("by_snapshot", [True, False])
def test_missing_steps_on_a_lost_connection_is_no_fault(by_snapshot: bool) -> None:
    cuts = [Cut(BOB, OF_ANN, OF_BOB + 1, by_snapshot), Cut(BOB, 9, 11, by_snapshot)]

    assert check(history(cuts=cuts), steps()) == []


def test_a_step_for_which_everybody_had_a_snapshot_may_be_acknowledged() -> None:
    room = history(cuts=[Cut(who, OF_ANN, OF_BOB, by_snapshot=True) for who in range(3)])

    assert check(room) == []
    assert check(room, steps()) == []


def test_an_answer_that_comes_again_is_no_fault() -> None:
    room = history()
    ok = Accepted(act_id(BOB, OF_BOB), OF_BOB)
    replace_ok(room, ok.id, ok, ok)

    assert check(room) == []


def test_an_answer_that_never_came_is_no_fault() -> None:
    room = history()
    replace_ok(room, act_id(BOB, OF_BOB))

    assert check(room) == []


def test_an_act_that_was_refused_and_not_done_is_no_fault() -> None:
    room = history()
    entries(room)[-1:-1] = [Asked("Bob-act-99", "1 knock"), Refused("Bob-act-99")]

    assert check(room) == []


# What one client was sent.


def test_a_lost_step_is_named() -> None:
    room = history()
    del entries(room)[index(room, 6)]

    assert [str(violation) for violation in check(room)] == [
        f"lost in room {ROOM} at step 6, seen by Bob: not told, nor any up to step 6"
    ]


def test_several_lost_steps_in_a_row_are_one_gap() -> None:
    room = history()
    first = index(room, 6)
    del entries(room)[first : first + 2]

    [violation] = check(room)

    assert (violation.fault, violation.seq) == (Fault.LOST, 6)


def test_a_lost_last_step_is_named_although_the_room_is_looked_at() -> None:
    room = history()
    del entries(room)[index(room, LAST)]

    [violation] = check(room)

    assert (violation.fault, violation.seq, violation.witness) == (Fault.LOST, LAST, "Bob")


def test_a_snapshot_does_not_excuse_a_lost_step_on_the_same_connection() -> None:
    room = history()
    place = index(room, 6)
    entries(room)[place] = Shown(1000, 6)

    assert faults(room) == {Fault.LOST}


def test_a_repeated_step_is_named() -> None:
    room = history()
    entries(room).insert(index(room, 7), step(6, ALL_IN_TURN[2]))

    [violation] = check(room)

    assert (violation.fault, violation.seq, violation.witness) == (Fault.REPEATED, 6, "Bob")


def test_a_step_that_is_repeated_after_a_snapshot_is_named() -> None:
    room = history(cuts=[Cut(BOB, OF_BOB, 8, by_snapshot=True)])
    entries(room).insert(index(room, 9), step(7, ALL_IN_TURN[3]))

    assert faults(room) == {Fault.REPEATED}


def test_steps_that_come_in_another_order_are_named_swapped() -> None:
    room = history()
    first, second = index(room, 6), index(room, 7)
    own = entries(room)
    own[first], own[second] = own[second], own[first]

    [violation] = check(room)

    assert (violation.fault, violation.seq, violation.witness) == (Fault.SWAPPED, 6, "Bob")


def test_an_update_before_any_snapshot_is_named() -> None:
    room = history()
    entries(room).remove(Shown(1000, 2))

    assert faults(room) == {Fault.UNINVITED}


def test_a_reset_is_named() -> None:
    room = history(cuts=[Cut(BOB, 6, 7, by_snapshot=True)])
    entries(room)[entries(room).index(Shown(1000, 7))] = Shown(1000, 7, is_reset=True)

    assert faults(room) == {Fault.RESET}


def test_a_step_that_is_another_one_after_a_reset_is_named_too() -> None:
    room = history()
    place = index(room, 9)
    again: list[Entry] = [
        Connected(2),
        Shown(2000, 7, is_reset=True),
        step(8, ALL_IN_TURN[4])._replace(content=b"another"),
        step(9, ALL_IN_TURN[5]),
    ]
    entries(room)[place + 1 : place + 1] = again

    assert faults(room) == {Fault.RESET, Fault.ALTERED}


def test_a_room_that_went_back_is_named() -> None:
    room = history(cuts=[Cut(BOB, 6, 7, by_snapshot=True)])
    entries(room)[entries(room).index(Shown(1000, 7))] = Shown(1000, 5)

    [violation, *_] = check(room)

    assert (violation.fault, violation.seq) == (Fault.LOST, 6)


def test_a_room_that_ends_before_what_was_acknowledged_is_named() -> None:
    room = history()
    for who in range(3):
        entries(room, who)[-1:] = [Connected(2), Shown(3000, LAST - 1)]

    lost = [violation for violation in check(room) if violation.fault is Fault.LOST]

    assert {violation.witness for violation in lost} == {"Ann", "Bob", "Cat"}
    assert {violation.seq for violation in lost} == {LAST}


def test_a_room_that_could_not_be_looked_at_in_the_end_is_named() -> None:
    room = history()
    entries(room).pop()

    assert faults(room) == {Fault.UNPROVEN}


# What the clients were sent, held against each other.


def test_a_step_of_another_content_is_named_altered() -> None:
    room = history()
    place = index(room, 6)
    entries(room)[place] = step(6, ALL_IN_TURN[2])._replace(content=b"another")

    [violation] = check(room)

    assert (violation.fault, violation.seq, violation.witness) == (Fault.ALTERED, 6, "Bob")
    assert "Ann was told something else" in violation.text


def test_a_step_under_another_epoch_is_named_altered() -> None:
    room = history()
    entries(room)[index(room, 6)] = step(6, ALL_IN_TURN[2])._replace(epoch=1001)

    [violation] = check(room)

    assert (violation.fault, violation.seq) == (Fault.ALTERED, 6)
    assert "1001" in violation.text


def test_steps_that_stand_in_each_others_place_for_one_client_are_named_swapped() -> None:
    room = history()
    six, seven = step(6, ALL_IN_TURN[2]), step(7, ALL_IN_TURN[3])
    entries(room)[index(room, 6)] = seven._replace(seq=6)
    entries(room)[index(room, 7)] = six._replace(seq=7)

    violations = check(room)

    assert [(violation.fault, violation.seq) for violation in violations] == [(Fault.SWAPPED, 6), (Fault.SWAPPED, 7)]


def test_a_step_under_an_older_epoch_than_the_one_before_is_named() -> None:
    room = history()
    for who in range(3):
        place = index(room, 9, who)
        entries(room, who)[place] = step(9, ALL_IN_TURN[5])._replace(epoch=1000)

    [violation] = check(room)

    assert (violation.fault, violation.seq) == (Fault.BACKDATED, 9)


# What the clients asked for.


@pytest.mark.parametrize("seq", [1, OF_ANN, 8], ids=["nobody's", "another one's", "an own one"])
def test_an_ok_for_another_step_than_its_own_is_named(seq: int) -> None:
    room = history()
    name = act_id(BOB, OF_BOB)
    entries(room).insert(-1, Accepted(name, seq))
    replace_ok(room, name)

    assert Fault.UNFOUNDED in faults(room)


def test_an_ok_without_its_step_is_named() -> None:
    room = history()
    entries(room)[-1:-1] = [Asked("Bob-act-99", "1 knock"), Accepted("Bob-act-99", LAST + 1)]

    assert Fault.UNFOUNDED in faults(room)
    assert Fault.LOST in faults(room)


def test_an_ok_for_what_was_never_asked_is_named() -> None:
    room = history()
    entries(room).insert(-1, Accepted("Bob-act-99", OF_BOB))

    assert Fault.UNFOUNDED in faults(room)


def test_an_ok_for_a_step_that_is_older_than_the_act_is_named() -> None:
    room = history(actors=(1, 1, 1, 1, 1))
    entries(room)[-1:-1] = [Asked("Bob-act-99", "1 draw"), Accepted("Bob-act-99", 7)]
    replace_ok(room, act_id(BOB, 7))

    [violation] = [violation for violation in check(room) if violation.fault is Fault.UNFOUNDED]

    assert violation.seq == 7


def test_an_ok_twice_for_different_steps_is_named() -> None:
    room = history()
    entries(room).insert(-1, Accepted(act_id(BOB, OF_BOB), 8))

    assert Fault.ANSWERED_TWICE in faults(room)


def test_one_step_acknowledged_as_two_acts_is_named() -> None:
    room = history()
    same = next(entry.deed for entry in entries(room) if isinstance(entry, Asked))
    entries(room).insert(index(room, OF_BOB), Asked("Bob-act-99", same))
    entries(room).insert(-1, Accepted("Bob-act-99", OF_BOB))

    [violation] = check(room)

    assert (violation.fault, violation.seq) == (Fault.UNFOUNDED, OF_BOB)


def test_an_ok_before_the_update_is_named() -> None:
    room = history()
    name = act_id(BOB, OF_BOB)
    replace_ok(room, name)
    entries(room).insert(index(room, OF_BOB), Accepted(name, OF_BOB))

    [violation] = check(room)

    assert (violation.fault, violation.seq) == (Fault.EARLY, OF_BOB)


def test_an_act_that_nobody_asked_for_is_named() -> None:
    room = history()
    own = entries(room)
    own[:] = [entry for entry in own if not (isinstance(entry, Asked | Accepted) and entry.id == act_id(BOB, OF_BOB))]

    [violation] = check(room)

    assert (violation.fault, violation.seq) == (Fault.UNASKED, OF_BOB)


def test_an_act_that_was_refused_and_done_is_named() -> None:
    room = history()
    replace_ok(room, act_id(BOB, OF_BOB), Refused(act_id(BOB, OF_BOB)))

    assert faults(room) == {Fault.UNASKED}


def test_one_unanswered_act_excuses_one_step_alone() -> None:
    actors = (0, 1, 1)
    room = history(actors)
    own = entries(room)
    twice = step(6, 1)
    for who in range(3):  # the act of step 5 was done again in step 6
        entries(room, who)[index(room, 6, who)] = step(5, 1)._replace(seq=6)
    replace_ok(room, act_id(BOB, 5))
    own[:] = [entry for entry in own if not (isinstance(entry, Asked | Accepted) and entry.id == act_id(BOB, 6))]

    [violation] = check(room)

    assert twice.deed != step(5, 1).deed
    assert (violation.fault, violation.seq) == (Fault.UNASKED, 6)


# What the server has written down.


def test_a_step_that_is_not_in_the_log_is_named() -> None:
    assert faults(history(), steps()[:-1]) == {Fault.LOST}


def test_a_step_that_the_log_tells_otherwise_is_named() -> None:
    stored = steps()
    stored[6] = stored[6]._replace(content=b"another")

    violations = check(history(), stored)

    assert {violation.witness for violation in violations} == {"Ann", "Bob", "Cat"}
    assert {(violation.fault, violation.seq) for violation in violations} == {(Fault.ALTERED, 7)}


def test_an_acknowledged_step_that_nobody_saw_must_be_in_the_log() -> None:
    room = history(cuts=[Cut(who, OF_ANN, OF_BOB, by_snapshot=True) for who in range(3)])
    stored = steps()
    del stored[OF_BOB - 1]

    assert faults(room, stored) == {Fault.UNFOUNDED}


def test_a_step_of_the_log_that_nobody_asked_for_is_named() -> None:
    again = step(OF_BOB, BOB)._replace(seq=LAST + 1, epoch=2000)

    assert faults(history(), [*steps(), again]) == {Fault.UNASKED}


# Whatever the history.


def test_every_fault_counts_as_one_of_three_sorts() -> None:
    assert set(Fault) == LOSSES | REPETITIONS | DISORDERS
    assert len(LOSSES) + len(REPETITIONS) + len(DISORDERS) == len(Fault)


ACTORS = st.lists(st.integers(0, 2), min_size=4, max_size=20)


@st.composite
def cuts_of(draw: st.DrawFn, actors: list[int]) -> list[Cut]:
    """Lost connections, not two of one client."""
    last = JOINED + len(actors)
    made = []
    for who in draw(st.sets(st.integers(0, 2))):
        after = draw(st.integers(JOINED, last - 1))
        made.append(Cut(who, after, draw(st.integers(after + 1, last)), draw(st.booleans())))
    return made


@given(st.data())
def test_whatever_is_played_and_however_often_connections_are_lost_it_passes(data: st.DataObject) -> None:
    actors = data.draw(ACTORS)
    room = history(actors, data.draw(cuts_of(actors)))

    assert check(room) == []
    assert check(room, steps(actors)) == []


def _lose(own: list[Entry], place: int) -> None:
    del own[place]


def _repeat(own: list[Entry], place: int) -> None:
    own.insert(place, own[place])


def _alter(own: list[Entry], place: int) -> None:
    entry = own[place]
    assert isinstance(entry, Told)
    own[place] = entry._replace(content=b"another")


@pytest.mark.parametrize(("damage", "fault"), [(_lose, Fault.LOST), (_repeat, Fault.REPEATED), (_alter, Fault.ALTERED)])
@given(data=st.data())
def test_one_damaged_update_of_one_client_is_always_named(
    damage: Callable[[list[Entry], int], None], fault: Fault, data: st.DataObject
) -> None:
    actors = data.draw(ACTORS)
    room = history(actors)
    who, seq = data.draw(st.integers(0, 2)), data.draw(st.integers(JOINED + 1, JOINED + len(actors)))

    damage(entries(room, who), index(room, seq, who))

    assert fault in faults(room)
