"""Whole deals by touch alone: taps, and dragging."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Browser, Locator, expect

from tests.browser.deals import GAMES, alone, play_deal
from tests.browser.fingers import Finger, middle_of
from tests.browser.person import Person
from tests.faults.browsing import PHONE, Dealt
from tests.system.servers import Server


@pytest.mark.parametrize("game", GAMES)
async def test_a_whole_deal_can_be_played_by_taps_alone(
    server: Server, chromium: Browser, dealt: type[Dealt], game: str
) -> None:
    table = await alone(server, chromium, dealt, game, PHONE)

    kinds = await play_deal(table, by_taps)

    assert kinds.count("play") > 2
    assert set(kinds) == {"play", "draw" if game in ("all-fives", "draw") else "knock"}


async def test_a_whole_deal_can_be_played_by_dragging_with_a_finger(
    server: Server, chromium: Browser, dealt: type[Dealt]
) -> None:
    table = await alone(server, chromium, dealt, "fives-threes", PHONE)

    kinds = await play_deal(table, by_dragging)

    assert kinds.count("play") > 2


async def tap(target: Locator) -> None:
    finger = await Finger.of(target.page)
    await target.scroll_into_view_if_needed()
    await finger.press(await middle_of(target))
    await finger.release()


async def by_taps(person: Person) -> None:
    match await person.state():
        case "KNOCK?":
            await tap(person.see("knock"))
            return
        case "TURN" if await person.see("draw").is_visible():
            await tap(person.see("draw"))
            await assert_state(person, "DRAW[?]")
            await tap(person.see("play"))
            return
        case "TURN":
            await tap(playable(person))
    await assert_state(person, "TILE|PREVIEW")
    if await person.state() == "TILE":
        await tap(person.page.locator(".place").first)
    await assert_state(person, "PREVIEW")
    await tap(person.see("play"))


async def by_dragging(person: Person) -> None:
    if await person.state() == "KNOCK?":
        await tap(person.see("knock"))
        return
    finger = await Finger.of(person.page)
    start = await middle_of(playable(person))
    await finger.press(start)
    await finger.move((start[0], start[1] - 40))
    end = await middle_of(person.page.locator(".place").first.locator(".place-line"))
    await finger.move(end)
    await expect(person.page.locator(".place.near")).to_have_count(1)
    await finger.move((end[0] + 2, end[1]))  # it comes to rest: a fling would swallow the tap that follows
    await finger.release()
    await assert_state(person, "PREVIEW")
    await tap(person.see("play"))


def playable(person: Person) -> Locator:
    return person.page.locator('.hand-tile[aria-disabled="false"]').first


async def assert_state(person: Person, pattern: str) -> None:
    await expect(person.see("board")).to_have_attribute("data-state", re.compile(f"^({pattern})$"))
