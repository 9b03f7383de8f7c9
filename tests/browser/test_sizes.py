"""The table in windows of all kinds: what is needed to play is seen without scrolling."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Browser, FloatRect, expect

from tests.browser.person import Person
from tests.browser.scenes import TWO_HANDS, WIDEST_ROOM, Stage, deal_over, positions
from tests.browser.scripted import ScriptedTable, long_chain
from tests.browser.tongues import speak
from tests.faults.browsing import Dealt, alone, sit_down
from tests.system.servers import Server

SIZES = ((360, 640), (390, 844), (844, 390), (1280, 800))
LEAST_BOARD = {(844, 390): 200}
"""Pixels that the board is high at least, where that is not 290."""


SCROLLED = "() => [document.scrollingElement, document.querySelector('.table-page')].map((node) => node.scrollHeight)"


@pytest.mark.parametrize(("game", "seats"), [("fives-threes", 2), ("fives-threes", 4), ("all-fives", 2)])
async def test_44_hand_status_play_and_board_are_seen_without_scrolling(
    server: Server, chromium: Browser, dealt: type[Dealt], game: str, seats: int
) -> None:
    dealt.hands = (*TWO_HANDS, (), ())[:seats] if game == "fives-threes" and seats == 2 else ((),) * seats
    table = await sit_down(server, chromium, size=SIZES[0], game=game, seats=seats, target=61)

    for width, height in SIZES:
        await table.guest.resize(width, height)
        await table.guest.page.reload()
        await expect(table.guest.see("board")).to_be_visible()
        await assert_in_sight(table.guest, width, height)


async def assert_in_sight(person: Person, width: int, height: int) -> None:
    for testid in ("hand", "status", "play", "board"):
        box = await box_of(person, testid)
        assert box["x"] >= 0, (testid, width)
        assert box["y"] >= 0, (testid, width)
        assert box["x"] + box["width"] <= width, testid
        assert box["y"] + box["height"] <= height, testid
    for tile in await person.page.locator(".hand-tile").all():
        await expect(tile).to_be_in_viewport(ratio=1)
    assert (await box_of(person, "board"))["height"] >= LEAST_BOARD.get((width, height), 290)
    assert max(await person.page.evaluate(SCROLLED)) <= height


FLAT = ((568, 320), (640, 360), (667, 375), (699, 400), (740, 300), (740, 360), (800, 360), (844, 340), (844, 390))
LOW = ((320, 568), (360, 640), (400, 560), (720, 450), (930, 360), (960, 500), (960, 540), (1100, 450), (1280, 600))
MISPLACED = """() => {
  const shown = (names) => [...document.querySelectorAll(names)].filter((node) => node.checkVisibility());
  const box = (node) => node.getBoundingClientRect();
  const overlap = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1
    && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
  const name = (node) => node.dataset.testid ?? node.className;
  const parts = shown(`.table-head, .seats, .numbers, .track, .board, .status, .own-panel > span, .hand-tile,
    .actions button`);
  const faults = parts.filter((node) => {
    const { left, top, right, bottom } = box(node);
    return left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1;
  }).map((node) => `${name(node)} is off the screen`);
  parts.forEach((one, number) => parts.slice(number + 1).forEach((other) => {
    if (overlap(box(one), box(other))) faults.push(`${name(one)} lies on ${name(other)}`);
  }));
  return faults;
}"""
"""What lies outside of the window, or on something else."""

NARROWEST_GAP = """() => {
  const tiles = [...document.querySelectorAll(".hand-tile")].map((tile) => tile.getBoundingClientRect());
  const gaps = tiles.flatMap((one) => tiles.filter((other) => other !== one).map((other) =>
    Math.max(other.left - one.right, one.left - other.right, other.top - one.bottom, one.top - other.bottom)));
  return Math.min(...gaps);
}"""
"""How many pixels lie between the two tiles of the hand that are nearest to each other."""

HANDS = [("fives-threes", 4, 5), ("fives-threes", 2, 7), ("all-fives", 2, 9)]


@pytest.mark.parametrize(("game", "seats", "tiles"), HANDS)
async def test_in_low_windows_nothing_lies_on_anything_else_or_off_the_screen(
    server: Server, chromium: Browser, dealt: type[Dealt], game: str, seats: int, tiles: int
) -> None:
    dealt.hands = ((),) * seats
    table = await sit_down(server, chromium, size=FLAT[0], game=game, seats=seats, target=61)
    page = table.guest.page
    await expect(page.locator(".hand-tile")).to_have_count(tiles)

    for width, height in (*FLAT, *LOW):
        await table.guest.resize(width, height)
        assert await page.evaluate(MISPLACED) == [], (width, height)
        assert await page.evaluate(NARROWEST_GAP) >= 6, (width, height)
        board = await box_of(table.guest, "board")
        assert board["height"] >= 180, (width, height)
        assert board["width"] >= 180, (width, height)


LARGE_LETTERS = "() => { document.documentElement.style.fontSize = '200%'; }"


async def test_with_large_letters_nothing_lies_on_anything_else_and_all_of_it_can_be_reached(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    dealt.hands = ((),) * 4
    table = await sit_down(server, chromium, size=SIZES[0], game="fives-threes", seats=4, target=61)
    page = table.guest.page
    address = page.url
    for language in ("en", "uk"):
        await page.goto(f"{address}&lang={language}")
        await expect(page.locator(".hand-tile")).to_have_count(5)
        await page.evaluate(LARGE_LETTERS)

        for width, height in (*SIZES, (320, 568)):
            await table.guest.resize(width, height)
            await expect(table.guest.see("more")).to_have_count(0 if width == 1280 else 1)
            misplaced = await page.evaluate(MISPLACED)
            assert [fault for fault in misplaced if "lies on" in fault] == [], (language, width, height)
            for needed in await page.locator(".hand-tile, .status, .actions button").all():
                await needed.scroll_into_view_if_needed()
                await expect(needed).to_be_in_viewport(ratio=0.99)


HEAD = """([code, ...scores]) => {
  document.querySelector(".table-head .code").textContent = code;
  scores.forEach((score, side) => { document.querySelector(`[data-testid=score-${side}]`).textContent = score; });
  const right = (name) => document.querySelector(name).getBoundingClientRect().right;
  const { left } = document.querySelector(".numbers li").getBoundingClientRect();
  return [right(".table-head .dot"), left, right(".numbers")];
}"""


async def test_the_scores_of_three_have_room_beside_the_code_on_the_smallest_phone(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    dealt.hands = ((),) * 3
    table = await sit_down(server, chromium, size=SIZES[0], game="all-fives", seats=3, target=200)
    await (await server.client("Eve")).say("watch", room=table.room)
    await expect(table.guest.see("watchers")).to_be_visible()

    for width in (320, 360, 390, 412):
        await table.guest.resize(width, 640)
        dot, first, last = await table.guest.page.evaluate(HEAD, [WIDEST_ROOM, "132.5", "182.5", "187.5"])
        assert dot < first, width
        assert last <= width
        assert await table.guest.page.evaluate(MISPLACED) == [], width


NEEDED_TO_PLAY = "[data-testid=hand], .actions, .status, .end-mark, .chip-place, [data-testid^=place-], .tools"
COVERED = f"""() => {{
  const box = (node) => node.getBoundingClientRect();
  const overlap = (one, other) =>
    one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
  const toasts = [...document.querySelectorAll(".toast")].map(box);
  const covered = [...document.querySelectorAll("{NEEDED_TO_PLAY}")].filter((node) =>
    toasts.some((toast) => overlap(toast, box(node))));
  const outside = toasts.filter(({{ left, right, top }}) => left < 0 || top < 0 || right > innerWidth);
  return [toasts.length, covered.map(({{ className }}) => className.baseVal ?? className), outside];
}}"""


async def test_toasts_cover_nothing_that_is_needed_to_play(server: Server, chromium: Browser) -> None:
    table = await ScriptedTable.open(chromium, server.port, size=SIZES[0])
    person = table.person
    for play in long_chain(branches=False, tiles=12):
        await table.play(*play)

    for width, height in SIZES:
        await person.resize(width, height)
        await person.page.get_by_role("button", name="Show everything").click()
        table.say([{"type": "bot_in", "seat": 0}, {"type": "timed_out", "seat": 2}], None)
        table.offer("0-6")
        await expect(person.see("toast")).to_have_text([re.compile("Ann"), re.compile("Cat")])
        await person.see("hand-tile-0-6").click()
        await expect(person.page.locator(".chip-place")).to_have_count(2)
        assert await person.page.evaluate(COVERED) == [2, [], []], (width, height)
        await person.page.keyboard.press("Escape")


async def test_a_toast_leaves_the_banner_about_the_line_in_sight(server: Server, chromium: Browser) -> None:
    table = await ScriptedTable.open(chromium, server.port, size=SIZES[0])
    person = table.person
    table.say([{"type": "bot_in", "seat": 0}], None)
    await person.see("toast").hover()

    await table.hang_up(4003)

    await expect(person.see("banner")).to_contain_text("another tab")
    for width, height in SIZES:
        await person.resize(width, height)
        assert not overlap(await box_of(person, "banner"), await box_of(person, "toast")), (width, height)


async def test_in_a_low_window_most_of_it_shows_what_a_deal_came_to(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    person = await deal_over(Stage(server, chromium, dealt, (844, 390)))

    body = await person.see("sheet-result").locator(".sheet-body").bounding_box()

    assert body is not None
    assert body["height"] >= 230


async def test_in_a_low_window_the_hands_of_a_deal_that_is_over_are_in_sight(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    person = await deal_over(Stage(server, chromium, dealt, (844, 390)))

    for name in (".hands li", ".score-cards li", ".result-rows li"):
        for part in await person.see("sheet-result").locator(name).all():
            await expect(part).to_be_in_viewport(ratio=0.9)


async def test_the_list_of_places_leaves_the_sum_in_sight(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    person = await positions(Stage(server, chromium, dealt))

    for width, height in SIZES:
        await person.resize(width, height)
        place, status, hand = [await box_of(person, testid) for testid in ("positions", "status", "hand")]
        assert not overlap(place, status), (width, height)
        assert not overlap(place, hand), (width, height)
        await expect(person.see("positions")).to_be_in_viewport(ratio=1)


PLACES = """() => [...document.querySelectorAll(".place-line, .camera > .tile use")].map((node) => {
  const { x, y, width, height } = node.getBoundingClientRect();
  return { x, y, width, height };
})"""


async def listed_places(server: Server, chromium: Browser, game: str, size: tuple[int, int]) -> Person:
    """The keyboard is at the list of places for a tile that fits every end of a long line."""
    table = await ScriptedTable.open(chromium, server.port, game=game, size=size)
    person = table.person
    for play in long_chain(branches=game == "all-fives", tiles=14):
        await table.play(*play)
    table.offer("0-6", points=(8, 8, 8, 8))
    await person.see("hand-tile-0-6").click()
    await person.see("hand-tile-0-6").press("ArrowDown")
    await expect(person.see("positions").locator(":focus")).to_have_count(1)
    return person


@pytest.mark.parametrize("game", ["block", "all-fives"])
async def test_the_list_of_places_lies_beside_the_line(server: Server, chromium: Browser, game: str) -> None:
    person = await listed_places(server, chromium, game, SIZES[0])

    for width, height in SIZES:
        await person.resize(width, height)
        await person.settle()
        listed = await box_of(person, "positions")
        places = await person.page.evaluate(PLACES)
        assert [place for place in places if overlap(place, listed)] == [], (width, height)


async def test_the_list_of_places_stays_in_a_flat_window_with_large_letters(server: Server, chromium: Browser) -> None:
    person = await listed_places(server, chromium, "all-fives", (844, 390))
    await speak(person.page, "uk")

    await person.page.evaluate(LARGE_LETTERS)
    await person.settle()

    await expect(person.see("positions")).to_be_in_viewport(ratio=1)


def overlap(one: FloatRect, other: FloatRect) -> bool:
    return (
        one["x"] < other["x"] + other["width"]
        and other["x"] < one["x"] + one["width"]
        and one["y"] < other["y"] + other["height"]
        and other["y"] < one["y"] + one["height"]
    )


CUT = """(names) => [...document.querySelectorAll(names)]
  .filter((name) => name.scrollWidth > name.clientWidth).map((name) => name.textContent)"""


async def test_the_names_of_computers_are_told_apart_on_a_desk_and_on_phones(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    dealt.hands = ((), (), (), ())
    table = await alone(server, chromium, seats=4, lead=1)
    page = table.guest.page
    await table.wait_for_turn()
    await expect(table.guest.see("moves").locator("li")).to_have_count(3)
    assert await page.evaluate(CUT, ".moves .name, .numbers .name") == []

    address = page.url
    for language in ("en", "uk"):
        await page.goto(f"{address}&lang={language}")
        await expect(page.locator(".seat-panel .name")).to_have_count(3)
        for width in (360, 390, 412, 430, 600):
            await table.guest.resize(width, 640)
            assert await page.evaluate(CUT, ".seat-panel .name") == [], (language, width)


OUTSIDE = """() => [...document.querySelectorAll(".seat-panel")].flatMap((panel) => {
  const { right } = panel.getBoundingClientRect();
  return [...panel.querySelectorAll(".state > *")]
    .filter((part) => part.getBoundingClientRect().right > right || part.scrollWidth > part.clientWidth + 1)
    .map((part) => part.textContent);
})"""


async def test_on_the_smallest_phone_what_a_seat_says_has_room_in_each_language(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    dealt.hands = (*TWO_HANDS, ("0-5",), ())
    table = await sit_down(server, chromium, size=(360, 640), seats=4, bot_delay=1)
    bob = table.guest
    await table.act("6-6")
    await table.assert_current()
    await bob.take_turn()
    server.let_pass(1)
    await table.host.drop()

    address = bob.page.url
    for language in ("en", "uk", "zh"):
        await bob.page.goto(f"{address}&lang={language}")
        await expect(bob.see("seat-0").locator(".away")).to_be_visible()
        await expect(bob.see("seat-2").locator(".last-act")).not_to_have_text("")
        assert await bob.page.evaluate(OUTSIDE) == [], language


async def test_a_toast_lies_above_an_open_sheet(server: Server, chromium: Browser) -> None:
    table = await sit_down(server, chromium)
    page = table.guest.page
    await page.get_by_role("button", name="Scores").click()
    await expect(table.guest.see("sheet-scores")).to_be_visible()

    await table.host.say("hint", room=table.room)
    box = await box_of(table.guest, "toast")
    inside = FloatRect(x=box["x"] + 16, y=box["y"] + 16, width=box["width"] - 32, height=box["height"] - 32)
    above_sheet = await page.screenshot(clip=inside)
    await page.keyboard.press("Escape")
    await expect(page.locator("dialog")).to_have_count(0)

    assert await page.screenshot(clip=inside) == above_sheet


async def box_of(person: Person, testid: str) -> FloatRect:
    box = await person.see(testid).bounding_box()
    assert box is not None, f"{testid} is not shown"
    return box
