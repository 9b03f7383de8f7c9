from __future__ import annotations

import json

import pytest
from playwright.async_api import Browser, Page, expect

from tests.browser.person import Person

LIGHT = "rgb(244, 241, 234)"
DARK = "rgb(22, 22, 20)"


async def come_with(settings: dict[str, object], browser: Browser, address: str, **options: object) -> Page:
    """A page of somebody who has changed these settings before."""
    person = await Person.arrive("Ann", browser, (1280, 800), **options)
    kept = json.dumps(json.dumps(settings))
    await person.page.add_init_script(f"localStorage.setItem('doublesix.settings', {kept})")
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
