"""The chain on the felt: what lies, stays; nothing overlaps; every open end can be touched."""

from __future__ import annotations

import itertools
from typing import TypeAlias

import pytest
from playwright.async_api import Browser, expect

from tests.browser.fingers import middle_of
from tests.browser.scripted import ScriptedTable, long_chain
from tests.browser.tongues import speak
from tests.faults.browsing import PHONE
from tests.system.servers import Server

Rectangle: TypeAlias = tuple[float, float, float, float]
PLACES = """() => Object.fromEntries([...document.querySelectorAll('.camera > .tile')].map((tile) => {
  const face = tile.querySelector('use').getBoundingClientRect();
  const { a, b, c, d, e, f } = tile.parentNode.getScreenCTM().inverse().multiply(tile.getScreenCTM());
  const step = (pixels) => Math.round(pixels * 10) / 10;
  return [tile.dataset.testid, [[step(e), step(f)], [face.left, face.top, face.right, face.bottom]]];
}))"""
"""Each tile by name: where it lies on the table, in steps, and what it covers on the screen, in pixels."""


@pytest.mark.parametrize("game", ["block", "all-fives"])
async def test_17_in_28_plays_no_laid_tile_moves_and_no_two_overlap(
    server: Server, chromium: Browser, game: str
) -> None:
    table = await ScriptedTable.open(chromium, server.port, game=game)
    before: dict[str, object] = {}

    for play in long_chain(branches=game == "all-fives"):
        await table.play(*play)
        places = await table.person.page.evaluate(PLACES)
        assert {tile: places[tile][0] for tile in before} == before
        assert overlaps([places[tile][1] for tile in places]) == []
        before = {tile: places[tile][0] for tile in places}

    assert len(before) == 28


CHIP = """(number) => {
  const box = (node) => node.getBoundingClientRect();
  const overlap = (one, other) =>
    one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
  const chips = [...document.querySelectorAll(".chip-place rect")].map(box);
  const board = box(document.querySelector("[data-testid=board]"));
  const areWhole = chips.every(({ left, right, top, bottom }) =>
    left >= board.left && right <= board.right && top >= board.top && bottom <= board.bottom);
  const others = [...document.querySelectorAll(".camera > .tile, .tools")].map(box);
  return [areWhole, others.filter((other) => overlap(other, chips[number])).length];
}"""
"""Whether all chips are seen whole, and how many tiles and tools that of the first or second end covers."""


@pytest.mark.parametrize(("game", "size"), [("block", PHONE), ("block", (360, 640))])
async def test_what_a_previewed_tile_does_is_seen_whole_and_covers_no_tile(
    server: Server, chromium: Browser, game: str, size: tuple[int, int]
) -> None:
    table = await ScriptedTable.open(chromium, server.port, game=game, size=size)
    bob = table.person

    for count, play in enumerate(long_chain(branches=False, tiles=13), 1):
        await table.play(*play)
        if count not in (1, 4, 5, 6, 7, 8, 9, 13):
            continue
        table.offer("0-6", points=(8, 8))
        await bob.see("hand-tile-0-6").click()
        for number, letter in enumerate("AB"):
            await bob.see(f"place-{letter}").click()
            await expect(bob.page.locator("[data-preview]")).to_have_attribute("data-testid", f"place-{letter}")
            assert await bob.page.evaluate(CHIP, number) == [True, 0], (count, letter)
        await bob.page.keyboard.press("Escape")
        await bob.page.keyboard.press("Escape")


COVERED = """async (labels) => {
  for (const _ of [0, 1]) await new Promise((seen) => requestAnimationFrame(seen));
  const box = (node) => node.getBoundingClientRect();
  const tiles = [...document.querySelectorAll('.camera > .tile use')].map(box);
  return [...document.querySelectorAll(labels)].filter((mark) => {
    const one = box(mark.querySelector('rect'));
    return tiles.some((other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 2
      && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 2);
  }).map((mark) => mark.textContent);
}"""
"""What is written on the labels that lie on a tile, once all is painted."""


async def test_the_mark_of_an_end_covers_no_tile_where_the_line_turns_either(server: Server, chromium: Browser) -> None:
    table = await ScriptedTable.open(chromium, server.port, game="all-fives", size=PHONE)

    for count, play in enumerate(long_chain(branches=True, tiles=16), 1):
        await table.play(*play)
        assert await table.person.page.evaluate(COVERED, ".end-mark") == [], count


@pytest.mark.parametrize("size", [(360, 640), (844, 390)])
@pytest.mark.parametrize("game", ["block", "all-fives"])
async def test_what_a_chosen_tile_would_do_covers_no_tile_of_a_long_chain(
    server: Server, chromium: Browser, game: str, size: tuple[int, int]
) -> None:
    table = await ScriptedTable.open(chromium, server.port, game=game, size=size)
    for play in long_chain(branches=game == "all-fives", tiles=22):
        await table.play(*play)
    table.offer("0-6", points=(8, 8, 8, 8))

    await table.person.see("hand-tile-0-6").click()

    await expect(table.person.page.locator(".chip-place")).to_have_count(len(table.layout.ends))
    assert await table.person.page.evaluate(COVERED, ".chip-place") == []


@pytest.mark.parametrize("size", [PHONE, (360, 640)])
@pytest.mark.parametrize("start", [51, 101])
async def test_long_words_of_what_a_chosen_tile_would_do_cover_no_tile_on_a_phone(
    server: Server, chromium: Browser, start: int, size: tuple[int, int]
) -> None:
    table = await ScriptedTable.open(chromium, server.port, size=size)
    await speak(table.person.page, "uk")

    for count, play in enumerate(long_chain(branches=False, tiles=18, start=start), 1):
        await table.play(*play)
        if count in (8, 12, 18):
            table.offer("0-6")
            await table.person.see("hand-tile-0-6").click()
            await expect(table.person.page.locator(".chip-place")).to_have_count(2)
            assert await table.person.page.evaluate(COVERED, ".chip-place") == [], count
            await table.person.page.keyboard.press("Escape")


SIZES = ((360, 640), (768, 1024), (1920, 1080), (844, 390))


@pytest.mark.parametrize("game", ["block", "all-fives"])
async def test_every_open_end_of_a_long_chain_can_be_tapped_in_any_window(
    server: Server, chromium: Browser, game: str
) -> None:
    table = await ScriptedTable.open(chromium, server.port, game=game)
    bob = table.person
    for play in long_chain(branches=game == "all-fives", tiles=27):
        await table.play(*play)
    table.offer("0-6")
    await expect(bob.see("board")).to_have_attribute("data-state", "TURN")
    await bob.see("hand-tile-0-6").click()

    for width, height in SIZES:
        await bob.resize(width, height)
        await bob.page.get_by_role("button", name="Show everything").click()
        await bob.settle()
        for letter in "ABCD"[: len(table.layout.ends)]:
            x, y = await middle_of(bob.see(f"place-{letter}"))
            await bob.page.mouse.click(x, y)

            await expect(bob.page.locator("[data-preview]")).to_have_attribute("data-testid", f"place-{letter}")
            await expect(bob.page.locator(".edge-arrow")).to_have_count(0)
            await expect(bob.see("board")).to_have_attribute("data-state", "PREVIEW")
        await bob.page.keyboard.press("Escape")


def overlaps(rectangles: list[Rectangle]) -> list[tuple[Rectangle, Rectangle]]:
    """Pairs that share more than a hair's breadth; shadows and rounding aside."""
    return [
        (one, other)
        for one, other in itertools.combinations(rectangles, 2)
        if min(one[2], other[2]) - max(one[0], other[0]) > 1 and min(one[3], other[3]) - max(one[1], other[1]) > 1
    ]
