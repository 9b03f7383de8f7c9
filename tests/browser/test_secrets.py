"""What a page holds before a deal ends: nothing that its person may not see."""

from __future__ import annotations

import json
import re

import pytest
from playwright.async_api import Browser

from tests.browser.deals import GAMES, act, alone, waits_for_person
from tests.browser.test_touch import by_taps
from tests.faults.browsing import PHONE, Dealt, Table, watch
from tests.system.servers import Server

STORED = "() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }])"


@pytest.mark.parametrize("game", GAMES)
async def test_05_no_hidden_tile_is_in_the_page_its_storage_or_what_it_received(
    server: Server, chromium: Browser, dealt: type[Dealt], game: str
) -> None:
    table = await alone(server, chromium, dealt, game, PHONE)
    moments = 0

    while await waits_for_person(table):
        assert await leaks(table, hidden_from(table, seat=0)) == []
        moments += 1
        await act(table, by_taps)

    assert moments > 2


async def test_05_nor_does_somebody_who_watches_hold_any(server: Server, chromium: Browser) -> None:
    table = await watch(server, chromium, turn_timer=20)

    for _ in range(3):
        server.let_pass(20)
        await table.host.hear(table.room, "timed_out")
        await table.assert_current()
        assert await leaks(table, hidden_from(table, seat=None)) == []


def hidden_from(table: Table, *, seat: int | None) -> list[str]:
    """The tiles in other hands, in the boneyard, and those that were not dealt."""
    match = table.server.table(table.room).match
    assert match is not None
    assert match.deal is not None
    others = [tile for number, hand in enumerate(match.deal.hands) if number != seat for tile in hand]
    return [str(tile) for tile in (*others, *match.deal.stock)]


async def leaks(table: Table, hidden: list[str]) -> list[str]:
    """Where a hidden tile is named."""
    page = table.guest.page
    places = {
        "page": await page.content(),
        "storage": await page.evaluate(STORED),
        **{f"frame {number}": tiles_in(frame) for number, frame in enumerate(table.guest.received)},
    }
    assert hidden
    return [f"{tile} in {place}" for tile in hidden for place, text in places.items() if is_named(tile, text)]


def tiles_in(frame: str) -> str:
    """The strings of a message, without the long ones of seeds and tokens."""
    return " ".join(re.findall(r'"([^"]{1,12})"', json.dumps(json.loads(frame))))


def is_named(tile: str, text: str) -> bool:
    """Whether it is, with either half first."""
    names = "|".join({tile, tile[::-1]})
    return re.search(rf"(?<![\w.-])({names})(?![\w.-])", text) is not None
