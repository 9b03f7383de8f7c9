from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from server.cluster.cut_off import CHECK_EVERY, PATIENCE, CutOff
from tests.cluster.exchange import MemoryExchange, Shared
from tests.fakes import FakeClock


class Lonely:
    """A node without a lease, among others, and how often it has sent its players away."""

    def __init__(self) -> None:
        self.shared = Shared()
        self.exchange = MemoryExchange("A", self.shared)
        self.other = MemoryExchange("B", self.shared)
        self.exchange.may_serve = False
        self.sent_away = 0
        self.clock = FakeClock()
        self.cut_off = CutOff(self.exchange, self.clock, self._send_away)

    async def _send_away(self) -> None:
        self.sent_away += 1

    async def look(self, times: int) -> None:
        """Let so many looks happen."""
        for _ in range(times):
            self.clock.advance(CHECK_EVERY)
            for _turn in range(3):
                await asyncio.sleep(0)


@pytest.fixture
async def lonely() -> AsyncIterator[Lonely]:
    lonely = Lonely()
    looking = asyncio.create_task(lonely.cut_off.run())
    await asyncio.sleep(0)
    yield lonely
    looking.cancel()


async def test_players_are_sent_away_once_where_a_node_stays_without_a_lease(lonely: Lonely) -> None:
    await lonely.look(PATIENCE - 1)
    assert lonely.sent_away == 0

    await lonely.look(PATIENCE)
    assert lonely.sent_away == 1


async def test_players_stay_where_the_lease_comes_back_soon_however_often(lonely: Lonely) -> None:
    for _ in range(3):
        lonely.exchange.may_serve = False
        await lonely.look(PATIENCE - 1)
        lonely.exchange.may_serve = True
        await lonely.look(1)

    assert lonely.sent_away == 0


async def test_a_node_that_was_frozen_for_long_keeps_its_players(lonely: Lonely) -> None:
    lonely.clock.advance(100 * CHECK_EVERY)  # nothing has run meanwhile
    await asyncio.sleep(0)
    lonely.exchange.may_serve = True
    await lonely.look(PATIENCE)

    assert lonely.sent_away == 0


async def test_a_node_that_knows_of_no_other_keeps_its_players(lonely: Lonely) -> None:
    lonely.shared.die(lonely.other.me)

    await lonely.look(2 * PATIENCE)

    assert lonely.sent_away == 0
