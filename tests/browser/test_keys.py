"""The keys of the table: what they do, where they count, and the list of them."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Route, expect

from tests.browser.led import begin
from tests.browser.person import Person
from tests.browser.test_scoring import UNCOUNTED, UNTIL_LAST
from tests.faults.browsing import Dealt, Table, alone
from tests.system.client import PATIENCE
from tests.system.servers import Server


@pytest.fixture(autouse=True)
def hands(dealt: type[Dealt]) -> None:
    dealt.hands = (("1-4", "4-4", "0-1"), ("4-5", "4-6", "5-5"))


@pytest_asyncio.fixture(loop_scope="session")
async def table(server: Server, chromium: Browser) -> Table:
    """Ann in turn at an empty table, with the focus on her first tile."""
    table = await alone(server, chromium)
    await table.guest.page.locator("[data-tile]").first.focus()
    return table


async def press(person: Person, *keys: str) -> None:
    for key in keys:
        await person.page.keyboard.press(key)


async def test_hint_undo_and_redo_have_keys(table: Table) -> None:
    ann = table.guest

    await press(ann, "h")
    await expect(ann.see("status")).to_contain_text("Hint:")
    await expect(ann.see("board")).to_have_attribute("data-state", "PREVIEW")
    await press(ann, "Escape", "Escape")
    await ann.play("1-4")
    await table.wait_for_turn()
    await press(ann, "u")
    await expect(ann.see("tile-1-4")).to_have_count(0)
    await press(ann, "Shift+U")

    await expect(ann.see("tile-1-4")).to_have_count(1)


async def test_sheets_have_keys_and_give_the_focus_back(table: Table) -> None:
    ann = table.guest

    for key, sheet in (("s", "scores"), ("r", "rules"), ("?", "keys")):
        await press(ann, key)
        await expect(ann.see(f"sheet-{sheet}")).to_be_visible()
        await press(ann, "u", "Escape")

        await expect(ann.see(f"sheet-{sheet}")).to_have_count(0)
        await expect(ann.page.locator("[data-tile]").first).to_be_focused()
    assert ann.sent("undo") == []


async def test_what_others_see_at_a_glance_is_read_out(table: Table) -> None:
    ann = table.guest
    words = {
        "l": "No moves yet",
        "e": "Empty table",
        "t": "Your turn",
        "p": r"7 tiles: .*double 4",
        "g": r"You: 0, 61 to go.*61 to go",
        "c": "Empty table",
    }

    for key, said in words.items():
        await ann.page.evaluate(
            "document.querySelectorAll('[aria-live]').forEach((region) => region.replaceChildren())"
        )
        await press(ann, key)

        heard = ann.page.locator('[data-testid^="live-"]').filter(has_text=re.compile(said))
        await expect(heard).to_have_count(1)


async def test_keys_count_only_while_the_focus_is_at_the_table(table: Table) -> None:
    ann = table.guest
    await ann.page.evaluate("document.activeElement.blur()")

    await press(ann, "h", "s", "?")
    await ann.page.locator("[data-tile]").first.focus()
    await press(ann, "r")

    await expect(ann.see("sheet-rules")).to_be_visible()
    await expect(ann.page.locator("dialog")).to_have_count(1)
    assert ann.sent("hint") == []


async def test_keys_can_be_switched_off(table: Table) -> None:
    ann = table.guest
    await ann.page.get_by_role("button", name="Settings").click()
    await ann.page.get_by_role("switch", name=re.compile("Single letters")).uncheck()
    await press(ann, "Escape")
    await expect(ann.page.get_by_role("button", name="Settings")).to_be_focused()
    await ann.page.locator("[data-tile]").first.focus()

    await press(ann, "h", "s", "ArrowRight")

    await expect(ann.page.locator("[data-tile]").nth(1)).to_be_focused()
    await expect(ann.page.locator("dialog")).to_have_count(0)
    assert ann.sent("hint") == []


async def test_a_key_that_is_held_down_counts_once(table: Table) -> None:
    ann = table.guest
    held = """(repeat) => document.activeElement.dispatchEvent(
      new KeyboardEvent("keydown", { key: "h", repeat, bubbles: true }))"""

    for repeat in (True, True, False):
        await ann.page.evaluate(held, repeat)
    await expect(ann.see("status")).to_contain_text("Hint:")

    assert len(ann.sent("hint")) == 1


@pytest.mark.parametrize(
    ("key", "code", "attribute"),
    [("\u0430", "KeyF", "data-mode"), ("\u0445", "BracketLeft", "data-rot"), ("\u0457", "BracketRight", "data-rot")],
)
async def test_the_board_knows_its_keys_by_their_place_where_letters_are_not_latin(
    table: Table, key: str, code: str, attribute: str
) -> None:
    board = table.guest.see("board")
    await board.press("+")
    await expect(board).to_have_attribute("data-mode", "manual")
    before = await board.get_attribute(attribute) or ""
    pressed = """(node, [key, code]) => node.dispatchEvent(
      new KeyboardEvent("keydown", { key, code, bubbles: true }))"""

    await board.evaluate(pressed, [key, code])

    await expect(board).not_to_have_attribute(attribute, before)


async def test_keys_of_the_browser_are_left_to_it(table: Table) -> None:
    ann = table.guest
    pressed = """([key, target]) => document.querySelector(target).dispatchEvent(
      new KeyboardEvent("keydown", { key, ctrlKey: true, bubbles: true, cancelable: true }))"""

    for key, target in (("2", "[data-tile]"), ("+", ".board"), ("0", ".board"), ("h", ".board")):
        assert await ann.page.evaluate(pressed, [key, target]), key

    await expect(ann.page.locator("[data-tile]").first).to_be_focused()
    assert ann.sent("hint") == []


async def test_the_list_names_every_key_and_can_be_reached_from_the_settings(table: Table) -> None:
    ann = table.guest

    await ann.page.get_by_role("button", name="Settings").click()
    await ann.page.get_by_role("button", name="Keys").click()
    await expect(ann.see("sheet-keys").locator("kbd").first).to_be_visible()

    shown: list[Any] = await ann.see("sheet-keys").locator("kbd").all_text_contents()
    for key in (
        "←",
        "→",
        "Home",
        "End",
        "1",
        "9",
        "Space",
        "Enter",
        "↓",
        "↑",
        "4",
        "Esc",
        "+",
        "\N{MINUS SIGN}",
        "0",
        "F",
        "[",
        "]",
    ):
        assert key in shown
    for key in ("D", "K", "H", "U", "Shift+U", "S", "R", "N", "?", "L", "E", "T", "P", "G", "C"):
        assert shown.count(key) == 1, key
    await expect(ann.see("sheet-keys")).not_to_contain_text("keys.")


async def test_the_places_of_a_tile_are_chosen_and_played_by_keys(table: Table) -> None:
    ann = table.guest
    await ann.play("1-4")
    await table.wait_for_turn()
    name = await ann.page.locator('[data-tile][aria-disabled="false"]').first.get_attribute("data-tile")
    tile = ann.see(f"hand-tile-{name}")

    await tile.focus()
    await press(ann, "Space")
    await expect(ann.see("positions")).to_have_count(1)
    await press(ann, "ArrowDown")
    await expect(ann.see("positions").locator("input").first).to_be_focused()
    await press(ann, "Escape")
    await expect(tile).to_be_focused()
    await press(ann, "ArrowDown", "Space", "Enter")

    await expect(ann.see(f"tile-{name}")).to_have_count(1)


async def test_the_keyboard_reaches_the_places_of_a_tile_though_their_list_comes_late(table: Table) -> None:
    ann = table.guest
    asked, let_come = asyncio.Event(), asyncio.Event()

    async def hold(route: Route) -> None:
        asked.set()
        await let_come.wait()
        await route.continue_()

    await ann.page.route(re.compile("/positions.js$"), hold)

    await press(ann, "Space")
    await expect(ann.see("board")).to_have_attribute("data-state", "PREVIEW")
    await press(ann, "ArrowDown")
    async with asyncio.timeout(PATIENCE):
        await asked.wait()
    let_come.set()

    await expect(ann.see("positions").locator("input")).to_be_focused()


async def test_the_tab_key_leads_on_from_the_board(table: Table) -> None:
    ann = table.guest
    await ann.see("board").focus()

    await press(ann, "Tab")

    await expect(ann.see("board")).not_to_be_focused()


async def test_keys_go_on_from_one_deal_to_the_next(server: Server, chromium: Browser, dealt: type[Dealt]) -> None:
    dealt.hands = UNCOUNTED
    led = await begin(server, chromium, game="fives-threes", seats=3)
    wei = led.person
    await led.play(*UNTIL_LAST)
    await led.choose("1-2 right")
    await wei.see("play").focus()

    await press(wei, "Enter")
    await expect(wei.see("sheet-result")).to_be_visible()
    await press(wei, "Escape")
    await expect(wei.see("sheet-result")).to_have_count(0)
    await press(wei, "s")
    await expect(wei.see("sheet-scores")).to_be_visible()
    await press(wei, "Escape")
    await expect(wei.see("sheet-scores")).to_have_count(0)
    for other in led.others.values():
        await other.say("next", room=led.room)
    await press(wei, "n")
    await expect(wei.page.locator("[data-tile]")).to_have_count(5)
    await press(wei, "r")

    await expect(wei.see("sheet-rules")).to_be_visible()


async def test_the_focus_of_a_button_that_is_off_now_goes_to_the_hand(table: Table) -> None:
    ann = table.guest
    await ann.see("hand-tile-1-4").click()
    await ann.see("cancel").focus()

    await press(ann, "Enter", "Enter")

    await expect(ann.see("cancel")).to_be_disabled()
    await expect(ann.page.locator(".hand-tile:focus")).to_have_count(1)
