"""The kernel is the engine: same states, plays, scores, endings. `make kernel-proof` takes millions of steps."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from bots.kernel import position
from bots.kernel.machine import Machine
from bots.kernel.position import Position
from tests.bots.kernel.lockstep import Lockstep
from tests.bots.positions import EVERY_TABLE

DEALS = 80
ENDINGS = {
    "fives-threes": {"out", "blocked", "target"},
    "all-fives": {"out", "target"},  # a block is rare where four arms are open
    "block": {"out", "blocked"},
    "draw": {"out", "blocked"},
}


def beside(game: str, seats: int) -> Lockstep:
    return Lockstep(game, seats, random.Random(f"{game} {seats}"))


def differences(lockstep: Lockstep) -> Iterator[str]:
    return (difference for _ in range(DEALS) for difference in lockstep.play_deal())


@pytest.mark.parametrize(("game", "seats"), EVERY_TABLE)
def test_the_kernel_plays_as_the_engine_does_to_every_kind_of_end(game: str, seats: int) -> None:
    lockstep = beside(game, seats)

    found = [*differences(lockstep)]

    assert found == []
    assert lockstep.endings.keys() >= ENDINGS[game]


# The same comparison sees each of these faults.


def test_a_block_that_is_missed_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Position, "close_if_blocked", lambda _self: None)

    ended = next(found for found in differences(beside("block", 2)) if found.startswith("ended"))

    assert ended == "ended: None, not blocked"


def test_pips_counted_wrong_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(position, "pips_in", lambda tiles: tiles.bit_count())

    assert next(differences(beside("draw", 3))).startswith("scores")


def test_a_play_that_is_missing_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    every = Machine.placements
    monkeypatch.setattr(Machine, "placements", lambda *asked: every(*asked)[:2])

    assert next(differences(beside("all-fives", 2))).startswith("legal")
