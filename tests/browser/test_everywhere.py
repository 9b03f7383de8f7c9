"""What holds on every screen and sheet: rules of accessibility, sizes of targets, that nothing is lost, and that all of
it is said in every language.

Each scene is brought about once and looked at in all these ways, as most of the time goes into bringing it about.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import files

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page

from server.table import play
from tests.browser.person import Person
from tests.browser.scenes import SCENES, Stage
from tests.browser.tongues import MADE_UP, TRANSLATED, cut_off, latin_left, serving_all_tongues, speak
from tests.faults.browsing import DESK, PHONE, Dealt

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
RUN_AXE = """async (rules) => {
  const found = await axe.run(document, { resultTypes: ['violations', 'incomplete'], ...rules });
  const isSerious = ({ impact }) => ['serious', 'critical'].includes(impact);
  const isUnseen = ({ any }) => any.some(({ data }) => data?.messageKey === 'equalRatio');
  const unseen = found.incomplete.map((rule) => ({ ...rule, nodes: rule.nodes.filter(isUnseen) }));
  return [...found.violations.filter(isSerious), ...unseen]
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
}"""
"""The serious findings, and letters in the very colour of what is behind them, of which axe is not sure."""

SMALL_TARGETS = """() => {
  const sheet = document.querySelector('dialog:modal') ?? document;
  return [...sheet.querySelectorAll('button, a[href], input, select, summary, [role=button]')]
    .filter((node) => node.checkVisibility() && !node.closest('.hidden-text, .skip'))
    .map((node) => [node, (node.closest('label') ?? node).getBoundingClientRect()])
    .filter(([node, { width, height }]) => node.matches('.hand-tile')
      ? width < 29.9 || height < 59.9
      : Math.min(width, height) < 43.9)
    .map(([node, { width, height }]) => `${node.outerHTML.slice(0, 90)} ${width.toFixed()}x${height.toFixed()}`);
}"""
"""What can be pressed and is less than 44 pixels wide or high; of a hand, less than 30 x 60."""

LOST = """() => {
  const lost = [];
  const name = (node) => `${node.tagName} ${node.className}: ${node.textContent.slice(0, 40)}`;
  if (document.scrollingElement.scrollWidth > innerWidth) lost.push('the page scrolls sideways');
  for (const node of document.querySelectorAll('body *')) {
    if (node.closest('svg, input, .hidden-text, .skip') || !node.checkVisibility()) continue;
    const { overflowX, overflowY } = getComputedStyle(node);
    const { left, right } = node.getBoundingClientRect();
    const hasText = [...node.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.data.trim());
    if (node.clientWidth <= 1) continue; // for the screen reader
    if (hasText && (left < -1 || right > innerWidth + 1)) lost.push(`outside: ${name(node)}`);
    if (node.matches('kbd') && right > node.parentNode.getBoundingClientRect().right + 1)
      lost.push(`over what is beside it: ${name(node)}`);
    const isName = node.matches('bdi.name'); // a long one ends in dots; whole it stands in the list of people
    if (overflowX !== 'visible' && node.scrollWidth > node.clientWidth + 1 && !isName)
      lost.push(`cut off: ${name(node)}`);
    if (overflowY === 'hidden' && node.scrollHeight > node.clientHeight + 1) lost.push(`cut below: ${name(node)}`);
  }
  return lost;
}"""

LARGE_TEXT = "html { font-size: 200% !important }"
SPACING = """* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
p { margin-bottom: 2em !important }"""
CIRCUMSTANCES = {
    "320 pixels": ((320, 568), ""),
    "zoom of 200 %": ((640, 400), ""),
    "text of 200 %": (PHONE, LARGE_TEXT),
    "spaced text": (PHONE, SPACING),
}


LANGUAGES = [MADE_UP, *TRANSLATED]
SIZES = [DESK, PHONE, (360, 640), (844, 390), (320, 640)]


@pytest_asyncio.fixture(scope="module", loop_scope="session", params=SCENES)
async def person(request: pytest.FixtureRequest, browser: Browser) -> AsyncIterator[Person]:
    """Who sees that screen or sheet, at a phone; the tests of this file all look at the same one."""
    async with serving_all_tongues() as server:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(play, "Shuffle", Dealt)
            patch.setattr(Dealt, "hands", (("6-6",), ("1-6",)))
            seen = await SCENES[request.param](Stage(server, browser, Dealt, PHONE))
            yield seen
            await seen.page.context.close()
    assert seen.errors == []


async def test_everybody_can_use(person: Person) -> None:
    assert await person.page.evaluate(SMALL_TARGETS) == []
    await person.page.evaluate(AXE)
    assert await findings(person.page) == []
    await person.page.emulate_media(color_scheme="dark")
    assert await findings(person.page, runOnly=["color-contrast"]) == []
    for name, (size, css) in CIRCUMSTANCES.items():
        async with circumstances(person, size, css):
            assert await person.page.evaluate(LOST) == [], name


async def test_every_language_has_room_and_says_all_of_it(person: Person) -> None:
    page = person.page
    for details in await page.locator("details").all():
        await details.evaluate("node => { node.open = true; }")

    for language in LANGUAGES:
        await speak(page, language)
        for size in SIZES:
            async with circumstances(person, size, ""):
                assert await cut_off(page) == [], size
        assert await latin_left(page) == []


async def test_every_language_has_room_in_large_letters_too(person: Person) -> None:
    for language in TRANSLATED:
        await speak(person.page, language)
        for size in (DESK, PHONE, (844, 390)):
            async with circumstances(person, size, LARGE_TEXT):
                assert await person.page.evaluate(LOST) == [], (language, size)


async def findings(page: Page, **rules: object) -> list[str]:
    """The serious findings of all axe rules, or of some."""
    found: list[str] = await page.evaluate(RUN_AXE, rules)
    return found


@asynccontextmanager
async def circumstances(person: Person, size: tuple[int, int], css: str) -> AsyncIterator[None]:
    """The page in a window of that size with these rules of the reader's own."""
    page = person.page
    await page.set_viewport_size({"width": size[0], "height": size[1]})
    adopt = (
        "(css) => { const sheet = new CSSStyleSheet(); sheet.replaceSync(css); document.adoptedStyleSheets = [sheet] }"
    )
    await page.evaluate(adopt, css)
    await person.settle()
    yield
    await page.evaluate(adopt, "")
