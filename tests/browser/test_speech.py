"""What a screen reader is told of a match as it goes on."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Browser, expect

from tests.browser.person import Person
from tests.browser.scenes import NOTHING_FITS
from tests.faults.browsing import PHONE, Dealt, Table, alone, sit_down
from tests.system.servers import Server

HANDS = (("6-6", "2-6"), ("3-6", "5-6", "1-6", "1-2", "0-1", "2-2", "4-4"))
SLIP = 250
"""Milliseconds after which confirming what was chosen is no slip any more."""
RECORD = """() => {
  window.spoken = [];
  for (const region of document.querySelectorAll('[aria-live=polite]')) {
    const note = () => region.textContent && spoken.push(region.textContent);
    new MutationObserver(note).observe(region, { childList: true });
  }
}"""


async def spoken(person: Person, count: int) -> list[str]:
    """What is read out, once that much has come and everything has had the time to."""
    await person.page.wait_for_function("(count) => spoken.length >= count", arg=count)
    await person.page.clock.run_for(3000)
    texts: list[str] = await person.page.evaluate("spoken")
    return texts


async def reads_out(person: Person, said: str) -> None:
    """Something like that is read out."""
    await expect(person.page.locator('[data-testid^="live-"]').filter(has_text=re.compile(said))).to_have_count(1)


async def after_own_play(server: Server, browser: Browser, dealt: type[Dealt]) -> Table:
    """Bob has laid 3-6 on the host's 6-6, and all of that has been read out."""
    dealt.hands = HANDS
    table = await sit_down(server, browser, game="fives-threes", target=61)
    bob = table.guest
    await bob.page.clock.install()
    await table.act("6-6")
    await expect(bob.see("board")).to_have_attribute("data-state", "TURN")
    await bob.see("hand-tile-3-6").click()
    await bob.see("place-A").click()
    await bob.see("play").click()
    await expect(bob.see("tile-3-6")).to_have_count(1)
    await bob.page.clock.run_for(3000)
    await bob.page.evaluate(RECORD)
    return table


async def test_on_a_phone_the_heading_of_a_table_says_what_its_code_is_of(server: Server, chromium: Browser) -> None:
    table = await sit_down(server, chromium, size=PHONE)

    await expect(table.guest.page.get_by_role("heading", name=f"Doublesix {table.room}", exact=True)).to_have_count(1)


async def test_45_the_play_of_another_is_one_message_with_tile_end_total_points_and_turn(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    table = await after_own_play(server, chromium, dealt)

    await table.act("2-6", "right")

    assert await spoken(table.guest, 1) == [
        "Ann played 2-6 at end B. Ends 3 and 2, total 5, 1 point: 4 to 5. Your turn."
    ]


@pytest.mark.parametrize(
    ("game", "needed"),
    [
        ("fives-threes", "Your turn. Nothing of yours fits: knock"),
        ("draw", "Your turn. Nothing of yours fits: draw, 14 tiles left"),
    ],
)
async def test_a_turn_without_a_tile_that_fits_is_read_out_as_one(
    server: Server, chromium: Browser, dealt: type[Dealt], game: str, needed: str
) -> None:
    dealt.hands = NOTHING_FITS
    table = await sit_down(server, chromium, game=game, target=61)
    await table.guest.page.clock.install()
    await table.guest.page.evaluate(RECORD)

    await table.act("6-6")

    (said,) = await spoken(table.guest, 1)
    assert said.endswith(needed)


async def test_after_a_tile_that_was_drawn_in_vain_what_is_left_to_do_is_read_out(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    dealt.hands = NOTHING_FITS
    table = await sit_down(server, chromium, game="draw", target=61)
    bob = table.guest
    await table.act("6-6")
    await table.assert_current()
    await bob.see("draw").click()

    await bob.page.get_by_role("button", name="Draw a tile").click()

    await reads_out(bob, r"You drew .+\. Nothing of yours fits: draw, 13 tiles left")


async def test_what_is_chosen_and_what_it_would_score_is_read_out(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    dealt.hands = HANDS
    table = await sit_down(server, chromium, game="fives-threes", target=61)
    bob = table.guest
    await bob.page.clock.install()
    await table.act("6-6")
    await expect(bob.see("board")).to_have_attribute("data-state", "TURN")
    await bob.page.clock.run_for(3000)
    await bob.page.evaluate(RECORD)

    await bob.see("hand-tile-3-6").press("Enter")
    assert await spoken(bob, 1) == ["3-6: choose an end"]
    await bob.see("place-B").click()

    assert await spoken(bob, 2) == ["3-6: choose an end", await bob.see("status").inner_text()]


async def test_to_draw_is_asked_aloud_and_enter_in_the_hand_confirms_it(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    dealt.hands = NOTHING_FITS
    table = await sit_down(server, chromium, game="draw", target=61)
    bob = table.guest
    await table.act("6-6")
    await table.assert_current()
    await bob.page.locator(".hand-tile").first.focus()

    await bob.page.keyboard.press("d")
    await reads_out(bob, "Draw one of 14")
    await bob.later(SLIP)
    await bob.page.keyboard.press("Enter")

    await expect(bob.page.locator(".hand-tile")).to_have_count(8)
    assert [act["action"]["type"] for act in bob.acts()] == ["draw"]


@pytest.mark.parametrize("place", ["hand-tile-5-6", "board"])
async def test_enter_plays_what_is_chosen_from_the_hand_and_from_the_board(
    server: Server, chromium: Browser, dealt: type[Dealt], place: str
) -> None:
    dealt.hands = HANDS
    table = await sit_down(server, chromium, game="fives-threes", target=61)
    bob = table.guest
    await table.act("6-6")
    await expect(bob.see("board")).to_have_attribute("data-state", "TURN")
    await bob.see("hand-tile-5-6").press("Enter")
    await bob.see("place-B").click()
    await bob.later(SLIP)

    await bob.see(place).press("Enter")

    await expect(bob.see("tile-5-6")).to_have_count(1)


@pytest.mark.parametrize(
    ("command", "said"), [("undo", "Taken back. Your turn."), ("redo", "It is back again. Your turn.")]
)
async def test_alone_it_is_read_out_once_whose_turn_it_is_after_a_take_back(
    server: Server, chromium: Browser, dealt: type[Dealt], command: str, said: str
) -> None:
    dealt.hands = (("1-4", "4-4", "0-1"), ("4-5", "4-6", "5-5"))
    table = await alone(server, chromium)
    ann = table.guest
    await ann.play("1-4")
    await table.wait_for_turn()
    await reads_out(ann, "Your turn")
    if command == "redo":
        await ann.see("undo").click()
        await reads_out(ann, "Taken back")
    await ann.page.clock.install()
    await ann.page.evaluate(RECORD)

    await ann.see(command).click()

    assert await spoken(ann, 1) == [said]


async def test_a_hint_is_read_out_with_its_tile_and_end(server: Server, chromium: Browser, dealt: type[Dealt]) -> None:
    dealt.hands = HANDS
    table = await sit_down(server, chromium, game="fives-threes", target=61)
    await table.act("6-6")

    await table.guest.see("hint").click()

    await reads_out(table.guest, r"Hint: .*\. \d-\d at [AB]:")


async def test_the_regions_are_there_and_empty_before_any_script_and_the_moves_are_none(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    person = await Person.arrive("Ann", chromium, (1280, 800), java_script_enabled=False)
    await person.page.goto(f"http://127.0.0.1:{server.port}/")
    regions = person.page.locator("[aria-live=polite]")
    await expect(regions).to_have_count(2)
    await expect(regions.first).to_be_empty()
    await expect(person.see("alert")).to_be_empty()
    await expect(person.page.locator("noscript")).to_have_count(1)

    table = await after_own_play(server, chromium, dealt)

    await expect(table.guest.page.locator("[aria-live=polite]")).to_have_count(2)
    assert await table.guest.see("moves").evaluate("(list) => list.closest('[aria-live], [role=log]')") is None


async def test_a_new_turn_moves_no_focus_and_after_a_play_it_is_on_the_next_tile(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    table = await after_own_play(server, chromium, dealt)
    bob = table.guest
    await expect(bob.page.locator(".hand-tile:focus")).to_have_count(1)
    focused = bob.page.get_by_role("button", name="Rotate", exact=True)
    await focused.focus()

    await table.act("2-6", "right")
    await table.assert_current()

    await expect(bob.see("board")).to_have_attribute("data-state", "TURN")
    await expect(focused).to_be_focused()
