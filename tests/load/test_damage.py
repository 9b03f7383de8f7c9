"""One real history, damaged in every way at every place: nothing of it may go unnoticed."""

from __future__ import annotations

import pytest

from bots.load.checker import check
from bots.load.history import Connected, Shown, Told, is_next
from bots.load.violations import Fault
from tests.load import damage
from tests.load.damage import Damage
from tests.load.histories import faults, without_step
from tests.load.recording import Recording, record


@pytest.fixture(scope="module")
def recording() -> Recording:
    return record()


def test_the_history_has_everything_in_it_and_no_fault(recording: Recording) -> None:
    entries = [entry for client in recording.history.clients for entry in client.entries]

    assert check(recording.history) == []
    assert check(recording.history, recording.stored) == []
    assert sum(isinstance(entry, Connected) for entry in entries) >= 3 + 3 + 3
    assert len({entry.epoch for entry in entries if isinstance(entry, Told)}) == 2
    assert len({entry.seq for entry in entries if isinstance(entry, Shown)}) > 4


CASES: list[tuple[Damage, set[Fault]]] = [
    (damage.update_lost, {Fault.LOST, Fault.EARLY}),  # early: the answer came, and then the connection was lost
    (damage.update_repeated, {Fault.REPEATED}),
    (damage.updates_in_another_order, {Fault.SWAPPED}),
    (damage.updates_in_each_others_place, {Fault.SWAPPED}),
    (damage.update_altered, {Fault.ALTERED}),
    (damage.lone_update_altered, {Fault.ALTERED, Fault.LOST, Fault.IMPOSSIBLE}),
    (damage.update_of_another_process, {Fault.ALTERED}),
    (damage.answer_lost, {Fault.UNANSWERED}),
    (damage.answer_to_another_step, {Fault.UNFOUNDED}),
    (damage.answer_too_early, {Fault.EARLY}),
    (damage.answer_denied, {Fault.DENIED}),
    (damage.refused_and_done, {Fault.UNASKED}),
    (damage.question_never_asked, {Fault.UNFOUNDED}),
    (damage.question_of_something_else, {Fault.UNFOUNDED}),
    (damage.snapshot_lost, {Fault.LOST, Fault.UNINVITED, Fault.UNPROVEN}),
    (damage.snapshot_altered, {Fault.ALTERED, Fault.LOST, Fault.REPEATED, Fault.IMPOSSIBLE}),
    (damage.snapshot_without_an_event, {Fault.LOST}),
    (damage.snapshot_of_an_older_room, {Fault.LOST}),
    (damage.snapshot_of_a_reset, {Fault.RESET}),
]


@pytest.mark.parametrize(("make", "kinds"), CASES, ids=[make.__name__ for make, _ in CASES])
def test_damage_is_named_wherever_it_is(recording: Recording, make: Damage, kinds: set[Fault]) -> None:
    damaged = list(make(recording.history))

    unnoticed = [(where, faults(room)) for room, where in damaged if not faults(room) & kinds]

    assert unnoticed == []
    assert damaged


def test_a_step_that_the_server_has_forgotten_is_missed_by_what_follows(recording: Recording) -> None:
    acts = [told for told in recording.stored if told.deed is not None and not is_next(told.deed)]

    unnoticed = [told for told in acts if not faults(without_step(recording.history, told.seq))]

    assert unnoticed == []
