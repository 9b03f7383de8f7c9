"""Languages for pages: those that there are, and one that is made of English, longer and in letters of its own."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeAlias

import pytest
from playwright.async_api import Page, expect

from server import app
from server.assets import Asset, load_assets
from tests.fakes import InlineSearchers
from tests.system.servers import Server, serving

WEB = Path(__file__).parents[2] / "server" / "web"
TRANSLATED = sorted(path.stem for path in (WEB / "i18n").glob("*.json") if path.stem != "en")
MADE_UP = "bg"
"""Stands for every language: no letter of it is Latin, and every text is at least 40 % longer than in English. Its code
is one of which browsers know the plurals and how to list things.
"""
LETTERS = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "абцдефгхийклмнопярстувшхыжАБЦДЕФГХИЙКЛМНОПЯРСТУВШХЫЖ"
)
LONGER = 1.4
NAMES = ["Ann", "Bob", "Cat", "Eve", "Guest", "Computer"]
"""What people are called in every language, and the computers of a record; "Guest" is who came namelessly."""

Text: TypeAlias = str | dict[str, str]


def english(folder: str = "") -> dict[str, Text]:
    catalogue: dict[str, Text] = json.loads((WEB / "i18n" / folder / "en.json").read_text("utf-8"))
    return catalogue


def made_up(text: Text) -> Text:
    """``text`` as it stands in the language that is made up, its slots untouched."""
    if isinstance(text, dict):
        return {form: str(made_up(one)) for form, one in text.items()}
    parts = re.split(r"(\{\w+\})", text)
    words = "".join(part if part.startswith("{") else part.translate(LETTERS) for part in parts)
    more = round(len(text) * (LONGER - 1) + 0.5)
    return words + (" ож" * more)[:more].rstrip()


async def speak(page: Page, language: str) -> None:
    """Let the browser want ``language`` from now on, in the middle of whatever it shows."""
    await page.evaluate(
        "language => { Object.defineProperty(navigator, 'languages', { value: [language], configurable: true });"
        " dispatchEvent(new Event('languagechange')); }",
        language,
    )
    await expect(page.locator("html")).to_have_attribute("lang", language)


def taught_assets() -> Mapping[str, Asset]:
    """The files of the client, as a server has them that offers the language that is made up, too."""
    assets = load_assets()
    script = assets["/texts.js"]
    offered = script.body.replace(b"LANGUAGES = {", f'LANGUAGES = {{ {MADE_UP}: "Нова",'.encode(), 1)
    assert offered != script.body
    catalogues = {
        f"/i18n/{folder}{MADE_UP}.json": Asset.of(
            "application/json", json.dumps({key: made_up(text) for key, text in english(folder).items()}).encode()
        )
        for folder in ("", "guide/")
    }
    return {**assets, "/texts.js": Asset.of(script.content_type, offered), **catalogues}


@asynccontextmanager
async def serving_all_tongues() -> AsyncIterator[Server]:
    """A server that offers the language that is made up, too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(app, "load_assets", taught_assets)
        patch.setattr(app, "searchers", lambda _count: InlineSearchers())
        async with serving() as server:
            yield server


LATIN_LEFT = r"""(names) => {
  const SAID = ['alt', 'aria-description', 'aria-label', 'aria-placeholder', 'aria-roledescription', 'aria-valuetext',
    'data-short', 'placeholder', 'title'];
  const isName = (node) => node.closest('bdi, kbd, .code, .room-code b, [lang]:not(html)');
  const isSaid = (node) => node.closest('[data-testid^=live-], [data-testid=alert]');
  const isAsItIs = (node) => isName(node) || isSaid(node) || node.closest('.sprite');
  const isShown = (node) => node.checkVisibility({ visibilityProperty: true });
  const code = /\b[2-9A-HJ-NP-Z]{6}\b/g;
  const own = /doublesix( verify)?/gi;
  const withoutNames = (text) => names.reduce((rest, name) => rest.replaceAll(name, ''), text);
  const asItIs = [/https?:\S+/g, code, own];
  const rest = (text) => asItIs.reduce((left, known) => left.replace(known, ''), withoutNames(text));
  const hasWords = (text) => /[A-Za-z]{2,}/.test(rest(text));
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { data, parentElement } = walker.currentNode;
    if (hasWords(data) && isShown(parentElement) && !isAsItIs(parentElement)) found.push(data);
  }
  for (const node of document.querySelectorAll('body *')) {
    for (const name of SAID) {
      const text = node.getAttribute(name) ?? '';
      if (hasWords(text) && isShown(node) && !isAsItIs(node)) found.push(`${name}=${text}`);
    }
  }
  return found;
}"""
"""The texts in sight, or read out, that have a Latin word in them; but names, codes, links, keys, what says its own
language, and what has been read out before."""


async def latin_left(page: Page) -> list[str]:
    """What is still English on the page."""
    found: list[str] = await page.evaluate(LATIN_LEFT, NAMES)
    return found


CUT_OFF = r"""() => {
  const cut = [];
  const page = document.documentElement;
  if (page.scrollWidth > page.clientWidth) cut.push(`the page is ${page.scrollWidth - page.clientWidth} too wide`);
  for (const node of document.querySelectorAll('body *')) {
    if (!node.checkVisibility({ visibilityProperty: true }) || node.closest('svg, bdi, .hidden-text, .skip')) continue;
    const hasText = [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim());
    const style = getComputedStyle(node);
    if (style.clipPath !== 'none') continue;
    const hides = (hasText && style.overflowX !== 'visible') || node.matches('button');
    if (hides && node.scrollWidth > node.clientWidth + 1) cut.push(`${node.className}: ${node.textContent}`);
    const { left, right } = node.getBoundingClientRect();
    const isOff = left < -1 || right > innerWidth + 1;
    if (hasText && isOff) cut.push(`${node.className} off the page: ${node.textContent}`);
  }
  return cut;
}"""
"""Texts of which a part cannot be seen; names may be cut, and drawings have their own measure."""


async def cut_off(page: Page) -> list[str]:
    found: list[str] = await page.evaluate(CUT_OFF)
    return found
