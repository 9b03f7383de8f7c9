from __future__ import annotations

import pytest
from playwright.async_api import Browser, Page, expect

from tests.browser.person import Person
from tests.faults.browsing import DESK, Dealt, Table, sit_down
from tests.system.servers import Server

LIGHT = "rgb(244, 241, 234)"
DARK = "rgb(22, 22, 20)"


async def come_with(settings: dict[str, object], browser: Browser, address: str, **options: object) -> Page:
    """A page of somebody who has changed these settings before."""
    person = await Person.arrive("Ann", browser, DESK, kept={"settings": settings}, **options)
    await person.page.goto(address)
    await expect(person.see("home")).to_be_visible()
    return person.page


@pytest.mark.parametrize(
    ("theme", "system", "background"),
    [("system", "light", LIGHT), ("system", "dark", DARK), ("light", "dark", LIGHT), ("dark", "light", DARK)],
)
async def test_the_colours_are_those_of_the_system_until_others_are_chosen(
    address: str, chromium: Browser, theme: str, system: str, background: str
) -> None:
    page = await come_with({"theme": theme}, chromium, address, color_scheme=system)

    await expect(page.locator("html")).to_have_css("background-color", background)
    tone = "[...document.querySelectorAll('meta[name=theme-color]')].filter(({media}) => matchMedia(media).matches)"
    assert await page.evaluate(f"{tone}.map(({{content}}) => content)") == [
        "#f4f1ea" if background == LIGHT else "#161614"
    ]


async def test_the_page_has_the_chosen_colours_before_any_module_has_come(address: str, chromium: Browser) -> None:
    person = await Person.arrive("Ann", chromium, DESK, kept={"settings": {"theme": "dark"}}, color_scheme="light")
    await person.page.route("**/*.js", lambda route: route.abort())

    await person.page.goto(address)

    await expect(person.page.locator("html")).to_have_css("background-color", DARK)


async def set_up(page: Page, *names: str) -> None:
    """Open the settings, choose the boxes of those names, and close them again."""
    await page.get_by_role("button", name="Settings").click()
    for name in names:
        await page.get_by_test_id("sheet-settings").get_by_label(name, exact=True).check(force=True)
    await page.keyboard.press("Escape")
    await expect(page.get_by_test_id("sheet-settings")).to_have_count(0)


async def in_turn(server: Server, browser: Browser, dealt: type[Dealt]) -> Table:
    """The person at the browser is in turn at the end 6 twice, with 1-6, which fits both, and 2-3, which fits none."""
    dealt.hands = (("6-6",), ("1-6", "2-3"))
    table = await sit_down(server, browser)
    await table.act("6-6")
    await expect(table.guest.see("board")).to_have_attribute("data-state", "TURN")
    return table


async def test_settings_are_kept_for_the_next_visit(address: str, chromium: Browser) -> None:
    page = await come_with({}, chromium, address)

    await set_up(page, "Dark", "Coloured pips", "Numbers in place of pips")
    second = await page.context.new_page()
    await second.goto(address)

    await expect(second.locator("html")).to_have_css("background-color", DARK)
    await expect(second.locator("#half-v6 .pips")).to_have_css("fill", "rgb(122, 74, 0)")
    await expect(second.locator("#half-v6 .pips")).to_have_css("opacity", "0")
    await expect(second.locator("#half-v6 .numeral")).to_have_css("opacity", "1")


async def test_colours_and_numbers_of_pips_are_seen_on_tiles_in_hand_and_on_the_table(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    bob = (await in_turn(server, chromium, dealt)).guest
    tiles = [bob.see("hand-tile-1-6"), bob.see("tile-6-6")]
    seen = [[await tile.screenshot() for tile in tiles]]

    for name in ("Coloured pips", "Numbers in place of pips"):
        await set_up(bob.page, name)
        seen.append([await tile.screenshot() for tile in tiles])

    for looks in zip(*seen, strict=True):
        assert len(set(looks)) == 3


async def test_a_sheet_that_the_browser_closes_by_itself_can_be_opened_again(address: str, chromium: Browser) -> None:
    page = await come_with({}, chromium, address)

    await page.get_by_role("button", name="Settings").click()
    await page.get_by_test_id("sheet-settings").evaluate("dialog => dialog.close()")
    await page.get_by_role("button", name="Settings").click()

    await expect(page.get_by_test_id("sheet-settings")).to_be_visible()


async def test_a_tap_on_an_end_plays_where_that_is_set(server: Server, chromium: Browser, dealt: type[Dealt]) -> None:
    table = await in_turn(server, chromium, dealt)
    bob = table.guest
    await set_up(bob.page, "A tap on an end plays")

    await bob.see("hand-tile-1-6").click()
    await bob.see("place-A").click()

    await expect(bob.see("tile-1-6")).to_be_visible()
    await table.assert_current()


async def test_a_tile_that_is_dropped_on_an_end_is_played_where_that_is_set(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    table = await in_turn(server, chromium, dealt)
    bob = table.guest
    await set_up(bob.page, "A tile dropped on an end is played at once")

    await bob.see("hand-tile-1-6").hover()
    await bob.page.mouse.down()
    await bob.page.mouse.move(600, 500, steps=3)
    place = await bob.see("place-B").bounding_box()
    assert place is not None
    await bob.page.mouse.move(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2, steps=5)
    await bob.page.mouse.up()

    await expect(bob.see("tile-1-6")).to_be_visible()
    await table.assert_current()


async def test_single_letters_do_nothing_where_they_are_switched_off(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    table = await in_turn(server, chromium, dealt)
    page = table.guest.page
    await page.get_by_role("button", name="Settings").click()
    await page.get_by_role("switch", name="Single letters of the keyboard do things").uncheck()
    await page.keyboard.press("Escape")

    await table.guest.see("hand-tile-1-6").focus()
    await page.keyboard.press("s")
    await expect(page.get_by_test_id("sheet-scores")).to_have_count(0)
    await set_up(page, "Single letters of the keyboard do things")
    await table.guest.see("hand-tile-1-6").focus()
    await page.keyboard.press("s")

    await expect(page.get_by_test_id("sheet-scores")).to_be_visible()


async def test_the_places_of_a_tile_are_listed_in_sight_where_that_is_set(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    table = await in_turn(server, chromium, dealt)
    page = table.guest.page
    await table.guest.see("hand-tile-1-6").click()
    await expect(table.guest.see("positions")).to_have_css("opacity", "0")

    await set_up(page, "Always list the places where a tile fits")

    await expect(table.guest.see("positions")).to_have_css("opacity", "1")
    await expect(table.guest.see("positions").get_by_role("radio")).to_have_count(2)


async def test_motion_can_be_reduced_where_the_system_does_not_ask_for_it(address: str, chromium: Browser) -> None:
    page = await come_with({}, chromium, address)
    await page.evaluate("document.querySelector('.entry').style.transition = 'opacity 5s'")

    await set_up(page, "Reduced")

    await expect(page.locator(".entry").first).to_have_css("transition-duration", "0s")


COUNT_NOTES = """() => {
  window.notes = 0;
  window.AudioContext = class extends AudioContext {
    constructor() { super(); window.speaker = this; }
    createOscillator() { window.notes += 1; return super.createOscillator(); }
  };
}"""


async def test_what_happens_is_heard_until_sounds_are_switched_off(server: Server, chromium: Browser) -> None:
    table = await sit_down(server, chromium)
    page = table.guest.page
    await page.evaluate(COUNT_NOTES)

    await table.guest.see("board").click()
    await page.wait_for_function("() => window.speaker?.state === 'running'")
    await table.host.say("react", room=table.room, key="hello")
    await page.wait_for_function("() => window.notes > 0")

    await page.get_by_role("button", name="Settings").click()
    await page.get_by_role("switch", name="Sounds").uncheck()
    await expect(page.get_by_role("switch", name="Scores")).to_be_disabled()
    await page.keyboard.press("Escape")
    before = await page.evaluate("window.notes")
    await table.act()
    await table.assert_current()

    assert await page.evaluate("window.notes") == before


LOUDEST = """async () => {
  const { Sounds } = await import(document.querySelector("script[type=module]").src.replace("main.js", "sound.js"));
  const context = new OfflineAudioContext(1, 88200, 44100);
  Object.defineProperty(context, "state", { value: "running" });
  window.AudioContext = function () { return context; };
  const sounds = new Sounds();
  sounds.wake();
  const all = { sounds: true, soundTiles: true, soundScores: true, soundTurn: true, volume: 1 };
  for (const points of [2, 1, 8]) sounds.tell({ type: "played", points }, all);
  for (const type of ["knocked", "own_turn"]) sounds.tell({ type }, all);
  const heard = (await context.startRendering()).getChannelData(0);
  return heard.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
}"""
"""The loudest moment of several computers that play and score at once, at full volume; above 1 it is cut off."""


async def test_much_that_sounds_at_once_is_heard_whole(address: str, chromium: Browser) -> None:
    page = await come_with({}, chromium, address)

    loudest = await page.evaluate(LOUDEST)

    assert 0.3 < loudest <= 1
