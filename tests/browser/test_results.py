"""What a deal and a match came to: the sheets that say so, and the scores that keep it."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Browser, Locator, expect

from tests.browser.fingers import middle_of
from tests.browser.led import Led, begin
from tests.browser.test_scoring import UNCOUNTED, UNTIL_LAST
from tests.browser.tongues import TRANSLATED, cut_off, speak
from tests.faults.browsing import DESK, PHONE, Dealt, alone
from tests.system.servers import Server

SPLIT = (
    ("0-2", "0-3", "0-6", "1-1", "2-4", "3-4", "4-5"),
    ("0-1", "0-5", "1-2", "2-3", "3-6", "4-6", "5-5"),
    ("0-0", "1-4", "2-2", "2-5", "3-3", "3-5", "5-6"),
)
"""Hands of three in All Fives."""
UNTIL_SPLIT = (
    *("4-5", "4-6 left", "5-6 left", "draw", "draw", "draw", "1-5 right", "1-2 right", "2-5 right"),
    *("draw", "draw", "draw", "draw", "knock", "5-5 right", "3-5 left", "0-3 left", "0-5 left"),
)
"""What blocks them with 66, 15 and 15 pips in hand."""
LEVEL = (
    ("1-6", "2-5", "3-5", "4-6", "6-6"),
    ("0-2", "0-6", "1-1", "1-5", "5-5"),
    ("0-0", "0-1", "0-4", "1-2", "1-3"),
    ("0-3", "0-5", "2-3", "3-6", "4-4"),
)
"""Hands of partners who are blocked, each side with equally many pips, after four tiles."""
BLOCKED_AT_ONCE = (
    ("0-3", "1-1", "1-3", "4-5", "6-6"),
    ("0-5", "2-4", "3-3", "3-4", "4-4"),
    ("0-0", "0-4", "1-2", "1-5", "2-3"),
)
"""Nobody but the first has a 6, and that one has no other."""
UNTIL_LEVEL = ("4-6", "0-6 right", "0-4 right", "4-4 left")
SLIP = 500
"""Milliseconds after which a press on a card that has come is no slip any more."""


def rows(sheet: Locator) -> Locator:
    return sheet.locator(".result-rows li")


async def shown_hands(sheet: Locator) -> list[list[str]]:
    """The tiles that lie face up in the sheet, by seat."""
    tiles = "hands => hands.map(hand => [...hand.querySelectorAll('.tile-picture')].map(one => one.dataset.tile))"
    hands: list[list[str]] = await sheet.locator(".hands li").evaluate_all(tiles)
    return hands


def dealt_out(led: Led) -> list[list[str]]:
    """The tiles that are left in hand."""
    match = led.server.table(led.room).match
    assert match is not None
    assert match.deal is not None
    return [[str(tile) for tile in hand] for hand in match.deal.hands]


async def test_26_a_block_shows_all_hands_and_how_two_of_three_share_what_the_third_holds(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    dealt.hands = SPLIT
    led = await begin(server, chromium, game="all-fives", seats=3)

    await led.play(*UNTIL_SPLIT)

    sheet = led.person.see("sheet-result")
    await expect(sheet.get_by_role("heading", level=2)).to_have_text("Deal 1 is over: blocked, nobody can play")
    assert await shown_hands(sheet) == dealt_out(led)
    for text in ("Equal fewest pips in hand: You and Max", "66 → 65", "65 / 2 = 32.5"):
        await expect(sheet.locator(".result-rows")).to_contain_text(text)
    await expect(rows(sheet).filter(has_text="+32.5")).to_have_text(["You+32.5", "Max+32.5"])
    await expect(sheet).to_contain_text("Next to start: by lot")
    await expect(led.person.see("score-1")).to_have_text("62.5")


async def test_26_a_block_with_equal_hands_says_in_words_that_nobody_gets_a_bonus(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    dealt.hands = LEVEL
    led = await begin(server, chromium, game="block", seats=4)

    await led.play(*UNTIL_LEVEL)

    sheet = led.person.see("sheet-result")
    await expect(sheet).to_contain_text("blocked")
    await expect(rows(sheet)).to_contain_text(["Equal fewest pips in hand: Olena and Max and You and Ann", "nobody"])
    assert await shown_hands(sheet) == dealt_out(led)
    await expect(sheet).to_contain_text("8 tiles were not dealt and stay face down")


async def test_35_the_result_shows_each_score_as_a_sum_the_totals_who_is_ready_and_who_starts(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    dealt.hands = UNCOUNTED
    led = await begin(server, chromium, game="fives-threes", seats=3)
    wei = led.person
    await led.play(*UNTIL_LAST, "1-2 right")
    sheet = wei.see("sheet-result")

    await sheet.locator("summary").click()
    lines = await sheet.locator(".deal-scores li").all_inner_texts()
    gained = [0, 0, 0]
    for line in lines:
        name, *_, points = re.split(r"\s+", line.replace("→", " = ").replace("for going out", ""))
        gained[["Olena", "You", "Max"].index(name)] += int(points)

    assert gained == [3, 12, 2]
    for side, score in enumerate(gained):
        await expect(sheet.locator(f".score-cards li.side-{side}")).to_contain_text(f"{score}+{score}")
        await expect(wei.see(f"score-{side}")).to_have_text(str(score))
    label = "Olena: 3 of 61; You: 12 of 61; Max: 2 of 61"
    await expect(wei.see("track")).to_have_attribute("aria-label", label)
    await expect(sheet).to_contain_text("Tiles left in hand do not count")
    await expect(sheet).to_contain_text("Next to start: You (left of Olena)")
    await expect(sheet).to_contain_text("0 of 3 ready")
    await led.others[0].say("next", room=led.room)
    await expect(sheet).to_contain_text("1 of 3 ready")


async def test_35_with_others_the_next_deal_comes_by_itself_and_alone_it_waits_without_limit(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    dealt.hands = BLOCKED_AT_ONCE
    together = await begin(server, chromium, game="block", seats=3, seat=0)
    await together.play("6-6")
    await expect(together.person.see("sheet-result")).to_contain_text("Goes on in 20 seconds at the latest")

    alone = await begin(server, chromium, game="block", seats=3, seat=0)
    for computer in alone.others.values():
        await computer.say("leave", room=alone.room)
    await alone.play("6-6")

    await expect(alone.person.see("sheet-result")).to_contain_text("2 of 3 ready")
    await expect(alone.person.see("sheet-result").locator(".countdown")).to_have_count(0)


async def test_a_page_that_is_loaded_again_shows_how_long_the_next_deal_is_really_waited_for(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    dealt.hands = BLOCKED_AT_ONCE
    led = await begin(server, chromium, game="block", seats=3, seat=0)
    await led.play("6-6")
    await expect(led.person.see("sheet-result")).to_contain_text("Goes on in 20 seconds at the latest")

    await led.person.page.add_init_script("const now = Date.now; Date.now = () => now() + 15000")
    await led.person.page.reload()

    await expect(led.person.see("sheet-result").locator(".countdown")).to_have_text(re.compile("in [1-5] seconds?"))


async def test_a_result_is_kept_in_the_scores_when_the_next_deal_has_begun(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    dealt.hands = LEVEL
    led = await begin(server, chromium, game="block", seats=4)
    page = led.person.page
    await led.play(*UNTIL_LEVEL)
    hands = dealt_out(led)
    await expect(led.person.see("sheet-result")).to_be_visible()
    await led.next_deal()

    await page.get_by_role("button", name="Scores").click()
    await expect(led.person.see("sheet-scores")).to_contain_text("being played")
    await page.get_by_role("button", name="Hands and count").click()

    await expect(led.person.see("sheet-result")).to_contain_text("Deal 1 is over: blocked")
    assert await shown_hands(led.person.see("sheet-result")) == hands
    await page.get_by_role("button", name="Back to the scores").click()
    await expect(led.person.see("sheet-scores")).to_be_visible()


async def test_the_scores_name_each_score_and_why_one_was_not_counted(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    dealt.hands = UNCOUNTED
    led = await begin(server, chromium, game="fives-threes", seats=3, target=10)
    page = led.person.page
    await led.play(*UNTIL_LAST, "1-2 right")
    await expect(led.person.see("sheet-result")).to_be_visible()
    await page.keyboard.press("Escape")

    await page.get_by_role("button", name="Scores").click()

    own = led.person.see("sheet-scores").locator(".side-row.side-1")
    await expect(own.locator("summary")).to_contain_text("+9")
    await expect(own.locator("li")).to_contain_text(["2-5", "4-5", "5-6", "9 + 3 = 12, over 10: not counted"])
    standing = led.person.see("sheet-scores").locator(".standings tr.side-1 td")
    await expect(standing).to_have_text(["9", "1", "+3"])


WIDE = "node => node.scrollWidth - node.clientWidth"


@pytest.mark.parametrize("language", TRANSLATED)
async def test_the_standings_of_three_computers_have_room_on_a_phone(
    server: Server, chromium: Browser, dealt: type[Dealt], language: str
) -> None:
    dealt.hands = ((), (), ())
    person = (await alone(server, chromium, (390, 844), seats=3)).guest
    await speak(person.page, language)
    await person.see("board").press("s")

    await expect(person.see("sheet-scores")).to_be_visible()
    for width in (360, 390, 412, 430, 600):
        await person.resize(width, 844)
        assert await person.see("sheet-scores").locator(".sheet-body").evaluate(WIDE) <= 0, width


async def test_the_match_result_has_the_winner_each_deal_the_replay_and_another_match(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    dealt.hands = (("1-4",), ("1-1",))
    led = await begin(server, chromium, game="fives-threes", target=2)
    await led.play("1-4", "1-1 left")
    sheet = led.person.see("sheet-match")

    await expect(sheet.get_by_role("heading", level=2)).to_have_text("You win the match")
    await expect(sheet.locator(".track")).to_be_visible()
    await expect(sheet.locator(".score-cards .winner")).to_have_text("You2+2Winner")
    await expect(sheet.locator(".deals tbody")).to_have_text(["Deal 1 You reached the target1 +12 +2"])
    await expect(sheet.get_by_role("link", name="Replay")).to_have_attribute("href", re.compile(r"^/r/[0-9a-f]{16}$"))
    await expect(sheet.get_by_role("button", name="Home")).to_be_visible()
    await led.others[0].say("react", room=led.room, key="hello")
    await led.others[0].say("next", room=led.room)
    await sheet.get_by_role("button", name="Same again").click()

    await expect(sheet).to_have_count(0)
    await expect(led.person.see("score-1")).to_have_text("0")
    await expect(led.person.see("moves")).to_have_text("No moves yet.")


async def test_the_match_result_has_room_for_its_deals_on_the_smallest_phone(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    dealt.hands = (("1-4",), ("1-1",), ())
    led = await begin(server, chromium, game="fives-threes", seats=3, target=2, size=(360, 640))
    await led.play("1-4", "1-1 left")
    sheet = led.person.see("sheet-match")
    await speak(led.person.page, "uk")

    buttons = sheet.locator(".sheet-foot > :is(button, a)")
    first_deal = sheet.locator(".deals tbody").first

    await expect(buttons).to_have_count(3)
    tops = await buttons.evaluate_all("nodes => nodes.map(node => node.getBoundingClientRect().top)")
    assert len(set(tops)) == 2
    await expect(first_deal).to_be_in_viewport(ratio=1)
    for number, name in enumerate(("Olena", "Ви", "Max")):
        head = sheet.locator(".deals thead th").nth(number).get_by_text(name)
        await expect(head).to_be_in_viewport(ratio=1)
    assert await cut_off(led.person.page) == []


async def test_a_match_that_was_begun_again_is_called_practice_at_the_table_and_in_its_result(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    dealt.hands = (("1-4",), ("1-1",))
    led = await begin(server, chromium, game="fives-threes", target=2)
    mark = led.person.page.locator(".table-head .practice")
    await expect(mark).to_have_count(0)

    await led.others[0].say("restart", room=led.room)
    await expect(led.person.see("request")).to_be_visible()
    await led.person.later(SLIP)
    await led.person.see("yes").click()
    await expect(mark).to_have_text("practice")
    await led.play("1-4", "1-1 left")

    await expect(led.person.see("sheet-match")).to_contain_text("Practice: this match was started again")


async def test_the_host_may_have_two_change_places_before_the_next_match(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    dealt.hands = (("1-4",), ("1-1",), (), ())
    led = await begin(server, chromium, game="fives-threes", seats=4, target=2)
    await led.play("1-4", "1-1 left")
    await led.others[0].say("leave", room=led.room)
    sheet = led.person.see("sheet-match")

    await sheet.get_by_text("Change places first").click()
    places = sheet.locator(".swap-seats li")
    await places.nth(2).get_by_role("button").click()
    await places.nth(3).get_by_role("button").click()

    await expect(places.locator("bdi")).to_have_text(["Empty seat", "Wei", "Ann", "Max"])
    await expect(sheet.get_by_role("heading", level=2)).to_have_text("You and Ann win the match")


@pytest.mark.parametrize("size", [PHONE, (844, 390), DESK], ids=str)
async def test_a_second_press_on_play_does_not_skip_the_result_that_has_come_there(
    server: Server, chromium: Browser, dealt: type[Dealt], size: tuple[int, int]
) -> None:
    dealt.hands = BLOCKED_AT_ONCE
    ann = (await alone(server, chromium, size, game="block", seats=3)).guest
    await ann.see("hand-tile-6-6").click()
    point = await middle_of(ann.see("play"))
    await ann.page.mouse.click(*point)
    await expect(ann.see("sheet-result")).to_be_visible()

    await ann.page.mouse.click(*point)

    await ann.settle()
    await expect(ann.see("sheet-result")).to_be_visible()
    assert ann.sent("next") == []
    await ann.see("ready").click()
    await expect(ann.see("sheet-result")).to_have_count(0)
    assert len(ann.sent("next")) == 1
