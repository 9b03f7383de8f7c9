from __future__ import annotations

import segno
from playwright.async_api import Browser, expect

from tests.browser.person import Person
from tests.faults.browsing import DESK, PHONE, open_table
from tests.faults.proxy import proxy_to
from tests.faults.waiting import until
from tests.system.servers import Server

MODULES = """async (image) => {
  await image.decode();
  const size = image.naturalWidth;
  const canvas = new OffscreenCanvas(size, size);
  const pen = canvas.getContext('2d');
  pen.drawImage(image, 0, 0);
  const dark = (x, y) => pen.getImageData(x, y, 1, 1).data[0] < 128 ? 1 : 0;
  const places = Array.from({ length: size / 4 }, (_, module) => module * 4 + 2);
  return places.map((y) => places.map((x) => dark(x, y)));
}"""
"""The modules of a QR code as they are painted, 1 for a dark one; each is four pixels wide."""


async def at_table(server: Server, browser: Browser, name: str, room: str, size: tuple[int, int] = DESK) -> Person:
    """Somebody who has come by the link and sat down."""
    person = await Person.arrive(name, browser, size)
    await open_table(person, server.port, room)
    await person.see("name").fill(name)
    await person.see("join").click()
    await expect(person.see("lobby")).to_contain_text(name)
    return person


async def open_new_table(server: Server, browser: Browser, size: tuple[int, int] = DESK) -> tuple[Person, str]:
    """Ann, who has opened a table for four by the form, and its code."""
    ann = await Person.arrive("Ann", browser, size)
    await ann.page.goto(f"http://127.0.0.1:{server.port}/new?anim=0")
    await ann.see("name").fill("Ann")
    await ann.see("create").click()
    await expect(ann.see("lobby")).to_be_visible()
    return ann, ann.page.url.split("/t/")[1][:6]


async def test_02_a_new_table_shows_its_seats_the_partner_and_the_invitation(server: Server, chromium: Browser) -> None:
    ann, room = await open_new_table(server, chromium, PHONE)
    link = f"http://127.0.0.1:{server.port}/t/{room}"

    await expect(ann.see("seat-0")).to_contain_text("Ann")
    await expect(ann.see("seat-0").locator(".tag.you")).to_be_visible()
    partners = ann.page.locator(".lobby-seat", has=ann.page.locator(".tag.partner"))
    await expect(partners).to_have_count(1)
    await expect(partners).to_have_attribute("data-testid", "seat-2")
    for seat, side in enumerate((0, 1, 0, 1)):
        await expect(ann.see(f"seat-{seat}").locator(f".side-mark.side-{side}")).to_be_visible()
    await expect(ann.see("invite-link")).to_have_value(link)
    await expect(ann.see("invite-qr")).to_have_attribute("alt", link)
    assert ann.faults == []


async def test_02_the_code_that_is_painted_is_that_of_the_link(server: Server, chromium: Browser) -> None:
    ann, room = await open_new_table(server, chromium)

    painted = await ann.see("invite-qr").evaluate(MODULES)

    link = f"http://127.0.0.1:{server.port}/t/{room}"
    codes = [segno.make(link, micro=False, mask=mask) for mask in range(8)]
    assert painted in [[list(row) for row in code.matrix_iter(border=4)] for code in codes]


async def test_03_the_link_brings_a_second_browser_to_the_table_and_both_see_both(
    server: Server, chromium: Browser
) -> None:
    ann, room = await open_new_table(server, chromium)
    await ann.stop_clock()

    bob = await at_table(server, chromium, "Bob", room, PHONE)
    await until(lambda: any('"Bob"' in frame for frame in ann.received))
    await ann.page.clock.run_for(1_000)

    assert "Bob" in await ann.see("lobby").inner_text()
    for name in ("Ann", "Bob"):
        await expect(bob.see("lobby")).to_contain_text(name)


async def test_the_invitation_is_shared_where_the_device_can_and_copied_elsewhere(
    server: Server, chromium: Browser
) -> None:
    ann, room = await open_new_table(server, chromium)
    link = f"http://127.0.0.1:{server.port}/t/{room}"
    await expect(ann.page.get_by_role("button", name="Share")).to_have_count(0)
    await ann.page.context.grant_permissions(["clipboard-read", "clipboard-write"])

    await ann.page.get_by_role("button", name="Copy link").click()
    await expect(ann.see("toast")).to_have_text("Link copied")
    assert await ann.page.evaluate("navigator.clipboard.readText()") == link

    await ann.page.add_init_script("navigator.share = async (what) => { window.shared = what; };")
    await ann.page.reload()
    await ann.page.get_by_role("button", name="Share").click()
    await ann.page.wait_for_function("(link) => window.shared?.url === link", arg=link)


async def test_where_nothing_can_be_copied_the_link_is_selected(server: Server, chromium: Browser) -> None:
    ann, _ = await open_new_table(server, chromium)
    await ann.page.evaluate("() => { navigator.clipboard.writeText = async () => { throw new Error('no'); }; }")

    await ann.page.get_by_role("button", name="Copy link").click()

    await expect(ann.see("invite-link")).to_be_focused()
    assert await ann.page.evaluate("getSelection().toString()") == await ann.see("invite-link").input_value()


async def test_the_host_seats_computers_of_a_chosen_level_and_sends_them_away(
    server: Server, chromium: Browser
) -> None:
    ann, room = await open_new_table(server, chromium)
    seat = ann.see("seat-1")

    await seat.get_by_role("combobox").select_option("novice")
    await seat.get_by_role("button", name="Add computer").click()
    await expect(seat).to_contain_text("computer: Novice")
    assert server.table(room).places[1].bot == "novice"

    await seat.get_by_role("button", name="Remove computer").click()
    await expect(seat).to_contain_text("Empty seat")


async def test_the_host_swaps_seats(server: Server, chromium: Browser) -> None:
    ann, room = await open_new_table(server, chromium)
    await at_table(server, chromium, "Bob", room)

    await ann.see("seat-0").get_by_role("button", name="Swap").click()
    await ann.see("seat-1").get_by_role("button", name="Swap with this seat").click()

    await expect(ann.see("seat-0")).to_contain_text("Bob")
    await expect(ann.see("seat-1").locator(".tag.you")).to_be_visible()


async def test_a_guest_may_only_sit_elsewhere_and_be_ready(server: Server, chromium: Browser) -> None:
    ann, room = await open_new_table(server, chromium)
    bob = await at_table(server, chromium, "Bob", room)
    names = await bob.see("lobby").get_by_role("button").all_inner_texts()
    assert not {"Start", "Swap", "Remove", "Add computer"} & set(names)

    await bob.see("seat-2").get_by_role("button", name="Sit here").click()
    await expect(bob.see("seat-2")).to_contain_text("Bob")
    await bob.see("ready").click()

    await expect(bob.see("ready")).to_be_disabled()
    await expect(ann.see("seat-2").locator(".tag.ready")).to_be_visible()
    await expect(ann.page.get_by_text("Everybody is ready")).to_be_visible()


async def test_spectators_are_named_in_the_lobby(server: Server, chromium: Browser) -> None:
    ann, room = await open_new_table(server, chromium)

    for name in ("Eve", "Fay"):
        spectator = await server.client(name)
        await spectator.say("watch", room=room)

    await expect(ann.page.get_by_text("Watching: Eve and Fay")).to_be_visible()


async def test_at_a_full_table_a_newcomer_may_watch_instead(server: Server, chromium: Browser) -> None:
    host, guest = await server.client("Ann"), await server.client("Bob")
    room = await host.create(game="block", seats=2)
    await guest.say("join", room=room)
    eve = await Person.arrive("Eve", chromium, PHONE)
    await open_table(eve, server.port, room)
    await expect(eve.page.get_by_role("heading", name="The table is full")).to_be_visible()
    await expect(eve.see("join")).to_have_count(0)
    await eve.see("name").fill("Eve")

    await eve.page.get_by_role("button", name="Watch").click()

    await expect(eve.see("lobby")).to_contain_text("Watching: Eve")


async def test_a_line_that_comes_back_seats_nobody_who_is_still_saying_a_name(
    server: Server, chromium: Browser
) -> None:
    host = await server.client("Ann")
    room = await host.create(game="block", seats=2)
    async with proxy_to(server.port) as line:
        eve = await Person.arrive("Eve", chromium, PHONE)
        await open_table(eve, line.port, room)
        await eve.see("name").fill("Ev")

        line.cut()

        await until(lambda: len(eve.sent("sync")) == 2)
    await expect(eve.see("name")).to_have_value("Ev")
    assert eve.sent("join") == []


async def test_a_table_without_spectators_says_so_to_who_would_watch(server: Server, chromium: Browser) -> None:
    host = await server.client("Ann")
    room = await host.create(game="block", seats=2, spectators=False)
    eve = await Person.arrive("Eve", chromium, PHONE)
    await open_table(eve, server.port, room)
    await eve.see("name").fill("Eve")

    await eve.page.get_by_role("button", name="Watch").click()

    await expect(eve.page.get_by_text("the table admits no spectators")).to_be_visible()


async def test_a_code_that_names_no_table_is_said_to_be_unknown(server: Server, chromium: Browser) -> None:
    eve = await Person.arrive("Eve", chromium, PHONE)

    await open_table(eve, server.port, "ABCDEF")

    await expect(eve.page.get_by_role("heading", name="No such table")).to_be_visible()
    await eve.page.get_by_role("button", name="Home").click()
    await expect(eve.see("home")).to_be_visible()


async def test_quick_match_says_who_is_there_and_proposes_computers_after_a_while(
    server: Server, chromium: Browser
) -> None:
    ann = await Person.arrive("Ann", chromium, PHONE)
    await ann.page.clock.install()
    await ann.page.goto(f"http://127.0.0.1:{server.port}/?anim=0")
    await ann.see("name").fill("Ann")
    await ann.see("quick").click()
    fill = ann.page.get_by_role("button", name="Fill with computers now")
    await expect(ann.page.get_by_text("Looking for players… 1 of 4")).to_be_visible()
    await expect(fill).not_to_have_class("primary large")

    other = await server.client("Bob")
    await other.say("quick", game="fives-threes", seats=4)
    await expect(ann.page.get_by_text("Looking for players… 2 of 4")).to_be_visible()
    await ann.page.clock.run_for(21_000)
    await expect(fill).to_have_class("primary large")
    await fill.click()

    await expect(ann.see("board")).to_be_visible()


async def test_quick_match_can_be_cancelled(server: Server, chromium: Browser) -> None:
    ann = await Person.arrive("Ann", chromium, PHONE)
    await ann.page.goto(f"http://127.0.0.1:{server.port}/?anim=0")
    await ann.see("name").fill("Ann")
    await ann.see("quick").click()

    await ann.page.get_by_role("button", name="Cancel").click()

    await expect(ann.see("home")).to_be_visible()
    await expect(ann.page.get_by_role("button", name="Resume")).to_have_count(0)


async def test_until_a_table_has_come_its_places_are_shown(server: Server, chromium: Browser) -> None:
    ann = await Person.arrive("Ann", chromium, PHONE, kept={"name": "Ann"})
    await ann.page.route_web_socket("**/ws", lambda _: None)

    await open_table(ann, server.port, "ABCDEF")

    await expect(ann.page.locator(".loading.of-table")).to_contain_text("Connecting…")
    await expect(ann.page.get_by_role("button")).to_have_count(0)


async def test_a_long_name_is_read_whole_on_the_smallest_phone(server: Server, chromium: Browser) -> None:
    name = "W" * 20
    room = await (await server.client("Ann")).create(game="block", seats=2)

    person = await at_table(server, chromium, name, room, (320, 640))

    shown = person.see("seat-1").locator(".name")
    await expect(shown).to_have_text(name)
    assert await shown.evaluate("node => node.scrollWidth <= node.clientWidth")
