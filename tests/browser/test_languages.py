from __future__ import annotations

import re
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from tests.browser.person import Person
from tests.browser.scripted import ScriptedTable, long_chain
from tests.browser.tongues import MADE_UP, TRANSLATED, latin_left, made_up, serving_all_tongues, speak
from tests.faults.browsing import DESK, PHONE, Dealt, Table
from tests.system.servers import Server

LANGUAGES = [MADE_UP, *TRANSLATED]
CATALOGUES = """() => performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.json'))
  .map(({ name, initiatorType }) => [name.split('/').at(-1), initiatorType])"""
"""What words were fetched, and what asked for them first."""


@pytest_asyncio.fixture(loop_scope="session")
async def server() -> AsyncIterator[Server]:
    """A server that offers the language that is made up, too."""
    async with serving_all_tongues() as running:
        yield running


async def visitor(server: Server, browser: Browser, path: str, size: tuple[int, int] = PHONE) -> Person:
    """Somebody called Аня, who reads the language that is made up, at ``path``."""
    person = await Person.arrive("Аня", browser, size, kept={"name": "Аня"})
    joint = "&" if "?" in path else "?"
    await person.page.goto(f"http://127.0.0.1:{server.port}{path}{joint}anim=0&lang={MADE_UP}")
    await expect(person.page.locator("html")).to_have_attribute("lang", MADE_UP)
    return person


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
    await table.assert_current()
    await person.see("hand-tile-1-6").click()
    await person.see("place-A").click()
    await expect(person.see("board")).to_have_attribute("data-state", "PREVIEW")
    return table


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


async def test_42_numbers_take_the_form_and_the_writing_of_the_language(server: Server, chromium: Browser) -> None:
    table = await ScriptedTable.open(chromium, server.port, game="all-fives")
    for play in long_chain(branches=True, tiles=12):
        await table.play(*play)
    table.offer("0-6", points=(1, 2, 5, 2.5))
    await expect(table.person.see("board")).to_have_attribute("data-state", "TURN")
    await table.person.see("hand-tile-0-6").click()

    await speak(table.person.page, "zh")
    await speak(table.person.page, "uk")

    forms = [re.compile(f" {form}$") for form in ("1 очко", "2 очки", "5 очок", "2,5 очка")]
    await expect(table.person.see("positions").locator("label")).to_have_text(forms)


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
    language = person.page.locator("html")

    await person.page.goto(home)
    await expect(language).to_have_attribute("lang", MADE_UP)
    await person.page.goto(f"{home}?lang=en")
    await expect(language).to_have_attribute("lang", "en")
    await person.page.locator(f"button[lang={MADE_UP}]").click()
    await expect(language).to_have_attribute("lang", MADE_UP)
    await person.page.reload()

    await expect(language).to_have_attribute("lang", MADE_UP)


@pytest.mark.parametrize(
    ("language", "kept", "query"),
    [("uk", {"settings": {"language": "uk"}}, "?lang=zh"), ("zh", {}, "?lang=zh"), ("en", {}, "")],
)
async def test_the_words_that_are_wanted_and_no_others_are_on_their_way_before_the_modules(
    server: Server, chromium: Browser, language: str, kept: dict[str, object], query: str
) -> None:
    person = await Person.arrive("Ann", chromium, DESK, kept=kept, locale="en-GB")

    await person.page.goto(f"http://127.0.0.1:{server.port}/{query}")
    await expect(person.see("home")).to_be_visible()

    await expect(person.page.locator("html")).to_have_attribute("lang", language)
    assert await person.page.evaluate(CATALOGUES) == [[f"{language}.json", "link"]]


async def test_a_language_that_cannot_be_fetched_leaves_the_one_before(server: Server, chromium: Browser) -> None:
    person = await Person.arrive("Ann", chromium, DESK)
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

    await person.page.goto(f"http://127.0.0.1:{server.port}/t/{room}?lang={MADE_UP}")

    await expect(person.page.locator("main.invited")).to_be_visible()
    assert await latin_left(person.page) == []
