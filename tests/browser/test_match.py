from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path

from playwright.async_api import Browser, expect

from tests.browser.person import PATIENCE, Person

NEXT = """() => {
  const board = document.querySelector('[data-testid=board]');
  const state = board && board.dataset.state;
  if (document.querySelector('[data-testid=sheet-match]')) return 'match over';
  const ready = document.querySelector('[data-testid=sheet-result] [data-testid=ready]');
  if (ready && !ready.disabled) return 'deal over';
  return ['TURN', 'TILE', 'PREVIEW', 'DRAW?', 'KNOCK?'].includes(state) ? 'turn' : false;
}"""


READY = "[data-testid=sheet-result] [data-testid=ready]"


async def play_to_the_end(people: list[Person]) -> None:
    """Everybody acts when it is their turn and is ready for each next deal, until all see the result of the match."""
    await asyncio.gather(*(_play(person) for person in people))


async def _play(person: Person) -> None:
    while True:
        handle = await person.page.wait_for_function(NEXT, timeout=PATIENCE)
        match await handle.json_value():
            case "match over":
                return
            case "deal over":
                # The others may have been ready, or the pause over, since the button was seen.
                await person.page.evaluate(f"() => document.querySelector('{READY}')?.click()")
                await person.page.wait_for_function(f"() => !document.querySelector('{READY}:not(:disabled)')")
            case _:
                await person.take_turn()


def assert_adds_to_every_seed(*people: Person) -> None:
    """Each time that a page is ready it sends 32 bytes of its own, never the same (L2)."""
    for person in people:
        sent = [message for message in map(json.loads, person.frames) if message["type"] in ("start", "next")]
        values = [message["entropy"] for message in sent]
        assert values
        assert all(re.fullmatch("[0-9a-f]{64}", value) for value in values)
        assert len(set(values)) == len(values)


async def test_two_browsers_and_two_bots_play_a_partnership_match_from_the_home_page_to_its_result(
    address: str, chromium: Browser, tmp_path: Path
) -> None:
    ann = await Person.arrive("Ann", chromium, (1280, 800))
    bob = await Person.arrive("Bob", chromium, (390, 844), has_touch=True, is_mobile=True)
    await ann.page.goto(f"{address}/?anim=0")
    await ann.see("name").fill("Ann")
    await ann.see("create").click()
    await ann.page.wait_for_url("**/new*")
    await ann.page.locator('input[name=game][value="fives-threes"]').check(force=True)
    await ann.page.locator('input[name=seats][value="4"]').check(force=True)
    await ann.see("create").click()
    await ann.page.wait_for_url("**/t/*")
    await bob.page.goto(ann.page.url.split("?")[0] + "?anim=0")
    await bob.see("name").fill("Bob")
    await bob.see("join").click()
    for person in (ann, bob):
        await expect(person.see("lobby")).to_contain_text("Ann")
        await expect(person.see("lobby")).to_contain_text("Bob")

    await bob.see("ready").click()
    await expect(bob.see("ready")).to_be_disabled()
    await ann.see("ready").click()
    await play_to_the_end([ann, bob])

    for person in (ann, bob):
        await expect(person.see("sheet-match")).to_be_visible()
        await person.page.screenshot(path=tmp_path / f"{person.name}.png")
        assert person.faults == []
        assert person.hosts == {address.removeprefix("http://")}
    assert_adds_to_every_seed(ann, bob)
    scores = [int(await ann.see(f"score-{side}").first.text_content() or 0) for side in range(2)]
    assert max(scores) == 61
    await assert_has_replay(ann)


async def assert_has_replay(person: Person) -> None:
    """The match is among those that this browser remembers."""
    await person.page.goto(person.page.url.split("/t/")[0] + "/?anim=0")
    replay = person.page.get_by_role("link", name="Fives and Threes")
    await expect(replay).to_contain_text(re.compile("won|lost"))
    await expect(replay).to_have_attribute("href", re.compile("^/r/[0-9a-f]{16}$"))
