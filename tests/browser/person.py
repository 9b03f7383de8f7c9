"""A person at a browser: looks for what is lit, taps, confirms."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, ClassVar

from playwright.async_api import Browser, Error, Locator, Page, expect

PATIENCE = 60_000
"""Milliseconds to wait for what must come."""
KEEP = """if (location.protocol === 'http:' && !localStorage.getItem('kept')) {
  localStorage.setItem('kept', 'before the test');
  for (const [name, value] of Object.entries(%s)) localStorage.setItem(`doublesix.${name}`, JSON.stringify(value));
}"""
"""Lets a browser find these values at its first page. A context that begins with them would cost one page more."""

PAINT = "() => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)))"
LEAP = """(time) => {
  const now = performance.now.bind(performance);
  performance.now = () => now() + time;
}"""


class Person:
    """One page in a context of its own, with everything that went wrong in it."""

    met: ClassVar[list[Person]] = []
    """All of the running test."""

    def __init__(self, name: str, page: Page) -> None:
        self.name = name
        self.page = page
        self.faults: list[str] = []
        self.errors: list[str] = []
        """Those faults that scripts of the page have not caught."""
        self.frames: list[str] = []
        self.received: list[str] = []
        self.hosts: set[str] = set()
        page.on("console", lambda message: self.faults.append(message.text) if message.type == "error" else None)
        page.on("pageerror", self._fail)
        page.on("request", lambda request: self.hosts.add(request.url.split("/")[2]))
        page.on("websocket", self._listen)
        self.met.append(self)

    @classmethod
    async def arrive(
        cls,
        name: str,
        browser: Browser,
        size: tuple[int, int],
        *,
        kept: Mapping[str, object] | None = None,
        **options: Any,
    ) -> Person:
        """Somebody in whose browser the values ``kept`` are kept; ``options`` are those of its context."""
        context = await browser.new_context(viewport={"width": size[0], "height": size[1]}, **options)
        if kept:
            await context.add_init_script(KEEP % json.dumps(kept))
        page = await context.new_page()
        page.set_default_timeout(PATIENCE)
        return cls(name, page)

    def _fail(self, error: Error) -> None:
        self.faults.append(str(error))
        self.errors.append(error.stack or str(error))

    def _listen(self, socket: Any) -> None:
        socket.on("framesent", lambda payload: self.frames.append(str(payload)))
        socket.on("framereceived", lambda payload: self.received.append(str(payload)))

    async def later(self, milliseconds: int) -> None:
        """So much time has gone by for the page; nothing has happened in it meanwhile."""
        await self.page.evaluate(LEAP, milliseconds)

    async def stop_clock(self) -> None:
        """From now on time goes by in the page, and anything is drawn, only when ``page.clock`` is let run."""
        await self.page.clock.install()
        await self.page.clock.pause_at(await self.page.evaluate("Date.now() + 1000"))

    def heard(self, kind: str) -> int:
        """How many messages of that type the page has received."""
        return sum(json.loads(frame)["type"] == kind for frame in self.received)

    async def settle(self) -> None:
        """Return when all that has happened in the page so far is painted."""
        await self.page.evaluate(PAINT)

    async def resize(self, width: int, height: int) -> None:
        """Give the window that size. Return when the page has taken it in."""
        await self.page.set_viewport_size({"width": width, "height": height})
        await self.settle()

    def see(self, testid: str) -> Locator:
        return self.page.get_by_test_id(testid)

    def acts(self) -> list[dict[str, Any]]:
        """The actions that the page has sent, oldest first."""
        return self.sent("act")

    def sent(self, kind: str) -> list[dict[str, Any]]:
        """The messages of that type that the page has sent, oldest first."""
        return [message for message in map(json.loads, self.frames) if message["type"] == kind]

    def legal(self) -> list[dict[str, Any]]:
        """The newest choice that the server has offered, each action with what it would do."""
        turns = [json.loads(frame).get("turn") for frame in self.received]
        offered: list[dict[str, Any]] = [turn for turn in turns if turn and "legal" in turn][-1]["legal"]
        return offered

    async def state(self) -> str:
        return await self.see("board").get_attribute("data-state") or ""

    async def take_turn(self) -> None:
        """Play the first tile that fits on the first end that is lit, or knock where nothing fits."""
        if await self.see("knock").is_visible():
            await self.see("knock").click()
            await expect(self.see("knock")).to_be_hidden()
            return
        await self.page.locator('[data-testid^="hand-tile-"]:not([aria-disabled="true"])').first.click()
        await expect(self.see("board")).to_have_attribute("data-state", re.compile("TILE|PREVIEW"))
        if await self.state() == "TILE":
            await self.page.locator('[data-testid^="place-"]').first.click()
        await expect(self.see("board")).to_have_attribute("data-state", "PREVIEW")
        await self.see("play").click()
        await expect(self.see("board")).not_to_have_attribute("data-state", "PREVIEW")

    async def play(self, tile: str) -> None:
        """Play ``tile`` at the one end that it fits."""
        await self.see(f"hand-tile-{tile}").click()
        await expect(self.see("board")).to_have_attribute("data-state", "PREVIEW")
        await self.see("play").click()
        await expect(self.see(f"tile-{tile}")).to_have_count(1)
