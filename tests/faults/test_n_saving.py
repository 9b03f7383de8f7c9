"""Rows N of docs/faults.md: taking back, saving, and coming back to what was there."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine import match as matches
from protocol.convert import choice_to_wire
from server.table import checkpoint
from server.table.state import Phase, Table
from tests.server.rooms import House, open_house
from tests.server.tables import ANN, BOB, Driver, refused


def test_there_is_nothing_to_bring_again_however_often_one_asks() -> None:
    """N4: at the end of all that was taken back, and after a new act."""
    driver = Driver(game="block", lead=0)
    driver.say(ANN, "start")
    driver.choose(ANN)
    driver.act()
    acted = driver.table.match
    driver.say(ANN, "undo")
    driver.say(ANN, "redo")

    for _ in range(100):
        assert refused(driver, ANN, "redo").reason == "nothing_to_redo"
    driver.say(ANN, "undo")
    driver.choose(ANN)

    assert acted is not None
    assert refused(driver, ANN, "redo").reason == "nothing_to_redo"


def finished(driver: Driver, table: Table, seed: str) -> Table:
    """The end of the match from ``table`` on, with choices by ``seed``."""
    rng = random.Random(seed)
    driver.table = table
    while driver.table.phase is not Phase.MATCH_OVER:
        if driver.table.turn is None:
            driver.say(ANN, "next")
        else:
            driver.act(rng.randrange(9))
    return driver.table


@pytest.mark.parametrize("game", ["fives-threes", "all-fives", "block", "draw"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_match_that_was_saved_and_loaded_ends_as_the_one_that_was_not(game: str, seats: int) -> None:
    """N8: wherever it was saved."""
    rng = random.Random(f"{game} {seats}")
    driver = Driver(game=game, seats=seats, target=40)
    driver.say(ANN, "start")
    tables = [driver.table]
    while driver.table.phase is not Phase.MATCH_OVER:
        if driver.table.turn is None:
            driver.say(ANN, "next")
        else:
            driver.act(rng.randrange(9))
        tables.append(driver.table)

    for number, table in enumerate(rng.sample(tables[:-1], 8)):
        loaded, _ = checkpoint.unpack(checkpoint.pack(table, []))

        kept_on, taken_up = (finished(driver, start, f"{number}").match for start in (table, loaded))

        assert taken_up == kept_on


async def play(house: House, ear: Any, room: str) -> None:
    table = house.registry.find(room).table
    assert table.match is not None
    action = choice_to_wire(matches.choices(table.match)[0])["action"]
    await ear.ask("act", room=room, seq=table.seq, action=action)


async def test_who_comes_back_finds_the_phase_and_the_open_request_as_they_were() -> None:
    """N11: in the lobby, in a deal, with an answer still open, between deals and after the match."""
    async with open_house() as house:
        ann, bob = house.ear(ANN), house.ear(BOB)
        settings = {"game": "block", "seats": 2, "target": 1, "lead": 0}
        room = (await ann.ask("create", settings=settings))["room"]
        await bob.ask("join", room=room)
        phases: list[tuple[str, str | None]] = []

        async def look() -> None:
            bob.hang_up()
            await house.settle()
            fresh = house.ear(BOB)
            snapshot = await fresh.ask("sync", room=room)
            ask = snapshot["ask"]
            phases.append((snapshot["phase"], ask and ask["what"]))
            fresh.hang_up()
            await bob_back()

        async def bob_back() -> None:
            nonlocal bob
            bob = house.ear(BOB)
            await bob.ask("sync", room=room)

        await look()
        await ann.ask("start", room=room)
        await look()
        await play(house, ann, room)
        asked = await ann.ask("undo", room=room)
        await look()
        await bob.ask("consent", room=room, ask=asked["ask"], yes=False)
        await look()
        while house.registry.find(room).table.phase is Phase.PLAYING:
            await play(house, (ann, bob)[house.registry.find(room).table.turn or 0], room)
        await look()

        assert phases[:4] == [("lobby", None), ("playing", None), ("playing", "undo"), ("playing", None)]
        assert phases[4] in [("deal_over", None), ("match_over", None)]
