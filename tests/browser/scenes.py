"""Every screen and sheet of the client, each brought about in the shortest way.

What has to hold everywhere (accessibility, sizes, spacing) is tested on all of them. A new screen or sheet is one
function, or one line, in `SCENES`.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeAlias

from playwright.async_api import Browser, expect

from tests.browser.person import Person
from tests.browser.records import PEOPLE, keep
from tests.faults.browsing import DESK, PHONE, Dealt, Table, sit_down, take_over, watch
from tests.faults.waiting import until
from tests.system.servers import Server

UNKNOWN_ROOM = "ZZZZZZ"
WIDEST_ROOM = "WMWMWM"


@dataclass(frozen=True)
class Stage:
    """Where a scene is played: ``options`` are those of the browser's context, ``dealt`` says who is dealt what."""

    server: Server
    browser: Browser
    dealt: type[Dealt]
    size: tuple[int, int] = DESK
    options: Mapping[str, Any] = field(default_factory=dict)

    async def arrive(self, path: str = "/", **kept: Any) -> Person:
        """Somebody at a page, in whose browser these values are kept."""
        person = await Person.arrive("Ann", self.browser, self.size, kept=kept, **self.options)
        await person.page.goto(f"http://127.0.0.1:{self.server.port}{path}")
        return person

    async def table(self, hands: tuple[tuple[str, ...], ...], **settings: Any) -> Table:
        """A match in which the person is at seat 1 and the host leads."""
        self.dealt.hands = hands
        rules = {"game": "fives-threes", "seats": len(hands), "target": 61, **settings}
        return await sit_down(self.server, self.browser, size=self.size, options=self.options, **rules)


Scene: TypeAlias = Callable[[Stage], Awaitable[Person]]

TWO_HANDS = (("6-6", "5-5"), ("3-6", "5-6", "1-6", "1-2", "0-1", "2-2", "4-4"))
NOTHING_FITS = (("6-6", "5-5"), ("1-2", "0-1", "2-2", "4-4", "0-4", "1-3", "0-3"))


async def page(stage: Stage, *, path: str, testid: str, **kept: Any) -> Person:
    """One of the screens before a table."""
    person = await stage.arrive(path, **kept)
    await expect(person.see(testid).first).to_be_visible()
    return person


async def resumable(stage: Stage) -> Person:
    """The home page of somebody who has a seat. The server, which knows of none, does not answer."""
    kept = {"name": "Ann", "rooms": [WIDEST_ROOM]}
    person = await Person.arrive("Ann", stage.browser, stage.size, kept=kept, **stage.options)
    await person.page.route_web_socket("**/ws", lambda _: None)
    await person.page.goto(f"http://127.0.0.1:{stage.server.port}/")
    await expect(person.page.get_by_text(WIDEST_ROOM).first).to_be_visible()
    return person


async def lobby(stage: Stage, *, is_host: bool) -> Person:
    """A table for four that waits: Ann, Bob and a computer."""
    ann, bob = await stage.server.client("Ann"), await stage.server.client("Bob")
    room = await ann.create(game="fives-threes", seats=4)
    await bob.say("join", room=room)
    await ann.say("add_bot", room=room, seat=2, level="club")
    me = ann if is_host else bob
    await me.drop()
    person = await stage.arrive(f"/t/{room}", name=me.name, token=me.token, rooms=[room])
    await expect(person.see("lobby")).to_contain_text("Bob")
    return person


async def invited(stage: Stage, *, full: bool = False) -> Person:
    """Somebody who has followed a link to a table."""
    host = await stage.server.client("Bob")
    room = await host.create(game="draw", seats=2)
    if full:
        await (await stage.server.client("Cat")).say("join", room=room)
    person = await stage.arrive(f"/t/{room}", **({"name": "Ann"} if full else {}))
    await expect(person.page.get_by_text(room).first).to_be_visible()
    return person


async def unknown_table(stage: Stage) -> Person:
    person = await stage.arrive(f"/t/{UNKNOWN_ROOM}", name="Ann")
    await expect(person.page.get_by_role("heading", name="No such table")).to_be_visible()
    return person


async def others_turn(stage: Stage) -> Person:
    return (await stage.table(TWO_HANDS)).guest


async def own_turn(stage: Stage, hands: tuple[tuple[str, ...], ...] = TWO_HANDS, **settings: Any) -> Person:
    table = await stage.table(hands, **settings)
    await table.act("6-6")
    await table.assert_current()
    return table.guest


async def chosen(stage: Stage) -> Person:
    """A tile is chosen that fits two ends."""
    person = await own_turn(stage)
    await person.see("hand-tile-3-6").click()
    await expect(person.page.locator(".place")).to_have_count(2)
    return person


async def preview(stage: Stage) -> Person:
    person = await chosen(stage)
    await person.see("place-B").click()
    await expect(person.see("board")).to_have_attribute("data-state", "PREVIEW")
    return person


async def positions(stage: Stage) -> Person:
    """The list of ends for the keyboard."""
    person = await chosen(stage)
    await person.see("hand-tile-3-6").press("ArrowDown")
    await expect(person.see("positions")).to_be_visible()
    return person


async def draw_asked(stage: Stage) -> Person:
    person = await own_turn(stage, NOTHING_FITS, game="draw")
    await person.see("draw").click()
    await expect(person.see("board")).to_have_attribute("data-state", "DRAW?")
    return person


async def knock(stage: Stage) -> Person:
    person = await own_turn(stage, NOTHING_FITS)
    await expect(person.see("knock")).to_be_visible()
    return person


async def sheet(stage: Stage, *, button: str, testid: str, before: Scene = own_turn) -> Person:
    """A sheet that a button of the table opens."""
    person = await before(stage)
    await open_sheet(person, button, testid)
    return person


async def open_sheet(person: Person, button: str, testid: str) -> None:
    """By its button; on narrow screens that is in the menu, or with the other commands."""
    opener = person.page.get_by_role("button", name=re.compile(rf"^{button}\b"))
    for place in ("Menu", "More"):
        if await opener.is_visible():
            break
        await person.page.keyboard.press("Escape")
        await person.page.get_by_role("button", name=place, exact=True).click()
        await expect(person.page.locator("dialog")).to_be_visible()
    await opener.click()
    await expect(person.see(testid)).to_be_visible()


async def menu(stage: Stage) -> Person:
    person = await own_turn(Stage(stage.server, stage.browser, stage.dealt, PHONE, stage.options))
    await person.page.get_by_role("button", name="Menu", exact=True).click()
    await expect(person.see("sheet-menu")).to_be_visible()
    return person


def has_reached(phase: str, table: Table) -> bool:
    """Whether the match is that far; else everybody's time runs out."""
    if table.server.table(table.room).phase != phase:
        table.server.let_pass(20)
    return table.server.table(table.room).phase == phase


async def deal_over(stage: Stage, **settings: Any) -> Person:
    """Nobody can play: the deal is blocked at once."""
    hands = (("6-6", "0-1"), ("0-2", "0-3", "0-4", "0-5", "1-2", "1-3", "1-4"))
    table = await stage.table(hands, turn_timer=20, **settings)
    await until(lambda: has_reached("deal_over", table))
    await expect(table.guest.see("sheet-result")).to_be_visible()
    return table.guest


async def match_over(stage: Stage) -> Person:
    table = await stage.table(TWO_HANDS, turn_timer=20, next_deal_after=0, target=10, game="block")
    await until(lambda: has_reached("match_over", table))
    await expect(table.guest.see("sheet-match")).to_be_visible()
    return table.guest


async def advised(stage: Stage) -> Person:
    """All that a hint has said."""
    person = await own_turn(stage)
    await person.see("hint").click()
    await person.see("advice").click()
    await expect(person.see("sheet-advice")).to_be_visible()
    return person


async def reviewed(stage: Stage) -> Person:
    """The own plays of a deal in which 3-6 would have won the match at once."""
    table = await stage.table(TWO_HANDS, turn_timer=20, next_deal_after=0, target=8)
    person = table.guest
    await table.act("6-6")
    await table.assert_current()
    await person.see("hand-tile-1-6").click()
    await person.see("place-A").click()
    await person.see("play").click()
    await until(lambda: has_reached("match_over", table))
    await expect(person.see("sheet-match")).to_be_visible()
    await person.see("review-1").click()
    await expect(person.page.locator(".review-plays")).to_be_visible()
    return person


async def watching(stage: Stage) -> Person:
    table = await watch(stage.server, stage.browser, size=stage.size, options=stage.options)
    await table.act()
    await table.assert_current()
    return table.guest


async def watched_to_the_end(stage: Stage) -> Person:
    """Who watches has looked at the result of a deal, at a table with a free seat."""
    table = await watch(
        stage.server, stage.browser, size=stage.size, options=stage.options, turn_timer=20, next_deal_after=0
    )
    await table.act()
    await table.host.say("leave", room=table.room)
    await expect(table.guest.see("sit")).to_be_visible()
    await until(lambda: has_reached("deal_over", table))
    await expect(table.guest.see("sheet-result")).to_be_visible()
    await table.guest.page.keyboard.press("Escape")
    await expect(table.guest.see("sheet-result")).to_have_count(0)
    return table.guest


async def covered(stage: Stage) -> Person:
    """One device for two, while somebody elsewhere is in turn: either may look at their hand."""
    ann, bob = await stage.server.client("Ann"), await stage.server.client("Bob")
    room = await ann.create(game="fives-threes", seats=4, local=2, names=["Cat"], lead=2)
    await bob.say("join", room=room, seat=2)
    stage.dealt.hands = ((),) * 4
    await ann.say("start", room=room)
    person = await take_over(ann, stage.server, stage.browser, room, stage.size)
    await expect(person.see("show-hand-1")).to_be_visible()
    return person


async def disturbed(stage: Stage) -> Person:
    """Somebody reads, somebody asks to take back, and the seat is open in another tab."""
    hands = (("1-4", "4-4", "0-1"), ("4-5", "4-6", "5-5"), ())
    table = await stage.table(hands)
    person = table.guest
    await table.act("1-4")
    await table.assert_current()
    await person.play("4-6")
    await table.host.reach(table.room, table.server.table(table.room).seq)
    await table.host.say("undo", room=table.room)
    await table.host.say("pause", room=table.room)
    await expect(person.see("request")).to_be_visible()
    await expect(person.see("paused")).to_be_visible()
    other = await person.page.context.new_page()
    await other.goto(person.page.url)
    await expect(person.see("banner")).to_be_visible()
    return person


async def looking(stage: Stage) -> Person:
    """Players are looked for."""
    person = await stage.arrive(name="Ann")
    await person.see("quick").click()
    await expect(person.see("lobby")).to_be_visible()
    return person


async def swapping(stage: Stage) -> Person:
    """The host has chosen a seat to swap with another one."""
    person = await lobby(stage, is_host=True)
    await person.page.get_by_role("button", name="Swap").first.click()
    return person


async def keys(stage: Stage) -> Person:
    """The list of the keys."""
    person = await own_turn(stage)
    await person.see("board").press("?")
    await expect(person.see("sheet-keys")).to_be_visible()
    return person


async def naming(stage: Stage) -> Person:
    """Somebody without a name, who watches a lobby, is about to take a seat."""
    room = await (await stage.server.client("Ann")).create(game="draw", seats=2)
    person = await stage.arrive(f"/t/{room}")
    await person.page.get_by_role("button", name="Watch").click()
    await person.page.get_by_role("button", name="Sit here").click()
    await expect(person.see("sheet-name")).to_be_visible()
    return person


async def leaving(stage: Stage) -> Person:
    """The question whether to leave a match with others."""
    person = await menu(stage)
    await person.page.get_by_role("button", name="Leave the table").click()
    await expect(person.see("sheet-leave")).to_be_visible()
    return person


async def replayed(stage: Stage) -> Person:
    """A finished match, in its middle, with the proof of its deals."""
    person = await stage.arrive(f"{await keep(stage.server, PEOPLE)}#12")
    await expect(person.see("proof")).to_contain_text("dealt fairly")
    return person


async def scores_of_deals(stage: Stage) -> Person:
    """The scores after a deal, which is kept in them."""
    person = await deal_over(stage)
    await person.page.keyboard.press("Escape")
    await open_sheet(person, "Scores", "sheet-scores")
    return person


SCENES: dict[str, Scene] = {
    "home": partial(page, path="/", testid="home"),
    "home with a table": resumable,
    "setup": partial(page, path="/new", testid="create", name="Ann"),
    "setup against computers": partial(page, path="/new?computers", testid="create", name="Ann"),
    "setup at one device": partial(page, path="/new?device", testid="create", name="Ann"),
    "lobby of the host": partial(lobby, is_host=True),
    "lobby of a guest": partial(lobby, is_host=False),
    "invited": invited,
    "invited to a full table": partial(invited, full=True),
    "unknown table": unknown_table,
    "the turn of others": others_turn,
    "own turn": own_turn,
    "a tile chosen": chosen,
    "preview": preview,
    "positions": positions,
    "drawing": draw_asked,
    "knocking": knock,
    "deal over": deal_over,
    "match over": match_over,
    "sheet advice": advised,
    "review": reviewed,
    "watching": watching,
    "watching, with a deal over": watched_to_the_end,
    "curtain": covered,
    "reader, request and banner": disturbed,
    "looking for players": looking,
    "swapping seats": swapping,
    "menu": menu,
    "sheet keys": keys,
    "sheet more": partial(sheet, button="More", testid="sheet-more"),
    "sheet leave": leaving,
    "sheet name": naming,
    "replay": replayed,
    "unknown replay": partial(page, path="/r/0123456789abcdef", testid="replay"),
    "sheet scores of deals": scores_of_deals,
    "sheet rules of branches": partial(
        sheet, button="Rules", testid="sheet-rules", before=partial(own_turn, game="all-fives")
    ),
    "sheet scores": partial(sheet, button="Scores", testid="sheet-scores"),
    "sheet rules": partial(sheet, button="Rules", testid="sheet-rules"),
    "sheet people": partial(sheet, button="Ann: who is at the table", testid="sheet-people"),
    "sheet invite": partial(sheet, button="Invite", testid="sheet-invite"),
    "sheet settings": partial(sheet, button="Settings", testid="sheet-settings"),
    "sheet reactions": partial(sheet, button="React", testid="sheet-reactions"),
    "sheet restart": partial(sheet, button="Restart", testid="sheet-restart"),
    "sheet new game": partial(sheet, button="New", testid="sheet-new_game"),
}
