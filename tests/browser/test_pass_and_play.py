"""Several people at one device, who hand it on."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.async_api import Browser, expect

from tests.browser.person import Person
from tests.faults.browsing import Dealt, take_over
from tests.faults.waiting import until
from tests.system.servers import Server

ANN = ("0-1", "1-1", "4-4")
WEI = ("1-2", "3-4", "5-5")
SLIP = 500
"""Milliseconds after which a press on the curtain is no slip any more."""
HIDE = """(hidden) => {
  Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.fixture(autouse=True)
def hands(dealt: type[Dealt]) -> None:
    dealt.hands = (ANN, WEI, ("6-6",), ("0-6",))


async def device(server: Server, browser: Browser, **settings: Any) -> tuple[Person, str]:
    """Ann and Wei at one device, Ann to open; and the room."""
    ann = await server.client("Ann")
    shared = {"game": "fives-threes", "seats": 4, "local": 2, "names": ["Wei"], "lead": 0, "bot_delay": 1}
    room = await ann.create(**{**shared, **settings})
    await ann.say("start", room=room)
    return await take_over(ann, server, browser, room), room


async def show(person: Person) -> None:
    """Press the button once it is no slip any more."""
    await expect(person.see("show-hand")).to_be_visible()
    await person.later(SLIP)
    await person.see("show-hand").click()
    await expect(person.see("curtain")).to_have_count(0)


async def held(person: Person) -> list[str]:
    """The tiles that the page holds as a hand."""
    tiles = person.page.locator("[data-tile]")
    return [str(await tile.get_attribute("data-tile")) for tile in await tiles.all()]


async def test_33_after_an_act_the_curtain_hides_every_hand_until_the_next_one_is_asked_for(
    server: Server, chromium: Browser
) -> None:
    page, _ = await device(server, chromium)
    await show(page)
    assert set(ANN) <= set(await held(page))

    await page.play("1-1")

    await expect(page.see("curtain")).to_contain_text("Hand the device to Wei")
    await expect(page.page.locator("[data-tile], [data-preview], .place")).to_have_count(0)
    for covered in ("hand", "play", "cancel"):
        await expect(page.see(covered)).to_be_hidden()
    await expect(page.see("tile-1-1")).to_be_visible()
    await expect(page.see("score-0")).to_be_visible()
    await show(page)
    assert set(WEI) <= set(await held(page))
    assert not set(ANN) & set(await held(page))
    assert page.faults == []


async def test_33_behind_the_curtain_keys_ask_nothing_of_the_table(server: Server, chromium: Browser) -> None:
    page, _ = await device(server, chromium)
    await show(page)
    await page.play("1-1")
    await expect(page.see("show-hand")).to_be_focused()

    for key in ("h", "u", "Shift+U", "d", "k", "p", "r"):
        await page.page.keyboard.press(key)

    await expect(page.see("sheet-rules")).to_be_visible()
    assert [len(page.sent(kind)) for kind in ("hint", "undo", "redo")] == [0, 0, 0]
    assert len(page.acts()) == 1
    await expect(page.page.locator("[data-tile]")).to_have_count(0)


async def test_a_press_that_was_meant_for_the_play_does_not_show_the_next_hand(
    server: Server, chromium: Browser
) -> None:
    page, _ = await device(server, chromium)
    await show(page)
    await page.see("hand-tile-1-1").click()
    await expect(page.see("play")).to_be_enabled()
    await page.see("play").focus()
    await page.page.keyboard.press("Enter")
    await expect(page.see("show-hand")).to_be_focused()

    await page.page.keyboard.press("Enter")

    await expect(page.see("curtain")).to_be_visible()
    assert await held(page) == []


async def test_a_hand_stays_in_sight_while_computers_act(server: Server, chromium: Browser) -> None:
    page, room = await device(server, chromium, lead=1)
    await show(page)
    await page.play("5-5")

    await until(lambda: _is_turn_of(3, server, room))
    await expect(page.page.locator(".moves li")).to_have_count(2)
    in_sight = await held(page)
    await until(lambda: _is_turn_of(0, server, room))

    assert {"1-2", "3-4"} <= set(in_sight)
    await expect(page.see("curtain")).to_contain_text("Hand the device to Ann")
    assert await held(page) == []


def _is_turn_of(seat: int, server: Server, room: str) -> bool:
    """Whether it is, and else lets the computer before it act."""
    if server.table(room).turn != seat:
        server.let_pass(1)
    return server.table(room).turn == seat


async def test_a_reload_covers_the_hand(server: Server, chromium: Browser) -> None:
    page, _ = await device(server, chromium)
    await show(page)

    await page.page.reload()

    await expect(page.see("curtain")).to_contain_text("Ann")
    assert await held(page) == []


@pytest.mark.parametrize(("seconds", "covers"), [(29, False), (31, True)])
async def test_a_page_out_of_sight_for_half_a_minute_covers_the_hand(
    server: Server, chromium: Browser, seconds: int, covers: bool
) -> None:
    page, _ = await device(server, chromium)
    await show(page)
    await page.page.clock.install()
    await page.page.evaluate(HIDE, True)

    await page.page.clock.fast_forward(seconds * 1000)

    assert (await held(page) == []) is covers  # before anybody looks at it again
    await page.page.evaluate(HIDE, False)
    await expect(page.see("curtain")).to_have_count(int(covers))


async def test_what_was_said_of_a_tile_is_covered_with_it(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    dealt.hands = (ANN, WEI)
    page, _ = await device(server, chromium, seats=2, lead=1)
    await show(page)
    await page.play("5-5")
    await show(page)
    await page.see("hand-tile-1-1").click(force=True)
    await expect(page.see("alert")).to_have_text("1-1 fits nowhere")
    await expect(page.see("status")).to_have_text("1-1 fits nowhere")
    await page.page.clock.install()
    await page.page.evaluate(HIDE, True)

    await page.page.clock.fast_forward(31_000)

    said = await page.page.locator(".table-page, [aria-live], [role=alert]").all_text_contents()
    assert "1-1" not in "".join(said)


async def test_with_somebody_elsewhere_in_turn_either_hand_can_be_looked_at(server: Server, chromium: Browser) -> None:
    ann, bob = await server.client("Ann"), await server.client("Bob")
    room = await ann.create(game="fives-threes", seats=4, local=2, names=["Wei"], lead=2)
    await bob.say("join", room=room, seat=2)
    await ann.say("start", room=room)
    page = await take_over(ann, server, chromium, room)

    await expect(page.see("curtain")).to_contain_text("Bob to play")
    await page.later(SLIP)
    await page.see("show-hand-1").click()

    await expect(page.see("curtain")).to_have_count(0)
    assert set(WEI) <= set(await held(page))
    await expect(page.see("board")).to_have_attribute("data-state", re.compile("WAIT"))


async def test_undo_takes_back_the_act_of_the_person_before_and_hands_the_device_back(
    server: Server, chromium: Browser
) -> None:
    page, room = await device(server, chromium)
    await show(page)
    await page.play("1-1")
    await show(page)

    await page.see("undo").click()

    await expect(page.see("curtain")).to_contain_text("Hand the device to Ann")
    await expect(page.see("tile-1-1")).to_have_count(0)
    await expect(page.see("request")).to_have_count(0)
    assert await held(page) == []
    assert server.table(room).turn == 0


async def test_a_drawn_tile_is_not_in_the_page_once_the_device_is_handed_on(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    dealt.hands = (("5-6",), ("1-6", "0-4", "2-2", "2-3", "2-4", "3-3", "3-4"))
    page, _ = await device(server, chromium, game="draw", seats=2, lead=1)
    await show(page)
    await page.play("1-6")
    await show(page)
    await page.play("5-6")
    await show(page)

    drawn = await draw_what_fits(page, set(dealt.hands[1]))
    await expect(page.see("board")).to_have_attribute("data-state", "PREVIEW")
    await page.see("play").click()
    await expect(page.see(f"tile-{drawn.pop()}")).to_have_count(1)

    await expect(page.see("curtain")).to_contain_text("Hand the device to Ann")
    assert drawn
    said = "".join(await page.page.locator(".table-page, [aria-live]").all_text_contents())
    assert [tile for tile in drawn if tile in said] == []
    assert await held(page) == []


async def draw_what_fits(person: Person, known: set[str]) -> list[str]:
    """Draw until a tile fits; the tiles that were drawn, in their order."""
    drawn: list[str] = []
    while await person.see("draw").count():
        await person.see("draw").click()
        await expect(person.see("board")).to_have_attribute("data-state", "DRAW?")
        await person.see("play").click()
        await expect(person.page.locator("[data-tile]")).to_have_count(len(known) + len(drawn))
        drawn += [tile for tile in await held(person) if tile not in known and tile not in drawn]
    return drawn
