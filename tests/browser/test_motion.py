"""What moves at the table, for how long, and what brings it to its end."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import Browser, expect

from tests.browser.fingers import Mouse, middle_of
from tests.browser.led import Led, begin
from tests.browser.person import Person
from tests.browser.scripted import ScriptedTable
from tests.browser.test_line import Wire
from tests.faults.browsing import Dealt
from tests.system.servers import Server

FLIGHT = 260
KNOCK = 200
"""Milliseconds."""

WRITE_DOWN = """() => {
  window.motions = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, options) {
    if (frames.some((frame) => "transform" in frame)) window.motions.push([this.dataset.testid, options.duration]);
    return animate.call(this, frames, options);
  };
}"""
"""Keeps what scripts let move from now on, each with its time."""


async def begin_in_motion(server: Server, browser: Browser) -> Led:
    """A match in which things move, led by Olena, with Wei at the browser. What moves is written down."""
    led = await begin(server, browser, game="fives-threes", target=61)
    await let_move(led.person)
    return led


async def let_move(person: Person) -> None:
    await person.page.goto(person.page.url.replace("?anim=0", ""))
    await expect(person.see("board")).to_be_visible()
    await person.page.evaluate(WRITE_DOWN)


async def motions(person: Person) -> list[list[Any]]:
    moved: list[list[Any]] = await person.page.evaluate("window.motions")
    return moved


@pytest.fixture(autouse=True)
def hands(dealt: type[Dealt]) -> None:
    dealt.hands = (("6-6", "5-5", "1-1", "0-0", "4-4", "0-5", "1-5"), ("3-6", "3-3", "0-1", "0-2", "0-4", "2-4", "1-4"))


async def test_a_tile_flies_from_the_hand_to_its_place_and_lies_there_when_it_is_played(
    server: Server, chromium: Browser
) -> None:
    led = await begin_in_motion(server, chromium)
    await led.play("6-6")
    await led.choose("3-6 right")
    previewed = await motions(led.person)

    await led.confirm()

    await expect(led.person.see("tile-3-6")).to_have_count(1)
    assert previewed == [["tile-6-6", FLIGHT], ["place-B", FLIGHT]]
    assert await motions(led.person) == previewed


async def test_a_tile_that_was_dragged_to_its_place_stays_there(server: Server, chromium: Browser) -> None:
    led = await begin_in_motion(server, chromium)
    await led.play("6-6")
    await led.is_shown()
    person, mouse = led.person, await Mouse.of(led.person.page)

    await mouse.press(await middle_of(person.see("hand-tile-3-6")))
    await mouse.move(await middle_of(person.see("end-A")))
    await expect(person.page.locator(".place")).to_have_count(2)
    await mouse.move(await middle_of(person.see("place-B")))
    await mouse.release()

    await expect(person.see("board")).to_have_attribute("data-state", "PREVIEW")
    assert await motions(person) == [["tile-6-6", FLIGHT]]


async def test_two_tiles_that_come_at_once_are_both_seen_coming(server: Server, chromium: Browser) -> None:
    table = await ScriptedTable.open(chromium, server.port)
    await let_move(table.person)
    events = [
        {"type": "played", "seat": seat, "tile": tile, "end": end, "parts": [], "points": 0, "dropped": 0}
        | {"ends": [], "total": 0, "spinner": None, "scores": [0, 0]}
        for seat, tile, end in ((2, "6-6", None), (3, "5-6", "left"))
    ]

    for event in events:
        table.say([event], {"seat": 0})

    await expect(table.person.see("tile-5-6")).to_have_count(1)
    assert await motions(table.person) == [["tile-6-6", FLIGHT], ["tile-5-6", FLIGHT]]


APPEARING = """() => {
  window.seen = [];
  new MutationObserver((records) => {
    for (const node of records.flatMap(({ addedNodes }) => [...addedNodes]))
      if (node.matches?.(".end-mark")) window.seen.push([node.dataset.testid, getComputedStyle(node).opacity]);
  }).observe(document.querySelector(".camera"), { childList: true });
}"""
"""Keeps the marks of ends that come from now on, each with how it looks when it comes."""


async def test_the_mark_of_an_end_comes_when_its_tile_has_landed(server: Server, chromium: Browser) -> None:
    led = await begin_in_motion(server, chromium)
    await led.person.page.evaluate(APPEARING)

    await led.play("6-6")
    await led.is_shown()

    assert await led.person.page.evaluate("window.seen") == [["end-A", "0"], ["end-B", "0"]]
    for mark in ("end-A", "end-B"):
        await expect(led.person.see(mark)).to_have_css("opacity", "1")


async def test_the_sides_of_a_spinner_are_marked_when_the_tile_has_landed_that_opens_them(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    dealt.hands = (("6-6", "5-6"), ("3-6", "3-3"))
    led = await begin(server, chromium, game="all-fives")
    await let_move(led.person)
    await led.play("6-6", "3-6 right")
    await led.is_shown()
    await led.person.page.evaluate(APPEARING)

    await led.play("5-6 left")
    await led.is_shown()

    assert sorted(await led.person.page.evaluate("window.seen")) == [["end-A", "0"], ["end-C", "0"], ["end-D", "0"]]


async def test_a_seat_that_knocks_shakes_once(server: Server, chromium: Browser) -> None:
    led = await begin_in_motion(server, chromium)
    await led.play("6-6", "3-6 right", "knock")

    await expect(led.person.see("moves").locator("li")).to_have_count(3)
    assert [motion for motion in await motions(led.person) if motion[1] == KNOCK] == [["seat-0", KNOCK]]


@pytest.mark.parametrize("press", ["key", "mouse"])
async def test_a_press_brings_all_motion_to_its_end(server: Server, chromium: Browser, press: str) -> None:
    led = await begin_in_motion(server, chromium)
    page = led.person.page
    await page.evaluate("document.body.animate([{ opacity: 0.5 }, {}], { duration: 1e9, id: 'long' })")

    if press == "key":
        await page.keyboard.press("Shift")
    else:
        await page.mouse.click(*await middle_of(led.person.see("board")))

    assert not await page.evaluate("document.getAnimations().some(({ id }) => id === 'long')")


async def test_43_where_motion_is_reduced_no_tile_flies_and_no_seat_shakes(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    dealt.hands = (("6-6", "5-5", "1-1", "0-0", "4-4", "0-5", "1-5"), ("3-6", "3-5", "0-1", "0-2", "0-4", "2-4", "1-4"))
    led, wire = await begin(server, chromium, game="fives-threes", target=61), Wire()
    person, mouse = led.person, await Mouse.of(led.person.page)
    await person.page.emulate_media(reduced_motion="reduce")
    await wire.put_into(person.page)
    await let_move(person)

    await led.play("6-6")
    await led.is_shown()
    await mouse.press(await middle_of(person.see("hand-tile-3-6")))
    await mouse.move((60, 300))
    await expect(person.page.locator(".place")).to_have_count(2)
    await mouse.release()  # it goes home
    await expect(person.page.locator(".rider, .place, [data-away]")).to_have_count(0)
    await led.play("3-6 right", "knock", "3-5 right")
    await expect(person.see("moves").locator("li")).to_have_count(4)
    await wire.cut()
    await led.play("5-5 right")  # it is caught up with
    await led.is_shown()

    await expect(person.see("tile-5-5")).to_have_count(1)
    assert await motions(person) == []
