"""What plays are worth, as the page says it: sums, marks at the ends, the exact target, going out, drawing."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.async_api import Browser, Locator, expect

from tests.browser.led import Led, begin
from tests.faults.browsing import Dealt
from tests.system.servers import Server

UNCOUNTED = (
    ("0-5", "1-1", "1-5", "2-4", "3-4"),
    ("0-0", "1-2", "2-5", "4-5", "5-6"),
    ("0-6", "1-3", "2-3", "3-5", "3-6"),
)
"""Hands of three."""
UNTIL_LAST = (
    *("2-4", "2-5 left", "3-5 left", "3-4 left", "4-5 right", "knock", "0-5 right", "0-0 right", "0-6 right"),
    *("knock", "5-6 right", "knock", "1-5 right"),
)
"""What they play until seat 1 has one tile left, which has brought it 9 points."""
PARTNERS = (
    ("0-0", "0-3", "2-6", "3-3", "6-6"),
    ("0-2", "0-5", "2-5", "4-4", "5-6"),
    ("1-3", "1-4", "2-2", "2-4", "3-5"),
    ("0-1", "1-1", "1-5", "3-6", "4-5"),
)
UNTIL_OUT = (
    *("0-0", "0-2 left", "2-2 left", "0-1 right", "2-6 left", "5-6 left", "3-5 left", "1-5 right", "0-3 left"),
    *("0-5 left", "knock", "4-5 right", "knock", "4-4 right", "1-4 right", "1-1 right", "knock"),
)
"""What partners play until seat 1 goes out with its next tile."""


async def mark(led: Led, letter: str) -> tuple[str, bool]:
    """What stands at that end, without its letter, and whether it is a ring."""
    await led.is_shown()
    node = led.person.see(f"end-{letter}")
    text = await node.text_content() or ""
    return text.removeprefix(letter), "hollow" in (await node.get_attribute("class") or "")


@pytest.mark.parametrize(
    ("hands", "acts", "sums"),
    [
        (
            (("1-4", "4-4"), ("1-1", "3-4")),
            ("1-4", "1-1 left", "4-4 right", "3-4 right"),
            ["1 + 4 = 5 → 1", "2 + 4 = 6 → 2", "2 + 8 = 10 → 2", "2 + 3 = 5 → 1"],
        ),
        ((("0-0",), ("1-6",)), ("0-0",), ["0 → 0"]),
        ((("2-2",), ("1-6",)), ("2-2",), ["4 → 0"]),
    ],
    ids=["doubles at ends and inside", "double blank", "lone double"],
)
async def test_19_each_play_is_written_with_the_sum_that_its_points_come_from(
    server: Server,
    chromium: Browser,
    dealt: type[Dealt],
    hands: tuple[tuple[str, ...], ...],
    acts: tuple[str, ...],
    sums: list[str],
) -> None:
    dealt.hands = hands
    led = await begin(server, chromium, game="fives-threes")

    await led.play(*acts)

    await expect(led.person.page.locator("[data-testid=moves] .sum")).to_have_text(sums)


async def test_19_a_lone_double_counts_once_and_its_other_side_is_a_ring(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    dealt.hands = (("0-0",), ("0-5", "5-5"))
    led = await begin(server, chromium, game="fives-threes")

    await led.play("0-0")
    assert [await mark(led, "A"), await mark(led, "B")] == [("0", False), ("", True)]
    await led.play("0-5 left")

    assert [await mark(led, "A"), await mark(led, "B")] == [("5", False), ("0", False)]


async def test_the_ends_in_words_add_up_to_the_total(server: Server, chromium: Browser, dealt: type[Dealt]) -> None:
    dealt.hands = (("2-2",), ("1-6",))
    led = await begin(server, chromium, game="fives-threes")

    await led.play("2-2")

    label = "Table with 1 tile. Ends: A double 2 and B 2 outside the total. Total 4"
    await expect(led.person.see("board")).to_have_attribute("aria-label", label)
    await expect(led.person.page.locator(".ends")).to_have_text("Ends A 2+2 · B (2) · total 4")


async def test_20_a_last_tile_that_would_pass_the_target_counts_nothing_and_the_result_explains_it(
    server: Server, chromium: Browser, dealt: type[Dealt], scores_at_start: Callable[..., None]
) -> None:
    dealt.hands = UNCOUNTED
    scores_at_start(0, 50, 0)
    led = await begin(server, chromium, game="fives-threes", seats=3)
    wei = led.person
    await wei.page.reload()
    await led.play(*UNTIL_LAST)
    await expect(wei.see("score-1")).to_have_text("59")
    peg = await wei.see("peg-1-now").get_attribute("style")

    await led.choose("1-2 right")
    await expect(wei.see("status")).to_contain_text("59 + 3 = 62: over 61, nothing counts")
    await expect(wei.page.locator(".chip-place.over text")).to_have_css("text-decoration-line", "line-through")
    await expect(wei.see("positions").locator("label")).to_have_text(
        re.compile(r"^B: \d, total 6, 59 \+ 3 = 62: over 61, nothing counts$")
    )
    await led.confirm()

    result = wei.see("sheet-result")
    await expect(result).to_contain_text("59 + 3 = 62, over 61, so nothing counts")
    await expect(result).to_contain_text("4 + 2 = 6 → 2")
    await expect(result.locator(".score-cards li.side-1")).to_contain_text("59")
    await expect(wei.see("score-1")).to_have_text("59")
    assert await wei.see("peg-1-now").get_attribute("style") == peg


async def test_21_exactly_the_target_in_the_middle_of_a_deal_ends_the_match_at_once(
    server: Server, chromium: Browser, dealt: type[Dealt], scores_at_start: Callable[..., None]
) -> None:
    dealt.hands = (("1-4",), ("1-1",))
    scores_at_start(0, 59)
    led = await begin(server, chromium, game="fives-threes")
    await led.person.page.reload()
    await led.play("1-4")

    await led.choose("1-1 left")
    await expect(led.person.see("status")).to_contain_text("Wins!")
    await expect(led.person.see("positions").locator("label").first).to_have_text("A: 1, total 6, 2 points, wins")
    await led.confirm()

    await expect(led.person.see("sheet-match")).to_contain_text("You win the match")
    await expect(led.person.see("score-1")).to_have_text("61")


async def test_22_a_partner_who_is_out_is_skipped_and_the_bonus_waits_for_the_other(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    dealt.hands = PARTNERS
    led = await begin(server, chromium, game="fives-threes", seats=4, seat=0)
    olena = led.person
    await led.play(*UNTIL_OUT)
    await led.is_shown()
    score = await olena.see("score-1").text_content()

    await led.play("2-5 left")
    await led.is_shown()
    await expect(olena.see("seat-1")).to_contain_text("out, partner plays on")
    await expect(olena.see("score-1")).to_have_text(score or "")
    await expect(olena.see("sheet-result")).to_have_count(0)
    await led.play("2-4 left", "knock", "knock")
    await led.is_shown()
    await expect(olena.see("seat-2")).to_have_class(re.compile("in-turn"))
    await led.play("1-3 right", "3-6 right")

    result = olena.see("sheet-result")
    await expect(result).to_contain_text("Wei and Ann went out")
    await expect(result.locator("li", has_text="both are out")).to_contain_text("+1")


async def test_23_who_can_play_nothing_can_only_knock_and_who_can_play_cannot(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    dealt.hands = (("6-6", "5-6"), ("0-5", "0-0", "0-1", "0-2", "0-3", "0-4", "1-1"))
    led = await begin(server, chromium, game="fives-threes")
    wei = led.person
    await led.play("6-6")

    await led.is_shown()
    await expect(wei.see("knock")).to_be_visible()
    await expect(wei.see("play")).to_have_count(0)
    await expect(wei.see("draw")).to_have_count(0)
    await led.play("knock", "5-6 left")

    await led.is_shown()
    await expect(wei.see("play")).to_be_visible()
    await expect(wei.see("knock")).to_have_count(0)


@pytest.mark.parametrize("game", ["draw", "all-fives"])
async def test_24_who_can_play_nothing_draws_and_has_to_play_the_tile_that_fits(
    server: Server, chromium: Browser, dealt: type[Dealt], game: str
) -> None:
    low = ("0-0", "0-1", "0-2", "0-3", "1-2", "1-3", "2-3", "1-1", "2-2")
    dealt.hands = (("6-6",), low[:7] if game == "draw" else low)
    led = await begin(server, chromium, game=game)
    wei = led.person
    await led.play("6-6")
    await led.is_shown()
    left = 14 if game == "draw" else 10
    await expect(wei.see("draw")).to_contain_text(str(left))

    await led.choose("draw")
    await expect(wei.see("status")).to_have_text(f"Draw one of {left} tiles?")
    await expect(wei.see("hand-tile-0-4")).to_have_count(0)
    await led.confirm()
    await expect(wei.see("hand-tile-0-4")).to_be_visible()
    await expect(wei.see("draw")).to_contain_text(str(left - 1))
    await led.play("draw", "draw")

    await led.is_shown()
    await expect(wei.see("hand-tile-0-6")).to_have_attribute("aria-pressed", "true")
    await expect(wei.page.locator('[data-testid^="place-"]')).to_have_count(2)
    await wei.see("hand-tile-0-0").click(force=True)
    await expect(wei.see("status")).to_contain_text("Play the tile that you drew")
    await expect(wei.see("hand-tile-0-6")).to_have_attribute("aria-pressed", "true")
    await led.play("0-6 left")
    await expect(wei.see("tile-0-6")).to_have_count(1)


async def test_25_the_sides_of_the_spinner_open_when_its_line_is_used_and_count_when_a_tile_lies_there(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    dealt.hands = (("1-2", "2-4", "5-5"), ("2-2", "2-5", "1-1"))
    led = await begin(server, chromium, game="all-fives")
    wei = led.person

    await led.play("1-2", "2-2 right")
    await led.is_shown()
    await expect(wei.page.locator(".tile.spinner")).to_have_attribute("data-testid", "tile-2-2")
    assert await is_outlined(wei.page.locator(".tile.spinner"))
    await expect(wei.see("end-C")).to_have_count(0)
    assert await mark(led, "B") == ("4", False)
    await led.play("2-4 right")
    assert [await mark(led, letter) for letter in "CD"] == [("", True), ("", True)]
    await led.play("2-5 up")
    assert [await mark(led, letter) for letter in "CD"] == [("5", False), ("", True)]
    await led.play("5-5 up")

    assert await mark(led, "C") == ("10", False)
    await expect(wei.page.locator(".tile.spinner")).to_have_count(1)


async def is_outlined(spinner: Locator) -> bool:
    """Whether it is seen to be another tile than it would be without its mark."""
    marked = await spinner.screenshot()
    await spinner.evaluate("node => { node.classList.remove('spinner'); window.unmarked = node; }")
    plain = await spinner.page.locator(".camera > [data-testid=tile-2-2]").screenshot()
    await spinner.page.evaluate("window.unmarked.classList.add('spinner')")
    return marked != plain


async def test_moves_stay_at_their_end_unless_they_were_scrolled_back_and_then_say_how_many_are_new(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    dealt.hands = PARTNERS
    led = await begin(server, chromium, game="fives-threes", seats=4)
    page, moves = led.person.page, led.person.see("moves")
    await led.play(*UNTIL_OUT)
    await expect(moves.locator("li").last).to_be_in_viewport()

    await moves.evaluate("list => { list.scrollTop = 0; }")
    await led.play("2-5 left", "2-4 left")
    await led.is_shown()
    await expect(page.get_by_role("button", name="2 new")).to_be_visible()
    await expect(moves.locator("li").first).to_be_in_viewport()
    await page.get_by_role("button", name="2 new").click()

    await expect(moves.locator("li").last).to_be_in_viewport()
    await expect(page.get_by_role("button", name="2 new")).to_have_count(0)
