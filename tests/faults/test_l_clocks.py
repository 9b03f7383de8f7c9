"""Section L of docs/faults.md: clocks. What a page shows where the clock is wrong is in browser/test_faults.py."""

from __future__ import annotations

from typing import Any

import pytest

from tests.fakes import FailingStore
from tests.server.rooms import House, open_house
from tests.server.tables import ANN, BOB
from tests.system.servers import Server

LIMIT = 20
SETTINGS: dict[str, Any] = {"game": "draw", "seats": 2, "lead": 0, "turn_timer": LIMIT, "target": 1_000_000}


@pytest.mark.parametrize("field", ["left", "time", "clock"])
async def test_what_a_client_says_of_the_time_is_refused_and_changes_nothing(server: Server, field: str) -> None:
    """L4."""
    ann, bob = await server.client("Ann"), await server.client("Bob")
    room = await ann.create(**SETTINGS)
    await bob.say("join", room=room)
    await ann.say("start", room=room)
    server.let_pass(5)
    shown = await ann.say("sync", room=room)
    action = shown["turn"]["legal"][0]["action"]

    answer = await ann.refused("act", room=room, seq=shown["seq"], action=action, **{field: 1_000_000})

    assert (answer["code"], answer["path"]) == ("bad_message", field)
    assert (await bob.say("sync", room=room))["turn"]["left"] == LIMIT - 5


async def test_whose_time_had_nearly_run_out_when_the_server_stopped_has_all_of_it_after_the_restart() -> None:
    """L5: nobody loses a turn to a server that was not there."""
    store = FailingStore()
    async with open_house(store) as house:
        room = await timed_table(house)
        await house.pass_time(LIMIT - 3)

    async with open_house(store) as house:
        await house.registry.load()
        ann = house.ear(ANN)
        shown = await ann.ask("sync", room=room)
        await house.pass_time(LIMIT - 1)
        before = [event["type"] for update in ann.updates() for event in update["events"]]
        await house.pass_time(1)

        assert shown["turn"]["left"] == LIMIT
        assert "timed_out" not in before
        assert ann.updates()[-1]["events"][0] == {"type": "timed_out", "seat": 0}


async def timed_table(house: House) -> str:
    """Ann is to lead, and has `LIMIT` seconds for each choice."""
    ann, bob = house.ear(ANN), house.ear(BOB)
    room: str = (await ann.ask("create", settings=SETTINGS))["room"]
    await bob.ask("join", room=room)
    await ann.ask("start", room=room)
    return room
