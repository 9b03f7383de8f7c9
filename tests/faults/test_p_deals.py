"""Section P of docs/faults.md: the deal."""

from __future__ import annotations

import inspect
import os

from engine.shuffle import SEED_BYTES
from server.app import App
from tests.server.rooms import House, open_house
from tests.server.tables import ANN, BOB
from tests.system.servers import serving


def deal_in(house: House, room: str) -> tuple[object, ...]:
    """All hands and the stock of the deal in ``room``."""
    match = house.registry.find(room).table.match
    assert match is not None
    assert match.deal is not None
    return (*match.deal.hands, match.deal.stock)


async def test_two_tables_that_begin_at_the_very_same_time_have_nothing_in_common() -> None:
    """P1: the clock of this house stands still."""
    async with open_house() as house:
        rooms = []
        for who in (ANN, BOB):
            ear = house.ear(who)
            room = (await ear.ask("create", settings={"game": "draw", "seats": 2}))["room"]
            await ear.ask("start", room=room)
            rooms.append(room)

        tables = [house.registry.find(room).table for room in rooms]
        seeds = {seed for table in tables for seed in (table.seed, table.next_seed)}
        assert len(seeds) == 4
        assert {len(seed) for seed in seeds} == {SEED_BYTES} == {32}
        assert deal_in(house, rooms[0]) != deal_in(house, rooms[1])


async def test_seeds_of_a_server_come_from_the_system() -> None:
    """P1: two servers with equal clocks deal differently."""
    seeds = []
    for _ in range(2):
        async with serving(random_bytes=os.urandom) as server:
            ann = await server.client("Ann")
            seeds.append(server.table(await ann.create(game="draw", seats=2)).seed)

    assert seeds[0] != seeds[1]
    assert inspect.signature(App).parameters["random_bytes"].default is os.urandom
