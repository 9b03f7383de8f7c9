"""Real servers and one real Chromium for all tests of this folder, which share one event loop for its sake."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from functools import partial
from inspect import iscoroutinefunction
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright

from engine import match as matches
from server.app import App
from server.clock import Handle, SystemClock
from server.config import Config
from server.store.memory import MemoryStore
from server.table import play
from tests.browser.chromium import launch
from tests.browser.person import Person
from tests.fakes import InlineSearchers
from tests.faults.browsing import Dealt
from tests.system.servers import Server, serving

HERE = Path(__file__).parent
HASTE = 8.0


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """One event loop for all tests here: a browser belongs to the loop in which it was launched."""
    for item in items:
        if HERE in item.path.parents and isinstance(item, pytest.Function) and iscoroutinefunction(item.obj):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


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


@pytest.fixture(autouse=True)
def searchers(monkeypatch: pytest.MonkeyPatch) -> InlineSearchers:
    """Where the servers of these tests search: a little, and on the spot."""
    inline = InlineSearchers()
    monkeypatch.setattr("server.app.searchers", lambda _count: inline)
    return inline


@pytest_asyncio.fixture(loop_scope="session")
async def address() -> AsyncIterator[str]:
    """Where a server is whose clock runs fast, so that bots and pauses take little time."""
    app = App(
        Config(host="127.0.0.1", port=0, store="memory"),
        MemoryStore(),
        clock=HastyClock(),
        bot_randomness=random.Random(3),
    )
    await app.start()
    yield f"http://127.0.0.1:{app.ports[0]}"
    await app.stop()


@pytest_asyncio.fixture(loop_scope="session")
async def server() -> AsyncIterator[Server]:
    """A server without limits whose time stands still: bots and deadlines wait for `let_pass`."""
    async with serving() as running:
        yield running


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """One Chromium for all tests."""
    asyncio.get_running_loop().set_debug(False)  # it doubles the time of a page, which is two dozen requests
    async with async_playwright() as playwright:
        launched = await launch(playwright)
        yield launched
        await launched.close()


@pytest_asyncio.fixture(loop_scope="session")
async def chromium(browser: Browser) -> AsyncIterator[Browser]:
    """The browser, which is left without any page after the test. No script of a page may have failed in it."""
    Person.met.clear()
    yield browser
    for context in list(browser.contexts):
        for page in context.pages:
            await page.unroute_all(behavior="ignoreErrors")  # a request may be on its way through a route of the test
        await context.close()
    assert [error for person in Person.met for error in person.errors] == []


@pytest.fixture
def dealt(monkeypatch: pytest.MonkeyPatch) -> type[Dealt]:
    """What everybody is dealt from now on is what the test writes into ``hands``."""
    monkeypatch.setattr(play, "Shuffle", Dealt)
    monkeypatch.setattr(Dealt, "hands", (("6-6",), ("1-6",)))
    return Dealt


@pytest.fixture
def scores_at_start(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Lets matches begin with these scores, one a side; pages are told so when they are loaded again."""

    def begin_with(*scores: int) -> None:
        monkeypatch.setattr(matches, "begin", partial(matches.begin, scores=scores))

    return begin_with
