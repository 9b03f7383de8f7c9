"""A person at a real browser, at a table with somebody whom the test leads; the server's time stands still."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from playwright.async_api import Browser, CDPSession, expect

from engine.seats import Seat
from engine.tiles import Tile, full_set
from tests.browser.person import Person
from tests.faults.proxy import Proxy
from tests.faults.waiting import until
from tests.system.client import Client
from tests.system.servers import Server

DESK = (1280, 800)
PHONE = (390, 844)


@dataclass
class Table:
    """``host`` sits at seat 0 and is led by the test; ``guest`` is at the browser: at seat 1, watching, or the host."""

    server: Server
    room: str
    host: Client
    guest: Person

    async def act(self, tile: str | None = None, end: str | None = None) -> None:
        """The host lays ``tile`` at ``end`` (none: it opens), or takes the first choice."""
        await self.host.reach(self.room, self.server.table(self.room).seq)
        table = self.host.tables[self.room]
        first = table["turn"]["legal"][0]["action"]
        action = {"type": "play", "tile": tile, "end": end} if tile else first
        await self.host.say("act", room=self.room, seq=table["seq"], action=action)

    async def assert_current(self, guest: Person | None = None) -> None:
        """The page shows the newest step, and lays and holds the tiles that there are."""
        page, truth = (guest or self.guest).page, self.server.table(self.room)
        await expect(page.get_by_test_id("board")).to_have_attribute("data-seq", str(truth.seq))
        assert truth.match is not None
        assert truth.match.deal is not None
        laid = [str(tile) for tile in truth.match.deal.layout.tiles]
        await expect(page.locator('.board g.tile[data-testid^="tile-"]')).to_have_count(len(laid))
        for tile in laid:
            await expect(page.get_by_test_id(f"tile-{tile}")).to_have_count(1)
        await expect(page.locator("[data-testid=hand] .hand-tile")).to_have_count(await self._held(page))

    async def _held(self, page: Any) -> int:
        match = self.server.table(self.room).match
        is_seated = await page.get_by_test_id("hand").count()
        return len(match.deal.hands[1]) if is_seated and match is not None and match.deal is not None else 0

    async def wait_for_turn(self) -> None:
        """Let the computers act until the host is in turn or the deal is over, and the page shows it."""
        await until(self._is_hosts_turn)
        await expect(self.guest.see("board")).to_have_attribute("data-seq", str(self.server.table(self.room).seq))

    def _is_hosts_turn(self) -> bool:
        if self.server.table(self.room).turn not in (0, None):
            self.server.let_pass(1)
        return self.server.table(self.room).turn in (0, None)

    async def cut_off(self, line: Proxy) -> None:
        """The browser is offline, and nothing can be reached."""
        await self.guest.page.context.set_offline(True)
        line.is_refusing = True
        line.cut()
        await self.host.hear(self.room, "away")

    async def put_through(self, line: Proxy) -> None:
        """The browser is online again. Return when it has come back to the table."""
        line.is_refusing = False
        await self.guest.page.context.set_offline(False)
        await self.host.hear(self.room, "back")


async def sit_down(
    server: Server,
    browser: Browser,
    port: int | None = None,
    *,
    size: tuple[int, int] = DESK,
    options: Mapping[str, Any] | None = None,
    **settings: Any,
) -> Table:
    """A match that has begun, with the browser's person at seat 1.

    ``port`` is where the browser connects to, ``size`` that of its window; ``options`` are those of its context.
    """
    host, other = await server.client("Ann"), await server.client("Bob \U0001f43a")
    room = await host.create(**{"game": "block", "seats": 2, "lead": 0, "target": 1_000_000, **settings})
    await other.say("join", room=room)
    await other.drop()
    await host.say("start", room=room)
    guest = await Person.arrive(other.name, browser, size, kept=memory_of(other, room), **(options or {}))
    await open_table(guest, port or server.port, room)
    await expect(guest.see("board")).to_be_visible()
    await host.hear(room, "back")
    return Table(server, room, host, guest)


def memory_of(client: Client, room: str) -> dict[str, object]:
    """What a browser keeps in which ``client`` has sat down in ``room``."""
    return {"name": client.name, "token": client.token, "rooms": [room]}


async def meet(server: Server, browser: Browser, port: int | None = None, **settings: Any) -> Table:
    """A lobby with the browser's person at seat 1."""
    host = await server.client("Ann")
    room = await host.create(**{"game": "block", "seats": 2, "lead": 0, "target": 1_000_000, **settings})
    guest = await Person.arrive("Bob \U0001f43a", browser, DESK)
    await open_table(guest, port or server.port, room)
    await guest.see("name").fill(guest.name)
    await guest.see("join").click()
    await expect(guest.see("lobby")).to_contain_text(guest.name)
    await host.hear(room, "seated")
    return Table(server, room, host, guest)


async def watch(
    server: Server,
    browser: Browser,
    *,
    size: tuple[int, int] = DESK,
    options: Mapping[str, Any] | None = None,
    **settings: Any,
) -> Table:
    """A match of two that the browser's person watches. ``size`` and ``options`` are as in `sit_down`."""
    host, other = await server.client("Ann"), await server.client("Cat")
    room = await host.create(**{"game": "draw", "seats": 2, "lead": 0, **settings})
    await other.say("join", room=room)
    await host.say("start", room=room)
    guest = await Person.arrive("Eve", browser, size, **(options or {}))
    await open_table(guest, server.port, room)
    await guest.see("name").fill(guest.name)
    await guest.page.get_by_role("button", name="Watch").click()
    await expect(guest.see("board")).to_be_visible()
    await host.hear(room, "watchers")
    return Table(server, room, host, guest)


async def alone(server: Server, browser: Browser, size: tuple[int, int] = DESK, **settings: Any) -> Table:
    """The browser's person is the host, at seat 0, and plays against computers, one unless more are asked for."""
    ann = await server.client("Ann")
    room = await ann.create(**{"game": "fives-threes", "seats": 2, "lead": 0, "bot_delay": 1, **settings})
    await ann.say("start", room=room)
    return Table(server, room, ann, await take_over(ann, server, browser, room, size))


async def take_over(
    client: Client, server: Server, browser: Browser, room: str, size: tuple[int, int] = DESK
) -> Person:
    """Where ``client`` sat sits the browser's person from now on, at the table itself."""
    await client.drop()
    person = await Person.arrive(client.name, browser, size, kept=memory_of(client, room))
    await open_table(person, server.port, room)
    await expect(person.see("board")).to_be_visible()
    return person


async def open_table(person: Person, port: int, room: str) -> None:
    await person.page.goto(f"http://127.0.0.1:{port}/t/{room}?anim=0")


async def devtools(person: Person) -> CDPSession:
    """What the page's own developer tools can do."""
    return await person.page.context.new_cdp_session(person.page)


class Dealt:
    """A shuffle that deals hands which the test has written down, and the rest in order."""

    hands: Sequence[Sequence[str]] = ()

    def __init__(self, _seed: bytes, _entropy: Sequence[bytes] = ()) -> None: ...

    def deal(self, _number: int, seats: int, hand_size: int) -> tuple[tuple[tuple[Tile, ...], ...], tuple[Tile, ...]]:
        wanted = [[tile for tile in full_set() if str(tile) in hand] for hand in self.hands]
        rest = [tile for tile in full_set() if not any(tile in hand for hand in wanted)]
        hands = [(*hand, *(rest.pop() for _ in range(hand_size - len(hand)))) for hand in wanted]
        assert len(hands) == seats
        return tuple(hands), tuple(rest)

    def lot(self, _number: int, _seats: int) -> Seat:
        return Seat(0)
