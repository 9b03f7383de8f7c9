"""Section E of docs/faults.md in a real browser: lost lines, hidden pages, two tabs, and what is there afterwards."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from playwright.async_api import Browser, expect

from server.table.state import Presence
from tests.browser.person import Person
from tests.faults.browsing import PHONE, Table, devtools, meet, open_table, sit_down
from tests.faults.proxy import Proxy, proxy_to
from tests.system.servers import Server

IN_TURN = re.compile(r"^(TURN|DRAW\?|KNOCK\?)$")
"""What the board may say of who is to act: the deal decides whether there is a tile to play."""


async def test_a_refreshed_page_shows_the_table_of_its_address(server: Server, chromium: Browser) -> None:
    """E7: with seats at two tables in one browser."""
    table = await meet(server, chromium)
    other = await table.host.create(game="draw", seats=2)
    await open_table(table.guest, server.port, other)
    await expect(table.guest.see("lobby")).to_contain_text(other)

    for room in (table.room, other, table.room):
        await open_table(table.guest, server.port, room)
        for _ in range(2):
            await table.guest.page.reload()
            await expect(table.guest.see("lobby")).to_contain_text(room)
            await expect(table.guest.see("seat-1")).to_contain_text("Bob")


async def test_who_was_cut_off_while_the_turn_came_sees_it_without_a_click(server: Server, chromium: Browser) -> None:
    """E8."""
    async with proxy_to(server.port) as line:
        table = await sit_down(server, chromium, line.port)
        await table.cut_off(line)
        await table.act()

        await table.put_through(line)

        await table.assert_current()
        await expect(table.guest.see("board")).to_have_attribute("data-state", IN_TURN)
        await expect(table.guest.see("seat-0")).not_to_have_class(re.compile("in-turn"))


async def test_a_browser_that_goes_off_and_on_again_is_up_to_date_each_time(server: Server, chromium: Browser) -> None:
    """E10: three times in one deal; the notice goes, and what is under it is new."""
    async with proxy_to(server.port) as line:
        table = await sit_down(server, chromium, line.port, turn_timer=20)
        notice = table.guest.see("banner").filter(has_text="lost")
        for _ in range(3):
            await table.cut_off(line)
            await expect(notice).to_be_visible()
            server.let_pass(20)
            await table.put_through(line)
            await table.assert_current()
            await expect(notice).to_have_count(0)


async def test_a_page_in_the_background_when_the_match_begins_is_in_step_when_it_comes_forward(
    server: Server, chromium: Browser
) -> None:
    """E11: it was frozen, as browsers do."""
    table = await meet(server, chromium)
    tools = await devtools(table.guest)
    await tools.send("Page.setWebLifecycleState", {"state": "frozen"})
    await table.host.say("start", room=table.room)
    await table.act()

    await tools.send("Page.setWebLifecycleState", {"state": "active"})

    await table.assert_current()
    await expect(table.guest.see("board")).to_have_attribute("data-state", IN_TURN)


async def test_two_tabs_do_not_take_the_seat_from_each_other_without_end(server: Server, chromium: Browser) -> None:
    """E14: the newer has it, the older says so and waits to be asked."""
    table = await sit_down(server, chromium)
    first, second = table.guest, Person("Bob", await table.guest.page.context.new_page())
    opened = {person.name + str(number): sockets_of(person) for number, person in enumerate((first, second))}

    await open_table(second, server.port, table.room)
    await table.host.hear(table.room, "back")
    await table.assert_current(second)
    await expect(first.see("banner")).to_contain_text("another tab")
    await table.act()
    await table.assert_current(second)
    await first.see("banner").get_by_role("button").click()
    await table.host.hear(table.room, "back")
    await table.assert_current(first)
    await expect(second.see("banner")).to_contain_text("another tab")
    await first.page.reload()
    await table.host.hear(table.room, "back")
    await table.assert_current(first)

    assert [len(sockets) for sockets in opened.values()] == [2, 1]
    await expect(second.see("banner")).to_be_visible()


def sockets_of(person: Person) -> list[str]:
    """The connections that the page opens from now on."""
    opened: list[str] = []
    person.page.on("websocket", lambda socket: opened.append(socket.url))
    return opened


@asynccontextmanager
async def locked_phone(server: Server, chromium: Browser, line: Proxy) -> AsyncIterator[Table]:
    """A match in which the browser is a phone whose page is frozen; at the end it is looked at again."""
    table = await meet(server, chromium, line.port, grace=60)
    phone = table.guest
    await phone.resize(*PHONE)
    await table.host.say("start", room=table.room)
    await expect(phone.see("board")).to_be_visible()
    tools = await devtools(phone)
    await tools.send("Page.setWebLifecycleState", {"state": "frozen"})
    yield table
    await tools.send("Page.setWebLifecycleState", {"state": "active"})
    await phone.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


async def test_a_phone_that_was_locked_for_a_while_has_its_seat_back_when_it_is_looked_at(
    server: Server, chromium: Browser
) -> None:
    """E20: the page was frozen, its line cut, and a bot had stepped in."""
    async with proxy_to(server.port) as line:
        async with locked_phone(server, chromium, line) as table:
            line.cut()
            await table.host.hear(table.room, "away")
            server.let_pass(90)
            await table.host.hear(table.room, "bot_in")

        await table.host.hear(table.room, "back")
        assert server.table(table.room).places[1].presence is Presence.PRESENT
        await table.assert_current()


async def test_a_phone_whose_line_fell_silent_while_it_was_locked_finds_out_and_is_up_to_date(
    server: Server, chromium: Browser
) -> None:
    """E20: nobody has been told that the line is dead."""
    async with proxy_to(server.port) as line:
        async with locked_phone(server, chromium, line) as table:
            line.hold()
            await table.act()
            server.let_pass(90)

        await table.host.hear(table.room, "back")
        await table.assert_current()
        await expect(table.guest.see("board")).to_have_attribute("data-state", IN_TURN)
