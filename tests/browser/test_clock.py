"""The turn timer, where a table has one: what is left of a choice, and what is said when it is over."""

from __future__ import annotations

import re

from playwright.async_api import Browser, expect

from tests.browser.person import Person
from tests.browser.scenes import TWO_HANDS
from tests.faults.browsing import Dealt, meet, sit_down, watch
from tests.system.servers import Server


async def shows(person: Person, seconds: range) -> None:
    """The clock shows one of these times: the page's own time goes on while the test looks."""
    times = "|".join(f"{second // 60}:{second % 60:02}" for second in seconds)
    await expect(person.see("clock")).to_have_text(re.compile(f"^({times})$"))


async def test_the_time_of_who_is_in_turn_is_shown_and_right_after_a_reload_too(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    dealt.hands = TWO_HANDS
    table = await sit_down(server, chromium, size=(360, 640), turn_timer=60, game="fives-threes", target=61)
    bob = table.guest

    await expect(bob.see("status")).to_contain_text("Ann to play")
    await shows(bob, range(50, 61))
    await table.act("6-6")
    await table.assert_current()
    await shows(bob, range(50, 61))
    server.let_pass(30)
    await bob.page.reload()
    await expect(bob.see("status")).to_contain_text("Your turn")

    await shows(bob, range(20, 31))
    await expect(bob.see("clock")).to_be_in_viewport(ratio=1)
    assert bob.faults == []


async def test_lobby_and_rules_name_the_time_for_a_choice(server: Server, chromium: Browser) -> None:
    table = await meet(server, chromium, turn_timer=60)
    bob = table.guest

    await expect(bob.see("lobby")).to_contain_text("1 minute for each choice")
    await bob.page.get_by_role("button", name="Rules").click()

    await expect(bob.see("sheet-rules")).to_contain_text("At this table each choice has 1 minute.")


async def test_ten_seconds_are_told_once_and_what_a_computer_did_when_they_were_over(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    dealt.hands = TWO_HANDS
    table = await sit_down(server, chromium, turn_timer=60, game="fives-threes", target=61)
    bob = table.guest
    await table.act("6-6")
    await table.assert_current()
    told = bob.page.get_by_text("seconds left")

    server.let_pass(50)
    await bob.page.reload()
    await expect(told).to_have_count(1)
    server.let_pass(10)

    await expect(bob.see("toast")).to_have_text("Your time is over: a computer makes this choice for you.")
    await expect(bob.see("status")).to_contain_text("Ann to play")
    await shows(bob, range(50, 61))


async def test_in_a_low_window_a_long_hint_beside_the_clock_covers_nothing(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    dealt.hands = TWO_HANDS
    options = {"locale": "uk-UA"}
    table = await sit_down(
        server, chromium, size=(844, 390), options=options, game="fives-threes", target=61, turn_timer=60
    )
    bob = table.guest
    await table.act("6-6")
    await table.assert_current()

    await bob.see("hint").click()
    await expect(bob.see("board")).to_have_attribute("data-state", "PREVIEW")
    status = await bob.see("status").bounding_box()
    hand = await bob.see("seat-1").bounding_box()

    assert status is not None
    assert hand is not None
    assert status["y"] + status["height"] <= hand["y"]


async def test_at_a_table_whose_players_are_all_gone_the_clock_stands_still(server: Server, chromium: Browser) -> None:
    table = await watch(server, chromium, turn_timer=60)
    await table.host.say("sync", room=table.room)
    await shows(table.guest, range(50, 61))

    await server.send_all_away()
    await expect(table.guest.see("seat-0")).to_contain_text("away")
    await table.guest.later(30_000)
    await table.guest.page.evaluate("() => new Promise(requestAnimationFrame)")

    await expect(table.guest.see("clock")).to_have_text("1:00")
