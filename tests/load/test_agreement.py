from __future__ import annotations

import pytest

from bots.load.checker import check
from bots.load.history import Told
from bots.load.violations import Fault
from tests.load.histories import AFTER, BEFORE, LAST, altered, entries, history, look, place_of, step

ANN, BOB, CAT = 0, 1, 2


def test_a_step_of_another_content_is_named_altered() -> None:
    room = history()
    entries(room)[place_of(room, 7)] = altered(step(7))

    [violation] = check(room)

    assert (violation.fault, violation.seq, violation.witness) == (Fault.ALTERED, 7, "Bob")
    assert "Ann was told something else" in violation.text


def test_a_step_under_another_epoch_is_named_altered() -> None:
    room = history()
    entries(room)[place_of(room, 7)] = step(7)._replace(epoch=BEFORE + 1)

    [violation] = check(room)

    assert (violation.fault, violation.seq) == (Fault.ALTERED, 7)
    assert str(BEFORE + 1) in violation.text


def test_a_snapshot_under_another_epoch_than_its_step_is_named_altered() -> None:
    room = history()
    entries(room)[-1] = look(LAST)._replace(epoch=AFTER + 1)

    [violation] = check(room)

    assert (violation.fault, violation.seq, violation.witness) == (Fault.ALTERED, LAST, "Bob")


def test_steps_that_stand_in_each_others_place_for_one_client_are_named_swapped() -> None:
    room = history()
    entries(room)[place_of(room, 7)] = step(8)._replace(seq=7)
    entries(room)[place_of(room, 8)] = step(7)._replace(seq=8)

    violations = check(room)

    assert [(violation.fault, violation.seq) for violation in violations] == [(Fault.SWAPPED, 7), (Fault.SWAPPED, 8)]


@pytest.mark.parametrize("who", [ANN, BOB, CAT])
def test_of_two_steps_under_one_number_the_one_of_the_older_epoch_is_lost(who: int) -> None:
    room = history()
    rewritten = Told(AFTER, 8, '[{"type":"away","seat":1}]', None)
    entries(room, who)[place_of(room, 8, who)] = rewritten

    lost = [violation for violation in check(room) if violation.fault is Fault.LOST and violation.seq == 8]

    assert {violation.witness for violation in lost} <= {"Ann", "Bob", "Cat"}
    assert any(f"told under epoch {BEFORE}" in violation.text for violation in lost)


def test_a_step_under_an_older_epoch_than_the_one_before_is_named() -> None:
    room = history()
    for who in range(3):
        entries(room, who)[place_of(room, 14, who)] = step(14)._replace(epoch=BEFORE)

    [violation] = check(room)

    assert (violation.fault, violation.seq) == (Fault.BACKDATED, 14)
