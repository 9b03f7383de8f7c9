"""Section F of docs/faults.md: bots."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest

from engine.actions import Action, Knock, Play
from engine.events import DealEnded, Drew, Knocked
from engine.layout import End
from engine.notation import parse_tile
from engine.outcome import Choice
from engine.view import SeatView
from server.table.decide import Lost
from server.table.state import Phase
from tests.fakes import FailingStore
from tests.server.rooms import House, open_house
from tests.server.tables import ANN, BOB, CAT, EVE, Driver, kinds, refused
from tests.system.party import Party, gather
from tests.system.servers import Server, serving

SETTINGS: dict[str, Any] = {"game": "draw", "seats": 3, "bot_delay": 1, "lead": 1, "target": 1_000_000}


class Raising:
    """A bot with a fault of its own."""

    def __init__(self, _rng: random.Random) -> None: ...

    def choose(self, _view: SeatView, _legal: Sequence[Choice]) -> Action:
        raise RuntimeError("no idea")


class Silent(Raising):
    """A bot that returns nothing."""

    def choose(self, _view: SeatView, _legal: Sequence[Choice]) -> Action:
        return None  # type: ignore[return-value]


class Unlawful(Raising):
    """A bot that does what is never legal: it knocks, or plays a tile on an end that is closed to it."""

    def choose(self, _view: SeatView, legal: Sequence[Choice]) -> Action:
        return Knock() if legal[0].action != Knock() else Play(parse_tile("0-0"), End.UP)


async def bots_turn(house: House) -> str:
    """A table of Ann and two bots, the first of which leads; returns the room."""
    ann = house.ear(ANN)
    room: str = (await ann.ask("create", settings=SETTINGS))["room"]
    await ann.ask("start", room=room)
    return room


@pytest.mark.parametrize("bot", [Raising, Silent, Unlawful])
async def test_a_bot_that_fails_is_replaced_in_its_usual_time_and_counted(
    bot: type[Raising], monkeypatch: pytest.MonkeyPatch
) -> None:
    """F1: the table waits no longer than for any bot."""
    monkeypatch.setattr("server.house_players.LEVELS", {"club": bot})
    async with open_house() as house:
        room = await bots_turn(house)
        before = house.registry.find(room).table

        await house.pass_time(1)

        after = house.registry.find(room).table
        assert (before.turn, after.turn) == (1, 2)
        assert after.seq == before.seq + 1
        assert house.bots.faults.total() == 1


async def test_a_bot_whose_thinking_was_cut_short_by_a_restart_plays_after_it() -> None:
    """F2."""
    store = FailingStore()
    async with open_house(store) as house:
        room = await bots_turn(house)
        await house.pass_time(0.5)

    async with open_house(store) as house:
        await house.registry.load()
        ann = house.ear(ANN)
        await ann.ask("sync", room=room)
        await house.pass_time(1)

        assert ann.updates()[-1]["events"][0]["seat"] == 1


@pytest.mark.parametrize("is_watched", [False, True], ids=["alone", "with somebody who watches"])
@pytest.mark.parametrize("way", ["leave", "hang up"])
async def test_bots_that_everybody_has_left_do_nothing_and_their_room_ends(way: str, is_watched: bool) -> None:
    """F4, F5: they neither play on nor cost anything, and those who watch do not keep the room."""
    async with open_house() as house:
        ann, bob, eve = house.ear(ANN), house.ear(BOB), house.ear(EVE)
        room = (await ann.ask("create", settings=SETTINGS))["room"]
        await bob.ask("join", room=room, seat=2)
        await ann.ask("start", room=room)
        if is_watched:
            await eve.ask("watch", room=room)
        for ear in (ann, bob):
            await ear.ask("leave", room=room) if way == "leave" else ear.hang_up()
        await house.settle()
        seq = house.registry.find(room).table.seq

        await house.pass_time(24 * 60 * 60 - 1)

        assert house.registry.find(room).table.seq == seq
        assert len([handle for handle in house.clock._due if not handle.is_cancelled]) == 1
        await house.pass_time(1)
        assert len(house.registry) == 0


def finished_with_a_stand_in() -> Driver:
    """A match of Ann, Bob and a bot that was over while a bot played for Bob."""
    driver = Driver(seats=3, game="block", target=1, grace=30, lead=0)
    driver.say(BOB, "join", seat=2)
    driver.say(ANN, "start")
    driver.serve(Lost(BOB.player))
    driver.wait(30)
    while driver.table.phase is not Phase.MATCH_OVER:
        driver.act() if driver.table.turn is not None else driver.wait(20)
    return driver


def test_a_seat_that_a_bot_has_kept_to_the_end_of_the_match_is_shown_as_such_and_can_be_opened() -> None:
    """F7: the host removes its holder, and somebody else sits down."""
    driver = finished_with_a_stand_in()
    assert driver.snapshot(ANN)["seats"][2]["state"] == "bot_in"

    driver.say(ANN, "remove", seat=2)
    emptied = driver.snapshot(ANN)["seats"][2]
    driver.say(CAT, "join")

    assert (emptied["state"], emptied["player"]) == ("empty", None)
    assert driver.place(2).player == CAT.player


def test_another_match_waits_for_all_who_are_there_and_the_absent_has_the_seat_back_in_it() -> None:
    """F7: a bot goes on for who is away, as in any match, and says neither `next` nor anything else."""
    driver = finished_with_a_stand_in()
    driver.say(CAT, "join", seat=1)

    first, second = kinds(driver.say(ANN, "next")), kinds(driver.say(CAT, "next"))

    assert first == ["Ready"]
    assert "MatchStarted" in second
    assert driver.snapshot(ANN)["seats"][2]["state"] == "bot_in"
    driver.say(BOB, "sync")
    assert driver.snapshot(ANN)["seats"][2]["state"] == "present"


def last_acts(party: Party) -> list[tuple[str, int]]:
    """What was done in the running deal, and by whom, newest first."""
    events = reversed(party.view["deal"]["events"])
    return [(event["type"], event["seat"]) for event in events if event["type"] in ("played", "drew", "knocked")]


async def test_who_drops_and_returns_while_a_bot_draws_finds_the_table_as_all_others_do(server: Server) -> None:
    """F8: between any two acts of a bot, in the middle of three draws too."""
    party = await gather(server, 2, game="draw", seats=3, bot="novice", target=1_000_000)
    await party.start()
    bob, returns, longest = party.players[1], 0, 0

    while longest < 3 or returns < 10:
        if server.table(party.room).turn != 2:
            await party.step()
            continue
        await party.lose(bob)
        await party.pass_time()
        await party.bring_back(bob, with_cursor=returns % 2 == 0)
        returns += 1
        acts = last_acts(party)
        longest = max(longest, next((n for n, act in enumerate(acts) if act != ("drew", 2)), len(acts)))

    await party.check_what_was_told()


def test_a_bot_that_is_forced_to_draw_the_tile_that_ends_the_deal_ends_it() -> None:
    """F10: drawing the last tile of the stock can complete a block; and four knocks never follow each other."""
    endings: set[str] = set()
    for seed in range(60):
        driver = Driver(seats=4, game="draw", seed=seed, target=1_000_000, bot="novice", next_deal_after=0)
        driver.say(ANN, "start")
        knocks = 0
        while driver.table.turn is not None:
            turn = driver.table.turn
            events = driver.act(seed).events
            knocks = knocks + 1 if isinstance(events[0], Knocked) else 0
            if isinstance(events[-1], DealEnded):
                endings.add(type(events[0]).__name__)
            assert driver.table.turn != turn or isinstance(events[0], Drew)
            assert knocks < 4
        assert driver.table.phase is Phase.DEAL_OVER
        assert refused(driver, ANN, "act", seq=driver.table.seq, action={"type": "knock"}).code.value == "not_your_turn"

    assert endings == {"Played", "Drew"}


async def test_bots_at_a_table_take_no_connection_of_the_limit() -> None:
    """F13: bots from outside are counted like everybody who connects."""
    async with serving(limits={"connections_per_address": 2}) as limited:
        ann = await limited.client("Ann")
        rooms = [await ann.create(game="block", seats=4) for _ in range(3)]
        for room in rooms:
            await ann.say("start", room=room)

        robot = await limited.client("Robot", bot=True)

        for room in rooms:
            assert [place.is_house for place in limited.table(room).places] == [False, True, True, True]
        assert (await robot.say("ping"))["type"] == "pong"
