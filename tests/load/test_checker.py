from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.load.checker import check
from bots.load.history import Entry, Told
from bots.load.violations import DISORDERS, LOSSES, REPETITIONS, Fault
from tests.load.histories import (
    JOINED,
    LAST,
    Cut,
    Scene,
    altered,
    entries,
    faults,
    history,
    place_of,
    request_id,
    scenes,
    step,
    steps,
)

BOB = 1
GAMES = st.sampled_from(["fives-threes", "all-fives", "block", "draw"])


def test_every_fault_counts_as_one_of_three_sorts() -> None:
    assert set(Fault) == LOSSES | REPETITIONS | DISORDERS
    assert len(LOSSES) + len(REPETITIONS) + len(DISORDERS) == len(Fault)


# What is right.


def test_a_history_without_fault_passes() -> None:
    assert check(history()) == []
    assert check(history(), steps()) == []


@pytest.mark.parametrize("by_snapshot", [True, False])
def test_missing_steps_on_a_lost_connection_is_no_fault(by_snapshot: bool) -> None:
    cuts = [Cut(BOB, 5, 7, by_snapshot), Cut(BOB, 13, 15, by_snapshot)]

    assert check(history(cuts), steps()) == []


def test_a_step_for_which_everybody_had_a_snapshot_may_be_acknowledged() -> None:
    room = history([Cut(who, 5, 6, by_snapshot=True) for who in range(3)])

    assert check(room) == []
    assert check(room, steps()) == []


@st.composite
def cuts_of(draw: st.DrawFn, whole: list[Scene]) -> list[Cut]:
    """Lost connections, not two of one client."""
    made = []
    for who in draw(st.sets(st.integers(0, 2))):
        after = draw(st.integers(JOINED, len(whole) - 1))
        made.append(Cut(who, after, draw(st.integers(after + 1, len(whole))), draw(st.booleans())))
    return made


@given(st.data())
def test_whatever_is_played_and_however_connections_are_lost_it_passes(data: st.DataObject) -> None:
    whole = list(scenes(data.draw(st.integers(4, 60)), data.draw(GAMES), data.draw(st.integers(0, 9))))
    room = history(data.draw(cuts_of(whole)), whole)

    assert check(room) == []
    assert check(room, [scene.told for scene in whole]) == []


# What is wrong with one update.


def _lose(own: list[Entry], place: int) -> None:
    del own[place]


def _repeat(own: list[Entry], place: int) -> None:
    own.insert(place, own[place])


def _alter(own: list[Entry], place: int) -> None:
    entry = own[place]
    assert isinstance(entry, Told)
    own[place] = altered(entry)


@pytest.mark.parametrize(("damage", "fault"), [(_lose, Fault.LOST), (_repeat, Fault.REPEATED), (_alter, Fault.ALTERED)])
@given(data=st.data())
def test_one_damaged_update_of_one_client_is_always_named(
    damage: Callable[[list[Entry], int], None], fault: Fault, data: st.DataObject
) -> None:
    whole = scenes(data.draw(st.integers(4, 60)), data.draw(GAMES))
    room = history(whole=whole)
    who, seq = data.draw(st.integers(0, 2)), data.draw(st.integers(JOINED + 1, len(whole)))

    damage(entries(room, who), place_of(room, seq, who))

    assert fault in faults(room)


# What the server has written down.


def test_a_step_that_is_not_in_the_log_is_named() -> None:
    assert faults(history(), steps()[:-1]) == {Fault.LOST}


def test_a_step_that_the_log_tells_otherwise_is_named() -> None:
    stored = steps()
    stored[6] = altered(stored[6])

    violations = [violation for violation in check(history(), stored) if violation.seq == 7]

    assert {violation.witness for violation in violations} == {"Ann", "Bob", "Cat"}
    assert {violation.fault for violation in violations} == {Fault.ALTERED}


def test_an_acknowledged_step_that_nobody_saw_must_be_in_the_log() -> None:
    room = history([Cut(who, 5, 6, by_snapshot=True) for who in range(3)])
    stored = steps()
    del stored[5]

    unfounded = [violation for violation in check(room, stored) if violation.fault is Fault.UNFOUNDED]

    assert [violation.seq for violation in unfounded] == [6]
    assert request_id(BOB, 6) in unfounded[0].text


def test_a_step_of_the_log_that_nobody_asked_for_is_named() -> None:
    again = step(6)._replace(seq=LAST + 1, epoch=step(LAST).epoch)

    assert Fault.UNASKED in faults(history(), [*steps(), again])


def test_a_log_that_begins_late_says_nothing_of_what_was_before() -> None:
    late = steps()[9:]

    assert check(history(), late) == []
    assert check(history([Cut(who, 5, 6, by_snapshot=True) for who in range(3)]), late) == []
    assert faults(history(), late[:-1]) == {Fault.LOST}


def test_of_a_room_that_has_no_log_everything_is_lost() -> None:
    lost = [violation.seq for violation in check(history(), []) if violation.fault is Fault.LOST]

    assert lost == list(range(2, LAST + 1))
