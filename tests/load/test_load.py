from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest

from bots.load.drive import Load
from bots.load.link import NotConnected
from bots.load.report import LoadSettings, Report
from bots.load.violations import Fault
from server import audience
from server.outgoing import Outgoing
from server.table.evolve import Step
from tests.system.conftest import server
from tests.system.servers import Server, serving

__all__ = ["server"]

PATIENCE = 30.0
ACTS = 60


@asynccontextmanager
async def loaded(url: str, **settings: Any) -> AsyncIterator[Load]:
    """A load that has begun, and is finished in the end."""
    load = Load(LoadSettings(url, **settings), random.Random(1))
    async with asyncio.timeout(PATIENCE):
        await load.start()
        yield load
        await load.finish()


async def report_of(server: Server, acts: int = ACTS, **settings: Any) -> Report:
    """What a load of so many acts has found."""
    async with loaded(server.url, **{"rooms": 2, **settings}) as load:
        await load.tally.more(acts)
    return load.report()


@pytest.mark.parametrize(("game", "seats"), [("fives-threes", 4), ("all-fives", 3), ("block", 2), ("draw", 2)])
async def test_matches_are_played_and_nothing_is_wrong(server: Server, game: str, seats: int) -> None:
    report = await report_of(server, game=game, seats=seats)

    assert report.violations == []
    assert report.errors == report.cuts == report.not_connected == {}
    assert report.playing == 2
    assert report.accepted >= ACTS
    assert report.acknowledged <= report.steps


async def test_it_goes_on_with_the_next_match_when_one_is_over(server: Server) -> None:
    async with loaded(server.url, rooms=1, seats=2, game="block") as load:
        (table,) = [server.app.registry.find(room) for room in rooms_of(load)]
        while table.table.phase.value != "match_over":
            await load.tally.more(1)
        await load.tally.more(5)

    assert load.report().violations == []


def rooms_of(load: Load) -> list[str]:
    return [history.room for history in load.histories()]


async def test_thought_makes_it_slower_but_not_wrong(server: Server) -> None:
    report = await report_of(server, acts=6, rooms=1, think=0.001)

    assert report.violations == []


async def test_seats_whose_connections_are_cut_come_back_and_miss_nothing(server: Server) -> None:
    async with loaded(server.url, rooms=2) as load:
        for _ in range(3):
            await load.tally.more(10)
            for connection in list(server.app._connections)[::2]:
                connection.transport.abort()
        await load.tally.more(10)
    report = load.report()

    assert report.violations == []
    assert report.cuts["cut"] == report.reconnections > 0


async def test_a_server_that_takes_too_few_connections_is_told_in_the_report(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bots.load.drive.START_WITHIN", 0.5)

    async with serving(limits={"connections_per_address": 5}) as narrow:
        async with loaded(narrow.url, rooms=2, seats=2) as load:
            pass
        report = load.report()

    assert report.not_connected.keys() <= {"503"}


async def test_without_a_server_there_is_no_load() -> None:
    load = Load(LoadSettings("ws://127.0.0.1:1/ws", rooms=1), random.Random(1))

    with pytest.raises(NotConnected):
        await load.start()


# A server that breaks its promises is found out.


async def test_an_update_that_is_kept_from_one_listener_is_found(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    send = Outgoing.frame

    def forgetful(self: audience.Audience, step: Step, after: Any) -> None:
        listeners = dict(self.listeners)
        if step.seq % 10 == 0:
            self.listeners.pop(next(iter(listeners)), None)
        tell(self, step, after)
        self.listeners = listeners

    tell = audience.Audience.tell
    monkeypatch.setattr(audience.Audience, "tell", forgetful)

    report = await report_of(server)

    assert send is Outgoing.frame
    assert Fault.LOST in {violation.fault for violation in report.violations}
    assert report.lost > 0
