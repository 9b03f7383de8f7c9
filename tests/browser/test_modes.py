"""What the system or the person asks for: other colours, less motion."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from engine.tiles import Tile
from tests.browser.fingers import Mouse, middle_of
from tests.browser.person import Person
from tests.browser.scenes import Stage, own_turn
from tests.browser.scripted import ScriptedTable
from tests.faults.browsing import DESK, Dealt, Table, open_table
from tests.system.servers import Server

LONGEST = 80.0
"""Milliseconds that a movement may take where motion is reduced."""

WATCH_MOTION = """() => {
  window.movements = [];
  const moving = (animation) => animation.effect.getKeyframes().some((frame) => 'transform' in frame);
  const look = () => {
    for (const animation of document.getAnimations()) {
      const { duration, delay } = animation.effect.getComputedTiming();
      if (moving(animation)) window.movements.push(duration + delay);
    }
    requestAnimationFrame(look);
  };
  look();
}"""


async def in_turn(server: Server, browser: Browser, dealt: type[Dealt], **media: Any) -> Table:
    """Bob in turn behind 3-6, with 3-3 chosen, in a browser whose system asks for ``media``; things move there."""
    dealt.hands = (("3-6", "6-6"), ("3-3", "1-5"))
    host = await server.client("Ann")
    room = await host.create(game="fives-threes", seats=2, lead=0)
    bob = await Person.arrive("Bob", browser, DESK, **media)
    await open_table(bob, server.port, room)
    await bob.see("name").fill("Bob")
    await bob.see("join").click()
    await expect(bob.see("lobby")).to_be_visible()
    table = Table(server, room, host, bob)
    await host.say("start", room=room)
    await table.act("3-6")
    await table.assert_current()
    await bob.see("hand-tile-3-3").click()
    await expect(bob.see("board")).to_have_attribute("data-state", "PREVIEW")
    return table


async def colour(page: Page, selector: str, name: str) -> str:
    """The colour that is painted, as "rgb(...)"."""
    return str(await page.locator(selector).first.evaluate(f"node => getComputedStyle(node)['{name}']"))


async def system_colour(page: Page, name: str) -> str:
    return str(
        await page.evaluate(
            "name => { const node = document.body.appendChild(document.createElement('p'));"
            " node.style.color = name; const { color } = getComputedStyle(node); node.remove(); return color; }",
            name,
        )
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_43_forced_colours_leave_tiles_pips_ends_pegs_and_focus_in_sight(
    server: Server, chromium: Browser, dealt: type[Dealt], scheme: str
) -> None:
    table = await in_turn(server, chromium, dealt, forced_colors="active", color_scheme=scheme)
    page = table.guest.page
    canvas, ink, light = [await system_colour(page, name) for name in ("Canvas", "CanvasText", "Highlight")]
    assert len({canvas, ink, light}) == 3

    assert await colour(page, ".sprite .tile-face", "fill") == canvas
    assert await colour(page, ".sprite .tile-face", "stroke") == ink
    assert await colour(page, "#half-v6 .pips", "fill") == ink
    assert await colour(page, ".peg.now path", "fill") == ink
    assert await colour(page, ".side-mark path", "fill") == ink
    assert await colour(page, ".preview-line", "stroke") == light
    await table.guest.see("board").focus()
    await page.keyboard.press("Tab")
    assert float((await colour(page, ":focus-visible", "outlineWidth")).removesuffix("px")) >= 2
    assert await colour(page, ":focus-visible", "outlineColor") != canvas


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_43_forced_colours_let_a_tile_that_fits_nowhere_stand_back(
    server: Server, chromium: Browser, dealt: type[Dealt], scheme: str
) -> None:
    table = await in_turn(server, chromium, dealt, forced_colors="active", color_scheme=scheme)
    tile = table.guest.see("hand-tile-1-5")
    grey = await system_colour(table.guest.page, "GrayText")

    assert await colour(table.guest.page, ".hand-tile.dim", "outlineStyle") == "none"
    unplayable = await tile.screenshot()
    await tile.evaluate(
        "(node, grey) => { node.classList.remove('dim'); node.style.setProperty('--ink', grey); }", grey
    )
    assert await tile.screenshot() == unplayable
    await tile.evaluate("node => node.style.removeProperty('--ink')")
    assert await tile.screenshot() != unplayable


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_43_forced_colours_leave_the_ring_of_an_end_that_does_not_count_in_sight(
    server: Server, chromium: Browser, dealt: type[Dealt], scheme: str
) -> None:
    options = {"forced_colors": "active", "color_scheme": scheme}
    page = (await own_turn(Stage(server, chromium, dealt, options=options))).page

    assert await colour(page, ".end-mark.hollow rect", "stroke") == await system_colour(page, "CanvasText")
    assert await colour(page, ".board-frame", "backgroundImage") == "none"


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_43_forced_colours_tell_what_is_to_be_pressed_from_what_can_and_what_cannot_be(
    server: Server, chromium: Browser, dealt: type[Dealt], scheme: str
) -> None:
    page = (await in_turn(server, chromium, dealt, forced_colors="active", color_scheme=scheme)).guest.page
    light, grey = [await system_colour(page, name) for name in ("Highlight", "GrayText")]

    assert await colour(page, "[data-testid=play]", "backgroundColor") == light
    assert await colour(page, "[data-testid=cancel]", "backgroundColor") != light
    assert await colour(page, "[data-testid=redo]", "color") == grey
    assert await colour(page, "[data-testid=hint]", "color") != grey
    assert await colour(page, ".link .dot", "backgroundColor") == await system_colour(page, "CanvasText")


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_43_forced_colours_leave_a_prepared_and_a_sent_tile_and_ends_out_of_sight_in_sight(
    server: Server, chromium: Browser, scheme: str
) -> None:
    options = {"forced_colors": "active", "color_scheme": scheme}
    table = await ScriptedTable.open(chromium, server.port, options=options)
    bob, page = table.person, table.person.page
    await table.play(Tile(1, 6), None)
    canvas, ink, light = [await system_colour(page, name) for name in ("Canvas", "CanvasText", "Highlight")]

    await bob.see("hand-tile-0-6").click()
    await expect(page.locator(".preview.prepared")).to_have_count(1)
    assert await colour(page, ".preview-line", "stroke") == ink
    table.offer("0-6")
    table.is_silent = True
    await bob.see("play").click()
    await expect(page.locator(".preview.sending")).to_have_count(1)
    assert await colour(page, ".preview-line", "stroke") == light
    for _ in range(12):
        await bob.see("board").press("ArrowRight")
    await expect(page.locator(".edge-arrow")).to_have_count(1)
    assert await colour(page, ".edge-arrow circle", "fill") == canvas
    assert await colour(page, ".edge-arrow text", "fill") == ink


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_43_forced_colours_show_to_which_end_a_dragged_tile_has_snapped(
    server: Server, chromium: Browser, dealt: type[Dealt], scheme: str
) -> None:
    options = {"forced_colors": "active", "color_scheme": scheme}
    bob = await own_turn(Stage(server, chromium, dealt, options=options))
    mouse = await Mouse.of(bob.page)
    light, ink = [await system_colour(bob.page, name) for name in ("Highlight", "HighlightText")]

    await mouse.press(await middle_of(bob.see("hand-tile-3-6")))
    await mouse.move(await middle_of(bob.see("end-A")))
    await expect(bob.page.locator(".place")).to_have_count(2)
    await mouse.move(await middle_of(bob.see("place-B")))

    await expect(bob.page.locator(".place.near")).to_have_count(1)
    assert await colour(bob.page, ".chip-place.near rect", "fill") == light
    assert await colour(bob.page, ".chip-place.near text", "fill") == ink
    assert await colour(bob.page, ".place.near .place-line", "strokeDasharray") == "none"
    assert await colour(bob.page, ".place:not(.near) .place-line", "strokeDasharray") != "none"


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_43_in_both_schemes_nothing_is_told_by_colour_alone(
    server: Server, chromium: Browser, dealt: type[Dealt], scheme: str
) -> None:
    table = await in_turn(server, chromium, dealt, color_scheme=scheme)
    bob = table.guest

    shapes = [await bob.page.locator(f".numbers .side-{side} path").get_attribute("d") for side in (0, 1)]
    assert shapes[0] != shapes[1]
    await expect(bob.page.locator(".numbers li.side-1")).to_contain_text("You")
    await expect(bob.see("hand-tile-1-5")).to_have_attribute("aria-disabled", "true")
    await expect(bob.see("hand-tile-3-3")).to_have_class(re.compile("selected"))
    await expect(bob.see("status")).to_contain_text("3-3 at A")


async def test_43_without_any_colour_each_seat_still_shows_its_side(server: Server, chromium: Browser) -> None:
    bob = (await ScriptedTable.open(chromium, server.port)).person
    shapes = [await bob.page.locator(f".numbers .side-{side} path").get_attribute("d") or "" for side in (0, 1)]

    assert shapes[0] != shapes[1]
    for seat in range(4):
        await expect(bob.see(f"seat-{seat}").locator(".side-mark path")).to_have_attribute("d", shapes[seat % 2])


async def test_43_where_motion_is_reduced_no_movement_takes_longer_than_80_ms(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    table = await in_turn(server, chromium, dealt, reduced_motion="reduce")
    page = table.guest.page
    await page.goto(page.url.replace("?anim=0", ""))
    await expect(table.guest.see("board")).to_be_visible()
    await page.evaluate(WATCH_MOTION)

    await play_and_look_around(table)

    assert max(await page.evaluate("window.movements"), default=0) <= LONGEST


async def test_things_move_where_nobody_asks_for_less(server: Server, chromium: Browser, dealt: type[Dealt]) -> None:
    table = await in_turn(server, chromium, dealt)
    page = table.guest.page
    await page.goto(page.url.replace("?anim=0", ""))
    await expect(table.guest.see("board")).to_be_visible()
    await page.evaluate(WATCH_MOTION)

    await play_and_look_around(table)

    assert max(await page.evaluate("window.movements"), default=0) > LONGEST


async def play_and_look_around(table: Table) -> None:
    """Bob plays, Ann answers, a sheet is opened and closed, the board is turned, and a wrong tile is tapped."""
    bob = table.guest
    await bob.see("hand-tile-3-3").click()
    await bob.see("play").click()
    await expect(bob.see("tile-3-3")).to_be_visible()
    await table.act()
    await expect(bob.see("moves").locator("li")).to_have_count(3)
    await bob.page.get_by_role("button", name="Rotate").click()
    await bob.page.get_by_role("button", name="Scores").click()
    await expect(bob.see("sheet-scores")).to_be_visible()
    await bob.page.keyboard.press("Escape")
    await bob.see("hand-tile-1-5").click(force=True)
    await expect(bob.see("status")).not_to_be_empty()
