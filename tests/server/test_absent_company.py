"""Who is away sits at the table all the same: it is not one person's alone."""

from __future__ import annotations

import pytest

from protocol.errors import RefusalReason
from server.table.reading import READING
from server.table.state import Phase
from server.table.timers import NEXT_DEAL_AFTER
from tests.server.asking import be_absent, two_people
from tests.server.tables import ANN, BOB, Driver, kinds, refused


def without_bob(how: str, **settings: object) -> Driver:
    driver = two_people(**settings)
    be_absent(driver, BOB, how)
    return driver


ABSENCES = pytest.mark.parametrize("how", ["away", "bot_in", "covered"])


@ABSENCES
def test_what_the_table_forbids_stays_forbidden(how: str) -> None:
    driver = without_bob(how, undo=False, hints=False)

    assert refused(driver, ANN, "hint").reason == RefusalReason.HINTS_OFF
    driver.choose(ANN)
    assert refused(driver, ANN, "undo").reason == RefusalReason.UNDO_OFF


@ABSENCES
def test_nothing_is_taken_back_past_the_end_of_a_deal(how: str) -> None:
    driver = without_bob(how)
    while driver.table.phase is not Phase.DEAL_OVER:
        if driver.table.turn == 0:
            driver.choose(ANN)
        else:
            driver.act()

    assert refused(driver, ANN, "undo").reason == RefusalReason.NOTHING_TO_UNDO


@ABSENCES
def test_the_next_deal_does_not_wait_for_one_person_without_end(how: str) -> None:
    driver = without_bob(how)
    driver.play_deal()

    assert kinds(driver.wait(NEXT_DEAL_AFTER))[-1] == "DealStarted"


@ABSENCES
def test_one_may_read_for_half_a_minute(how: str) -> None:
    driver = without_bob(how, grace=3600)
    driver.say(ANN, "pause")

    assert driver.wait(READING - 0.1) is None
    assert kinds(driver.wait(0.1)) == ["Continued"]
