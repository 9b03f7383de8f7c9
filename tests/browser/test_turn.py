"""The own turn: tile, end, confirm, and what no single act may do."""

from __future__ import annotations

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Locator, expect

from tests.browser.fingers import POINTERS, Finger, Fingers, middle_of
from tests.browser.person import Person
from tests.browser.scripted import ScriptedTable, long_chain
from tests.faults.browsing import Dealt, Table, sit_down
from tests.system.servers import Server

HANDS = (("6-6", "5-5"), ("3-6", "5-6", "1-6", "1-2", "0-1", "2-2", "4-4"))
ARROW = "\u2192"
NOTE_MOTION = """() => {
  window.moved = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, timing) {
    moved.push([this.dataset.tile, timing.duration]);
    return animate.call(this, frames, timing);
  };
}"""
"""Remembers what the page moves: which tile, for how many milliseconds."""


@pytest_asyncio.fixture(loop_scope="session")
async def table(server: Server, chromium: Browser, dealt: type[Dealt]) -> Table:
    """Fives and Threes: the host has opened with 6-6, so that 3-6 fits two ends, and 1-2 none."""
    dealt.hands = HANDS
    opened = await sit_down(server, chromium, game="fives-threes", target=61)
    await opened.act("6-6")
    await expect(opened.guest.see("board")).to_have_attribute("data-state", "TURN")
    return opened


def lit(person: Person) -> Locator:
    """The ends that a tile can be laid at, without the one where it is previewed."""
    return person.page.locator(".place")


async def assert_state(person: Person, state: str) -> None:
    await expect(person.see("board")).to_have_attribute("data-state", state)


async def preview(person: Person) -> None:
    """Choose 3-6 and its end A."""
    await person.see("hand-tile-3-6").click()
    await person.see("place-A").click()
    await assert_state(person, "PREVIEW")


async def test_06_a_tile_that_fits_two_ends_lights_both_with_what_the_server_says_they_are_worth(table: Table) -> None:
    bob = table.guest

    await bob.see("hand-tile-3-6").click()

    await assert_state(bob, "TILE")
    offers = [offer for offer in bob.legal() if offer["action"]["tile"] == "3-6"]
    assert {offer["action"]["end"] for offer in offers} == {"left", "right"}
    await expect(lit(bob)).to_have_count(2)
    for offer, letter in zip(offers, "AB", strict=True):
        await expect(bob.see(f"place-{letter}")).to_be_visible()
        chip = bob.page.locator(".chip-place").nth("AB".index(letter))
        await expect(chip).to_have_text(f"{offer['total']} {ARROW} {offer['points'] + offer['out_bonus']}")
    await expect(bob.page.locator(".chip-place")).to_have_count(2)


async def test_06_an_end_that_the_tile_does_not_fit_is_not_lit(server: Server, chromium: Browser) -> None:
    table = await ScriptedTable.open(chromium, server.port, game="all-fives")
    for play in long_chain(branches=True, tiles=12):
        await table.play(*play)
    table.offer("0-6", ends=("left", "down"))
    await assert_state(table.person, "TURN")
    await expect(table.person.page.locator(".end-mark")).to_have_count(4)

    await table.person.see("hand-tile-0-6").click()

    await assert_state(table.person, "TILE")
    assert await lit(table.person).evaluate_all("all => all.map((end) => end.dataset.end)") == ["left", "down"]
    await expect(table.person.page.locator(".chip-place")).to_have_count(2)


async def test_07_tapping_a_lit_end_previews_there_and_sends_nothing(table: Table) -> None:
    bob, before = table.guest, table.server.table(table.room)
    await bob.see("hand-tile-3-6").click()

    await bob.see("place-A").click()

    await assert_state(bob, "PREVIEW")
    ghost = bob.see("place-A").locator(".tile")
    await expect(ghost).not_to_have_css("opacity", "1")
    await expect(bob.see("status")).to_contain_text(f"3 + 12 = 15 {ARROW} 5 + 3 = 8")
    await expect(bob.see("status")).to_contain_text(f"0 {ARROW} 8")
    await expect(bob.see("play")).to_be_enabled()
    assert bob.acts() == []
    assert table.server.table(table.room) == before


async def test_08_play_lays_the_tile_writes_the_sum_moves_the_peg_and_is_one_action(table: Table) -> None:
    bob = table.guest
    await preview(bob)
    peg = bob.see("peg-1-now")
    start = await peg.bounding_box()

    await bob.see("play").click()

    await expect(bob.see("tile-3-6")).to_have_css("opacity", "1")
    await expect(bob.page.locator(".hand-tile")).to_have_count(len(HANDS[1]) - 1)
    await expect(bob.see("moves").locator("li").last).to_contain_text(f"3 + 12 = 15 {ARROW} 5 + 3 = 8")
    await expect(bob.see("score-1")).to_have_text("8")
    end = await peg.bounding_box()
    assert start is not None
    assert end is not None
    assert end["x"] > start["x"]
    [act] = bob.acts()
    assert act["action"] == {"type": "play", "tile": "3-6", "end": "left"}
    await table.assert_current()


async def test_after_play_the_nearest_tile_of_the_hand_has_the_focus(table: Table) -> None:
    bob = table.guest
    await preview(bob)
    beside = await bob.see("hand-tile-3-6").evaluate("tile => tile.nextElementSibling.dataset.testid")
    first = await bob.page.locator(".hand-tile").first.get_attribute("data-testid")

    await bob.see("play").press("Enter")

    await expect(bob.see("tile-3-6")).to_have_css("opacity", "1")
    await expect(bob.see(beside)).to_be_focused()
    assert beside != first


async def test_09_a_double_click_on_play_is_one_action(table: Table) -> None:
    bob = table.guest
    await preview(bob)

    await bob.see("play").dblclick()

    await expect(bob.see("tile-3-6")).to_have_count(1)
    await table.assert_current()
    assert len(bob.acts()) == 1


async def test_10_cancel_goes_back_one_step_at_a_time_and_sends_nothing(table: Table) -> None:
    bob = table.guest
    await preview(bob)

    await bob.see("cancel").click()
    await assert_state(bob, "TILE")
    await expect(lit(bob)).to_have_count(2)
    await bob.see("cancel").click()

    await assert_state(bob, "TURN")
    await expect(bob.page.locator('.hand-tile[aria-pressed="true"]')).to_have_count(0)
    assert bob.acts() == []


async def test_who_opens_is_asked_for_a_place_where_there_is_no_end_yet(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    dealt.hands = HANDS
    bob = (await sit_down(server, chromium, game="fives-threes", target=61, lead=1)).guest
    await bob.see("hand-tile-3-6").click()
    await assert_state(bob, "PREVIEW")

    await bob.see("cancel").click()

    await assert_state(bob, "TILE")
    await expect(bob.see("status")).to_have_text("3-6: choose its place")


async def test_10_escape_goes_back_like_cancel(table: Table) -> None:
    bob = table.guest
    await preview(bob)

    await bob.page.keyboard.press("Escape")
    await assert_state(bob, "TILE")
    await expect(lit(bob)).to_have_count(2)
    await bob.page.keyboard.press("Escape")

    await assert_state(bob, "TURN")
    assert bob.acts() == []


async def test_10_a_tap_on_bare_felt_goes_back_like_cancel(table: Table) -> None:
    bob = table.guest
    await preview(bob)

    await bob.see("board").click(position={"x": 30, "y": 30})
    await assert_state(bob, "TILE")
    await bob.see("board").click(position={"x": 30, "y": 30})

    await assert_state(bob, "TURN")
    assert bob.acts() == []


async def test_11_a_tile_that_fits_nowhere_says_why_and_is_not_selected(table: Table) -> None:
    bob = table.guest
    tile = bob.see("hand-tile-1-2")

    await tile.click(force=True)

    await expect(bob.see("status")).to_have_text("1-2 fits nowhere")
    await expect(bob.see("alert")).to_have_text("1-2 fits nowhere")
    await expect(tile).to_have_attribute("aria-pressed", "false")
    await expect(tile).to_have_attribute("aria-disabled", "true")
    await expect(tile).to_be_focused()
    await assert_state(bob, "TURN")
    assert bob.acts() == []


async def test_11_a_tile_that_fits_nowhere_shakes_where_things_move(table: Table) -> None:
    bob = table.guest
    await bob.page.goto(bob.page.url.split("?")[0])
    await assert_state(bob, "TURN")
    await bob.page.evaluate(NOTE_MOTION)

    await bob.see("hand-tile-1-2").click(force=True)

    await expect(bob.see("status")).to_have_text("1-2 fits nowhere")
    assert await bob.page.evaluate("moved") == [["1-2", 160]]


async def test_one_fitting_end_is_previewed_at_once(table: Table) -> None:
    bob = table.guest
    await preview(bob)
    await bob.see("play").click()
    await expect(bob.see("tile-3-6")).to_have_count(1)
    await table.act("4-6", "right")
    await assert_state(bob, "TURN")

    await bob.see("hand-tile-4-4").click()

    await assert_state(bob, "PREVIEW")
    await expect(bob.page.locator("[data-preview]")).to_have_attribute("data-testid", "place-B")


async def test_the_same_tile_again_puts_it_down(table: Table) -> None:
    bob = table.guest

    await bob.see("hand-tile-3-6").click()
    await assert_state(bob, "TILE")
    await bob.see("hand-tile-3-6").click()

    await assert_state(bob, "TURN")
    await expect(lit(bob)).to_have_count(0)


async def test_a_second_tap_on_the_translucent_tile_plays_it_but_not_a_hasty_one(table: Table) -> None:
    bob = table.guest
    await bob.see("hand-tile-3-6").click()
    await bob.see("place-A").dblclick()
    await assert_state(bob, "PREVIEW")
    assert bob.acts() == []

    await bob.page.clock.install()
    await bob.page.clock.fast_forward("01:00:00")
    await bob.see("place-A").click()

    await expect(bob.see("tile-3-6")).to_have_count(1)
    assert len(bob.acts()) == 1


@pytest.mark.parametrize("grasp", ["mouse", "finger"])
async def test_12_a_tile_let_go_near_a_lit_end_snaps_and_is_previewed_there(table: Table, grasp: str) -> None:
    bob = table.guest
    dragging = await POINTERS[grasp].of(bob.page)
    tile = await middle_of(bob.see("hand-tile-3-6"))
    await dragging.press(tile)
    await dragging.move((tile[0], tile[1] - 60))
    await expect(lit(bob)).to_have_count(2)
    end = await middle_of(bob.see("place-B").locator(".place-line"))

    await dragging.move((end[0] + 20, end[1] + 40))

    await expect(bob.page.locator(".place.near")).to_have_attribute("data-testid", "place-B")
    await expect(bob.page.locator(".chip-place.near")).to_have_count(1)
    assert await middle_of(bob.page.locator(".rider")) == pytest.approx(end, abs=1)
    await dragging.release()
    await assert_state(bob, "PREVIEW")
    await expect(bob.page.locator("[data-preview]")).to_have_attribute("data-testid", "place-B")
    await expect(bob.page.locator(".rider")).to_have_count(0)
    assert bob.acts() == []


@pytest.mark.parametrize("grasp", ["mouse", "finger"])
async def test_12_a_tile_let_go_on_bare_felt_is_home_again(table: Table, grasp: str) -> None:
    bob = table.guest
    dragging = await POINTERS[grasp].of(bob.page)
    felt = await bob.see("board").bounding_box()
    assert felt is not None
    await dragging.press(await middle_of(bob.see("hand-tile-3-6")))
    await dragging.move((felt["x"] + 60, felt["y"] + 60))
    await assert_state(bob, "TILE")

    await dragging.release()

    await assert_home(bob)


async def test_12_a_press_that_wobbles_is_a_tap(table: Table) -> None:
    bob = table.guest
    finger = await Finger.of(bob.page)
    x, y = await middle_of(bob.see("hand-tile-3-6"))

    await finger.press((x, y))
    await finger.move((x + 6, y))
    await finger.release()

    await assert_state(bob, "TILE")
    await expect(bob.page.locator(".rider")).to_have_count(0)


@pytest.mark.parametrize("interruption", ["escape", "second finger", "the system"])
async def test_a_drag_that_is_broken_off_brings_the_tile_home(table: Table, interruption: str) -> None:
    bob = table.guest
    fingers = await Fingers.on(bob.page)
    tile = await middle_of(bob.see("hand-tile-3-6"))
    await fingers.drag(tile, (tile[0], tile[1] - 80))
    end = await middle_of(bob.see("place-A").locator(".place-line"))
    await fingers.move((end[0], end[1] + 28))
    await expect(bob.page.locator(".place.near")).to_have_count(1)

    match interruption:
        case "escape":
            await bob.page.keyboard.press("Escape")
            await fingers.up()
        case "second finger":
            await fingers.down((400, 300), finger=1)
            await fingers.up(1)
            await fingers.up()
        case _:
            await fingers.cancel()

    await assert_home(bob)


async def test_a_prepared_tile_that_fits_no_more_is_put_down_with_a_note(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    dealt.hands = (("6-6", "4-6"), ("3-6", "5-6"))
    table = await sit_down(server, chromium, game="block")
    bob = table.guest
    await table.act("6-6")
    await table.assert_current()
    await bob.see("hand-tile-3-6").click()
    await bob.see("place-B").click()
    await bob.see("play").click()
    await bob.see("hand-tile-5-6").click()
    await expect(bob.see("status")).to_contain_text("5-6 is prepared for A. Ann to play")

    await table.act("4-6", "left")

    await expect(bob.see("toast")).to_have_text("5-6 does not fit any more.")
    await expect(bob.see("hand-tile-5-6")).to_have_attribute("aria-pressed", "false")


async def assert_home(person: Person) -> None:
    """No tile is chosen, nothing of a drag is left, and nothing was sent."""
    await assert_state(person, "TURN")
    await expect(person.page.locator(".rider, [data-away], .place")).to_have_count(0)
    await expect(person.page.locator('.hand-tile[aria-pressed="true"]')).to_have_count(0)
    await expect(person.page.locator(".hand-tile")).to_have_count(len(HANDS[1]))
    assert person.acts() == []
