"""The browser folds updates as the server means them: what it then shows is the snapshot of that step."""

from __future__ import annotations

import json
import random
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from engine.events import DealEnded
from server.audience import goes_elsewhere
from server.table.evolve import Step
from server.table.state import Actor
from tests.server.happenings import anything
from tests.server.tables import ANN, BOB, CAT, EVE, Driver, actor

FOLD = Path(__file__).with_name("fold.mjs")
STEPS = 600

Wire = dict[str, Any]


@dataclass
class Stay:
    """What one client is told, from a snapshot on until it has no part in the table; what is true after each update."""

    player: str
    snapshot: Wire
    updates: list[Wire] = field(default_factory=list)
    truth: list[Wire] = field(default_factory=list)

    def hear(self, update: Wire, truth: Wire) -> None:
        """``update`` makes of the table what ``truth`` shows."""
        self.updates.append(update)
        self.truth.append(truth)

    @property
    def is_seated(self) -> bool:
        """Who has sat here until now hears of the step in which the seat is taken away; who has watched, of none."""
        newest = self.truth[-1] if self.truth else self.snapshot
        return bool(newest["you"]["seats"])


class Client:
    """Somebody's page: opened with a snapshot whenever its player comes to the table."""

    def __init__(self, driver: Driver, who: Actor) -> None:
        self.stays: list[Stay] = []
        self._driver = driver
        self._who = who
        self._is_here = False

    def follow(self, step: Step) -> None:
        """``step`` has just happened."""
        snapshot = self._driver.snapshot(self._who)
        stay = self.stays[-1] if self._is_here else None
        self._is_here = bool(snapshot["you"]["seats"] or snapshot["you"]["watching"])
        if self._is_here and (stay is None or goes_elsewhere(step) or self._has_joined(stay, snapshot, step)):
            self.stays.append(Stay(self._who.player, snapshot))
        elif stay is not None and (self._is_here or stay.is_seated):
            stay.hear(self._driver.update(step, self._who), snapshot)

    def _has_joined(self, stay: Stay, snapshot: Wire, step: Step) -> bool:
        """Whether ``step`` gave a seat to who asked for it, and is answered with a snapshot."""
        was_promised = any(isinstance(event, DealEnded) for event in step.events)
        return bool(snapshot["you"]["seats"]) and not stay.is_seated and not was_promised


def folded_by_the_browser(stays: list[Stay]) -> list[list[Wire]]:
    """For each stay the room after each of its updates."""
    told = [{"player": stay.player, "snapshot": stay.snapshot, "updates": stay.updates} for stay in stays]
    run = subprocess.run(["node", FOLD], input=json.dumps(told), capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    rooms: list[list[Wire]] = json.loads(run.stdout)
    return rooms


@pytest.mark.parametrize("game", ["fives-threes", "all-fives", "block", "draw"])
def test_whatever_happens_at_a_table_folds_to_its_snapshot(game: str) -> None:
    rng = random.Random(game)
    driver = Driver(game=game, seats=3, target=30, next_deal_after=5)
    clients = [Client(driver, who) for who in (ANN, BOB, EVE)]
    for client in clients:
        client.follow(driver.log[0])
    for _ in range(STEPS):
        step = anything(driver, rng, [BOB, CAT, EVE, actor("Dot", headless=True)])
        for client in clients:
            if step is not None:
                client.follow(step)
    stays = [stay for client in clients for stay in client.stays]

    rooms = folded_by_the_browser(stays)

    for stay, folded in zip(stays, rooms, strict=True):
        for update, room, truth in zip(stay.updates, folded, stay.truth, strict=True):
            assert room == {name: value for name, value in truth.items() if name != "type"}, update
