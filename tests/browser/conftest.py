"""A real server and a real Chromium. The server's clock runs fast, so that bots and pauses take little time."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import AsyncIterator, Callable

import pytest
from playwright.async_api import Browser, async_playwright

from server.app import App
from server.clock import Handle, SystemClock
from server.config import Config
from server.store.memory import MemoryStore

HASTE = 8.0
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking")


class HastyClock:
    """The machine's clock, running `HASTE` times as fast."""

    def __init__(self) -> None:
        self._clock = SystemClock()
        self._start = self._clock.monotonic()
        self._unix = self._clock.time()

    def monotonic(self) -> float:
        return (self._clock.monotonic() - self._start) * HASTE

    def time(self) -> float:
        return self._unix + self.monotonic()

    def go_on_from(self, unix: float) -> None:
        self._unix = max(self._unix, unix - self.monotonic())

    def call_at(self, when: float, callback: Callable[[], object]) -> Handle:
        return self._clock.call_at(self._start + when / HASTE, callback)

    async def sleep(self, seconds: float) -> None:
        await self._clock.sleep(seconds / HASTE)


@pytest.fixture
async def address() -> AsyncIterator[str]:
    """Where the server is."""
    app = App(
        Config(host="127.0.0.1", port=0, store="memory"),
        MemoryStore(),
        clock=HastyClock(),
        bot_randomness=random.Random(3),
    )
    await app.start()
    yield f"http://127.0.0.1:{app.ports[0]}"
    await app.stop()


@pytest.fixture
async def chromium() -> AsyncIterator[Browser]:
    path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    assert path is not None, "there is no chromium: make test installs it"
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        await browser.close()
