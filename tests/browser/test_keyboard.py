"""Whole deals by keyboard alone, and how the page names things to those who do not see it."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Browser, expect

from tests.browser.deals import GAMES, alone, play_deal
from tests.browser.person import Person
from tests.faults.browsing import Dealt
from tests.system.servers import Server

FOCUSED = "() => ({ ...document.activeElement.dataset, off: document.activeElement.ariaDisabled })"
MOST_KEYS = 20


@pytest.mark.parametrize("game", GAMES)
async def test_18_a_whole_deal_can_be_played_by_keyboard_alone(
    server: Server, chromium: Browser, dealt: type[Dealt], game: str
) -> None:
    """O8 of docs/faults.md: and each tile is named as what it is."""
    table = await alone(server, chromium, dealt, game)
    await reach_hand(table.guest)

    kinds = await play_deal(table, by_keyboard)

    assert kinds.count("play") > 2
    assert set(kinds) == {"play", "draw" if game in ("all-fives", "draw") else "knock"}
    assert table.guest.errors == []


async def reach_hand(person: Person) -> None:
    """From the top of the page: the first stop leads to the hand."""
    await person.page.keyboard.press("Tab")
    await expect(person.page.get_by_role("link", name="Skip to your hand")).to_be_focused()
    await person.page.keyboard.press("Enter")
    await expect(person.page.locator(".hand-tile:focus")).to_have_count(1)


async def by_keyboard(person: Person) -> None:
    press = person.page.keyboard.press
    match await person.state():
        case "KNOCK?":
            await press("k")
        case "TURN" if await person.see("draw").is_visible():
            await press("d")
            await expect(person.see("board")).to_have_attribute("data-state", "DRAW?")
            await confirm_draw(person)
        case "TURN":
            await assert_named(person)
            await reach_playable(person)
            await press("Enter")
            await press_end(person)
        case _:  # a drawn tile is chosen by itself
            await press_end(person)


async def assert_named(person: Person) -> None:
    """Each tile of the hand says what it is and whether it fits, as the server has it."""
    playable = {offer["action"]["tile"] for offer in person.legal()}
    for button in await person.page.locator(".hand-tile").all():
        tile = await button.get_attribute("data-tile") or ""
        low, high = tile.replace("0", "blank").split("-")
        name = f"double {low}" if low == high else f"{low}-{high}"
        await expect(button).to_have_accessible_name(f"{name}, {'playable' if tile in playable else 'fits nowhere'}")
        await expect(button).to_have_role("button")


async def reach_playable(person: Person) -> None:
    """Along the hand to a tile that fits."""
    await person.page.keyboard.press("Home")
    for _ in range(MOST_KEYS):
        focused = await person.page.evaluate(FOCUSED)
        if "tile" in focused and focused["off"] != "true":
            return
        await person.page.keyboard.press("ArrowRight")
    raise AssertionError("no tile that fits can be reached")


async def press_end(person: Person) -> None:
    """Down to the list of ends, the first one, and play it."""
    await expect(person.see("board")).to_have_attribute("data-state", re.compile("TILE|PREVIEW"))
    await person.page.keyboard.press("ArrowDown")
    await expect(person.page.locator(".positions input:focus")).to_have_count(1)
    if await person.state() == "TILE":
        await person.page.keyboard.press("Space")
    await expect(person.see("board")).to_have_attribute("data-state", "PREVIEW")
    await person.page.keyboard.press("Enter")


async def confirm_draw(person: Person) -> None:
    """To the button that draws."""
    for _ in range(MOST_KEYS):
        if (await person.page.evaluate(FOCUSED)).get("testid") == "play":
            await person.page.keyboard.press("Enter")
            return
        await person.page.keyboard.press("Tab")
    raise AssertionError("the button cannot be reached")
