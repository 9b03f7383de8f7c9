from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from tests.browser.person import Person
from tests.browser.records import PEOPLE, keep
from tests.browser.tongues import MADE_UP, TRANSLATED, cut_off, latin_left, made_up, teach
from tests.faults.browsing import DESK, PHONE, Dealt, Table
from tests.system.servers import Server

LANGUAGES = [MADE_UP, *TRANSLATED]
SIZES = [DESK, PHONE, (360, 640), (844, 390), (320, 640)]
SHEETS = ["scores", "rules", "people", "invite", "settings", "menu", "more", "reactions"]


async def visitor(server: Server, browser: Browser, path: str, size: tuple[int, int] = PHONE) -> Person:
    """Somebody called Аня, who reads the language that is made up, at ``path``."""
    person = await Person.arrive("Аня", browser, size)
    await teach(person.page.context)
    await person.page.add_init_script("localStorage.setItem('doublesix.name', '\"Аня\"')")
    joint = "&" if "?" in path else "?"
    await person.page.goto(f"http://127.0.0.1:{server.port}{path}{joint}anim=0&lang={MADE_UP}")
    await expect(person.page.locator("html")).to_have_attribute("lang", MADE_UP)
    return person


async def assert_fits(page: Page) -> None:
    """At every size every text is to be seen, and none of them is English."""
    cut = {}
    for width, height in SIZES:
        await page.set_viewport_size({"width": width, "height": height})
        await page.evaluate("() => new Promise((then) => requestAnimationFrame(() => requestAnimationFrame(then)))")
        cut[width, height] = await cut_off(page)
    assert cut == {size: [] for size in SIZES}
    assert await latin_left(page) == []


@pytest.mark.parametrize("path", ["/", "/new", "/new?computers", "/new?device"])
async def test_the_screens_before_a_table_have_room_for_longer_words(
    server: Server, chromium: Browser, path: str
) -> None:
    host = await server.client("Олена")
    await host.create(game="all-fives", seats=4, public=True)
    person = await visitor(server, chromium, path)
    await expect(person.page.locator("main.page h1")).to_be_visible()
    for details in await person.page.locator("details").all():
        await details.evaluate("node => { node.open = true; }")

    await assert_fits(person.page)


async def test_the_lobby_has_room_for_longer_words(server: Server, chromium: Browser) -> None:
    person = await visitor(server, chromium, "/new")
    await person.see("create").click()
    await expect(person.see("lobby")).to_be_visible()
    room = person.page.url.split("/t/")[1][:6]
    other, spectator = await server.client("Олена"), await server.client("Віктор")
    await other.say("join", room=room)
    await spectator.say("watch", room=room)
    await expect(person.see("lobby")).to_contain_text("Віктор")

    await assert_fits(person.page)


async def test_a_table_that_is_not_there_has_room_for_longer_words(server: Server, chromium: Browser) -> None:
    person = await visitor(server, chromium, "/t/ABCDEF")
    await expect(person.page.locator("main.unknown")).to_be_visible()

    await assert_fits(person.page)


async def in_turn(server: Server, browser: Browser, dealt: type[Dealt], path: str = "") -> Table:
    """A match of two in which the person at the browser has chosen 1-6 for end A, behind 6-6."""
    dealt.hands = (("6-6",), ("1-6", "2-3"))
    host = await server.client("Олена")
    room = await host.create(game="fives-threes", seats=2, lead=0)
    person = await visitor(server, browser, f"/t/{room}{path}", DESK)
    await expect(person.see("lobby")).to_be_visible()
    table = Table(server, room, host, person)
    await host.say("start", room=room)
    await table.act("6-6")
    await person.see("hand-tile-1-6").click()
    await person.see("place-A").click()
    await expect(person.see("board")).to_have_attribute("data-state", "PREVIEW")
    return table


async def test_the_table_and_its_sheets_have_room_for_longer_words(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    table = await in_turn(server, chromium, dealt)
    page = table.guest.page
    await assert_fits(page)

    for sheet in SHEETS:
        await open_sheet(page, sheet)
        await assert_fits(page)
        await page.keyboard.press("Escape")
        await expect(page.locator("dialog")).to_have_count(0)


DOUBLES = ("6-6", "0-0", "1-1", "2-2", "3-3", "4-4", "5-5")
NO_SIXES = ("0-1", "0-2", "0-3", "0-4", "1-2", "1-3", "2-3")
RESULTS = [
    ("result", {"game": "block"}, (DOUBLES, NO_SIXES), "6-6"),
    ("match", {"game": "fives-threes", "target": 1}, (("1-4",), ("0-0",)), "1-4"),
]
"""A sheet, and the tile that opens a deal and ends it at once: nobody has another 6; 5 is one point."""


@pytest.mark.parametrize(("sheet", "settings", "hands", "tile"), RESULTS)
async def test_the_results_have_room_for_longer_words(
    server: Server,
    chromium: Browser,
    dealt: type[Dealt],
    sheet: str,
    settings: dict[str, Any],
    hands: tuple[tuple[str, ...], ...],
    tile: str,
) -> None:
    dealt.hands = hands
    host = await server.client("Олена")
    room = await host.create(seats=2, lead=0, **settings)
    person = await visitor(server, chromium, f"/t/{room}", DESK)
    await expect(person.see("lobby")).to_be_visible()
    await host.say("start", room=room)
    await Table(server, room, host, person).act(tile)
    await expect(person.see(f"sheet-{sheet}")).to_be_visible()
    for details in await person.page.locator("dialog details").all():
        await details.evaluate("node => { node.open = true; }")

    await assert_fits(person.page)


async def test_a_replay_has_room_for_longer_words(server: Server, chromium: Browser) -> None:
    names = {"Ann": "Аня", "Bob": "Віктор", "Cat": "Олена", "Computer (2)": "Бот (2)", "Computer": "Бот"}
    record = json.dumps(PEOPLE)
    for name, other in names.items():
        record = record.replace(json.dumps(name), json.dumps(other))
    person = await visitor(server, chromium, await keep(server, json.loads(record)))
    await expect(person.see("proof").locator("li").first).to_be_visible()

    await assert_fits(person.page)


async def open_sheet(page: Page, name: str) -> None:
    """Open a sheet by what leads to it on a phone."""
    await page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    if name in ("reactions", "more"):
        await page.get_by_test_id("more").click()
    else:
        await page.locator("button.menu").click()
    if name == "reactions":
        await page.get_by_test_id("sheet-more").get_by_test_id("react").click()
    elif name not in ("menu", "more"):
        await page.get_by_test_id("sheet-menu").locator(f"[data-sheet={name}]").click()
    await expect(page.get_by_test_id(f"sheet-{name}")).to_be_visible()


@pytest.mark.parametrize("language", LANGUAGES)
async def test_42_another_language_is_spoken_at_once_and_the_preview_is_kept(
    server: Server, chromium: Browser, dealt: type[Dealt], language: str
) -> None:
    table = await in_turn(server, chromium, dealt)
    page = table.guest.page
    await page.evaluate("window.isSamePage = true")

    await choose_language(page, "en")
    await expect(table.guest.see("play")).to_have_text("Play 1-6")
    await choose_language(page, language)

    await expect(table.guest.see("play")).not_to_have_text("Play 1-6")
    await expect(page.locator("html")).to_have_attribute("lang", language)
    assert await latin_left(page) == []
    await expect(table.guest.see("board")).to_have_attribute("data-state", "PREVIEW")
    await expect(page.locator(".board .preview")).to_have_count(1)
    assert await page.evaluate("window.isSamePage")
    assert table.guest.faults == []


async def test_40_a_reaction_is_read_in_the_language_of_the_reader(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    table = await in_turn(server, chromium, dealt)

    await table.host.say("react", room=table.room, key="well_played")

    await expect(table.guest.see("seat-0").locator(".bubble")).to_have_text(str(made_up("Well played")))


async def choose_language(page: Page, language: str) -> None:
    await page.locator("nav button[data-sheet=settings]").click()
    await page.locator(f"input[name=language][value={language}]").check()
    await page.keyboard.press("Escape")
    await expect(page.get_by_test_id("sheet-settings")).to_have_count(0)


async def test_the_language_is_the_one_chosen_then_that_of_the_address_then_that_of_the_browser(
    server: Server, chromium: Browser
) -> None:
    home = f"http://127.0.0.1:{server.port}/"
    person = await Person.arrive("Ann", chromium, DESK, locale=MADE_UP)
    await teach(person.page.context)
    language = person.page.locator("html")

    await person.page.goto(home)
    await expect(language).to_have_attribute("lang", MADE_UP)
    await person.page.goto(f"{home}?lang=en")
    await expect(language).to_have_attribute("lang", "en")
    await person.page.locator(f"button[lang={MADE_UP}]").click()
    await expect(language).to_have_attribute("lang", MADE_UP)
    await person.page.reload()

    await expect(language).to_have_attribute("lang", MADE_UP)


async def test_a_language_that_cannot_be_fetched_leaves_the_one_before(server: Server, chromium: Browser) -> None:
    person = await Person.arrive("Ann", chromium, DESK)
    await teach(person.page.context)
    await person.page.goto(f"http://127.0.0.1:{server.port}/")
    await expect(person.see("home")).to_be_visible()

    await person.page.context.route(f"**/i18n/{MADE_UP}.json", lambda route: route.abort())
    await person.page.locator(f"button[lang={MADE_UP}]").click()

    await expect(person.see("toast")).to_contain_text("That language could not be fetched")
    await expect(person.page.locator("html")).to_have_attribute("lang", "en")


async def test_the_table_is_opened_in_the_language_of_the_link(server: Server, chromium: Browser) -> None:
    host = await server.client("Олена")
    room = await host.create(game="block", seats=2)
    person = await Person.arrive("Ann", chromium, DESK)
    await teach(person.page.context)

    await person.page.goto(f"http://127.0.0.1:{server.port}/t/{room}?lang={MADE_UP}")

    await expect(person.page.locator("main.invited")).to_be_visible()
    assert await latin_left(person.page) == []
