"""A person alone with a computer, and a whole deal played by whatever means the person has."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from playwright.async_api import Browser, expect

from tests.browser.person import Person
from tests.faults.browsing import DESK, Dealt, Table, take_over
from tests.faults.waiting import until
from tests.system.servers import Server

GAMES = ("fives-threes", "all-fives", "block", "draw")
HANDS = (("1-3", "4-4", "3-5", "0-2", "3-4", "4-5", "2-4"), ("0-4", "1-4", "1-2", "2-5", "1-1", "0-3", "3-6"))
"""Who plays the first tile that fits has to knock or to draw in each game."""

TakeTurn: TypeAlias = Callable[[Person], Awaitable[None]]


async def alone(server: Server, browser: Browser, dealt: type[Dealt], game: str, size: tuple[int, int] = DESK) -> Table:
    """Ann at the browser leads, and one computer plays with her."""
    dealt.hands = HANDS
    ann = await server.client("Ann")
    room = await ann.create(game=game, seats=2, lead=0, bot_delay=1)
    await ann.say("start", room=room)
    return Table(server, room, ann, await take_over(ann, server, browser, room, size))


async def play_deal(table: Table, take_turn: TakeTurn) -> list[str]:
    """Play until the deal is over and its result is shown. Returns the kinds of the actions that were taken."""
    while await waits_for_person(table):
        await act(table, take_turn)
    await expect(table.guest.page.locator("[data-testid=sheet-result], [data-testid=sheet-match]")).to_be_visible()
    return [act["action"]["type"] for act in table.guest.acts()]


async def act(table: Table, take_turn: TakeTurn) -> None:
    """The person takes a turn. Return when the server has heard of it."""
    seq = table.server.table(table.room).seq
    await take_turn(table.guest)
    await until(lambda: table.server.table(table.room).seq > seq)


async def waits_for_person(table: Table) -> bool:
    """Let the computer act until it is the person's turn on the page, or the deal is over."""
    await until(lambda: has_come_round(table))
    truth, board = table.server.table(table.room), table.guest.see("board")
    await expect(board).to_have_attribute("data-seq", str(truth.seq))
    return truth.phase == "playing"


def has_come_round(table: Table) -> bool:
    truth = table.server.table(table.room)
    if truth.phase == "playing" and truth.turn != 0:
        table.server.let_pass(1)
    truth = table.server.table(table.room)
    return truth.phase != "playing" or truth.turn == 0
