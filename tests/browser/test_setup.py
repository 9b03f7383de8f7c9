from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.async_api import Browser, expect

from bots.levels import EVERY_LEVEL, LEVELS
from tests.browser.person import Person
from tests.browser.tongues import TRANSLATED, speak
from tests.faults.browsing import DESK, PHONE
from tests.system.servers import Server, serving


async def at_setup(server: Server, browser: Browser, company: str = "", size: tuple[int, int] = DESK) -> Person:
    """Ann at the form of a new table, for friends or for that company."""
    ann = await Person.arrive("Ann", browser, size)
    await ann.page.goto(f"http://127.0.0.1:{server.port}/new?anim=0{company and '&' + company}")
    await ann.see("name").fill("Ann")
    return ann


BROKEN = """() => [...document.querySelectorAll(".option-text > *")].flatMap((label) =>
  [...label.textContent.matchAll(/\\S+/g)].filter(({ 0: word, index }) => {
    const range = document.createRange();
    range.setStart(label.firstChild, index);
    range.setEnd(label.firstChild, index + word.length);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
  }).map(([word]) => word))"""
"""The words of the choices that do not fit into a line."""


async def choose(person: Person, name: str, value: object) -> None:
    await person.page.locator(f'input[name="{name}"][value="{value}"]').check()


def settings_sent(person: Person) -> dict[str, Any]:
    """The settings with which the page has asked for a table."""
    sent = [message for message in map(json.loads, person.frames) if message["type"] == "create"]
    assert len(sent) == 1
    return dict(sent[0]["settings"])


async def test_the_form_offers_its_usual_settings(server: Server, chromium: Browser) -> None:
    ann = await at_setup(server, chromium)

    await ann.see("create").click()
    await expect(ann.see("lobby")).to_be_visible()

    assert settings_sent(ann) == {
        "game": "fives-threes",
        "seats": 4,
        "lead": "lot",
        "bot": "club",
        "bot_delay": 0.7,
        "fill": "bots",
        "spectators": True,
        "undo": True,
        "hints": True,
        "absence": "bot",
        "grace": 60,
        "next_deal_after": 20,
        "turn_timer": None,
        "public": False,
    }


async def test_on_the_smallest_phone_no_word_of_a_choice_is_broken(server: Server, chromium: Browser) -> None:
    ann = await at_setup(server, chromium, "lang=uk", size=(360, 640))  # the longest words

    await ann.page.locator("summary").click()

    assert await ann.page.evaluate(BROKEN) == []


@pytest.mark.parametrize("language", ["en", *TRANSLATED])
async def test_on_the_smallest_phone_seats_and_button_share_a_row_below_the_form(
    server: Server, chromium: Browser, language: str
) -> None:
    ann = await at_setup(server, chromium, size=(360, 640))
    await speak(ann.page, language)

    button, seats = await ann.see("create").bounding_box(), await ann.page.locator(".seat-preview").bounding_box()

    assert button is not None
    assert seats is not None
    assert seats["x"] + seats["width"] <= button["x"]


async def test_every_setting_reaches_the_table(server: Server, chromium: Browser) -> None:
    ann = await at_setup(server, chromium, size=PHONE)

    for name, value in {"game": "draw", "seats": 3, "lead": 2, "bot": "novice", "fill": "wait"}.items():
        await choose(ann, name, value)
    await ann.page.get_by_role("switch", name="Open table").check()
    for name in ("Spectators", "Take-backs", "Hints"):
        await ann.page.get_by_role("switch", name=name).uncheck()
    await ann.page.get_by_text("More settings").click()
    await ann.page.get_by_label("Points to win").fill("120")
    await choose(ann, "bot_delay", 0)
    await choose(ann, "next_deal_after", 60)
    await choose(ann, "turn_timer", 120)
    await choose(ann, "grace", 300)
    await choose(ann, "absence", "wait")
    await ann.see("create").click()
    await expect(ann.see("lobby")).to_be_visible()

    settings = server.table(ann.page.url.split("/t/")[1][:6]).settings
    assert (settings.game, settings.seats, settings.lead, settings.target) == ("draw", 3, 2, 120)
    assert (settings.bot, settings.bot_delay, settings.fill, settings.absence) == ("novice", 0, "wait", "wait")
    assert (settings.next_deal_after, settings.grace, settings.turn_timer) == (60, 300, 120)
    assert (settings.public, settings.spectators, settings.undo, settings.hints) == (True, False, False, False)
    assert ann.faults == []


async def test_a_field_that_is_wrong_is_named_and_nothing_is_sent(server: Server, chromium: Browser) -> None:
    ann = await at_setup(server, chromium)

    await ann.page.get_by_text("More settings").click()
    await ann.page.get_by_label("Points to win").fill("many")
    await ann.page.get_by_text("More settings").click()
    await ann.see("create").click()

    await expect(ann.page.get_by_label("Points to win")).to_have_attribute("aria-invalid", "true")
    await expect(ann.page.get_by_label("Points to win")).to_be_focused()
    await expect(ann.page.get_by_role("alert").filter(has_text="a whole number from 1")).to_be_visible()
    assert [frame for frame in ann.frames if "create" in frame] == []


async def test_without_a_name_nobody_opens_a_table(server: Server, chromium: Browser) -> None:
    ann = await at_setup(server, chromium)

    await ann.see("name").fill(" ")
    await ann.see("create").click()

    await expect(ann.see("name")).to_have_attribute("aria-invalid", "true")
    await expect(ann.see("name")).to_be_focused()


async def test_the_form_offers_the_levels_that_the_server_can_seat(server: Server, chromium: Browser) -> None:
    ann = await at_setup(server, chromium)

    offered = await ann.page.locator("input[name=bot]").evaluate_all("inputs => inputs.map(({value}) => value)")

    assert offered == list(EVERY_LEVEL)


async def test_a_server_that_does_not_search_offers_the_other_levels_alone(
    chromium: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.app.searchers", lambda _count: None)
    async with serving() as server:
        person = await Person.arrive("Ann", chromium, DESK, kept={"name": "Ann", "form": {"bot": "master"}})
        await person.page.goto(f"http://127.0.0.1:{server.port}/new?anim=0")

        levels = person.page.locator("input[name=bot]")
        await expect(levels).to_have_count(len(LEVELS))
        await expect(person.page.locator("input[name=bot]:checked")).to_have_value("club")
        await person.see("create").click()
        await expect(person.see("lobby")).to_be_visible()

        await expect(person.see("lobby").locator("option").last).to_have_attribute("value", list(LEVELS)[-1])
        assert person.sent("create")[0]["settings"]["bot"] == "club"


async def test_the_usual_target_is_that_of_game_and_seats(server: Server, chromium: Browser) -> None:
    ann = await at_setup(server, chromium)
    await ann.page.get_by_text("More settings").click()

    for game, seats, target in (
        ("fives-threes", 4, 61),
        ("all-fives", 2, 250),
        ("all-fives", 3, 200),
        ("block", 2, 100),
    ):
        await choose(ann, "game", game)
        await choose(ann, "seats", seats)
        await expect(ann.page.get_by_label("Points to win")).to_have_attribute("placeholder", f"As usual: {target}")


async def test_alone_with_computers_the_match_begins_at_once(server: Server, chromium: Browser) -> None:
    ann = await at_setup(server, chromium, "computers", PHONE)
    await expect(ann.page.get_by_role("switch")).to_have_count(0)

    await ann.see("create").click()

    await expect(ann.see("board")).to_be_visible()
    await expect(ann.page.locator(".seat-panel .tag.cpu")).to_have_count(3)


async def test_at_one_device_the_match_begins_with_the_people_that_were_named(
    server: Server, chromium: Browser
) -> None:
    ann = await at_setup(server, chromium, "device", PHONE)

    await choose(ann, "local", 3)
    await ann.page.get_by_label("Name of player 2").fill("Wei")
    await ann.see("create").click()

    await expect(ann.see("board")).to_be_visible()
    await ann.page.wait_for_url("**/t/*")
    table = server.table(ann.page.url.split("/t/")[1][:6])
    assert [place.name for place in table.places][:3] == ["Ann", "Wei", "Seat 3"]
    assert len({place.player for place in table.places[:3]}) == 1
    assert table.places[3].bot == "club"


@pytest.mark.parametrize(
    ("game", "seats", "tiles"),
    [
        ("fives-threes", 2, 7),
        ("fives-threes", 3, 5),
        ("fives-threes", 4, 5),
        ("all-fives", 2, 9),
        ("all-fives", 3, 7),
        ("all-fives", 4, 5),
    ],
)
async def test_04_computers_fill_the_table_and_everybody_is_dealt_a_hand(
    server: Server, chromium: Browser, game: str, seats: int, tiles: int
) -> None:
    ann = await at_setup(server, chromium)
    await choose(ann, "game", game)
    await choose(ann, "seats", seats)
    await choose(ann, "lead", 0)
    await ann.see("create").click()

    for seat in range(1, seats):
        await ann.see(f"seat-{seat}").get_by_role("button", name="Add computer").click()
        await expect(ann.see(f"seat-{seat}")).to_contain_text("computer: Club")
    await ann.see("ready").click()

    await expect(ann.page.locator("[data-testid=hand] .hand-tile")).to_have_count(tiles)
    await expect(ann.page.locator(".seat-panel")).to_have_count(seats - 1)
    for panel in await ann.page.locator(".seat-panel").all():
        await expect(panel.locator(".tiles-left")).to_have_text(re.compile(f"^{tiles}$"))
