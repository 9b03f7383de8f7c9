"""Rows of docs/faults.md that need a real browser: taps, refusals, wrong clocks, screen readers."""

from __future__ import annotations

import json
import re

import pytest
from playwright.async_api import Browser, WebSocketRoute, expect

from tests.browser.fingers import POINTERS, middle_of
from tests.browser.person import Person
from tests.browser.scenes import Scene, Stage, deal_over, match_over
from tests.faults.browsing import Dealt, Table, devtools, meet, sit_down, watch
from tests.faults.proxy import proxy_to
from tests.faults.waiting import until
from tests.system.servers import Server

TRIPLE = 3
IN_TURN = re.compile(r"^(TURN|DRAW\?|KNOCK\?)$")
"""What the board may say of who is to act: the deal decides whether there is a tile to play."""


async def test_taps_that_come_three_at_a_time_lose_no_tile_and_play_one(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    """C5: on a tile that fits both ends, on an end, and on the button."""
    table = await sit_down(server, chromium)
    page, bob = table.guest.page, table.guest
    await table.act("6-6")
    await expect(bob.see("board")).to_have_attribute("data-state", IN_TURN)

    await bob.see("hand-tile-1-6").click(click_count=TRIPLE)
    await expect(bob.see("board")).to_have_attribute("data-state", "TILE")
    await expect(page.locator('[data-testid^="place-"]')).to_have_count(2)
    await page.locator('[data-testid^="place-"]').first.click(click_count=TRIPLE)
    await expect(bob.see("board")).to_have_attribute("data-state", "PREVIEW")
    assert bob.acts() == []
    await bob.see("play").click(click_count=TRIPLE)

    await expect(bob.see("tile-1-6")).to_have_count(1)
    await expect(bob.see("hand-tile-1-6")).to_have_count(0)
    await table.assert_current()
    assert len(bob.acts()) == 1


async def test_the_reason_of_a_refusal_outlives_the_resync_after_it(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    """C7: the play is refused, and the line breaks at once."""
    spoilt: list[WebSocketRoute] = []

    async def spoil(route: WebSocketRoute) -> None:
        onward = route.connect_to_server()

        def forward(message: str | bytes) -> None:
            wire = json.loads(message)
            if wire["type"] == "act" and not spoilt:
                spoilt.append(onward)
                wire["seq"] = 0
            onward.send(json.dumps(wire))

        route.on_message(forward)

    table = await meet(server, chromium)
    bob = table.guest
    await bob.page.route_web_socket(re.compile("/ws$"), spoil)
    await bob.page.reload()
    await table.host.say("start", room=table.room)
    await expect(bob.see("board")).to_be_visible()
    await table.act("6-6")
    await table.assert_current()
    await bob.see("hand-tile-1-6").click()
    await bob.page.locator('[data-testid^="place-"]').first.click()
    await bob.see("play").click()
    await bob.see("toast").hover()  # which is read as long as that takes

    reason = await bob.see("toast").text_content()
    await spoilt[0].close()
    await table.host.hear(table.room, "back")

    await table.assert_current()
    await expect(bob.see("toast")).to_have_text(reason or "")
    assert reason
    await bob.see("play").click()
    await expect(bob.see("tile-1-6")).to_have_count(1)


async def test_a_burst_that_ends_one_deal_and_begins_the_next_leaves_nothing_of_the_first(
    server: Server, chromium: Browser
) -> None:
    """C13: plays, the end of the deal, the new deal and its first plays arrive in one go."""
    async with proxy_to(server.port) as line:
        table = await sit_down(server, chromium, line.port, turn_timer=20, next_deal_after=0)
        server.let_pass(20)
        await expect(table.guest.see("board")).not_to_have_attribute("data-seq", "3")
        line.hold()

        await until(lambda: plays_of_second_deal(server, table.room) >= 2)
        line.release()

        await table.assert_current()
        await expect(table.guest.page.locator('[data-testid="sheet-result"]')).to_have_count(0)


def plays_of_second_deal(server: Server, room: str) -> int:
    """Let time pass; how many tiles of the second deal lie on the table."""
    server.let_pass(20)
    match = server.table(room).match
    assert match is not None
    assert match.deal is not None
    return len(match.deal.layout.tiles) if match.deal.number == 2 else 0


async def words_of(person: Person) -> str:
    """All that the page holds and all that a screen reader finds in it."""
    tools = await devtools(person)
    tree = await tools.send("Accessibility.getFullAXTree")
    read = [
        str(node[part].get("value"))
        for node in tree["nodes"]
        for part in ("name", "description", "value")
        if part in node
    ]
    return "\n".join([await person.page.content(), *read])


async def spoken(person: Person, tiles: list[str]) -> list[str]:
    """How the page reads tiles out."""
    words: list[str] = await person.page.evaluate(
        "async tiles => { const { href } = document.querySelector('link[href$=\"/texts.js\"]');"
        " return tiles.map((await import(href)).spokenTile); }",
        tiles,
    )
    return words


@pytest.mark.parametrize("is_seated", [True, False], ids=["a player", "somebody who watches"])
async def test_no_word_of_a_page_or_for_a_screen_reader_names_a_hidden_tile(
    server: Server, chromium: Browser, is_seated: bool
) -> None:
    """G11: backs of tiles are all called the same, by how many there are."""
    table = await (sit_down(server, chromium, game="draw") if is_seated else watch(server, chromium))
    await table.act()
    await table.assert_current()
    match = server.table(table.room).match
    assert match is not None
    assert match.deal is not None
    hidden = [
        str(tile) for tile in (*match.deal.hands[0], *match.deal.stock, *(() if is_seated else match.deal.hands[1]))
    ]

    words = await words_of(table.guest)

    for name in (*hidden, *await spoken(table.guest, hidden)):
        assert not re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w.-])", words), name
    backs = await table.guest.page.locator(".tiles-left").evaluate_all("all => all.map(one => one.ariaLabel)")
    assert set(backs) <= {"6 tiles", "7 tiles", "8 tiles"}
    assert str(match.deal.layout.tiles[0]) in words


async def test_who_watches_can_grasp_no_tile_and_press_nothing_that_acts(server: Server, chromium: Browser) -> None:
    """H2."""
    table = await watch(server, chromium)
    await table.act()
    await table.assert_current()
    page = table.guest.page

    for testid in ("hand", "play", "cancel", "knock", "draw", "positions"):
        await expect(table.guest.see(testid)).to_have_count(0)
    await expect(page.locator("[draggable=true], .hand-tile, .place")).to_have_count(0)
    await page.locator('g.tile[data-testid^="tile-"]').first.click()
    for key in ("d", "k", "Enter", "1"):
        await page.get_by_test_id("board").press(key)
    await expect(table.guest.see("board")).to_have_attribute("data-state", "WAIT")
    assert table.guest.acts() == []


DAY = 24 * 60 * 60 * 1000
WRONG_CLOCK = """{
  const { now } = Date;
  Date.now = () => now() + %d;
  const construct = (RealDate, given) => new RealDate(...(given.length ? given : [Date.now()]));
  globalThis.Date = new Proxy(Date, { construct });
}"""


@pytest.mark.parametrize("off", [DAY, -DAY], ids=["a day ahead", "a day behind"])
async def test_where_the_clock_of_the_browser_is_wrong_turns_and_countdowns_are_right(
    server: Server, chromium: Browser, dealt: type[Dealt], off: int
) -> None:
    """L1, L2: the server says how long something lasts, never until when, and the page counts from there."""
    dealt.hands = (("6-6", "0-1"), ("0-2", "0-3", "0-4", "0-5", "1-2", "1-3", "1-4"))
    table = await sit_down(server, chromium, game="fives-threes", turn_timer=20)
    bob = table.guest
    await bob.page.add_init_script(WRONG_CLOCK % off)
    await bob.page.reload()
    await expect(bob.see("board")).to_be_visible()

    await table.act("6-6")
    await expect(bob.see("board")).to_have_attribute("data-state", "KNOCK?")
    await until(lambda: is_over(table))

    result = bob.see("sheet-result")
    await expect(result).to_contain_text(re.compile(r"Goes on in (20|1\d) seconds at the latest"))
    await expect(bob.page.locator(".link")).to_have_text("live")


def is_over(table: Table) -> bool:
    """Whether the deal is; else everybody's time runs out."""
    if table.server.table(table.room).phase == "playing":
        table.server.let_pass(20)
    return table.server.table(table.room).phase == "deal_over"


@pytest.mark.parametrize("grasp", POINTERS)
async def test_a_play_of_another_while_a_tile_is_dragged_leaves_one_tile_and_no_ghost(
    server: Server, chromium: Browser, dealt: type[Dealt], grasp: str
) -> None:
    """O5: the tile stays in the hand of who drags it, and is laid where it fits by then."""
    dealt.hands = (("6-6", "4-6"), ("3-6", "4-4", "1-2", "0-1", "2-2", "0-2", "1-1"))
    table = await sit_down(server, chromium, game="fives-threes", target=61)
    bob, page = table.guest, table.guest.page
    await table.act("6-6")
    await table.assert_current()
    await bob.see("hand-tile-3-6").click()
    await bob.see("place-A").click()
    await bob.see("play").click()
    await expect(bob.see("tile-3-6")).to_have_count(1)
    pointer = await POINTERS[grasp].of(page)
    x, y = await middle_of(bob.see("hand-tile-4-4"))
    await pointer.press((x, y))
    await pointer.move((x, y - 60))
    await expect(page.locator(".rider")).to_have_count(1)

    await table.act("4-6", "right")
    await expect(bob.see("place-B")).to_be_visible()
    await pointer.move(await middle_of(bob.see("place-B").locator(".place-line")))
    await expect(page.locator(".place.near")).to_have_count(1)
    await pointer.release()

    await expect(bob.see("board")).to_have_attribute("data-state", "PREVIEW")
    await expect(page.locator(".rider, [data-away]")).to_have_count(0)
    await expect(page.locator("[data-preview]")).to_have_attribute("data-testid", "place-B")
    await expect(page.locator(".hand-tile")).to_have_count(6)
    await table.assert_current()
    assert len(bob.acts()) == 1


@pytest.mark.parametrize(
    ("scene", "sheet"), [(deal_over, "result"), (match_over, "match")], ids=["a deal is over", "the match is over"]
)
async def test_on_a_small_phone_the_end_can_be_put_aside_to_see_the_chain(
    server: Server, chromium: Browser, dealt: type[Dealt], scene: Scene, sheet: str
) -> None:
    """O7: and it can be looked at again."""
    person = await scene(Stage(server, chromium, dealt, (360, 640)))

    await person.see(f"sheet-{sheet}").get_by_role("button", name="Close").click()

    await expect(person.page.locator("dialog")).to_have_count(0)
    for tile in await person.page.locator(".board g.tile[data-testid]").all():
        await expect(tile).to_be_in_viewport(ratio=1)
    await person.page.wait_for_function(NOTHING_COVERS_THE_CHAIN)
    await person.page.get_by_role("button", name="Result").click()
    await expect(person.see(f"sheet-{sheet}")).to_be_visible()


NOTHING_COVERS_THE_CHAIN = """() => [...document.querySelectorAll('.board g.tile[data-testid]')].every((tile) => {
  const { x, y, width, height } = tile.getBoundingClientRect();
  return document.elementFromPoint(x + width / 2, y + height / 2)?.closest('.board');
})"""
