from __future__ import annotations

import asyncio
import random

import pytest

from protocol.errors import ErrorCode, ProtocolError
from server.connected import Connected
from server.dispatch import Dispatcher
from server.limits import Limits
from server.sessions import Sessions
from tests.fakes import FailingStore, FakeClock
from tests.server.lines import Line, hello
from tests.server.rooms import House


class SlowStore(FailingStore):
    """Answers who a player is when it is told to, in any order."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[asyncio.Event] = []

    async def find_player(self, token_hash: bytes, at: float) -> str | None:
        self.asked.append(asyncio.Event())
        await self.asked[-1].wait()
        return await super().find_player(token_hash, at)


def sessions_on(store: FailingStore, connected: Connected | None = None) -> Sessions:
    house = House(store, FakeClock(), Limits())
    return Sessions(
        store,
        Dispatcher(house.registry),
        house.registry.archive,
        house.clock,
        random.Random(1).randbytes,
        connected or Connected(),
    )


async def test_a_newer_connection_takes_over_from_an_older_one() -> None:
    sessions = sessions_on(FailingStore())
    older, newer = Line(1), Line(2)
    first = await sessions.greet(older, hello())
    token = older.sent[0]["token"]

    second = await sessions.greet(newer, hello(token))

    assert second.actor.player == first.actor.player
    assert (older.is_replaced, first.is_open) == (True, False)
    assert (newer.is_replaced, second.is_open) == (False, True)


async def test_a_connection_that_is_closed_before_its_player_is_known_takes_over_from_nobody() -> None:
    store = SlowStore()
    sessions = sessions_on(store)
    here = Line(1)
    await sessions.greet(here, hello())
    gone = Line(2)

    greeting = asyncio.create_task(sessions.greet(gone, hello(here.sent[0]["token"])))
    await asyncio.sleep(0)
    gone.is_open = False
    store.asked[0].set()

    with pytest.raises(ProtocolError, match="closed"):
        await greeting
    assert not here.is_replaced


async def test_the_end_of_an_older_connection_takes_nothing_from_the_newer_one() -> None:
    connected = Connected()
    sessions = sessions_on(FailingStore(), connected)
    older, newer, newest = Line(1), Line(2), Line(3)
    first = await sessions.greet(older, hello())
    token = older.sent[0]["token"]
    await sessions.greet(newer, hello(token))

    sessions.end(first)
    await sessions.greet(newest, hello(token))

    assert list(connected.players) == [first.actor.player]
    assert (newer.is_replaced, newest.is_replaced) == (True, False)


async def test_an_older_connection_whose_player_is_found_later_does_not_take_over() -> None:
    store = SlowStore()
    sessions = sessions_on(store)
    first, older, newer = Line(1), Line(2), Line(3)
    await sessions.greet(first, hello())
    token = first.sent[0]["token"]
    late = asyncio.create_task(sessions.greet(older, hello(token)))
    soon = asyncio.create_task(sessions.greet(newer, hello(token)))
    await asyncio.sleep(0)

    store.asked[1].set()
    await soon
    store.asked[0].set()
    await late

    assert (older.is_replaced, older.sent) == (True, [])
    assert not newer.is_replaced
    assert soon.result().is_open


async def test_a_wrong_token_disturbs_nobody() -> None:
    sessions = sessions_on(FailingStore())
    line, stranger = Line(1), Line(2)
    session = await sessions.greet(line, hello())

    with pytest.raises(ProtocolError) as refused:
        await sessions.greet(stranger, hello("no token"))

    assert refused.value.code is ErrorCode.UNAUTHORIZED
    assert session.is_open
    assert not line.is_replaced
