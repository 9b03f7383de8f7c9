"""What the server says of plays: before, beside a hint, and of a deal that is over."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, expect

from tests.browser.person import Person
from tests.browser.scenes import TWO_HANDS, Stage, advised, deal_over, own_turn, reviewed
from tests.fakes import InlineSearchers
from tests.faults.browsing import PHONE, Dealt, take_over
from tests.system.servers import Server


@pytest.fixture
def stage(server: Server, chromium: Browser, dealt: type[Dealt]) -> Stage:
    return Stage(server, chromium, dealt)


async def tiles_of_map(person: Person) -> dict[str, str]:
    """What the map says of each tile."""
    cells = await person.page.locator(".tile-map [data-tile]").all()
    return {str(await cell.get_attribute("data-tile")): await cell.inner_text() for cell in cells}


async def test_a_hint_opens_all_plays_each_with_its_chance_and_one_of_them_is_chosen_by_a_press(stage: Stage) -> None:
    person = await advised(stage)
    sheet = person.see("sheet-advice")
    plays = sheet.locator(".advice-play")

    await expect(plays).to_have_count(6)
    await expect(plays.first).to_contain_text("3-6 at A")
    await expect(plays.first).to_contain_text("%")
    await expect(plays.first).to_contain_text("of 20 unseen tiles fit then")
    await plays.filter(has_text="1-6 at B").click()

    await expect(sheet).to_have_count(0)
    await expect(person.see("board")).to_have_attribute("data-state", "PREVIEW")
    await expect(person.see("status")).to_contain_text("1-6 at B")
    assert person.sent("act") == []


SHOWN_WHOLE = """(status) => {
  const [said, line] = [status.querySelector("span").getBoundingClientRect(), status.getBoundingClientRect()];
  return said.top >= line.top - 1 && said.bottom <= line.bottom; // a row has 1 px to spare above its letters
}"""


@pytest.mark.parametrize("language", ["en", "uk", "zh"])
async def test_a_hint_is_shown_whole_on_phones(
    server: Server, chromium: Browser, dealt: type[Dealt], language: str
) -> None:
    stage = Stage(server, chromium, dealt, PHONE, {"locale": language})
    person = (await stage.table((("6-6",), ("4-5", "0-1", "0-2", "0-4", "1-1", "1-3", "2-2")), lead=1)).guest

    await person.see("hint").click()
    await expect(person.see("advice")).to_be_visible()

    for width, height in (PHONE, (360, 640), (414, 896)):
        await person.resize(width, height)
        assert await person.see("status").evaluate(SHOWN_WHOLE), (width, height)


async def test_hint_pressed_again_opens_them_by_keys_alone_and_asks_nothing_more(stage: Stage) -> None:
    person = await own_turn(stage)
    await person.see("hand-tile-3-6").focus()

    await person.page.keyboard.press("h")
    await expect(person.see("status")).to_contain_text("Hint:")
    await person.page.keyboard.press("h")

    await expect(person.see("sheet-advice")).to_be_visible()
    assert len(person.sent("hint")) == 1


async def test_the_map_shows_by_keys_where_unseen_tiles_may_be_and_no_seen_one(stage: Stage) -> None:
    person = await advised(stage)
    of_host = await tiles_of_map(person)

    await person.see("tile-map").get_by_role("radio", name="Ann").focus()
    await person.page.keyboard.press("ArrowRight")
    await expect(person.see("tile-map").get_by_role("table")).to_have_accessible_name("Chances in percent: Undealt")
    undealt = await tiles_of_map(person)

    seen = {"6-6", *TWO_HANDS[1]}
    assert len(of_host) == 28
    assert {tile for tile, said in of_host.items() if "seen" in said} == seen
    assert {said.split()[-1] for tile, said in of_host.items() if tile not in seen} == {"30"}
    assert {said.split()[-1] for tile, said in undealt.items() if tile not in seen} == {"70"}


async def test_advice_goes_with_the_choice_it_was_for(stage: Stage) -> None:
    person = await advised(stage)
    await person.page.keyboard.press("Escape")
    await expect(person.see("advice")).to_be_visible()

    await person.see("play").click()
    await expect(person.see("tile-3-6")).to_have_count(1)

    await expect(person.see("advice")).to_have_count(0)
    await expect(person.see("sheet-advice")).to_have_count(0)


async def test_at_one_device_nothing_that_was_advised_is_left_when_the_hand_is_covered(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    dealt.hands = (("0-1", "1-1", "4-4"), ("1-2", "3-4", "5-5"))
    ann = await server.client("Ann")
    room = await ann.create(game="block", seats=2, local=2, names=["Wei"], lead=0)
    await ann.say("start", room=room)
    person = await take_over(ann, server, chromium, room)
    await expect(person.see("show-hand")).to_be_visible()
    await person.later(500)
    await person.see("show-hand").click()
    await person.see("hint").click()
    await person.see("advice").click()
    await expect(person.see("tile-map")).to_be_visible()
    await person.page.keyboard.press("Escape")

    await person.see("play").click()
    await expect(person.see("curtain")).to_be_visible()

    await expect(person.see("advice")).to_have_count(0)
    await expect(person.page.locator("[data-tile]")).to_have_count(0)


async def test_a_review_marks_the_blunder_and_lays_the_better_play_on_the_line(stage: Stage) -> None:
    person = await reviewed(stage)
    blunder = person.page.locator(".review-plays .blunder")

    await expect(blunder).to_have_count(1)
    await expect(blunder).to_contain_text("1-6 at A")
    await expect(blunder).to_contain_text("blunder, cost")
    await blunder.get_by_text("Better: 3-6").click()

    picture = blunder.get_by_role("img", name="Better: 3-6")
    await expect(picture.locator("g.tile")).to_have_count(2)
    await expect(picture.locator("rect.mark")).to_have_count(1)
    await expect(person.see("review")).to_contain_text("Luck of the deal")


async def test_a_review_is_still_there_when_the_result_is_opened_again(stage: Stage) -> None:
    person = await reviewed(stage)

    await person.page.keyboard.press("Escape")
    await person.page.get_by_role("button", name="Result").click()

    await expect(person.page.locator(".review-plays .blunder")).to_have_count(1)
    assert len(person.sent("review")) == 1


async def test_where_nobody_has_the_time_to_review_it_can_be_asked_for_again(
    stage: Stage, searchers: InlineSearchers
) -> None:
    person = await deal_over(stage)
    searchers.is_busy = True

    await person.see("review-1").click()
    await expect(person.see("toast").first).to_be_visible()
    searchers.is_busy = False
    await person.see("review-1").click()

    await expect(person.page.get_by_text("Your plays, by the chance to win the match")).to_be_visible()


async def test_who_watched_is_offered_no_review(stage: Stage) -> None:
    person = await deal_over(stage)
    await expect(person.see("review")).to_be_visible()

    eve = await stage.arrive(f"/t/{person.page.url.rsplit('/', 1)[-1].split('?')[0]}", name="Eve")
    await eve.page.get_by_role("button", name="Watch").click()
    await expect(eve.see("board")).to_be_visible()

    await expect(eve.see("review")).to_have_count(0)
