from __future__ import annotations

import asyncio

from bots.load.tally import Latency, Tally, latency


def test_percentiles_are_by_nearest_rank() -> None:
    assert latency([float(number) for number in range(200, 0, -1)]) == Latency(p50=100, p95=190, p99=198)
    assert latency([3.0]) == Latency(3.0, 3.0, 3.0)


def test_nothing_measured_has_no_percentiles() -> None:
    assert latency([]) is None


def test_only_what_is_accepted_between_beginning_and_end_counts() -> None:
    tally = Tally()
    tally.acknowledge()
    tally.to_sender.append(9.0)

    tally.begin()
    tally.acknowledge()
    tally.acknowledge()
    tally.end()
    tally.acknowledge()

    assert (tally.accepted, tally.acknowledged) == (2, 4)
    assert not tally.to_sender


async def test_one_can_wait_for_so_many_more() -> None:
    tally = Tally()
    tally.acknowledge()
    waiting = asyncio.create_task(tally.more(2))
    await asyncio.sleep(0)

    tally.acknowledge()
    await asyncio.sleep(0)
    assert not waiting.done()
    tally.acknowledge()

    async with asyncio.timeout(1):
        await waiting
