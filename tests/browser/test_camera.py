"""Looking at the table: panning, zooming and turning it plays nothing and changes nothing that was chosen."""

from __future__ import annotations

import math
import re
from collections.abc import Awaitable, Callable
from functools import partial

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Locator, expect

from tests.browser.fingers import POINTERS, Fingers, Mouse, middle_of
from tests.browser.person import Person
from tests.browser.scenes import NOTHING_FITS
from tests.faults.browsing import PHONE, Dealt, Table, sit_down
from tests.system.servers import Server

HANDS = (("6-6", "4-6", "1-4"), ("3-6", "5-6", "1-6", "1-2", "0-1", "2-2", "4-4"))
VIEW = ("data-scale", "data-rot", "data-mode")


@pytest_asyncio.fixture(loop_scope="session")
async def table(server: Server, chromium: Browser, dealt: type[Dealt]) -> Table:
    """Fives and Threes: 6-6 lies, and 3-6 is chosen, so that both ends are lit."""
    dealt.hands = HANDS
    opened = await sit_down(server, chromium, game="fives-threes", target=61)
    await opened.act("6-6")
    await expect(opened.guest.see("board")).to_have_attribute("data-state", "TURN")
    await opened.guest.see("hand-tile-3-6").click()
    await expect(opened.guest.page.locator(".place")).to_have_count(2)
    return opened


async def view_of(person: Person) -> dict[str, str]:
    """Scale, angle and mode of the camera."""
    board = person.see("board")
    return {name: await board.get_attribute(name) or "" for name in VIEW}


async def angle_on_screen(locator: Locator) -> float:
    """By how many degrees it is turned as it is seen."""
    matrix = "(node) => { const { a, b } = node.getScreenCTM(); return [a, b]; }"
    a, b = await locator.evaluate(matrix)
    return math.degrees(math.atan2(b, a))


async def preview(person: Person) -> None:
    await person.see("place-A").click()
    await expect(person.see("board")).to_have_attribute("data-state", "PREVIEW")


@pytest.mark.parametrize("grasp", ["mouse", "finger"])
async def test_13_dragging_the_board_from_a_lit_end_moves_the_camera_and_nothing_else(table: Table, grasp: str) -> None:
    bob = table.guest
    pointer = await POINTERS[grasp].of(bob.page)
    start = await middle_of(bob.see("place-B"))
    tile = await middle_of(bob.see("tile-6-6"))

    await pointer.press(start)
    await pointer.move((start[0] + 100, start[1]))
    await pointer.release()

    await expect(bob.see("board")).to_have_attribute("data-mode", "manual")
    await bob.settle()
    assert await middle_of(bob.see("tile-6-6")) == pytest.approx((tile[0] + 100, tile[1]), abs=1)
    await expect(bob.see("board")).to_have_attribute("data-state", "TILE")
    assert bob.acts() == []


async def wheel(person: Person) -> None:
    await person.page.mouse.move(*await middle_of(person.see("tile-6-6")))
    await person.page.mouse.wheel(0, -120)


async def pinch(person: Person) -> None:
    fingers = await Fingers.on(person.page)
    x, y = await middle_of(person.see("place-B"))
    await fingers.down((x - 30, y))
    await fingers.down((x + 30, y), finger=1)
    await fingers.slide((x + 30, y), (x + 90, y), finger=1)
    await fingers.up(1)
    await fingers.up()


async def press(person: Person, name: str) -> None:
    await person.page.get_by_role("button", name=name, exact=True).click()


GESTURES: dict[str, Callable[[Person], Awaitable[None]]] = {
    "pinch": pinch,
    "wheel": wheel,
    "plus": partial(press, name="Larger"),
    "minus": partial(press, name="Smaller"),
    "rotate": partial(press, name="Rotate"),
}


@pytest.mark.parametrize("gesture", GESTURES)
async def test_14_a_preview_stays_whatever_the_camera_does_and_marks_stay_upright(table: Table, gesture: str) -> None:
    bob = table.guest
    await preview(bob)
    before = await view_of(bob)

    await GESTURES[gesture](bob)

    changed = "data-rot" if gesture == "rotate" else "data-scale"
    await expect(bob.see("board")).not_to_have_attribute(changed, before[changed])
    await expect(bob.see("board")).to_have_attribute("data-state", "PREVIEW")
    await expect(bob.page.locator("[data-preview]")).to_have_attribute("data-testid", "place-A")
    for mark in await bob.page.locator(".board .upright").all():
        assert await angle_on_screen(mark) == pytest.approx(0, abs=0.01)
    assert bob.acts() == []


async def test_15_an_opponents_play_leaves_the_view_and_an_end_out_of_sight_has_an_arrow(table: Table) -> None:
    bob = table.guest
    await bob.see("hand-tile-3-6").click()
    await bob.see("hand-tile-3-6").click()
    await bob.see("place-A").click()
    await bob.see("play").click()
    await press(bob, "Rotate")
    for _ in range(3):
        await press(bob, "Larger")
    felt = await bob.see("board").bounding_box()
    assert felt is not None
    mouse = await Mouse.of(bob.page)
    await mouse.press((felt["x"] + 60, felt["y"] + 60))
    await mouse.move((felt["x"] + 60, felt["y"] + felt["height"] - 60))
    await mouse.release()
    await bob.settle()
    before = await view_of(bob)

    await table.act("4-6", "right")

    await table.assert_current()
    assert await view_of(bob) == before
    assert before["data-mode"] == "manual"
    await bob.see("hand-tile-4-4").click()
    await bob.see("cancel").click()
    await expect(bob.see("arrow-B")).to_be_visible()
    await bob.see("arrow-B").click()
    await expect(bob.see("arrow-B")).to_have_count(0)
    await expect(bob.see("board")).to_have_attribute("data-state", "TILE")
    assert (await view_of(bob))["data-scale"] == before["data-scale"]
    assert len(bob.acts()) == 1


async def test_fit_shows_everything_again_and_follows_the_play(table: Table) -> None:
    bob = table.guest
    await press(bob, "Larger")
    await expect(bob.see("board")).to_have_attribute("data-mode", "manual")

    await press(bob, "Show everything")

    await expect(bob.see("board")).to_have_attribute("data-mode", "auto")
    await expect(bob.page.locator(".edge-arrow")).to_have_count(0)


async def test_after_a_pinch_the_finger_that_stays_pans_on(table: Table) -> None:
    bob = table.guest
    fingers = await Fingers.on(bob.page)
    x, y = await middle_of(bob.see("tile-6-6"))
    await fingers.down((x - 80, y))
    await fingers.down((x + 80, y), finger=1)
    await fingers.slide((x + 80, y), (x + 100, y), finger=1)
    await fingers.up(1)
    await bob.settle()
    before = await middle_of(bob.see("tile-6-6"))

    await fingers.slide((x - 80, y), (x - 80, y + 50))
    await fingers.up()

    await expect(bob.see("board")).to_have_attribute("data-mode", "manual")
    await bob.settle()
    assert await middle_of(bob.see("tile-6-6")) == pytest.approx((before[0], before[1] + 50), abs=1)
    await expect(bob.see("board")).to_have_attribute("data-state", "TILE")


async def test_no_gesture_loses_the_chain_out_of_sight(table: Table) -> None:
    bob = table.guest
    fingers = await Fingers.on(bob.page)

    for x, y in ((4000, 0), (-4000, 0), (0, 4000), (0, -4000)):
        start = await middle_of(bob.see("tile-6-6"))
        await fingers.drag(start, (start[0] + x, start[1] + y))
        await fingers.up()

        await expect(bob.see("board")).to_have_attribute("data-mode", "manual")
        await bob.settle()
        await assert_in_sight(bob)
        await press(bob, "Show everything")
        await expect(bob.see("board")).to_have_attribute("data-mode", "auto")


async def assert_in_sight(bob: Person) -> None:
    """The one tile that lies is."""
    felt, tile = await bob.see("board").bounding_box(), await bob.see("tile-6-6").bounding_box()
    assert felt is not None
    assert tile is not None
    assert felt["x"] - 1 <= tile["x"] <= felt["x"] + felt["width"] - tile["width"] + 3
    assert felt["y"] - 1 <= tile["y"] <= felt["y"] + felt["height"] - tile["height"] + 3


async def test_a_double_tap_on_tile_or_table_changes_no_zoom(table: Table) -> None:
    bob = table.guest
    await bob.resize(*PHONE)
    fingers = await Fingers.on(bob.page)
    before = await view_of(bob)

    for target in ("hand-tile-5-6", "board"):
        point = await middle_of(bob.see(target))
        for _ in range(2):
            await fingers.down(point)
            await fingers.up()

    await bob.settle()
    assert await bob.page.evaluate("visualViewport.scale") == 1
    assert await view_of(bob) == before
    assert re.search("user-scalable|maximum-scale", await bob.page.content()) is None


@pytest.mark.parametrize("by_hand", [False, True], ids=["auto", "by hand"])
async def test_a_hand_that_grows_by_a_row_does_not_turn_the_chain_and_the_window_does(
    server: Server, chromium: Browser, dealt: type[Dealt], by_hand: bool
) -> None:
    dealt.hands = NOTHING_FITS
    table = await sit_down(server, chromium, game="draw", size=PHONE, target=61)
    bob = table.guest
    await table.act("6-6")
    await table.assert_current()
    if by_hand:
        await press(bob, "Larger")
    scales, shapes = [], set()

    for tiles in (8, 9):
        await draw(bob, tiles)
        felt = await bob.see("board").bounding_box()
        assert felt is not None
        shapes.add(felt["height"] > felt["width"])
        scales.append(float((await view_of(bob))["data-scale"]))
        assert (await view_of(bob))["data-rot"] == "90"

    assert shapes == {True, False}, "the felt was tall and is so no more"
    assert scales == sorted(scales, reverse=True)
    await bob.resize(PHONE[1], PHONE[0])
    await expect(bob.see("board")).to_have_attribute("data-rot", "0")


async def draw(person: Person, tiles: int) -> None:
    """A tile more: so many are in hand then."""
    await person.see("draw").click()
    await person.see("play").click()
    await expect(person.page.locator(".hand-tile")).to_have_count(tiles)
    await person.settle()
