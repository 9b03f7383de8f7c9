from __future__ import annotations

from collections.abc import Sequence

import pytest

from bots.guarded import Fault, Guarded, NoChoice
from engine.actions import Action, Knock
from engine.outcome import Choice
from engine.view import SeatView
from tests.bots.positions import asked_at
from tests.engine.positions import action, dealt

ASKED = asked_at(dealt("block", "1-2 3-4", "5-5"))


class Scripted:
    """Chooses, or raises, what it was made with."""

    def __init__(self, what: Action | Exception) -> None:
        self._what = what

    def choose(self, _view: SeatView, _legal: Sequence[Choice]) -> Action:
        if isinstance(self._what, Exception):
            raise self._what
        return self._what


def test_a_legal_choice_is_left_as_it_is() -> None:
    player = Guarded(Scripted(action("3-4")))

    assert player.choose(*ASKED) == action("3-4")
    assert not player.faults


@pytest.mark.parametrize(
    ("what", "fault"),
    [
        (Knock(), Fault.ILLEGAL),
        (action("5-5"), Fault.ILLEGAL),
        (ZeroDivisionError(), Fault.RAISED),
        (NoChoice(Fault.LATE), Fault.LATE),
    ],
)
def test_any_other_is_replaced_by_the_first_legal_action_and_counted(what: Action | Exception, fault: Fault) -> None:
    player = Guarded(Scripted(what))

    assert player.choose(*ASKED) == action("1-2")
    assert player.faults == {fault: 1}


def test_what_is_reported_of_an_exception_is_not_its_text() -> None:
    reported: list[tuple[Fault, str | None]] = []
    player = Guarded(Scripted(ValueError("they hold 6-6")), lambda fault, raised: reported.append((fault, raised)))

    player.choose(*ASKED)

    [(fault, raised)] = reported
    assert fault is Fault.RAISED
    assert raised is not None
    assert raised.startswith("ValueError in choose, test_guarded.py:")
    assert "6-6" not in raised
