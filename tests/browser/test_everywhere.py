"""What holds on every screen and sheet: rules of accessibility, sizes of targets, nothing lost on narrow screens."""

from __future__ import annotations

from importlib.resources import files

import pytest
from playwright.async_api import Browser, Page

from tests.browser.scenes import SCENES, Scene, Stage
from tests.faults.browsing import Dealt
from tests.system.servers import Server

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
RUN_AXE = """async () => (await axe.run(document, { resultTypes: ['violations'] })).violations
  .filter(({ impact }) => ['serious', 'critical'].includes(impact))
  .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`))"""


async def findings(page: Page) -> list[str]:
    """The serious findings of the axe rules."""
    if not await page.evaluate("() => 'axe' in window"):
        await page.evaluate(AXE)
    found: list[str] = await page.evaluate(RUN_AXE)
    return found


@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES.keys())
async def test_the_rules_of_axe_find_nothing_serious(
    server: Server, chromium: Browser, dealt: type[Dealt], scene: Scene
) -> None:
    person = await scene(Stage(server, chromium, dealt))

    for scheme in ("light", "dark"):
        await person.page.emulate_media(color_scheme=scheme)
        assert await findings(person.page) == [], scheme
