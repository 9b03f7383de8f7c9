"""What may happen at a table, whether it is allowed at the moment or not."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from protocol.errors import ProtocolError
from server.table.evolve import Step
from server.table.state import Actor
from tests.server.tables import ANN, Driver


def anything(driver: Driver, rng: random.Random, people: Sequence[Actor]) -> Step | None:
    """One thing that ``people`` or Ann, the host, do, or time does; None where it is refused or changes nothing."""
    who = rng.choice([*people, ANN])
    seats = driver.table.settings.seats
    often: list[Callable[[], Step | None]] = [
        lambda: driver.say(who, "join"),
        lambda: driver.say(who, "watch"),
        lambda: driver.say(who, "next"),
        lambda: driver.say(who, "react", key="nice"),
        lambda: driver.say(ANN, "add_bot", seat=rng.randrange(seats)),
        lambda: driver.say(ANN, "swap", seats=rng.sample(range(seats), 2)),
        lambda: driver.say(ANN, "start"),
        lambda: driver.wait(rng.choice([0.1, 1, 4])),
        lambda: driver.act(rng.randrange(5)) if driver.table.turn is not None else None,
    ]
    seldom: list[Callable[[], Step | None]] = [
        lambda: driver.say(who, "undo"),
        lambda: driver.say(who, "redo"),
        lambda: driver.say(who, "restart"),
        lambda: driver.say(who, "new_game"),
        lambda: driver.say(who, "cover", seat=rng.randrange(seats)),
        lambda: driver.say(who, "consent", ask=_open_request(driver), yes=rng.random() < 0.7),
        lambda: driver.say(who, "pause"),
        lambda: driver.say(who, "continue"),
        lambda: driver.say(rng.choice(people), "leave"),
        lambda: driver.say(ANN, "remove", seat=rng.randrange(seats)),
    ]
    try:
        return rng.choice(often * 3 + seldom)()
    except ProtocolError:
        return None


def _open_request(driver: Driver) -> int:
    return 0 if driver.table.ask is None else driver.table.ask.event.ask
