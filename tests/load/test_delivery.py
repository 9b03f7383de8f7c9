"""What one client was sent, Bob in all cases."""

from __future__ import annotations

from bots.load.checker import check
from bots.load.history import Connected, Entry
from bots.load.violations import Fault
from tests.load.histories import (
    LAST,
    ROOM,
    Cut,
    altered,
    entries,
    faults,
    history,
    look,
    place_of,
    step,
)

BOB = 1


def test_a_lost_step_is_named() -> None:
    room = history()
    del entries(room)[place_of(room, 7)]

    assert [str(violation) for violation in check(room)] == [
        f"lost in room {ROOM} at step 7, seen by Bob: not told, nor any up to step 7"
    ]


def test_several_lost_steps_in_a_row_are_one_gap() -> None:
    room = history()
    first = place_of(room, 14)
    del entries(room)[first : first + 2]

    [violation] = check(room)

    assert (violation.fault, violation.seq) == (Fault.LOST, 14)


def test_a_lost_last_step_is_named_although_the_room_is_looked_at() -> None:
    room = history()
    del entries(room)[place_of(room, LAST)]

    [violation] = check(room)

    assert (violation.fault, violation.seq, violation.witness) == (Fault.LOST, LAST, "Bob")


def test_a_snapshot_does_not_excuse_a_lost_step_on_the_same_connection() -> None:
    room = history()
    entries(room)[place_of(room, 7)] = look(7)

    assert faults(room) == {Fault.LOST}


def test_a_repeated_step_is_named() -> None:
    room = history()
    entries(room).insert(place_of(room, 8), step(7))

    [violation] = check(room)

    assert (violation.fault, violation.seq, violation.witness) == (Fault.REPEATED, 7, "Bob")


def test_a_step_that_is_repeated_after_a_snapshot_is_named() -> None:
    room = history([Cut(BOB, 6, 14, by_snapshot=True)])
    entries(room).insert(place_of(room, 15), step(8))

    assert faults(room) == {Fault.REPEATED}


def test_steps_that_come_in_another_order_are_named_swapped() -> None:
    room = history()
    first, second = place_of(room, 7), place_of(room, 8)
    own = entries(room)
    own[first], own[second] = own[second], own[first]

    [violation] = check(room)

    assert (violation.fault, violation.seq, violation.witness) == (Fault.SWAPPED, 7, "Bob")


def test_an_update_before_any_snapshot_is_named() -> None:
    room = history()
    entries(room).remove(look(2))

    assert faults(room) == {Fault.UNINVITED}


def test_a_reset_is_named() -> None:
    room = history([Cut(BOB, 6, 7, by_snapshot=True)])
    place = entries(room).index(look(7))
    entries(room)[place] = look(7)._replace(is_reset=True)

    assert faults(room) == {Fault.RESET}


def test_a_step_that_is_another_one_after_a_reset_is_named_too() -> None:
    room = history()
    again: list[Entry] = [
        Connected(3),
        look(13)._replace(is_reset=True),
        altered(step(14)),
        step(15),
    ]
    place = place_of(room, 15)
    entries(room)[place + 1 : place + 1] = again

    assert faults(room) == {Fault.RESET, Fault.ALTERED}


def test_a_room_that_went_back_is_named() -> None:
    room = history([Cut(BOB, 7, 8, by_snapshot=True)])
    entries(room)[entries(room).index(look(8))] = look(5)

    [violation, *_] = check(room)

    assert (violation.fault, violation.seq) == (Fault.LOST, 6)


def test_a_room_that_ends_before_what_was_told_is_named() -> None:
    room = history()
    for who in range(3):
        entries(room, who)[-1:] = [Connected(3), look(LAST - 1)]

    violations = check(room)

    assert {violation.witness for violation in violations} == {"Ann", "Bob", "Cat"}
    assert {violation.fault for violation in violations} == {Fault.LOST}
    assert {violation.seq for violation in violations} == {LAST}


def test_a_room_that_could_not_be_looked_at_in_the_end_is_named() -> None:
    room = history()
    entries(room).pop()

    assert faults(room) == {Fault.UNPROVEN}
