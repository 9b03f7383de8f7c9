from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.async_api import Browser, WebSocketRoute, expect

from tests.browser.person import Person
from tests.faults.browsing import DESK, PHONE, alone, sit_down
from tests.faults.proxy import Proxy, proxy_to
from tests.system.servers import Server

ENTRIES = ["Quick match", "Join by code", "Play with computers", "Create a table", "Pass and play", "Open tables"]
PUSHED_AFTER = 1.0
"""Seconds for which the server gathers changes of the open tables."""


async def at_home(
    browser: Browser, server: Server | Proxy, size: tuple[int, int] = DESK, *, is_silent: bool = False, **kept: object
) -> Person:
    """Somebody at the home page, in whose browser these values are kept; nobody answers there where it is silent."""
    person = await Person.arrive("Ann", browser, size, kept=kept)
    if is_silent:
        await person.page.route_web_socket("**/ws", stay_silent)
    await person.page.goto(f"http://127.0.0.1:{server.port}/?anim=0")
    await expect(person.see("home")).to_be_visible()
    return person


def stay_silent(_: WebSocketRoute) -> None:
    """The line is open, and nobody answers."""


async def test_01_the_first_visit_shows_name_language_and_six_entries(server: Server, chromium: Browser) -> None:
    person = await at_home(chromium, server, PHONE)

    await expect(person.see("name")).to_be_editable()
    await expect(person.page.get_by_role("group", name="Language").get_by_role("button")).not_to_have_count(0)
    for entry in ENTRIES:
        await expect(person.page.get_by_text(entry, exact=True)).to_be_visible()
    await expect(person.see("tables")).to_contain_text("No open tables. Create one or play with computers.")
    await expect(person.page.get_by_text("No finished matches yet.")).to_be_visible()
    assert person.faults == []
    assert person.hosts == {f"127.0.0.1:{server.port}"}


async def test_in_a_low_window_too_a_code_that_cannot_be_one_is_seen_to_be_refused(
    server: Server, chromium: Browser
) -> None:
    person = await at_home(chromium, server, (360, 420))

    await person.see("code").fill("K7Q")
    await person.see("code").press("Enter")

    await expect(person.page.get_by_text("A code has six letters and digits")).to_be_in_viewport(ratio=1)


async def test_until_the_open_tables_have_come_their_places_are_shown(server: Server, chromium: Browser) -> None:
    person = await at_home(chromium, server, is_silent=True)

    await expect(person.see("tables").locator(".skeleton")).to_be_visible()
    await expect(person.see("tables")).to_have_attribute("aria-busy", "true")


async def test_open_tables_come_change_and_go_while_one_looks(server: Server, chromium: Browser) -> None:
    person = await at_home(chromium, server)
    host = await server.client("Olena")

    room = await host.create(game="fives-threes", seats=2, public=True)
    server.let_pass(PUSHED_AFTER)
    await expect(person.see("tables")).to_contain_text("Host: Olena · 1 free seat")

    guest = await server.client("Wei")
    await guest.say("join", room=room)
    server.let_pass(PUSHED_AFTER)
    await expect(person.see("tables")).to_contain_text("Host: Olena · 0 free seats")
    await expect(person.see("tables").get_by_role("button", name="Join")).to_have_count(0)

    await host.say("leave", room=room)
    await guest.say("leave", room=room)
    server.let_pass(PUSHED_AFTER)
    await expect(person.see("tables")).to_contain_text("No open tables.")


async def test_who_leaves_the_home_page_is_told_of_no_more_open_tables(server: Server, chromium: Browser) -> None:
    person = await at_home(chromium, server)
    await expect(person.see("tables")).to_contain_text("No open tables.")

    await person.see("create").click()

    await expect(person.see("create")).to_have_text("Create the table")
    said = [json.loads(frame) for frame in person.frames]
    assert [message["subscribe"] for message in said if message["type"] == "rooms"] == [True, False]


async def test_from_the_list_one_sits_down_or_watches(server: Server, chromium: Browser) -> None:
    host = await server.client("Olena")
    room = await host.create(game="fives-threes", seats=2, public=True)
    watcher = await at_home(chromium, server, name="Ann")
    player = await at_home(chromium, server, name="Bob")

    await watcher.see("tables").get_by_role("button", name="Watch").click()
    await expect(watcher.see("lobby")).to_contain_text("Ann")
    assert list(server.table(room).watchers.values()) == ["Ann"]

    await player.see("tables").get_by_role("button", name="Join").click()
    await expect(player.see("seat-1")).to_contain_text("Bob")


async def test_who_says_a_name_at_home_sits_down_under_it(server: Server, chromium: Browser) -> None:
    host = await server.client("Olena")
    room = await host.create(game="fives-threes", seats=2, public=True)
    person = await at_home(chromium, server)
    await expect(person.see("tables")).to_contain_text("Host: Olena")

    await person.see("name").fill("Ann")
    await person.see("tables").get_by_role("button", name="Join").click()

    await expect(person.see("seat-1")).to_contain_text("Ann")
    assert server.table(room).places[1].name == "Ann"


async def test_without_a_line_home_says_so_and_comes_back_by_itself(server: Server, chromium: Browser) -> None:
    async with proxy_to(server.port) as line:
        person = await at_home(chromium, line)
        await expect(person.see("tables")).to_contain_text("No open tables.")

        line.is_refusing = True
        line.cut()
        await expect(person.see("tables")).to_contain_text("No connection.")

        line.is_refusing = False
        await expect(person.see("tables")).to_contain_text("No open tables.")


async def test_an_unfinished_match_is_offered_with_what_is_known_of_it(server: Server, chromium: Browser) -> None:
    host = await server.client("Olena")
    room = await host.create(game="block", seats=2, lead=0)
    person = await Person.arrive("Ann", chromium, PHONE)
    await person.page.goto(f"http://127.0.0.1:{server.port}/t/{room}?anim=0")
    await person.see("name").fill("Ann")
    await person.see("join").click()
    await expect(person.see("lobby")).to_be_visible()
    await host.say("start", room=room)
    await expect(person.see("board")).to_be_visible()

    await person.page.goto(f"http://127.0.0.1:{server.port}/?anim=0")
    resume = person.page.get_by_role("button", name=f"Table {room}")
    await expect(resume).to_contain_text("Block")
    await expect(resume).to_contain_text("Against Olena")
    await expect(person.see("tables")).to_contain_text("No open tables.")
    await resume.click()

    await expect(person.see("board")).to_be_visible()


async def test_42_computers_of_an_unfinished_match_are_named_in_the_language_of_now(
    server: Server, chromium: Browser
) -> None:
    ann = (await alone(server, chromium, seats=4)).guest
    await ann.see("board").click()
    await ann.page.wait_for_function("() => localStorage.getItem('doublesix.tables') !== null")
    await ann.page.goto(f"http://127.0.0.1:{server.port}/?anim=0")
    await expect(ann.page.locator(".resume-entry")).to_contain_text("With Computer 2 against Computer and Computer 3")

    await ann.page.get_by_role("button", name="Українська").click()

    await expect(ann.page.locator(".resume-entry")).to_contain_text("Партнер")
    await expect(ann.page.locator(".resume-entry")).not_to_contain_text("Computer")


async def test_who_leaves_a_match_against_computers_finds_it_again_at_home(server: Server, chromium: Browser) -> None:
    ann = await Person.arrive("Ann", chromium, PHONE)
    await ann.page.goto(f"http://127.0.0.1:{server.port}/new?computers&anim=0")
    await ann.see("name").fill("Ann")
    await ann.see("create").click()
    await expect(ann.see("board")).to_be_visible()

    await ann.page.get_by_role("button", name="Menu").click()
    await ann.page.get_by_role("button", name="Leave the table").click()
    await expect(ann.see("home")).to_be_visible()
    await ann.page.get_by_role("button", name="Resume").click()

    await expect(ann.see("board")).to_be_visible()
    await expect(ann.see("hand")).to_be_visible()


async def test_a_match_with_others_is_left_only_after_a_question_and_found_again_at_home(
    server: Server, chromium: Browser
) -> None:
    table = await sit_down(server, chromium, size=PHONE)
    bob = table.guest
    player = server.table(table.room).places[1].player

    await bob.page.get_by_role("button", name="Menu").click()
    await bob.page.get_by_role("button", name="Leave the table").click()
    await expect(bob.see("sheet-leave")).to_contain_text("a computer plays in your place")
    await expect(bob.see("sheet-leave")).to_contain_text("you may come back")
    assert server.table(table.room).places[1].player == player
    await bob.see("leave").click()
    await expect(bob.see("home")).to_be_visible()
    assert server.table(table.room).places[1].player is None
    resume = bob.page.get_by_role("button", name="Resume")
    await expect(resume).to_contain_text("A computer plays for you")
    await bob.page.reload()
    await resume.click()

    await expect(bob.see("hand")).to_be_visible()
    assert server.table(table.room).places[1].player == player


async def test_who_thinks_better_of_leaving_stays_in_the_match(server: Server, chromium: Browser) -> None:
    table = await sit_down(server, chromium, size=PHONE)
    bob = table.guest
    await bob.page.get_by_role("button", name="Menu").click()
    await bob.page.get_by_role("button", name="Leave the table").click()

    await bob.see("sheet-leave").get_by_role("button", name="Cancel").click()

    await expect(bob.see("sheet-leave")).to_have_count(0)
    await expect(bob.see("hand")).to_be_visible()
    assert bob.sent("leave") == []


async def test_a_table_that_was_left_is_offered_no_more_when_it_is_gone_or_full(
    server: Server, chromium: Browser
) -> None:
    host = await server.client("Olena")
    room = await host.create(game="block", seats=2)
    full = await host.create(game="block", seats=2)
    await (await server.client("Wei")).say("join", room=full)

    person = await at_home(chromium, server, left=["ABCDEF", room, full])

    resume = person.page.get_by_role("button", name="Resume")
    await expect(resume).to_have_count(1)
    await expect(resume).to_contain_text(room)


async def test_a_table_whose_match_is_over_is_not_offered_as_unfinished(server: Server, chromium: Browser) -> None:
    facts = {"game": "block", "partner": None, "others": ["Olena"], "scores": [100, 40], "at": 1}
    tables = {"AAAAAA": {**facts, "isOver": True}, "BBBBBB": {**facts, "isOver": False}}

    person = await at_home(chromium, server, is_silent=True, rooms=["AAAAAA", "BBBBBB"], tables=tables)

    await expect(person.page.get_by_role("button", name="Resume")).to_have_count(1)
    await expect(person.page.get_by_role("button", name="Resume")).to_contain_text("BBBBBB")


async def test_home_takes_no_seat_over_that_is_open_in_another_tab(server: Server, chromium: Browser) -> None:
    host = await server.client("Olena")
    room = await host.create(game="block", seats=2)
    person = await Person.arrive("Ann", chromium, DESK)
    await person.page.goto(f"http://127.0.0.1:{server.port}/t/{room}?anim=0")
    await person.see("name").fill("Ann")
    await person.see("join").click()
    await expect(person.see("lobby")).to_be_visible()

    second = await person.page.context.new_page()
    await second.goto(f"http://127.0.0.1:{server.port}/")
    await expect(second.get_by_role("button", name="Look for open tables")).to_be_visible()

    await expect(person.see("banner")).to_have_count(0)
    assert server.table(room).places[1].is_here
    await person.page.close()
    await second.wait_for_function("async () => (await navigator.locks.query()).held.length === 0")
    await second.reload()
    await expect(second.get_by_text("No open tables.")).to_be_visible()


async def test_finished_matches_of_this_browser_lead_to_their_replays(server: Server, chromium: Browser) -> None:
    replay = {
        "id": "0123456789abcdef",
        "game": "fives-threes",
        "names": ["Ann", "Wei"],
        "scores": [61, 43],
        "won": True,
        "at": 1_790_000_000_000,
    }

    person = await at_home(chromium, server, replays=[replay])

    line = person.page.get_by_role("link", name="Fives and Threes")
    await expect(line).to_contain_text("won")
    await expect(line).to_contain_text("Ann and Wei")
    await expect(line).to_have_attribute("href", "/r/0123456789abcdef")


async def test_a_code_is_taken_in_any_writing_and_a_wrong_one_is_named(server: Server, chromium: Browser) -> None:
    host = await server.client("Olena")
    room = await host.create(game="block", seats=2)
    person = await at_home(chromium, server, name="Ann")

    await person.see("code").fill("ABC 10")
    await person.see("join").click()
    await expect(person.page.get_by_role("alert").filter(has_text="A code has six")).to_be_visible()
    await expect(person.see("code")).to_have_attribute("aria-invalid", "true")

    await person.see("code").fill(f" {room[:3].lower()} {room[3:]} ")
    await person.see("join").click()
    await expect(person.see("lobby")).to_contain_text("Ann")


@pytest.mark.parametrize("writing", ["{}-{}", "http://127.0.0.1/t/{}{}?lang=uk", "https://example.org/t/{}{}/"])
async def test_a_code_with_a_dash_and_a_whole_link_lead_to_the_table(
    server: Server, chromium: Browser, writing: str
) -> None:
    host = await server.client("Olena")
    room = await host.create(game="block", seats=2)
    person = await at_home(chromium, server, name="Ann")

    await person.see("code").fill(writing.format(room[:3].lower(), room[3:]))
    await person.see("join").click()

    await expect(person.see("lobby")).to_contain_text("Ann")


async def test_each_screen_after_another_has_its_title_and_the_focus_on_its_heading(
    server: Server, chromium: Browser
) -> None:
    ann = await at_home(chromium, server, name="Ann")
    heading = ann.page.get_by_role("heading", level=1)
    await expect(heading).not_to_be_focused()
    await expect(ann.page).to_have_title("Doublesix")

    await ann.see("create").press("Enter")
    await expect(ann.page).to_have_title("Create a table · Doublesix")
    await expect(heading).to_be_focused()
    await ann.see("create").press("Enter")
    await expect(ann.see("lobby")).to_be_visible()
    await expect(ann.page).to_have_title(re.compile(r"^Table \w{6} · Doublesix$"))
    await expect(heading).to_be_focused()
    await ann.page.go_back()

    await expect(heading).to_have_text("Create a table")
    await expect(heading).to_be_focused()


async def test_who_leaves_a_table_hears_no_more_of_it(server: Server, chromium: Browser) -> None:
    table = await alone(server, chromium, PHONE, game="block")
    ann = table.guest
    await ann.take_turn()
    await expect(ann.page.locator("[aria-live=polite]").filter(has_text="You")).to_have_count(1)

    await ann.page.get_by_role("button", name="Menu").click()
    await ann.page.get_by_role("button", name="Leave the table").click()
    await expect(ann.see("home")).to_be_visible()

    for region in await ann.page.locator("[aria-live=polite]").all():
        await expect(region).to_be_empty()


@pytest.mark.parametrize("path", ["/t/zzz", "/t/", "/r/zz", "/nonsense"])
async def test_a_wrong_link_says_so_in_the_language_of_the_browser_and_leads_home(
    server: Server, chromium: Browser, path: str
) -> None:
    ann = await Person.arrive("Ann", chromium, PHONE, locale="zh-CN")

    await ann.page.goto(f"http://127.0.0.1:{server.port}{path}")
    await expect(ann.page.get_by_role("heading", level=1)).to_have_text("没有这个页面")
    await ann.page.get_by_role("button", name="首页").click()

    await expect(ann.see("home")).to_be_visible()


async def test_what_is_damaged_in_the_memory_of_the_browser_is_as_good_as_nothing(
    server: Server, chromium: Browser
) -> None:
    facts = {"game": "block", "partner": None, "others": "Olena", "scores": None, "at": "then"}
    damaged: dict[str, Any] = {
        "rooms": {"a": 1},
        "muted": 7,
        "form": "x",
        "settings": {"sounds": {}},
        "token": ["t"],
        "name": "Ann",
    }

    ann = await at_home(chromium, server, DESK, **damaged, tables={"ABC234": facts}, replays=[None, {"id": 3}])

    await expect(ann.see("tables")).to_contain_text("No open tables")
    await ann.see("create").click()
    await ann.see("create").click()
    await expect(ann.see("lobby")).to_contain_text("Ann")
    assert ann.errors == []


@pytest.mark.parametrize("name", ["A" * 21, "Ann\u202e"])
async def test_a_name_that_is_refused_is_said_how_to_mend(server: Server, chromium: Browser, name: str) -> None:
    ann = await at_home(chromium, server, PHONE, name=name)

    for rule in ("1 to 20 characters", "none that cannot be seen"):
        await expect(ann.page.locator("#name-note")).to_contain_text(rule)
