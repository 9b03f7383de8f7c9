"""A record is told as it was kept, and however long it is, others have their turn meanwhile."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from protocol.codecs import CODECS, Codec, text_of
from protocol.messages import check_sent
from server.archive import Archive
from server.records.packed import pack
from server.table.state import Phase
from tests.fakes import FakeClock
from tests.server.recorded import played, records_of, stored
from tests.server.shelves import Shelf, work_off
from tests.server.tables import ANN, CODE, Driver


@pytest.mark.parametrize("codec", CODECS, ids=lambda codec: codec.subprotocol)
async def test_a_record_is_told_as_it_was_kept(codec: Codec) -> None:
    (record,) = records_of(played("all-fives", 3, seed=51, target=100))
    archive = Archive(Shelf(), FakeClock())

    told = [await archive.encode(pack(record), codec, message_id) for message_id in (None, "m-1")]

    plain, answer = [codec.decode(part if codec.binary else text_of(part), nesting=0) for part in told]
    assert plain == {"type": "record", "id": record["id"], "record": record}
    assert answer == {**plain, "re": "m-1"}
    check_sent(answer)


def long_record(steps: int) -> dict[str, Any]:
    """A record of many steps, all of them reactions but the first and the last ones."""
    (record,) = records_of(played("block", 2, seed=1))
    first, *others = record["steps"]
    talk = [{"seq": 0, "at": 1.5, "events": [{"type": "reacted", "seat": 0, "key": "oops"}]}] * steps
    whole = [first, *talk, *others]
    return {**record, "steps": [{**step, "seq": first["seq"] + n} for n, step in enumerate(whole)]}


async def turns_during(work: Any) -> int:
    """How many turns of the loop others have had while ``work`` was done."""
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    counting = asyncio.create_task(others())
    await work
    counting.cancel()
    return turns


async def test_others_have_their_turn_while_a_long_record_is_told() -> None:
    payload = pack(long_record(20_000))

    turns = await turns_during(Archive(Shelf(), FakeClock()).encode(payload, CODECS[0], None))

    assert turns > 300


async def test_others_have_their_turn_while_a_long_record_is_made() -> None:
    store = Shelf()
    driver = Driver(game="block", seats=2, seed=3, target=1)
    driver.say(ANN, "start")
    for _ in range(4000):
        driver.now += 20
        driver.say(ANN, "react", key="oops")
    while driver.table.phase is not Phase.MATCH_OVER:
        driver.act() if driver.table.turn is not None else driver.say(ANN, "next")
    await store.append(stored(driver.log))
    archive = Archive(store, FakeClock())
    archive.catch_up(CODE)

    turns = await turns_during(work_off(archive))

    assert len(store.added) == 1
    assert turns > 160
