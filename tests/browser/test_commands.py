"""Taking back, bringing again, starting over and hints: alone, and with somebody else's consent."""

from __future__ import annotations

import asyncio
import re

import pytest
from playwright.async_api import Browser, Locator, expect

from tests.browser.person import Person
from tests.faults.browsing import PHONE, Dealt, Table, alone, sit_down
from tests.system.client import PATIENCE
from tests.system.servers import Server

SLIP = 500
"""Milliseconds after which a press on a card that has come is no slip any more."""


@pytest.fixture(autouse=True)
def hands(dealt: type[Dealt]) -> None:
    dealt.hands = (("1-4", "4-4", "0-1"), ("4-5", "4-6", "5-5"))


async def laid(person: Person) -> list[str | None]:
    """The tiles on the table, the hand and the scores, as the page shows them."""
    shown = person.page.locator('.board g.tile[data-testid], [data-tile], [data-testid^="score-"]')
    return [
        await node.get_attribute("data-testid") if await node.get_attribute("data-tile") else await node.text_content()
        for node in await shown.all()
    ] + [await person.see("board").get_attribute("aria-label")]


async def test_29_undo_alone_goes_back_before_the_own_act_and_redo_brings_the_very_same_acts_again(
    server: Server, chromium: Browser
) -> None:
    table = await alone(server, chromium)
    ann = table.guest
    before = await laid(ann)
    await expect(ann.see("redo")).to_be_disabled()
    await ann.play("1-4")
    await table.wait_for_turn()
    after = await laid(ann)

    await ann.see("undo").click()
    await expect(ann.see("tile-1-4")).to_have_count(0)
    undone = await laid(ann)
    struck = await ann.see("moves").locator("s").all_text_contents()
    await expect(ann.see("redo")).to_be_enabled()
    await ann.see("redo").click()
    await expect(ann.see("tile-1-4")).to_have_count(1)

    assert undone == before
    assert struck[0] == "1-4"
    assert len(struck) == 2
    assert await laid(ann) == after
    await expect(ann.see("moves").locator("s")).to_have_count(0)
    await expect(ann.see("request")).to_have_count(0)


async def test_undo_alone_crosses_the_result_of_a_deal_and_puts_the_sheet_away(
    server: Server, chromium: Browser
) -> None:
    table = await alone(server, chromium, game="block")
    ann = table.guest
    while server.table(table.room).phase == "playing":
        await expect(ann.see("board")).to_have_attribute("data-state", re.compile("TURN|KNOCK"))
        await ann.take_turn()
        await expect(ann.see("board")).to_have_attribute("data-state", "WAIT")
        await table.wait_for_turn()
    await expect(ann.see("sheet-result")).to_be_visible()
    await ann.page.keyboard.press("Escape")

    await ann.see("undo").click()

    await expect(ann.see("board")).not_to_have_attribute("data-state", "WAIT")
    await expect(ann.see("sheet-result")).to_have_count(0)
    assert server.table(table.room).turn == 0


async def asked_to_undo(server: Server, browser: Browser) -> Table:
    """Ann (led by the test) has opened with 1-4 and Bob (at the browser) followed with 4-6; Ann asks to undo."""
    table = await sit_down(server, browser, game="fives-threes")
    await table.act("1-4")
    await table.assert_current()
    await table.guest.play("4-6")
    await table.host.reach(table.room, server.table(table.room).seq)
    await table.host.say("undo", room=table.room)
    await expect(table.guest.see("request")).to_be_visible()
    return table


async def say(bob: Person, answer: str) -> None:
    await bob.later(SLIP)
    await bob.see(answer).click()
    await expect(bob.see("request")).to_have_count(0)


async def test_30_a_request_names_what_goes_and_a_no_changes_nothing(server: Server, chromium: Browser) -> None:
    table = await asked_to_undo(server, chromium)
    bob = table.guest
    before = await laid(bob)

    wish = bob.see("request")
    await expect(wish).to_contain_text("Ann asks to take back")
    await expect(wish.locator("li")).to_have_text(["Ann1-4", "You4-6 at B", "1 → 0"])
    said = "Ann asks to take back: Ann opened with 1-4. You played 4-6 at end B. Ann: 1 to 0."
    await expect(bob.page.locator("[aria-live=polite]").filter(has_text=said)).to_have_count(1)
    await say(bob, "no")

    assert await laid(bob) == before
    await expect(bob.see("moves").locator("s")).to_have_count(0)
    assert (await table.host.hear(table.room, "answered"))["state"] == "refused"


async def test_a_request_that_comes_while_a_sheet_is_open_is_seen_above_it(server: Server, chromium: Browser) -> None:
    table = await sit_down(server, chromium, game="fives-threes")
    await table.act("1-4")
    await table.assert_current()
    bob = table.guest
    await bob.see("board").press("r")
    await expect(bob.see("sheet-rules")).to_be_visible()
    await table.host.reach(table.room, server.table(table.room).seq)

    await table.host.say("undo", room=table.room)

    await expect(bob.see("toast")).to_contain_text("Ann asks to take back: Ann opened with 1-4.")
    await bob.page.keyboard.press("Escape")
    await expect(bob.see("request")).to_be_visible()


COVERED = """(selector) => {
  const box = (node) => node.getBoundingClientRect();
  const card = box(document.querySelector("[data-testid=request]"));
  return [...document.querySelectorAll(selector)].filter((node) => {
    const { left, right, top, bottom } = box(node);
    return left < card.right && card.left < right && top < card.bottom && card.top < bottom;
  }).map((node) => node.className);
}"""
"""What of that lies under the card."""
IMPORTANT = ".tool, .status, .hand-tile, .actions button, .seat-panel"
"""What can be pressed or has to be read."""
LINE = ".board .tile, .board .end-mark"


async def test_30_a_request_leaves_all_that_can_be_pressed_and_half_of_the_felt_in_sight(
    server: Server, chromium: Browser
) -> None:
    bob = (await asked_to_undo(server, chromium)).guest

    for width, height in ((360, 640), PHONE, (844, 390), (1280, 800)):
        await bob.resize(width, height)
        assert await bob.page.evaluate(COVERED, IMPORTANT) == [], (width, height)
        card, board = await bob.see("request").bounding_box(), await bob.see("board").bounding_box()
        assert card is not None
        assert board is not None
        assert card["height"] <= board["height"] / 2


async def test_30_the_line_moves_out_from_under_a_request_and_back(server: Server, chromium: Browser) -> None:
    table = await sit_down(server, chromium, game="fives-threes", size=PHONE)
    bob = table.guest
    await table.act("1-4")
    await bob.play("4-6")
    before = await bob.see("board").get_attribute("data-scale")

    for width, height in ((844, 390), (1280, 800), PHONE):
        await bob.resize(width, height)
        await bob.see("undo").click()
        await expect(bob.see("request")).to_be_visible()
        async with asyncio.timeout(PATIENCE):
            while await bob.page.evaluate(COVERED, LINE):
                pass  # the camera is on its way
        await say(bob, "withdraw")

    await expect(bob.see("board")).to_have_attribute("data-scale", before or "")


async def test_30_a_yes_of_everybody_takes_it_back_and_strikes_the_moves(server: Server, chromium: Browser) -> None:
    table = await asked_to_undo(server, chromium)
    bob = table.guest

    await say(bob, "yes")

    await expect(bob.see("tile-1-4")).to_have_count(0)
    await expect(bob.see("moves").locator("s")).to_have_text(["1-4", "4-6"])
    await expect(bob.see("toast")).to_contain_text("taken back")
    await expect(bob.see("hand-tile-4-6")).to_have_count(1)
    await table.assert_current()


async def test_30_who_asks_sees_who_is_waited_for_and_may_think_better_of_it(server: Server, chromium: Browser) -> None:
    table = await sit_down(server, chromium, game="fives-threes")
    bob = table.guest
    await table.act("1-4")
    await table.assert_current()
    await bob.play("4-6")

    await bob.see("undo").click()
    await expect(bob.see("request")).to_contain_text("You ask to take back")
    await expect(bob.see("request")).to_contain_text("Waiting for Ann")
    await expect(bob.see("undo")).to_be_disabled()
    await say(bob, "withdraw")

    await expect(bob.see("toast")).to_contain_text("nothing changes")
    await expect(bob.see("undo")).to_be_enabled()
    assert server.table(table.room).ask is None
    await table.assert_current()


async def test_a_request_outlasts_a_reload_and_lapses_when_somebody_acts(server: Server, chromium: Browser) -> None:
    table = await asked_to_undo(server, chromium)
    bob = table.guest

    await bob.page.reload()
    await expect(bob.see("request").locator("li").first).to_have_text("Ann1-4")
    await table.act()

    await expect(bob.see("request")).to_have_count(0)
    await expect(bob.see("toast")).to_contain_text("The request is over")


async def test_31_a_yes_right_after_the_card_has_come_is_a_slip(server: Server, chromium: Browser) -> None:
    table = await sit_down(server, chromium, game="fives-threes")
    bob = table.guest
    await table.act("1-4")
    await table.assert_current()
    await bob.play("4-6")
    await bob.stop_clock()
    await table.host.reach(table.room, server.table(table.room).seq)
    await table.host.say("undo", room=table.room)
    await until_drawn(bob, bob.see("request"))

    await bob.page.clock.run_for(200)
    await bob.see("yes").click()
    early = bob.sent("consent")
    await bob.page.clock.run_for(400)
    await bob.see("yes").click()
    await until_drawn(bob, bob.see("request"), 0)

    assert early == []
    assert [message["yes"] for message in bob.sent("consent")] == [True]


async def until_drawn(person: Person, node: Locator, count: int = 1) -> None:
    """Let the page's clock run by single frames until so many of ``node`` are there."""
    while await node.count() != count:
        await person.page.clock.run_for(20)


async def test_32_restart_alone_asks_once_and_deals_the_same_tiles_again(server: Server, chromium: Browser) -> None:
    table = await alone(server, chromium, lead="lot")
    ann = table.guest
    await expect(ann.see("board")).to_have_attribute("data-state", "TURN")
    before, seed = await laid(ann), server.table(table.room).seed
    await ann.play("1-4")
    await table.wait_for_turn()

    await ann.see("restart").click()
    assert ann.sent("restart") == []
    await ann.see("sheet-restart").get_by_role("button", name="Start again").click()
    await expect(ann.see("tile-1-4")).to_have_count(0)

    await expect(ann.see("board")).to_have_attribute("data-state", "TURN")
    assert await laid(ann) == before
    await expect(ann.see("score-0")).to_have_text("0")
    await expect(ann.see("moves")).to_have_text("No moves yet.")
    assert server.table(table.room).seed == seed
    assert len(ann.sent("restart")) == 1


async def test_32_a_new_game_alone_deals_other_tiles_with_the_same_settings(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    table = await alone(server, chromium)
    ann = table.guest
    settings = server.table(table.room).settings
    await ann.play("1-4")
    dealt.hands = (("2-2", "3-3", "0-6"), ("6-6",))

    await ann.see("new-game").click()
    assert ann.sent("new_game") == []
    await ann.see("sheet-new_game").get_by_role("button", name="New match").click()

    await expect(ann.see("hand-tile-2-2")).to_have_count(1)
    await expect(ann.see("sheet-match")).to_have_count(0)
    await expect(ann.see("moves")).to_have_text("No moves yet.")
    assert server.table(table.room).settings == settings


async def test_32_each_new_game_is_dealt_under_a_seed_of_its_own(server: Server, chromium: Browser) -> None:
    table = await alone(server, chromium)
    ann, seeds = table.guest, [server.table(table.room).seed]

    for _ in range(2):
        await ann.play("1-4")
        await expect(ann.see("tile-1-4")).to_have_count(1)
        await ann.see("new-game").click()
        await ann.see("sheet-new_game").get_by_role("button", name="New match").click()
        await expect(ann.see("tile-1-4")).to_have_count(0)
        seeds.append(server.table(table.room).seed)

    assert len(set(seeds)) == 3


async def test_34_a_hint_is_previewed_with_its_reason_and_nothing_is_sent(server: Server, chromium: Browser) -> None:
    table = await alone(server, chromium)
    ann = table.guest

    await ann.see("hint").click()

    await expect(ann.see("board")).to_have_attribute("data-state", "PREVIEW")
    await expect(ann.see("status")).to_contain_text("Hint: it makes points now.")
    await expect(ann.page.locator("[data-preview]")).to_have_count(1)
    assert ann.sent("act") == []
    await ann.see("play").click()
    await expect(ann.page.locator('.board g.tile[data-testid^="tile-"]')).to_have_count(1)


async def test_others_are_told_of_a_hint(server: Server, chromium: Browser) -> None:
    table = await sit_down(server, chromium)

    await table.host.say("hint", room=table.room)

    await expect(table.guest.see("toast")).to_contain_text("Ann used a hint")
    await expect(table.guest.see("hint")).to_be_disabled()


async def test_a_command_that_the_table_forbids_says_so(server: Server, chromium: Browser) -> None:
    table = await sit_down(server, chromium, undo=False, hints=False)
    bob = table.guest

    await expect(bob.see("undo")).to_be_disabled()
    await bob.see("undo").click(force=True)

    await expect(bob.see("toast")).to_contain_text("Nothing is taken back at this table")
    await expect(bob.see("alert")).to_contain_text("Nothing is taken back at this table")
    await expect(bob.see("hint")).to_have_attribute("title", "There are no hints at this table")
    assert bob.sent("undo") == []


async def test_on_a_phone_the_other_commands_are_behind_a_button(server: Server, chromium: Browser) -> None:
    table = await alone(server, chromium, PHONE)
    ann = table.guest
    await ann.play("1-4")
    await ann.see("undo").click()
    await expect(ann.see("tile-1-4")).to_have_count(0)

    for name in ("redo", "restart", "new-game", "react"):
        await expect(ann.see(name)).to_have_count(0)
    await ann.see("more").click()
    await ann.see("redo").click()

    await expect(ann.see("tile-1-4")).to_have_count(1)
    await expect(ann.see("sheet-more")).to_have_count(0)
    assert ann.faults == []
