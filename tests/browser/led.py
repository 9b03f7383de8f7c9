"""A match whose every act the test names: one seat is that of a person at a browser, the others are led by the test."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from functools import partial
from typing import Any

from playwright.async_api import Browser, expect

from engine import match as matches
from engine.match import Match
from protocol.convert import choice_to_wire
from server.table.state import Phase, Table
from tests.browser.person import Person
from tests.faults.browsing import DESK, open_table
from tests.faults.waiting import until
from tests.system.client import PATIENCE, Client
from tests.system.servers import Server

NAMES = ("Olena", "Wei", "Max", "Ann")
"""Who sits there, by seat."""
LETTERS = {"left": "A", "right": "B", "up": "C", "down": "D"}
"""What the page calls the ends."""


@dataclass
class Led:
    """``person`` sits at ``seat``; the test speaks for ``others``, by seat."""

    server: Server
    room: str
    others: dict[int, Client]
    person: Person
    seat: int

    async def play(self, *acts: str) -> None:
        """Whoever is in turn acts: "1-4" opens, "4-4 right" plays there; "draw" and "knock" do that."""
        for act in acts:
            match, turn = self._table.match, self._table.turn
            assert turn is not None, f"nobody is in turn to {act}"
            if turn == self.seat:
                await self.choose(act)
                await self.confirm()
            else:
                await self._say_act(self.others[turn], act)
            await until(partial(self._has_gone_on, match))

    async def choose(self, act: str) -> None:
        """The person comes as far as the preview of ``act``, or to the question whether to draw."""
        await self.is_shown()
        person = self.person
        if act == "draw":
            await person.see("draw").click()
        elif act != "knock":
            tile, _, end = act.partition(" ")
            if await person.see(f"hand-tile-{tile}").get_attribute("aria-pressed") != "true":
                await person.see(f"hand-tile-{tile}").click()
            await expect(person.see("board")).to_have_attribute("data-state", re.compile("TILE|PREVIEW"))
            if await person.state() == "TILE":
                await person.see(f"place-{LETTERS[end or 'left']}").click()
            await expect(person.see("board")).to_have_attribute("data-state", "PREVIEW")

    async def confirm(self) -> None:
        """The person does what was chosen."""
        button = "knock" if await self.person.state() == "KNOCK?" else "play"
        await self.person.see(button).click()

    async def is_shown(self) -> None:
        """Return when the page shows the newest step."""
        async with asyncio.timeout(PATIENCE):
            while await self.person.see("board").get_attribute("data-seq") != str(self._table.seq):
                pass  # the table may go on meanwhile, too

    async def play_to_the_end(self) -> None:
        """Whoever is in turn takes the first choice, until the match is over."""
        while self._table.phase is not Phase.MATCH_OVER:
            if self._table.phase is Phase.DEAL_OVER:
                await self.next_deal()
            match = self._table.match
            assert match is not None
            action = choice_to_wire(matches.choices(match)[0])["action"]
            await self.play(
                action["type"] if action["type"] != "play" else f"{action['tile']} {action['end'] or ''}".strip()
            )

    async def next_deal(self) -> None:
        """Everybody is ready, the person by the button of the result."""
        for client in self.others.values():
            await client.say("next", room=self.room)
        await self.person.see("ready").click()
        await until(lambda: self._table.phase is Phase.PLAYING)
        await self.is_shown()

    async def _say_act(self, client: Client, act: str) -> None:
        await client.reach(self.room, self._table.seq)
        tile, _, end = act.partition(" ")
        action = {"type": act} if act in ("draw", "knock") else {"type": "play", "tile": tile, "end": end or None}
        await client.say("act", room=self.room, seq=self._table.seq, action=action)

    def _has_gone_on(self, match: Match | None) -> bool:
        return self._table.match is not match

    @property
    def _table(self) -> Table:
        return self.server.table(self.room)


async def begin(server: Server, browser: Browser, seat: int = 1, size: tuple[int, int] = DESK, **settings: Any) -> Led:
    """A match that has begun, led by seat 0, with the person at ``seat`` and all other seats led by the test."""
    settings = {"seats": 2, "lead": 0, **settings}
    first, *rest = (number for number in range(settings["seats"]) if number != seat)
    others = {first: await server.client(NAMES[first])}
    room = await others[first].create(seat=first, **settings)
    for number in rest:
        others[number] = await server.client(NAMES[number])
        await others[number].say("join", room=room, seat=number)
    person = await Person.arrive(NAMES[seat], browser, size)
    await open_table(person, server.port, room)
    await person.see("name").fill(person.name)
    await person.see("join").click()
    await person.see("ready").click()
    await until(lambda: server.table(room).places[seat].ready)
    await others[first].say("start", room=room)
    await expect(person.see("board")).to_be_visible()
    return Led(server, room, others, person, seat)
