"""H2: a level in a process of its own, which gets the JSON of its view and no more, plays what it plays here."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import pytest

from bots import process
from bots.levels import EVERY_LEVEL, SEARCHING
from bots.process import ProcessPlayer
from engine.match import Match
from engine.view import SeatView
from protocol.convert import view_to_wire
from tests.bots.positions import EVERY_TABLE, question, some_turns

BUDGET = 60.0
"""Seconds: more than the slowest machine needs."""
SEED = 9


def positions(level: str) -> list[Match]:
    """A few of every game and number of seats; of each game alone where a choice takes long."""
    tables = [(game, 2 + at % 3) for at, (game, _) in enumerate(EVERY_TABLE[::3])] if level == "master" else EVERY_TABLE
    count = 1 if level in SEARCHING else 6
    return [match for game, seats in tables for match in some_turns(count + 3, game, seats, seed=11)[-count:]]


@contextmanager
def elsewhere(level: str) -> Iterator[ProcessPlayer]:
    """``level`` in a child process."""
    with ProcessPlayer([sys.executable, "-m", "tests.bots.answering", level, str(SEED)], BUDGET) as player:
        yield player


def differing(level: str) -> int:
    """In how many positions ``level`` plays something else in a child process."""
    with elsewhere(level) as other:
        asked = [question(match) for match in positions(level)]
        return sum(other.choose(*each) != EVERY_LEVEL[level](random.Random(SEED)).choose(*each) for each in asked)


@pytest.mark.parametrize("level", EVERY_LEVEL)
def test_a_level_plays_by_the_json_of_its_view_what_it_plays_by_the_view(level: str) -> None:
    assert len(positions(level)) >= 4
    assert differing(level) == 0


def without_knocks(view: SeatView) -> Mapping[str, object]:
    """The view on the wire, but for who has knocked."""
    told = view_to_wire(view)
    told["deal"]["events"] = [event for event in told["deal"]["events"] if event["type"] != "knocked"]
    return told


@pytest.mark.parametrize("level", ["club", "trained"])
def test_a_level_that_plays_by_what_the_json_does_not_tell_is_caught(
    level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "view_to_wire", without_knocks)

    assert differing(level) > 0
