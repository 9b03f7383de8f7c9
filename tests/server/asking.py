"""Three people at a table, what they ask each other for, and what is answered."""

from __future__ import annotations

from typing import Any

from server.table.decide import Lost
from server.table.events import Answered, Asked
from tests.server.tables import ANN, BOB, CAT, Driver, kinds


def three_people(**settings: Any) -> Driver:
    """Ann leads, then come Bob, Cat and a bot."""
    chosen: dict[str, Any] = {"seats": 4, "game": "block", "lead": 0, "target": 100_000}
    driver = Driver(**chosen | settings)
    driver.say(BOB, "join")
    driver.say(CAT, "join")
    driver.say(ANN, "start")
    return driver


def two_people(**settings: Any) -> Driver:
    """Ann, who leads, and Bob."""
    chosen: dict[str, Any] = {"seats": 2, "game": "block", "lead": 0, "target": 100_000}
    driver = Driver(**chosen | settings)
    driver.say(BOB, "join")
    driver.say(ANN, "start")
    return driver


def be_absent(driver: Driver, who: Any, how: str) -> None:
    """``who`` is "away", for so long that a bot plays ("bot_in"), or "covered" because Ann wanted it."""
    place = driver.table.place_of(who.player)
    assert place is not None
    driver.serve(Lost(who.player))
    if how == "covered":
        assert kinds(driver.say(ANN, "cover", seat=place.seat)) == ["BotIn"]
    if how == "bot_in":
        assert "BotIn" in kinds(driver.wait(driver.table.settings.grace))


def answers(step: Any) -> list[tuple[int, bool, str]]:
    return [(event.seat, event.yes, event.state) for event in step.events if isinstance(event, Answered)]


def ask(driver: Driver, who: Any = ANN, kind: str = "undo", **fields: Any) -> int:
    step = driver.say(who, kind, **fields)
    assert step is not None
    (asked,) = step.events
    assert isinstance(asked, Asked)
    assert asked.ask == step.seq
    return step.seq
