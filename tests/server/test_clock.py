from __future__ import annotations

import asyncio
import time

from server.clock import SystemClock
from tests.fakes import FakeClock


async def test_a_callback_that_is_due_is_called_soon() -> None:
    clock = SystemClock()
    called = asyncio.Event()

    clock.call_at(clock.monotonic() - 5, called.set)

    async with asyncio.timeout(1):
        await called.wait()


async def test_a_callback_is_not_called_before_its_time() -> None:
    clock = SystemClock()
    called = asyncio.get_running_loop().create_future()
    due = clock.monotonic() + 0.02

    clock.call_at(due, lambda: called.set_result(clock.monotonic()))

    async with asyncio.timeout(1):
        assert await called >= due - 0.001


async def test_a_cancelled_callback_is_not_called() -> None:
    clock = SystemClock()
    called: list[str] = []
    last = asyncio.Event()

    clock.call_at(clock.monotonic(), lambda: called.append("cancelled")).cancel()
    clock.call_at(clock.monotonic(), last.set)

    async with asyncio.timeout(1):
        await last.wait()
    assert not called


async def test_the_system_clock_tells_the_time_and_sleeps() -> None:
    clock = SystemClock()

    before = time.time()
    async with asyncio.timeout(1):
        await clock.sleep(0)

    assert before <= clock.time() <= time.time()


def test_the_fake_clock_calls_what_is_due_in_order_and_at_its_time() -> None:
    clock = FakeClock()
    start = clock.monotonic()
    calls: list[tuple[str, float]] = []

    def call(name: str, after: float) -> None:
        clock.call_at(clock.monotonic() + after, lambda: calls.append((name, clock.monotonic() - start)))

    call("late", 9)
    call("second", 2)
    call("third", 2)
    clock.call_at(start + 1, lambda: call("nested", 0.5))
    clock.call_at(start + 2, lambda: calls.append(("cancelled", 0))).cancel()

    clock.advance(3)

    assert calls == [("nested", 1.5), ("second", 2), ("third", 2)]
    assert clock.monotonic() == start + 3


async def test_the_fake_clock_wakes_a_sleeper_when_it_is_told_to() -> None:
    clock = FakeClock()
    unix = clock.time()
    sleeper = asyncio.ensure_future(clock.sleep(60))
    await asyncio.sleep(0)

    clock.advance(59)
    await asyncio.sleep(0)
    assert not sleeper.done()
    clock.advance(1)

    async with asyncio.timeout(1):
        await sleeper
    assert clock.time() == unix + 60


def test_the_system_clock_goes_on_from_what_was_written_down() -> None:
    clock = SystemClock()
    ahead = clock.time() + 3600

    clock.go_on_from(ahead)
    clock.go_on_from(ahead - 7200)

    assert ahead <= clock.time() < ahead + 60
