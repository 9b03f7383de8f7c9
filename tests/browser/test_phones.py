"""What is told and pressed on phones is whole and on the screen, whoever sits at the table and however many watch."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, expect

from engine.tiles import full_set
from tests.browser.led import begin
from tests.browser.scenes import Stage, preview
from tests.browser.scripted import HAND, OWN_SEAT, ScriptedTable
from tests.browser.test_scoring import PARTNERS, UNTIL_OUT
from tests.browser.test_sizes import LEAST_BOARD, MISPLACED, SCROLLED, SIZES, box_of
from tests.browser.tongues import cut_off, speak
from tests.faults.browsing import Dealt, sit_down
from tests.system.servers import Server

PHONES = SIZES[:2]
BESIDE_THE_FELT = [(568, 320), (667, 375), (844, 390)]
"""Phones on their side."""
FLATTEST = [(700, 300), (740, 300), (844, 300)]
"""What a browser leaves of the smallest of them."""


async def test_40_what_the_third_opponent_says_is_whole_on_the_screen(server: Server, chromium: Browser) -> None:
    table = await ScriptedTable.open(chromium, server.port, size=SIZES[0])
    page = table.person.page
    await page.clock.install()

    table.say([{"type": "reacted", "seat": seat, "key": "well_played"} for seat in range(4)], None)

    await expect(page.locator(".bubble")).to_have_count(4)
    for language in ("en", "uk"):
        await speak(page, language)
        for size in PHONES:
            await table.person.resize(*size)
            assert await cut_off(page) == [], (language, size)


async def test_22_who_is_out_is_told_so_on_the_smallest_phone_and_nothing_shifts(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    dealt.hands = PARTNERS
    led = await begin(server, chromium, game="fives-threes", seats=4, size=SIZES[0])
    await led.play(*UNTIL_OUT)
    await led.is_shown()
    before = await led.person.see("board").bounding_box()

    await led.play("2-5 left")
    await led.is_shown()

    assert await led.person.see("board").bounding_box() == before
    for size in (*SIZES, *BESIDE_THE_FELT):
        await led.person.resize(*size)
        await expect(led.person.see("seat-1")).to_contain_text("You are out")
        await expect(led.person.see("seat-1").get_by_text("You are out")).to_be_in_viewport(ratio=1)
        assert await led.person.page.evaluate(MISPLACED) == [], size


async def test_30_a_request_pushes_nothing_off_a_phone_that_lies_on_its_side(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    dealt.hands = (("1-4", "4-4", "0-1"), ("4-5", "4-6", "5-5"))
    table = await sit_down(server, chromium, game="fives-threes", size=BESIDE_THE_FELT[0])
    bob = table.guest
    await table.act("1-4")
    await table.assert_current()
    await bob.play("4-6")
    await table.host.reach(table.room, server.table(table.room).seq)

    await table.host.say("undo", room=table.room)

    await expect(bob.see("request")).to_be_visible()
    for language in ("en", "uk"):
        await speak(bob.page, language)
        for size in BESIDE_THE_FELT:
            await bob.resize(*size)
            assert await bob.page.evaluate(MISPLACED) == [], (language, size)
            for button in await bob.see("request").get_by_role("button").all():
                await expect(button).to_be_in_viewport(ratio=1)


async def test_44_in_the_flattest_window_all_that_is_pressed_is_seen_in_long_words_too(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    person = await preview(Stage(server, chromium, dealt, FLATTEST[0]))
    await speak(person.page, "uk")

    for size in FLATTEST:
        await person.resize(*size)
        assert await person.page.evaluate(MISPLACED) == [], size
        assert max(await person.page.evaluate(SCROLLED)) <= size[1], size


@pytest.mark.parametrize(("tiles", "least"), [(9, 290), (16, 290), (21, 225)])
async def test_44_however_many_tiles_are_drawn_all_of_them_are_seen(
    server: Server, chromium: Browser, tiles: int, least: int
) -> None:
    table = await ScriptedTable.open(chromium, server.port, game="draw", size=SIZES[0])
    rest = [str(tile) for tile in full_set() if str(tile) not in HAND]
    drawn = rest[: tiles - len(HAND)]

    table.say([{"type": "drew", "seat": OWN_SEAT, "tile": tile, "stock": 0} for tile in drawn], {"seat": 0})

    await expect(table.person.page.locator(".hand-tile")).to_have_count(tiles)
    for size in SIZES:
        await table.person.resize(*size)
        assert await table.person.page.evaluate(MISPLACED) == [], size
        assert max(await table.person.page.evaluate(SCROLLED)) <= size[1], size
        board = await box_of(table.person, "board")
        assert board["height"] >= (least if size == SIZES[0] else LEAST_BOARD.get(size, 290)), size
