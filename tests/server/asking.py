"""Three people at a table, what they ask each other for, and what is answered."""

from __future__ import annotations

from typing import Any

from server.table.events import Answered, Asked
from tests.server.tables import ANN, BOB, CAT, Driver


def three_people(**settings: Any) -> Driver:
    """Ann leads, then come Bob, Cat and a bot."""
    chosen: dict[str, Any] = {"seats": 4, "game": "block", "lead": 0, "target": 100_000}
    driver = Driver(**chosen | settings)
    driver.say(BOB, "join")
    driver.say(CAT, "join")
    driver.say(ANN, "start")
    return driver


def answers(step: Any) -> list[tuple[int, bool, str]]:
    return [(event.seat, event.yes, event.state) for event in step.events if isinstance(event, Answered)]


def ask(driver: Driver, who: Any = ANN, kind: str = "undo", **fields: Any) -> int:
    step = driver.say(who, kind, **fields)
    assert step is not None
    (asked,) = step.events
    assert isinstance(asked, Asked)
    assert asked.ask == step.seq
    return step.seq
