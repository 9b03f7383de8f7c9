"""The browser folds updates as the server means them: what it then shows is the snapshot of that step."""

from __future__ import annotations

import json
import random
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from bots.fold import fold, uncovered
from engine import match as matches
from engine.events import DealEnded
from protocol.convert import Wire, choice_to_wire
from server.audience import goes_elsewhere
from server.table.evolve import Step
from server.table.state import Actor, Phase
from tests.server.happenings import anything
from tests.server.rooms import Ear, House, open_house
from tests.server.tables import ANN, BOB, CAT, EVE, Driver, actor

FOLD = Path(__file__).with_name("fold.mjs")
STEPS = 600


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


async def something(house: House, device: Ear, bob: Ear, room: str, rng: random.Random) -> None:
    """One thing that may happen at a table where Ann's device has the seats 0 and 1, and Bob sits elsewhere."""
    table = house.registry.find(room).table
    chance = rng.random()
    if chance < 0.3:
        await device.ask("show", room=room, seat=rng.choice([0, 1]))
    elif chance < 0.35:
        await rng.choice([device, bob]).ask("undo", room=room)
    elif chance < 0.4 and table.ask is not None:
        await device.ask("consent", room=room, ask=table.ask.event.ask, yes=True)
    elif chance < 0.42:
        await bob.ask("leave" if table.places[2].player else "join", room=room)
    elif table.phase is Phase.MATCH_OVER or chance < 0.43:
        await device.ask("leave", room=room)
        await device.ask("join", room=room)
    elif table.phase is Phase.DEAL_OVER:
        await device.ask("next", room=room)
        await house.pass_time(30)
    elif table.turn is None or table.places[table.turn].bot:
        await house.pass_time(1)
    else:
        assert table.match is not None
        choice = choice_to_wire(rng.choice(matches.choices(table.match)))
        await (bob if table.turn == 2 else device).ask("act", room=room, seq=table.seq, action=choice["action"])


@pytest.mark.parametrize("game", ["all-fives", "draw"])
async def test_what_a_device_of_several_is_told_folds_as_it_does_for_bots(game: str) -> None:
    rng = random.Random(game)
    async with open_house() as house:
        device, bob = house.ear(ANN), house.ear(BOB)
        settings = {"game": game, "seats": 4, "local": 2, "target": 60, "lead": 0}
        room = (await device.ask("create", settings=settings))["room"]
        await bob.ask("join", room=room, seat=2)
        await device.ask("start", room=room)
        for _ in range(STEPS):
            await something(house, device, bob, room, rng)
    told = [message for message in device.heard if message["type"] in ("snapshot", "update", "hand")]
    snapshot = {name: value for name, value in told[0].items() if name != "re"}
    stay = Stay(ANN.player, snapshot, told[1:])

    (rooms,) = folded_by_the_browser([stay])

    truth = snapshot
    for message, room_now in zip(told[1:], rooms, strict=True):
        truth = taken_in(truth, message)
        assert room_now == {name: value for name, value in truth.items() if name != "type"}, message
    assert {len(room_now["you"]["shown"]) for room_now in rooms} == {0, 1}


def taken_in(table: Wire, message: Wire) -> Wire:
    """What ``message`` makes of ``table`` for the bots."""
    if message["type"] == "snapshot":
        return {name: value for name, value in message.items() if name != "re"}
    return fold(table, message, ANN.player) if message["type"] == "update" else uncovered(table, message)
