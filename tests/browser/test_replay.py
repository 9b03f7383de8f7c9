"""Finished matches, looked at again."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from playwright.async_api import Browser, Locator, Page, WebSocketRoute, expect

from engine.match import Match
from protocol.convert import Wire
from server.records.form import read
from server.records.replay import replay
from tests.browser.led import begin
from tests.browser.person import Person
from tests.browser.records import PEOPLE, TAKE_BACKS, keep
from tests.faults.browsing import DESK
from tests.server import record_changes as changes
from tests.system.servers import Server

ACTS = ("played", "drew", "knocked")


async def come(server: Server, browser: Browser, path: str, link: str = "") -> Person:
    """Somebody who opens the replay, or its link to a move."""
    person = await Person.arrive("Eve", browser, DESK)
    await person.page.goto(f"http://127.0.0.1:{server.port}{path}?anim=0{link}")
    return person


def after_moves(record: Wire) -> list[Match]:
    """The match after each move, as the server replays it."""
    return [match for _, event, match in replay(read(record)) if event["type"] in ACTS]


async def assert_shows(page: Page, match: Match) -> None:
    """The table is laid, and the hands are held, as in ``match``."""
    assert match.deal is not None
    await expect(page.locator(".camera > .tile")).to_have_count(len(match.deal.layout.tiles))
    for tile in match.deal.layout.tiles:
        await expect(page.get_by_test_id(f"tile-{tile}")).to_have_count(1)
    for seat, hand in enumerate(match.deal.hands):
        await expect(hand_of(page, seat).locator("[role=img]")).to_have_count(len(hand))
        assert sorted(await tiles_of(page, seat)) == sorted(map(str, hand))


async def tiles_of(page: Page, seat: int) -> list[str]:
    """The tiles of that seat that lie face up."""
    names: list[str] = (
        await hand_of(page, seat).locator("[role=img]").evaluate_all("all => all.map(one => one.dataset.tile)")
    )
    return names


def hand_of(page: Page, seat: int) -> Locator:
    return page.get_by_test_id(f"replay-hand-{seat}")


async def is_at(person: Person, move: int) -> None:
    await expect(person.see("replay")).to_have_attribute("data-move", str(move))


async def test_41_a_link_shows_the_position_after_its_move_and_arrows_step(server: Server, chromium: Browser) -> None:
    eve = await come(server, chromium, await keep(server, PEOPLE), "#12")
    moves = after_moves(PEOPLE)

    await is_at(eve, 12)
    await assert_shows(eve.page, moves[11])
    await eve.page.keyboard.press("ArrowRight")
    await is_at(eve, 13)
    await assert_shows(eve.page, moves[12])
    for _ in range(2):
        await eve.page.keyboard.press("ArrowLeft")
    await is_at(eve, 11)
    await assert_shows(eve.page, moves[10])

    assert eve.page.url.endswith("#11")
    await eve.page.reload()
    await is_at(eve, 11)
    assert eve.faults == []


async def test_41_all_hands_or_those_of_one_seat_can_be_seen(server: Server, chromium: Browser) -> None:
    eve = await come(server, chromium, await keep(server, PEOPLE), "#5")
    match = after_moves(PEOPLE)[4]
    assert match.deal is not None
    await assert_shows(eve.page, match)

    await expect(eve.see("replay-view").get_by_role("option")).to_have_count(5)
    for shown in range(4):
        await eve.see("replay-view").select_option(index=1 + shown)

        for seat, hand in enumerate(match.deal.hands):
            held = hand if seat == shown else ()
            await expect(hand_of(eve.page, seat).locator("[role=img]")).to_have_count(len(held))
            assert sorted(await tiles_of(eve.page, seat)) == sorted(map(str, held))
            await expect(hand_of(eve.page, seat).locator("li")).to_have_count(len(hand))
    await eve.see("replay-view").select_option(label="All hands")
    await assert_shows(eve.page, match)


CUT = """() => {
  const natural = (node) => {
    const copy = node.cloneNode(true);
    copy.style.cssText = "width: max-content; min-width: max-content; flex: none; position: absolute; top: 0";
    node.parentNode.append(copy);
    const { offsetWidth } = copy;
    copy.remove();
    return offsetWidth;
  };
  return [...document.querySelectorAll("select, .last-act")]
    .filter((node) => natural(node) > node.offsetWidth + 1)
    .map((node) => node.textContent);
}"""


async def test_in_a_low_window_no_word_of_a_replay_is_cut(server: Server, chromium: Browser) -> None:
    person = await Person.arrive("Eve", chromium, (844, 390), locale="zh-CN")
    address = f"http://127.0.0.1:{server.port}{await keep(server, PEOPLE)}?anim=0"

    for move in range(1, 5):  # each seat is in turn once
        await person.page.goto(f"{address}#{move}")
        await is_at(person, move)
        assert await person.page.evaluate(CUT) == [], move


@pytest.mark.parametrize("size", [(360, 640), (390, 844), (844, 390)])
async def test_on_a_phone_a_replay_shows_hands_felt_and_what_steers_it_at_once(
    server: Server, chromium: Browser, size: tuple[int, int]
) -> None:
    eve = await come(server, chromium, await keep(server, PEOPLE), "#1")

    await eve.resize(*size)

    for seat in range(4):
        await expect(eve.see(f"replay-hand-{seat}")).to_be_in_viewport(ratio=1)
    for testid in ("board", "status", "replay-slider", "replay-play", "replay-step-on"):
        await expect(eve.see(testid)).to_be_in_viewport(ratio=1)
    board = await eve.see("board").bounding_box()
    assert board is not None
    assert board["height"] >= 200


async def test_the_slider_and_the_buttons_go_anywhere_and_to_the_end(server: Server, chromium: Browser) -> None:
    eve = await come(server, chromium, await keep(server, PEOPLE))
    moves = after_moves(PEOPLE)
    await is_at(eve, 0)
    await expect(eve.see("status")).to_contain_text("Deal 1.")

    await eve.see("replay-deal-on").click()
    await expect(eve.see("status")).to_contain_text("Deal 2.")
    await eve.see("replay-step-on").click()
    await expect(eve.page.locator(".camera > .tile")).to_have_count(1)
    await eve.page.keyboard.press("ArrowUp")
    await expect(eve.see("status")).to_contain_text("Deal 2.")
    await eve.see("replay-slider").press("End")

    await expect(eve.see("replay")).to_have_attribute("data-state", "end")
    await is_at(eve, len(moves))
    await expect(eve.see("status")).to_contain_text("reached the target. Ann and Computer 2 win the match")
    await expect(eve.see("score-0")).to_have_text(str(PEOPLE["scores"][0]))


async def test_a_replay_plays_by_itself_until_it_is_paused(server: Server, chromium: Browser) -> None:
    eve = await come(server, chromium, await keep(server, PEOPLE))
    await eve.see("replay-speed").select_option(index=3)

    await eve.see("replay-play").click()
    await expect(eve.see("replay")).to_have_attribute("data-move", re.compile(r"^([3-9]|\d\d)$"))
    await eve.see("replay-pause").click()
    await expect(eve.see("replay-play")).to_be_visible()

    paused_at = eve.page.url
    await eve.see("replay-step-on").click()
    await expect(eve.page).not_to_have_url(paused_at)
    await eve.see("replay-step-back").click()
    await expect(eve.page).to_have_url(paused_at)


async def test_where_a_deal_is_over_it_says_what_it_came_to(server: Server, chromium: Browser) -> None:
    eve = await come(server, chromium, await keep(server, PEOPLE))

    await eve.see("replay-deal-on").click()
    await eve.see("replay-step-back").click()

    await expect(eve.see("status")).to_contain_text("Deal 1 is over: blocked")
    await expect(eve.page.locator(".replay-ending")).to_contain_text("A block gives no points")


async def test_what_was_taken_back_is_marked(server: Server, chromium: Browser) -> None:
    eve = await come(server, chromium, await keep(server, TAKE_BACKS))
    first = next(
        number
        for number, event in enumerate(
            event for step in TAKE_BACKS["steps"] for event in step["events"] if event["type"] in (*ACTS, "undone")
        )
        if event["type"] == "undone"
    )

    await eve.page.goto(f"{eve.page.url.split('#')[0]}#{first}")
    await is_at(eve, first)
    await eve.see("replay-step-on").click()

    await expect(eve.see("status")).to_have_text("The last moves are taken back.")
    await expect(eve.page.locator("[data-testid=moves] li.struck").last).to_contain_text("taken back")


async def test_an_unknown_replay_says_so_and_leads_home(server: Server, chromium: Browser) -> None:
    eve = await come(server, chromium, "/r/0123456789abcdef")

    await expect(eve.see("replay")).to_have_attribute("data-state", "unknown")
    await expect(eve.see("replay")).to_contain_text("There is no such match")
    await eve.page.get_by_role("button", name="Home").click()

    await expect(eve.see("home")).to_be_visible()


async def test_what_cannot_be_loaded_at_the_moment_is_asked_for_again_at_a_press(
    server: Server, chromium: Browser
) -> None:
    """The server was asked too often, say."""
    refused: list[str] = []

    async def refuse_once(route: WebSocketRoute) -> None:
        onward = route.connect_to_server()

        def forward(message: str | bytes) -> None:
            wire = json.loads(message)
            if wire["type"] == "record" and not refused:
                refused.append(wire["id"])
                error = {"type": "error", "re": wire["id"], "code": "rate_limited", "message": "", "retry_after": 1}
                route.send(json.dumps(error))
            else:
                onward.send(message)

        route.on_message(forward)

    path = await keep(server, PEOPLE)
    eve = await Person.arrive("Eve", chromium, DESK)
    await eve.page.route_web_socket(re.compile("/ws$"), refuse_once)
    await eve.page.goto(f"http://127.0.0.1:{server.port}{path}")

    await expect(eve.see("replay")).to_have_attribute("data-state", "failed")
    await eve.page.get_by_role("button", name="Try again").click()

    await is_at(eve, 0)
    assert refused == [PEOPLE["id"]]


async def test_rotation_and_zoom_of_a_replay_stay_from_move_to_move(server: Server, chromium: Browser) -> None:
    eve = await come(server, chromium, await keep(server, PEOPLE), "#5")
    board = eve.see("board")
    await eve.page.get_by_role("button", name="Rotate").click()
    await eve.page.get_by_role("button", name="Larger").click()
    await expect(board).to_have_attribute("data-mode", "manual")
    await eve.settle()
    scale, angle = await board.get_attribute("data-scale"), await board.get_attribute("data-rot")

    await eve.page.keyboard.press("ArrowRight")
    await is_at(eve, 6)

    assert [await board.get_attribute("data-scale"), await board.get_attribute("data-rot")] == [scale, angle]
    assert angle == "90"


async def test_the_deals_of_an_honest_record_are_proved_in_the_browser(server: Server, chromium: Browser) -> None:
    eve = await come(server, chromium, await keep(server, PEOPLE))

    proof = eve.see("proof")
    await expect(proof).to_contain_text("This match was dealt fairly.")
    await expect(proof).to_contain_text(PEOPLE["commitment"][:12])
    await expect(proof).to_contain_text("Ann and Bob")
    await expect(proof).to_contain_text("All 2 deals were dealt again")


@pytest.mark.parametrize("change", [changes.swap_hands, changes.commit_to_another_seed, changes.forget_entropy])
async def test_a_record_that_was_tampered_with_is_found_out(
    server: Server, chromium: Browser, change: Callable[[Wire], None]
) -> None:
    record = json.loads(json.dumps(PEOPLE))
    change(record)

    eve = await come(server, chromium, await keep(server, record))

    await expect(eve.see("proof")).to_contain_text("Something is wrong")
    await expect(eve.see("proof").locator(".faults li")).not_to_have_count(0)


async def test_where_the_browser_cannot_check_it_says_what_can(server: Server, chromium: Browser) -> None:
    """So it is where the page comes over plain http from another machine."""
    eve = await Person.arrive("Eve", chromium, DESK)
    await eve.page.add_init_script("Object.defineProperty(Crypto.prototype, 'subtle', { value: undefined })")
    await eve.page.goto(f"http://127.0.0.1:{server.port}{await keep(server, PEOPLE)}")

    proof = eve.see("proof")
    await expect(proof).to_contain_text("came without encryption")
    await expect(proof.locator("code")).to_have_text(f"doublesix verify match-{PEOPLE['id']}.json")
    async with eve.page.expect_download() as download:
        await proof.get_by_role("button", name="Save the record").click()

    saved = await download.value
    assert saved.suggested_filename == f"match-{PEOPLE['id']}.json"
    assert json.loads((await saved.path()).read_text()) == PEOPLE


async def test_a_replay_is_a_press_from_the_result_knows_the_own_share_and_leaves_the_table_alone(
    server: Server, chromium: Browser
) -> None:
    led = await begin(server, chromium, game="block", target=1)
    wei = led.person
    await led.play_to_the_end()

    await wei.see("sheet-match").get_by_role("link", name="Replay").click()

    await wei.page.wait_for_url(re.compile(r"/r/[0-9a-f]{16}"))
    await expect(wei.see("proof")).to_contain_text("This match was dealt fairly.")
    await expect(wei.see("proof")).to_contain_text("The share of this browser is among them")
    assert led.server.table(led.room).places[1].presence.value == "present"
    await wei.page.get_by_role("button", name="Back to the table").click()
    await expect(wei.see("sheet-match")).to_be_visible()
