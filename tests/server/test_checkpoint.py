"""Rooms whose log is long: they are loaded from where their table was written down, and are the same."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import msgpack
import pytest

from engine import match as matches
from protocol.convert import choice_to_wire
from server.connected import Connected
from server.housekeeping import PAUSE, Housekeeping
from server.limits import Limits
from server.room import CHECKPOINT_EVERY
from server.store.base import TAIL, Store
from server.table import checkpoint, log
from server.table.events import MatchStarted
from server.table.evolve import replay
from server.table.state import Phase, Table
from tests.fakes import FailingStore
from tests.server.happenings import anything
from tests.server.rooms import Ear, House, open_house
from tests.server.tables import ANN, BOB, CAT, Driver

SETTINGS: dict[str, Any] = {"game": "fives-threes", "seats": 4, "bot": "novice", "bot_delay": 0, "next_deal_after": 0}


@pytest.mark.parametrize("game", ["fives-threes", "all-fives", "block", "draw"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_table_is_read_as_it_was_written_at_every_step(game: str, seats: int) -> None:
    rng = random.Random(f"{game} {seats}")
    driver = Driver(game=game, seats=seats, target=30, spectators=True)
    answers = [["ann", "m-1", "ok", 3], ["bob", "m-2", "snapshot", None]]

    for _ in range(600):
        anything(driver, rng, [BOB, CAT])

        assert checkpoint.unpack(checkpoint.pack(driver.table, answers)) == (driver.table, answers)
    assert driver.table.match is not None


def test_a_checkpoint_of_a_newer_server_is_refused() -> None:
    written = msgpack.unpackb(checkpoint.pack(Driver().table, []))
    written["format"] += 1

    with pytest.raises(ValueError, match=f"format {written['format']}"):
        checkpoint.unpack(msgpack.packb(written))


def test_what_an_older_server_did_not_write_has_its_default() -> None:
    table = Driver().table
    written = msgpack.unpackb(checkpoint.pack(table, []))
    del written["table"]["epochs"]

    assert checkpoint.unpack(msgpack.packb(written)) == (replace(table, epochs=()), [])


async def play_on(house: House, ann: Ear, room: str, steps: int) -> Table:
    """Ann and three bots play until the room has so many steps, match after match."""
    while (table := house.registry.find(room).table).seq < steps:
        if table.phase is Phase.MATCH_OVER:
            await ann.ask("next", room=room)
        elif table.turn == 0 and table.match is not None:
            choice = choice_to_wire(matches.choices(table.match)[0])
            await ann.ask("act", room=room, seq=table.seq, action=choice["action"])
        else:
            await house.pass_time(0)
    return table


async def clear(housekeeping: Housekeeping, house: House) -> None:
    """Clear away what there is, pauses and all."""
    work = asyncio.create_task(housekeeping.clear())
    while not work.done():
        await house.pass_time(PAUSE)
    await work


async def fold_of_all(store: Store, room: str) -> Table:
    return replay(room, [log.unpack(step.seq, step.epoch, step.payload)[0] for step in await store.history(room)])


@asynccontextmanager
async def after_a_long_match(store: FailingStore, steps: int) -> AsyncIterator[tuple[House, Ear, str]]:
    """Ann has played with bots, and Bob has watched from the beginning."""
    async with open_house(store) as house:
        ann, bob = house.ear(ANN), house.ear(BOB)
        room = (await ann.ask("create", settings=SETTINGS))["room"]
        await bob.ask("watch", room=room, id="once")
        await ann.ask("start", room=room)
        await play_on(house, ann, room, steps)
        yield house, ann, room


@pytest.mark.parametrize("steps", [511, 512, 767, 768])
async def test_a_room_with_a_long_log_is_loaded_from_its_end_and_is_the_same(steps: int) -> None:
    store = FailingStore()
    async with after_a_long_match(store, steps) as (house, ann, room):
        clock, seq = house.clock, house.registry.find(room).table.seq
        first = (await store.load(room))[0].seq
        assert max(1, seq - TAIL - CHECKPOINT_EVERY) <= first <= seq - TAIL

    async with open_house(store, clock=clock) as house:
        await house.registry.load()
        ann, bob = house.ear(ANN), house.ear(BOB)
        again = await bob.ask("watch", room=room, id="once")
        resumed = await ann.ask("sync", room=room, after=seq - TAIL + 3)

        assert again["code"] == "not_seated"  # the answer of old; nothing has changed since but that Bob is away
        assert resumed["type"] == "ok"
        assert [update["seq"] for update in ann.updates()] == list(range(seq - TAIL + 4, seq + 3))
        assert house.registry.find(room).table == await fold_of_all(store, room)


async def test_a_step_that_was_lost_is_noticed_however_long_ago_it_was() -> None:
    store = FailingStore()
    async with after_a_long_match(store, 5) as (house, _, room):
        clock, seen = house.clock, house.registry.find(room).table
        clock.advance(10)
    async with open_house(store, clock=clock) as house:
        await house.registry.load()
        ann = house.ear(ANN)
        await ann.ask("sync", room=room)
        await play_on(house, ann, room, CHECKPOINT_EVERY + TAIL)

        kept = await ann.ask("sync", room=room, after=seen.seq, epoch=seen.epoch)
        lost = await ann.ask("sync", room=room, after=seen.seq + 1, epoch=seen.epoch)

        assert (kept["type"], kept.get("reset")) == ("snapshot", None)
        assert (lost["type"], lost.get("reset")) == ("snapshot", True)


async def test_of_a_long_log_what_was_before_the_last_match_is_cleared_away() -> None:
    store = FailingStore()
    async with after_a_long_match(store, 1500) as (house, _, room):
        housekeeping = Housekeeping(store, house.registry, Connected(), house.clock, Limits())
        while house.registry.archive.is_behind(room):
            await house.settle()

        await clear(housekeeping, house)
        table = house.registry.find(room).table
        trimmed = await store.history(room)

        needed = min(table.match_seq, (await store.load(room))[0].seq)
        assert [step.seq for step in trimmed if step.checkpoint and step.seq <= needed] == [trimmed[0].seq] != [1]
        assert [step.seq for step in trimmed] == list(range(trimmed[0].seq, table.seq + 1))
        (started,) = (step for step in trimmed if step.seq == table.match_seq)
        step, _ = log.unpack(started.seq, started.epoch, started.payload)
        assert any(isinstance(event, MatchStarted) for event in step.events)


async def test_a_room_that_cannot_be_read_keeps_no_other_from_being_loaded() -> None:
    store = FailingStore()
    async with after_a_long_match(store, 600) as (house, ann, room):
        clock = house.clock
        other = (await ann.ask("create", settings=SETTINGS))["room"]
    newer = msgpack.packb({"format": 1_000})
    log_of_it = store._index.find(room)
    assert log_of_it is not None
    log_of_it.rows[:] = [replace(step, checkpoint=newer if step.checkpoint else None) for step in log_of_it.rows]

    async with open_house(store, clock=clock) as house:
        await house.registry.load()

        assert house.registry.find(other).code == other
        assert len(house.registry) == 1
