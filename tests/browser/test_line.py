"""Lost lines, silent lines, other tabs: what is shown, what still works, and that nothing is done twice."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.async_api import Browser, Page, WebSocketRoute, expect

from tests.browser.person import Person
from tests.browser.scripted import ScriptedTable
from tests.faults.browsing import PHONE, Dealt, Table, alone, open_table, sit_down
from tests.faults.proxy import Proxy, proxy_to
from tests.faults.waiting import until
from tests.system.servers import Server

HANDS = (("6-6", "4-6"), ("3-6", "5-6", "1-6", "1-2", "0-1", "2-2", "4-4"))
TOLD_AFTER = 2_000
BACK_FOR = 4_000
"""Milliseconds."""


class Wire:
    """The line between a page and its server. What goes either way can be swallowed, and the line cut."""

    def __init__(self) -> None:
        self.swallows_acts = False
        self.swallows_answers = False
        self.acts: list[dict[str, Any]] = []
        """Those that the page has sent, whether or not they arrived."""
        self._line: WebSocketRoute | None = None

    async def put_into(self, page: Page) -> None:
        """From the next connection on."""
        await page.route_web_socket(re.compile("/ws$"), self._open)

    def _open(self, line: WebSocketRoute) -> None:
        self._line, onward = line, line.connect_to_server()

        def forward(frame: str | bytes) -> None:
            message = json.loads(frame)
            if message["type"] == "act":
                self.acts.append(message)
            if not (message["type"] == "act" and self.swallows_acts):
                onward.send(frame)

        line.on_message(forward)
        onward.on_message(lambda frame: None if self.swallows_answers else line.send(frame))

    async def cut(self) -> None:
        assert self._line is not None
        await self._line.close(code=1012)
        self.swallows_acts = self.swallows_answers = False


async def in_preview(server: Server, browser: Browser, dealt: type[Dealt]) -> tuple[Table, Wire]:
    """Fives and Threes: 6-6 lies, and 3-6 is previewed at A."""
    dealt.hands = HANDS
    table, wire = await sit_down(server, browser, game="fives-threes", target=61), Wire()
    await table.act("6-6")
    await wire.put_into(table.guest.page)
    await table.guest.page.reload()
    await assert_state(table.guest, "TURN")
    await table.guest.see("hand-tile-3-6").click()
    await table.guest.see("place-A").click()
    await assert_state(table.guest, "PREVIEW")
    return table, wire


async def assert_state(person: Person, state: str) -> None:
    await expect(person.see("board")).to_have_attribute("data-state", state)


async def test_36_a_cut_line_is_told_of_and_what_was_missed_comes_in_order(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    dealt.hands = (("5-6",), ("0-5", "1-6"), ("6-6", "0-1"), ("3-6",))
    async with proxy_to(server.port) as line:
        table = await sit_down(server, chromium, line.port, seats=4, lead=2, game="fives-threes", target=61)
        bob = table.guest
        await lose_line(table, line)
        await expect(bob.see("banner")).to_contain_text("Connection lost. Trying again in")
        await expect(bob.see("banner").get_by_role("button", name="Try now")).to_be_enabled()
        await until(lambda: have_laid(2, table))
        await table.act()

        await table.put_through(line)

        await expect(bob.see("banner")).to_have_text("Back. 3 moves while you were away")
        await table.assert_current()
        shown = await bob.see("moves").locator("li b").all_text_contents()
        assert shown == told(table)
        await bob.page.clock.run_for(BACK_FOR)
        await expect(bob.see("banner")).to_have_count(0)
        assert bob.acts() == []


async def lose_line(table: Table, line: Proxy) -> None:
    """Cut the page off, for as long as it takes to say so. From now on the test may let its time go by."""
    await table.guest.page.clock.install()
    await table.cut_off(line)
    await table.guest.page.clock.run_for(TOLD_AFTER)


def have_laid(count: int, table: Table) -> bool:
    """Whether so many tiles lie; else the computers have a moment to think."""
    if len(told(table)) < count:
        table.server.let_pass(0.7)
    return len(told(table)) == count


def told(table: Table) -> list[str]:
    """The tiles of the deal in the order in which they were played, as the host has heard."""
    match = table.server.table(table.room).match
    assert match is not None
    assert match.deal is not None
    return [str(tile) for tile in match.deal.layout.tiles]


async def test_36_without_a_line_tiles_can_be_previewed_and_play_waits(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    dealt.hands = HANDS
    async with proxy_to(server.port) as line:
        table = await sit_down(server, chromium, line.port, game="fives-threes", target=61)
        bob = table.guest
        await table.act("6-6")
        await assert_state(bob, "TURN")
        await lose_line(table, line)
        await expect(bob.see("banner")).to_be_visible()

        await bob.see("hand-tile-3-6").click()
        await bob.see("place-A").click()

        await assert_state(bob, "PREVIEW")
        await expect(bob.see("play")).to_be_disabled()
        await table.put_through(line)
        await assert_state(bob, "PREVIEW")
        await expect(bob.see("play")).to_be_enabled()
        assert bob.acts() == []


async def test_36_what_is_asked_of_the_table_without_a_line_is_not_done_later(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    dealt.hands = HANDS
    async with proxy_to(server.port) as line:
        table = await sit_down(server, chromium, line.port)
        bob = table.guest
        await bob.page.get_by_role("button", name="React").click()
        await expect(bob.see("reactions")).to_be_visible()
        await lose_line(table, line)
        await expect(bob.see("banner")).to_be_visible()

        await bob.see("reactions").get_by_role("button", name="Wow").click()

        await expect(bob.see("toast")).to_have_text(re.compile("no connection"))
        await table.put_through(line)
        await table.act("6-6")
        await table.assert_current()
        assert bob.sent("react") == []


async def test_36_a_play_that_never_arrived_is_back_in_preview_and_not_made_by_itself(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    table, wire = await in_preview(server, chromium, dealt)
    bob = table.guest
    wire.swallows_acts = True
    await bob.see("play").click()
    await assert_state(bob, "SENDING")

    await wire.cut()

    await assert_state(bob, "PREVIEW")
    assert told(table) == ["6-6"]
    await bob.see("play").click()
    await expect(bob.see("tile-3-6")).to_have_count(1)
    await table.assert_current()
    assert len(wire.acts) == 2
    assert told(table) == ["6-6", "3-6"]


async def test_36_a_play_whose_answer_was_lost_is_found_done(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    table, wire = await in_preview(server, chromium, dealt)
    bob = table.guest
    wire.swallows_answers = True
    await bob.see("play").click()
    await until(lambda: len(told(table)) == 2)

    await wire.cut()

    await expect(bob.see("tile-3-6")).to_have_count(1)
    await assert_state(bob, "WAIT")
    await table.assert_current()
    assert len(wire.acts) == 1


async def test_37_the_first_of_two_tabs_can_be_read_only_until_it_is_asked_to_go_on(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    dealt.hands = HANDS
    table = await sit_down(server, chromium, game="fives-threes", target=61)
    first, second = table.guest, Person("Bob", await table.guest.page.context.new_page())
    await table.act("6-6")

    await open_table(second, server.port, table.room)
    await assert_state(second, "TURN")

    await expect(first.see("banner")).to_contain_text("This seat is open in another tab")
    await first.see("hand-tile-5-6").click()
    await first.see("place-A").click()
    await expect(first.see("play")).to_be_disabled()
    await first.see("board").press("Enter")
    await first.see("react").click()
    await first.page.get_by_role("button", name="Nice").click()
    assert first.acts() == []
    await first.see("banner").get_by_role("button", name="Use here").click()
    await expect(first.see("play")).to_be_enabled()
    await expect(second.see("banner")).to_contain_text("This seat is open in another tab")
    assert first.sent("react") == []


async def test_who_goes_on_at_another_table_in_a_second_tab_is_told_so_in_the_first(
    server: Server, chromium: Browser
) -> None:
    first = (await alone(server, chromium)).guest
    second = Person("Ann", await first.page.context.new_page())

    await second.page.goto(f"http://127.0.0.1:{server.port}/new?computers&anim=0")
    await second.see("create").click()
    await expect(second.see("board")).to_be_visible()

    await expect(first.see("banner")).to_contain_text("You are playing in another tab now")
    await first.see("banner").get_by_role("button", name="Use here").click()
    await expect(first.see("banner")).to_have_count(0)
    await expect(second.see("banner")).to_contain_text("You are playing in another tab now")


async def test_16_a_reload_in_a_deal_shows_the_same_table_looked_at_in_the_same_way(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    dealt.hands = HANDS
    table = await sit_down(server, chromium, game="fives-threes", target=61)
    bob = table.guest
    await table.act("6-6")
    await assert_state(bob, "TURN")
    await bob.see("hand-tile-3-6").click()
    await bob.see("place-A").click()
    await bob.see("play").click()
    await expect(bob.see("tile-3-6")).to_have_count(1)
    for name in ("Rotate", "Larger", "Larger"):
        await bob.page.get_by_role("button", name=name, exact=True).click()
    await expect(bob.see("board")).to_have_attribute("data-mode", "manual")
    await bob.settle()
    before = await all_of(bob)
    await bob.stop_clock()
    snapshots = bob.heard("snapshot")

    await bob.page.reload()
    await until(lambda: bob.heard("snapshot") > snapshots)
    await bob.page.clock.run_for(2_000)

    assert await bob.see("tile-3-6").is_visible()
    await table.assert_current()
    assert await all_of(bob) == before


async def all_of(person: Person) -> dict[str, Any]:
    """Hand, moves, chain and camera, as they are seen."""
    board = person.see("board")
    return {
        "hand": await person.page.locator("[data-tile]").evaluate_all("all => all.map(tile => tile.dataset.tile)"),
        "moves": await person.see("moves").locator("li").all_text_contents(),
        "tiles": await person.page.locator(".camera > .tile").evaluate_all(TILES),
        "camera": [await board.get_attribute(f"data-{name}") for name in ("scale", "rot", "mode")],
        "address": person.page.url,
    }


TILES = """all => all.map((tile) => {
  const { x, y } = tile.getBoundingClientRect();
  return [tile.dataset.testid, Math.round(x), Math.round(y)];
})"""


async def test_a_line_that_does_not_answer_for_two_seconds_is_slow(server: Server, chromium: Browser) -> None:
    table = await ScriptedTable.open(chromium, server.port)
    bob = table.person
    await bob.page.clock.install()
    await expect(bob.page.locator(".link")).to_have_text("live")
    table.is_silent = True

    await bob.page.get_by_role("button", name="React").click()
    await bob.see("reactions").get_by_role("button").first.click()
    await bob.page.clock.run_for(2000)

    await expect(bob.page.locator(".link")).to_have_class(re.compile("slow"))
    await expect(bob.page.locator(".link")).to_have_text("slow")


async def test_on_a_phone_too_scores_have_names_and_the_line_has_a_word_and_a_shape(
    server: Server, chromium: Browser
) -> None:
    table = await ScriptedTable.open(chromium, server.port, size=PHONE)
    bob = table.person
    line, dot = bob.page.locator(".link"), bob.page.locator(".link .dot")
    await bob.page.clock.install()
    await expect(bob.page.get_by_role("list", name="Scores")).to_match_aria_snapshot("""
      - list "Scores":
        - listitem: Ann + Cat 0
        - listitem: You + Dan 0
    """)
    await expect(line.get_by_text("live")).to_be_visible()
    await expect(dot).to_have_css("border-top-width", "0px")
    table.is_silent = True

    await bob.page.get_by_role("button", name="More", exact=True).click()
    await bob.page.get_by_role("button", name=re.compile("^React")).click()
    await bob.see("reactions").get_by_role("button").first.click()
    await bob.page.clock.run_for(2000)

    await expect(line.get_by_text("slow")).to_be_visible()
    await expect(dot).to_have_css("border-top-width", "3px")


async def test_a_server_that_restarts_says_that_the_match_is_kept(server: Server, chromium: Browser) -> None:
    table = await ScriptedTable.open(chromium, server.port)
    table.is_silent = True

    table.tell({"type": "closing", "reason": "restart", "retry_after": 5})
    await table.hang_up(1012)

    await expect(table.person.see("banner")).to_contain_text("The server restarts, your match is kept")


@pytest.mark.parametrize("event", ["visibilitychange", "pageshow"])
async def test_a_page_that_is_looked_at_again_asks_whether_its_line_is_alive(
    server: Server, chromium: Browser, event: str
) -> None:
    table = await ScriptedTable.open(chromium, server.port)
    shown = "new PageTransitionEvent('pageshow', { persisted: true })"
    tell = {"visibilitychange": f"document.dispatchEvent(new Event('{event}'))", "pageshow": f"dispatchEvent({shown})"}

    await table.person.page.evaluate(tell[event])

    await until(lambda: table.heard[-1]["type"] == "ping")


NO_LOCKS = """for (const name of ['request', 'query'])
  navigator.locks[name] = async () => { throw new DOMException('no', 'SecurityError'); };"""


async def test_where_nothing_can_be_kept_a_match_can_be_joined_and_played(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    dealt.hands = HANDS
    host = await server.client("Ann")
    room = await host.create(game="fives-threes", seats=2, lead=0)
    bob = await Person.arrive("Bob", chromium, (1280, 800))
    blocked = "Object.defineProperty(window, '{}', {{ get() {{ throw new DOMException('no', 'SecurityError') }} }});"
    await bob.page.add_init_script("".join(blocked.format(name) for name in ("localStorage", "sessionStorage")))
    await bob.page.add_init_script(NO_LOCKS)
    await open_table(bob, server.port, room)
    await bob.see("name").fill("Bob")
    await bob.see("join").click()
    await expect(bob.see("lobby")).to_contain_text("Bob")
    await host.hear(room, "seated")
    await host.say("start", room=room)
    await Table(server, room, host, bob).act("6-6")
    await assert_state(bob, "TURN")

    await bob.see("hand-tile-3-6").click()
    await bob.see("place-A").click()
    await bob.see("play").click()

    await expect(bob.see("tile-3-6")).to_have_count(1)
