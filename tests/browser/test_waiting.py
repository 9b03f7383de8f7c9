"""Computers that wait for those who read, and that play for those who are not there."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.async_api import Browser, expect

from server.table.state import Presence
from tests.browser.person import Person
from tests.faults.browsing import Dealt, Table, alone, sit_down, take_over
from tests.faults.proxy import proxy_to
from tests.faults.waiting import until
from tests.system.client import Client
from tests.system.servers import Server


@pytest.fixture(autouse=True)
def hands(dealt: type[Dealt]) -> None:
    dealt.hands = (("1-4", "4-4"), ("4-5", "5-5"), ("1-1", "0-4"))


async def with_a_computer(server: Server, browser: Browser, *, lead: int, **settings: Any) -> Table:
    """Ann (led by the test) at seat 0, Bob (at the browser) at seat 1, a computer at seat 2."""
    ann, bob = await server.client("Ann"), await server.client("Bob")
    room = await ann.create(**{"game": "fives-threes", "seats": 3, "bot_delay": 1, "lead": lead, **settings})
    await bob.say("join", room=room)
    await ann.say("start", room=room)
    table = Table(server, room, ann, await take_over(bob, server, browser, room))
    await ann.hear(room, "back")
    return table


def laid(table: Table) -> int:
    match = table.server.table(table.room).match
    assert match is not None
    assert match.deal is not None
    return len(match.deal.layout.tiles)


async def open_sheet(person: Person, name: str) -> None:
    await person.page.get_by_role("button", name=name, exact=True).click()
    await expect(person.see(f"sheet-{name.lower()}")).to_be_visible()


async def close_sheet(person: Person) -> None:
    await person.page.keyboard.press("Escape")
    await expect(person.page.locator("dialog")).to_have_count(0)


@pytest.mark.parametrize("name", ["Scores", "Rules"])
async def test_27_computers_wait_while_who_plays_alone_reads(server: Server, chromium: Browser, name: str) -> None:
    table = await alone(server, chromium, seats=3, lead=1)
    ann = table.guest

    await open_sheet(ann, name)
    await expect(ann.see("paused")).to_have_text("Paused while you read")
    server.let_pass(5)
    meanwhile = laid(table)
    await close_sheet(ann)
    await expect(ann.see("paused")).to_have_count(0)
    server.let_pass(1)

    assert meanwhile == 0
    await expect(ann.page.locator('.board g.tile[data-testid^="tile-"]')).to_have_count(1)
    assert ann.faults == []


async def test_27_a_reader_who_comes_back_over_a_new_line_still_reads(server: Server, chromium: Browser) -> None:
    async with proxy_to(server.port) as line:
        table = await with_a_computer(server, chromium, lead=2)
        await open_table_again(table, line.port)
        await open_sheet(table.guest, "Rules")
        await table.host.hear(table.room, "paused")

        line.cut()
        await table.host.hear(table.room, "back")
        await table.host.hear(table.room, "paused")
        await close_sheet(table.guest)

        await table.host.hear(table.room, "continued")


async def open_table_again(table: Table, port: int) -> None:
    """The browser comes to the table over another address of the same server."""
    page = table.guest.page
    await page.goto(f"http://127.0.0.1:{port}/t/{table.room}?anim=0")
    await expect(table.guest.see("board")).to_be_visible()
    await table.host.hear(table.room, "back")


async def test_28_a_reader_among_others_is_named_and_holds_the_computers_for_half_a_minute(
    server: Server, chromium: Browser
) -> None:
    table = await with_a_computer(server, chromium, lead=2)
    bob = table.guest

    await table.host.say("pause", room=table.room)
    await expect(bob.see("paused")).to_have_text("Ann is reading")
    server.let_pass(29)
    meanwhile = laid(table)
    server.let_pass(2)

    assert meanwhile == 0
    await expect(bob.see("paused")).to_have_count(0)
    server.let_pass(1)
    await expect(bob.page.locator('.board g.tile[data-testid^="tile-"]')).to_have_count(1)


async def test_28_somebody_else_may_play_while_one_reads(server: Server, chromium: Browser) -> None:
    table = await with_a_computer(server, chromium, lead=1)
    bob = table.guest
    await table.host.say("pause", room=table.room)
    await expect(bob.see("paused")).to_be_visible()

    await bob.see("hand-tile-4-5").click()
    await bob.see("play").click()

    await expect(bob.see("tile-4-5")).to_have_count(1)


async def test_38_a_computer_plays_for_who_is_gone_until_they_come_back(server: Server, chromium: Browser) -> None:
    table = await with_a_computer(server, chromium, lead=0, grace=60)
    ann, bob = table.host, table.guest

    await ann.drop()
    await expect(bob.see("seat-0")).to_contain_text("away")
    server.let_pass(60)
    await until(lambda: _is_covered(0, table))
    await expect(bob.see("seat-0")).to_contain_text("computer plays")
    await expect(bob.see("toast")).to_contain_text("A computer plays for Ann")
    await come_back(ann, table.room)

    await expect(bob.see("seat-0")).not_to_contain_text(re.compile("away|computer plays"))
    assert server.table(table.room).places[0].presence is Presence.PRESENT


def _is_covered(seat: int, table: Table) -> bool:
    """Whether a computer plays there; what else is due comes first, step by step."""
    table.server.let_pass()
    return table.server.table(table.room).places[seat].presence is Presence.BOT_IN


async def come_back(client: Client, room: str) -> None:
    await client.come_back()
    await client.say("sync", room=room)


async def test_a_seat_that_is_away_is_given_to_a_computer_at_once_where_all_others_agree(
    server: Server, chromium: Browser
) -> None:
    table = await with_a_computer(server, chromium, lead=0)
    bob = table.guest
    await table.host.drop()
    await expect(bob.see("seat-0")).to_contain_text("away")

    await bob.see("seat-0").get_by_role("button").click()
    await bob.see("cover-0").click()

    await expect(bob.see("seat-0")).to_contain_text("computer plays")


async def test_a_seat_that_is_silent_for_five_minutes_may_be_given_to_a_computer(
    server: Server, chromium: Browser
) -> None:
    table = await with_a_computer(server, chromium, lead=0)
    bob = table.guest
    await bob.page.clock.install()
    await bob.page.reload()
    await expect(bob.see("board")).to_be_visible()

    await bob.see("seat-0").get_by_role("button").click()
    await expect(bob.see("sheet-people")).to_be_visible()
    await expect(bob.see("cover-0")).to_have_count(0)
    await close_sheet(bob)
    server.let_pass(300)
    await bob.page.clock.fast_forward(300_000)
    await bob.see("seat-0").get_by_role("button").click()
    await bob.see("cover-0").click()

    await expect(bob.see("seat-0")).to_contain_text("computer plays")


async def test_who_was_covered_while_there_takes_the_seat_back(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    dealt.hands = (("1-4",), ("4-5",))
    table = await sit_down(server, chromium, game="fives-threes", seats=2)
    bob = table.guest
    await table.act("1-4")
    server.let_pass(300)
    await table.host.say("cover", room=table.room, seat=1)

    await expect(bob.see("toast")).to_contain_text("A computer plays for you")
    await bob.see("seat-back").click()

    await expect(bob.see("seat-back")).to_have_count(0)
    await expect(bob.see("play")).to_be_visible()
    assert server.table(table.room).places[1].presence is Presence.PRESENT
