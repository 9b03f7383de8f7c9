"""Who is at the table: spectators, and what players say to each other."""

from __future__ import annotations

import re

from playwright.async_api import Browser, expect

from tests.browser.person import Person
from tests.faults.browsing import DESK, Table, open_table, sit_down, watch
from tests.system.servers import Server


async def react(person: Person, name: str) -> None:
    await person.page.get_by_role("button", name="React").click()
    await person.see("reactions").get_by_role("button", name=name).click()


async def test_39_a_spectator_sees_moves_but_no_hand_and_no_controls_that_act(
    server: Server, chromium: Browser
) -> None:
    table = await watch(server, chromium)
    eve = table.guest

    await table.act()

    await expect(eve.page.locator('.board g.tile[data-testid^="tile-"]')).to_have_count(1)
    await expect(eve.see("moves").locator("li")).to_have_count(1)
    await expect(eve.see("hand")).to_have_count(0)
    for control in ("play", "cancel", "draw", "knock", "hint", "undo", "redo", "restart", "new-game"):
        await expect(eve.see(control)).to_have_count(0)
    await expect(eve.page.get_by_role("button", name="React")).to_have_count(0)
    assert eve.faults == []


async def test_39_a_spectator_is_offered_a_seat_as_soon_as_one_can_be_had(server: Server, chromium: Browser) -> None:
    table = await watch(server, chromium)
    eve = table.guest
    await expect(eve.page.get_by_text("You are watching")).to_have_count(1)
    await expect(eve.see("sit")).to_have_count(0)

    await table.host.say("leave", room=table.room)
    await eve.see("sit").click()

    await expect(eve.see("sit")).to_have_text("You are next")
    await expect(eve.see("sit")).to_be_disabled()


async def test_39_a_spectator_without_a_name_says_one_before_taking_a_seat(server: Server, chromium: Browser) -> None:
    host, other = await server.client("Ann"), await server.client("Cat")
    room = await host.create(game="draw", seats=2, lead=0)
    await other.say("join", room=room)
    await host.say("start", room=room)
    eve = await watch_namelessly(server, chromium, room)
    await host.say("leave", room=room)

    await eve.see("sit").click()
    await eve.see("join").click()
    await expect(eve.page.get_by_role("alert").filter(has_text="Say your name first")).to_be_visible()
    await eve.see("name").fill("Eve")
    await eve.see("join").click()

    await expect(eve.see("sit")).to_have_text("You are next")
    await expect(eve.see("sheet-name")).to_have_count(0)
    assert server.table(room).places[0].coming is not None


async def test_39_who_watches_a_lobby_without_a_name_takes_the_very_seat_that_was_pressed(
    server: Server, chromium: Browser
) -> None:
    host = await server.client("Ann")
    room = await host.create(game="draw", seats=3)
    eve = await watch_namelessly(server, chromium, room)

    await eve.see("seat-2").get_by_role("button", name="Sit here").click()
    await eve.see("name").fill("Eve")
    await eve.see("name").press("Enter")

    await expect(eve.see("seat-2")).to_contain_text("Eve")
    await expect(eve.see("ready")).to_be_visible()


async def watch_namelessly(server: Server, browser: Browser, room: str) -> Person:
    eve = await Person.arrive("Eve", browser, DESK)
    await open_table(eve, server.port, room)
    await eve.page.get_by_role("button", name="Watch").click()
    await expect(eve.page.get_by_test_id("board").or_(eve.see("lobby"))).to_be_visible()
    return eve


async def test_39_the_number_of_spectators_grows_for_players_and_their_names_are_a_press_away(
    server: Server, chromium: Browser
) -> None:
    table = await sit_down(server, chromium)
    bob = table.guest
    await expect(bob.see("watchers")).to_have_count(0)

    for count, name in enumerate(("Eve", "Fay"), 1):
        spectator = await server.client(name)
        await spectator.say("watch", room=table.room)
        await expect(bob.see("watchers")).to_have_text(str(count))
    await bob.see("watchers").click()

    await expect(bob.see("sheet-people")).to_contain_text("Eve")
    await expect(bob.see("sheet-people")).to_contain_text("Fay")


async def test_40_three_reactions_in_three_seconds_show_one_and_then_a_toast(server: Server, chromium: Browser) -> None:
    table = await sit_down(server, chromium)

    await react(table.guest, "Well played")
    await expect(table.guest.see("seat-1").locator(".bubble")).to_have_text("Well played")
    await expect(table.guest.see("moves").locator(".said")).to_have_text(re.compile("You.*Well played"))
    for _ in range(2):
        await react(table.guest, "Wow")

    await expect(table.guest.see("toast")).to_have_text(re.compile("Too many reactions"))
    await expect(table.guest.see("moves").locator(".said")).to_have_count(1)
    assert [event["key"] for event in await reactions_heard(table)] == ["well_played"]


async def reactions_heard(table: Table) -> list[dict[str, str]]:
    """What the host has been told that somebody said."""
    await table.host.hear(table.room, "reacted")
    events = [event for update in table.host.updates(table.room) for event in update["events"]]
    return [event for event in events if event["type"] == "reacted"]


async def test_a_reaction_is_shown_at_the_seat_for_three_seconds_and_stays_in_the_log(
    server: Server, chromium: Browser
) -> None:
    table = await sit_down(server, chromium)
    await table.guest.page.clock.install()

    await table.host.say("react", room=table.room, key="thanks")
    await expect(table.guest.see("seat-0").locator(".bubble")).to_have_text("Thanks")
    await table.guest.page.clock.run_for(3_100)

    await expect(table.guest.see("seat-0").locator(".bubble")).to_have_count(0)
    await expect(table.guest.see("moves").locator(".said")).to_have_text(re.compile("Ann.*Thanks"))


async def test_the_reactions_of_one_player_can_be_hidden_from_the_seat(server: Server, chromium: Browser) -> None:
    table = await sit_down(server, chromium)
    bob = table.guest

    await bob.see("seat-0").get_by_role("button").click()
    await bob.see("sheet-people").get_by_role("button", name="Hide the reactions of Ann").click()
    await bob.page.keyboard.press("Escape")
    await table.host.say("react", room=table.room, key="hello")
    await table.act()
    await expect(bob.see("moves").locator("li:not(.said):not(.empty)")).to_have_count(1)

    await expect(bob.page.locator(".bubble")).to_have_count(0)
    await expect(bob.see("moves").locator(".said")).to_have_count(0)


async def test_all_reactions_of_others_can_be_hidden_but_not_ones_own(server: Server, chromium: Browser) -> None:
    table = await sit_down(server, chromium)
    bob = table.guest

    await bob.page.get_by_role("button", name="Settings").click()
    await bob.page.get_by_role("switch", name="Hide the reactions of all others").check()
    await bob.page.keyboard.press("Escape")
    await table.host.say("react", room=table.room, key="hello")
    await react(bob, "Nice")

    await expect(bob.page.locator(".bubble")).to_have_text(["Nice"])
