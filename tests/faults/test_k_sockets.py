"""Section K of docs/faults.md: asyncio and WebSocket traps."""

from __future__ import annotations

import statistics
import time

import pytest

from bots.levels import LEVELS
from server import app, connection
from server.limits import Limits
from tests.faults.proxy import proxy_to
from tests.faults.waiting import until
from tests.server.rooms import House, open_house
from tests.server.tables import ANN
from tests.system.servers import serving

TABLES = 50
HOUSES = 3
LAG = 0.05
"""Seconds of computing after which somebody would notice."""
IMPATIENT = 10.0
"""Seconds of silence after which some mobile networks cut a line."""
JITTER = 2.0
"""Seconds by which a bad line may be late."""
HURRIED = 0.02
"""Seconds between pings in these tests."""


async def tables_of_bots(house: House, level: str) -> None:
    """So many tables, at each of which the first of three bots is about to act."""
    ann = house.ear(ANN)
    settings = {"game": "fives-threes", "seats": 4, "lead": 1, "bot": level, "bot_delay": 1, "target": 1_000_000}
    sent = [ann.say("create", settings=settings) for _ in range(TABLES)]
    await house.settle()
    for message_id in sent:
        ann.say("start", room=ann.answer(message_id)["room"])
    await house.settle()


@pytest.mark.parametrize("level", LEVELS)
async def test_bots_of_fifty_tables_that_act_in_one_turn_of_the_loop_hold_nobody_up(level: str) -> None:
    """K1: what is counted is the time that this thread computes, so a busy machine makes no difference."""
    took = []
    for _ in range(HOUSES):
        async with open_house(limits=Limits(rooms_per_player=0)) as house:
            await tables_of_bots(house, level)
            for _seat in (1, 2, 3):
                began = time.thread_time()
                house.clock.advance(1)
                took.append(time.thread_time() - began)
                await house.settle()
                assert len(house.store.appended[-1]) == TABLES

    assert statistics.median(took) < LAG


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers ping every `HURRIED` seconds."""
    monkeypatch.setattr(app, "PING_INTERVAL", HURRIED)


async def test_a_client_that_answers_pings_late_is_not_dropped(hurried: None) -> None:
    """K4: the answer may be longer on its way than several pings are apart."""
    async with serving() as server, proxy_to(server.port) as line:
        ann = server.stranger("Ann")
        await ann.come_back(line.url)
        line.hold()
        await line.held.wait()
        (connection,) = server.app._connections
        await until(lambda: len(connection.pending_pings) >= 1)

        line.release()

        await until(lambda: connection.latency > 0)
        assert (await ann.say("ping"))["type"] == "pong"


async def test_a_client_from_which_nothing_comes_is_dropped_and_one_that_answers_pings_is_not(
    hurried: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """K4: pings do not wait for their answers, so nobody but the sweep misses them."""
    monkeypatch.setattr(connection, "SILENT", 10 * HURRIED)
    async with serving() as server, proxy_to(server.port) as line:
        ann, bob = server.stranger("Ann"), await server.client("Bob")
        await ann.come_back(line.url)
        line.hold()

        def is_swept() -> bool:
            server.let_pass(app.SWEEP)
            return len(server.app._connections) == 1

        await until(is_swept)

        assert (await bob.say("ping"))["type"] == "pong"


def test_pings_come_more_often_than_impatient_lines_are_cut_and_may_be_answered_late() -> None:
    """K4, K5."""
    assert app.PING_INTERVAL + 1 < IMPATIENT
    assert connection.SILENT > app.PING_INTERVAL + 2 * JITTER


async def test_a_line_on_which_nobody_says_anything_is_kept_alive(hurried: None) -> None:
    """K5: by pings that go through every proxy."""
    async with serving() as server, proxy_to(server.port) as line:
        ann = server.stranger("Ann")
        await ann.come_back(line.url)
        passed = line.passed

        await until(lambda: line.passed >= passed + 5)

        assert ann.is_open
