from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from copy import deepcopy
from functools import partial
from itertools import count
from typing import Any, TypeAlias

import pytest

from bots.load.drive import Load
from bots.load.link import NotConnected
from bots.load.report import LoadSettings, Report
from bots.load.violations import Fault
from protocol.convert import Wire
from server.outgoing import Outgoing
from server.session import Session
from server.table.events import MatchStarted
from tests.load.recording import RestartedServer
from tests.system.secrecy import read_log
from tests.system.servers import Server, serving

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
    matches = 0
    async with loaded(server.url, rooms=1, seats=2, game="block") as load:
        [history] = load.histories()
        while matches < 2:
            await load.tally.more(50)
            log = await read_log(server.store, history.room)
            matches = sum(isinstance(event, MatchStarted) for step in log for event in step.events)

    assert load.report().violations == []


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


async def test_a_server_that_takes_too_few_connections_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bots.load.drive.START_WITHIN", 1.0)

    async with serving(limits={"connections_per_address": 3}) as narrow, loaded(narrow.url, rooms=2, seats=2) as load:
        await load.tally.more(1)
    report = load.report()

    assert report.playing == 1
    assert set(report.not_connected) == {"503"}


async def test_without_a_server_there_is_no_load() -> None:
    load = Load(LoadSettings("ws://127.0.0.1:1/ws", rooms=1), random.Random(1))

    with pytest.raises(NotConnected):
        await load.start()


# A server that breaks its promises is found out.


def dropped(_message: Wire) -> list[Wire]:
    return []


def sent_twice(message: Wire) -> list[Wire]:
    return [message, message]


def changed(message: Wire) -> list[Wire]:
    return [{**message, "events": [*message["events"], {"type": "waiting"}]}]


def under_another_epoch(message: Wire) -> list[Wire]:
    return [{**message, "epoch": message["epoch"] + 1}]


def acknowledged_as_another(message: Wire) -> list[Wire]:
    return [{**message, "seq": message["seq"] - 1}]


def denied_afterwards(message: Wire) -> list[Wire]:
    return [message, {"type": "error", "re": message["re"], "code": "refused", "message": "no"}]


def without_reset(message: Wire) -> list[Wire]:
    return [{name: value for name, value in message.items() if name != "reset"}]


Spoil: TypeAlias = Callable[[str, Callable[[Wire], list[Wire]]], None]


@pytest.fixture
def spoil_one(monkeypatch: pytest.MonkeyPatch) -> Spoil:
    """Make the server spoil one message of a kind to a first seat: with two rooms, the other one plays on."""
    numbers = count(1)

    def is_meant(session: Session, message: Wire) -> bool:
        tells_what_to_do = "legal" in (message.get("turn") or {})
        return session.actor.name.endswith("-1") and not tells_what_to_do and next(numbers) == 3

    return partial(_spoil, monkeypatch, is_meant)


@pytest.fixture
def spoil_all(monkeypatch: pytest.MonkeyPatch) -> Spoil:
    """Make the server spoil all messages of a kind."""
    return partial(_spoil, monkeypatch, lambda _session, _message: True)


def _spoil(
    monkeypatch: pytest.MonkeyPatch,
    is_meant: Callable[[Session, Wire], bool],
    kind: str,
    spoilt: Callable[[Wire], list[Wire]],
) -> None:
    honest = Session.send

    def send(session: Session, outgoing: Outgoing) -> None:
        message = outgoing.message
        if message["type"] == kind and "seq" in message and is_meant(session, message):
            for other in spoilt(message):
                honest(session, Outgoing(other))
        else:
            honest(session, outgoing)

    monkeypatch.setattr(Session, "send", send)


@pytest.mark.parametrize(
    ("kind", "spoilt", "fault"),
    [
        ("update", dropped, Fault.LOST),
        ("update", sent_twice, Fault.REPEATED),
        ("update", changed, Fault.ALTERED),
        ("update", under_another_epoch, Fault.ALTERED),
        ("ok", acknowledged_as_another, Fault.UNFOUNDED),
        ("ok", denied_afterwards, Fault.DENIED),
    ],
)
async def test_a_server_that_breaks_its_promise_is_found_out(
    server: Server, spoil_one: Spoil, kind: str, spoilt: Callable[[Wire], list[Wire]], fault: Fault
) -> None:
    spoil_one(kind, spoilt)

    report = await report_of(server)

    assert fault in {violation.fault for violation in report.violations}


async def test_an_answer_that_never_comes_is_found_out(
    server: Server, spoil_one: Spoil, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoil_one("ok", dropped)
    monkeypatch.setattr("bots.load.drive.SETTLE_WITHIN", 1.0)

    report = await report_of(server)

    assert [violation.fault for violation in report.violations] == [Fault.UNANSWERED]


@pytest.mark.parametrize("says_so", [True, False])
async def test_a_server_that_comes_back_with_an_older_state_is_found_out_without_its_log(
    says_so: bool, spoil_all: Spoil
) -> None:
    if not says_so:
        spoil_all("snapshot", without_reset)
    server = RestartedServer()
    await server.begin()
    async with loaded(server.url, rooms=1, seats=2) as load:
        older = deepcopy(server.store)
        await load.tally.more(5)
        await server.end()
        server.store = older
        await server.begin()
        await load.tally.more(5)
    await server.end()

    kinds = load.report().by_fault.keys()

    assert "lost" in kinds
    assert ("reset" in kinds) is says_so
