"""The own hand after a reconnection: no other client can say whether it is right."""

from __future__ import annotations

from typing import Any

import pytest

from bots.load.delivery import own_hand
from bots.load.violations import Violation
from tests.load.talk import ROOM, Talk

DEALT = {"type": "deal_started", "hand": ["1-4", "2-2"]}
DREW = {"type": "drew", "seat": 0, "tile": "5-6"}
PLAYED = {"type": "played", "seat": 0, "tile": "1-4", "end": "left"}
OTHERS = {"type": "played", "seat": 1, "tile": "2-2", "end": "left"}, {"type": "drew", "seat": 1}


def deal(*tiles: str) -> dict[str, Any]:
    return {"number": 1, "lead": 0, "stock": 14, "layout": [], "hands": {"0": list(tiles)}, "events": []}


@pytest.fixture
def talk() -> Talk:
    """Seat 0 holds 2-2 and 5-6 by the steps that it was told, up to step 6."""
    talk = Talk()
    talk.sit_down()
    talk.update(0, 4, DEALT, turn={"seat": 1})
    talk.update(0, 5, DREW, PLAYED, turn={"seat": 1})
    talk.update(0, 6, *OTHERS, turn={"seat": 1})
    return talk


def come_back(talk: Talk, seq: int, *tiles: str) -> list[Violation]:
    """A new connection is shown these tiles; returns what is wrong with them."""
    talk.cut(0)
    ear = talk.connect(0)
    assert ear.last["type"] == "sync"
    talk.snapshot(0, seq, phase="playing", deal=deal(*tiles))
    return list(own_hand(ROOM, talk.seat(0).history))


@pytest.mark.parametrize("tiles", [("2-2", "5-6"), ("5-6", "2-2")])
def test_the_hand_that_was_told_is_right(talk: Talk, tiles: tuple[str, ...]) -> None:
    assert come_back(talk, 6, *tiles) == []


@pytest.mark.parametrize("tiles", [("2-2",), ("2-2", "5-6", "1-4"), ("2-2", "5-5"), ()])
def test_another_hand_than_was_told_is_a_violation(talk: Talk, tiles: tuple[str, ...]) -> None:
    [violation] = come_back(talk, 6, *tiles)

    assert (str(violation.fault), violation.seq, violation.witness) == ("altered", 6, "Load 1-1")
    assert "by the steps told it is 2-2 5-6" in violation.text


def test_what_stands_for_steps_that_were_not_told_is_believed_and_held_from_then_on(talk: Talk) -> None:
    assert come_back(talk, 9, "0-0", "2-2") == []

    talk.update(0, 10, {"type": "played", "seat": 0, "tile": "0-0", "end": "left"}, turn={"seat": 1})

    assert come_back(talk, 10, "2-2") == []
    assert [violation.seq for violation in come_back(talk, 10, "0-0")] == [10]
