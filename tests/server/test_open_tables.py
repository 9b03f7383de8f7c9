"""The list of public tables, and what those who stay are told of it."""

from __future__ import annotations

from typing import Any

import pytest

from server.limits import Limits
from server.open_tables import MAX_LISTED, PUSH_AFTER, OpenTables
from tests.fakes import FailingStore, FakeClock
from tests.server.rooms import Ear, House, open_house
from tests.server.tables import ANN, BOB, CAT, EVE

PUBLIC: dict[str, Any] = {"game": "block", "seats": 3, "public": True, "target": 50}


async def listed(ear: Ear, **fields: Any) -> list[dict[str, Any]]:
    rooms: list[dict[str, Any]] = (await ear.ask("rooms", **fields))["rooms"]
    return rooms


async def pushed(house: House, ear: Ear) -> list[dict[str, Any]]:
    """What is pushed until no change waits any more."""
    ear.heard.clear()
    await house.pass_time(PUSH_AFTER)
    return [message for message in ear.heard if message["type"] == "rooms"]


async def open_table(ear: Ear, **settings: Any) -> str:
    return str((await ear.ask("create", settings=PUBLIC | settings))["room"])


async def test_a_public_table_is_shown_as_it_is() -> None:
    async with open_house() as house:
        ann, bob, eve = (house.ear(who) for who in (ANN, BOB, EVE))
        room = await open_table(ann)
        await bob.ask("join", room=room)
        in_the_lobby = await listed(eve)
        await ann.ask("start", room=room)

        in_play = await listed(eve)

        shown = {"room": room, "game": "block", "seats": 3, "target": 50, "host": "Ann", "humans": 2}
        assert in_the_lobby == [shown | {"phase": "lobby", "bots": 0, "free": 1}]
        assert in_play == [shown | {"phase": "playing", "bots": 1, "free": 1}]


async def test_what_is_private_or_deserted_is_not_listed() -> None:
    async with open_house() as house:
        ann, bob, eve = (house.ear(who) for who in (ANN, BOB, EVE))
        await open_table(ann, public=False)
        deserted = await open_table(bob)
        before = await listed(eve)

        bob.hang_up()
        await house.settle()

        assert [shown["room"] for shown in before] == [deserted]
        assert await listed(eve) == []


async def test_one_game_can_be_asked_for() -> None:
    async with open_house() as house:
        ann, eve = house.ear(ANN), house.ear(EVE)
        rooms = {game: await open_table(ann, game=game) for game in ("block", "draw")}

        assert [shown["room"] for shown in await listed(eve, game="draw")] == [rooms["draw"]]
        assert [shown["room"] for shown in await listed(eve, game="all-fives")] == []


async def test_who_stays_is_told_what_changes_and_nobody_else_is() -> None:
    async with open_house() as house:
        ann, bob, cat, eve = (house.ear(who) for who in (ANN, BOB, CAT, EVE))
        await eve.ask("rooms", subscribe=True)
        await cat.ask("rooms")
        room = await open_table(ann)
        await bob.ask("join", room=room)

        (told,) = await pushed(house, eve)

        assert [(shown["room"], shown["humans"]) for shown in told["rooms"]] == [(room, 2)]
        assert told["gone"] == []
        assert "re" not in told
        assert not [message for message in cat.heard if message["type"] == "rooms" and "re" not in message]


async def test_a_table_that_closes_or_is_deserted_is_gone_and_may_come_again() -> None:
    async with open_house(limits=Limits(idle_lobby=100)) as house:
        ann, eve = house.ear(ANN), house.ear(EVE)
        room = await open_table(ann)
        await eve.ask("rooms", subscribe=True)

        ann.hang_up()
        await house.settle()
        (deserted,) = await pushed(house, eve)
        ann = house.ear(ANN)
        await ann.ask("sync", room=room)
        (again,) = await pushed(house, eve)
        await house.pass_time(100)
        (closed,) = await pushed(house, eve)

        assert (deserted["rooms"], deserted["gone"]) == ([], [room])
        assert [shown["room"] for shown in again["rooms"]] == [room]
        assert (closed["rooms"], closed["gone"]) == ([], [room])


async def test_a_table_at_which_only_a_newcomer_waits_comes_and_goes_with_it() -> None:
    async with open_house() as house:
        ann, bob, eve = (house.ear(who) for who in (ANN, BOB, EVE))
        room = await open_table(ann, bot="novice")
        await ann.ask("start", room=room)
        await bob.ask("join", room=room)
        ann.hang_up()
        await house.settle()
        with_newcomer = await listed(eve)

        bob.hang_up()
        await house.settle()

        assert [shown["room"] for shown in with_newcomer] == [room]
        assert await listed(eve) == []


def test_a_whole_list_from_elsewhere_says_nothing_of_our_own_tables() -> None:
    published: list[object] = []
    tables = OpenTables(FakeClock(), lambda code, shown: published.append((code, shown)))
    for code in ("OURS22", "GONE22", "THERE2"):
        tables.put(code, {"room": code, "game": "draw"})

    tables.put_all({"THERE2": {"room": "THERE2", "game": "block"}, "NEWNEW": {"game": "draw"}}, "OURS22".__eq__)

    assert [tables.lists(code) for code in ("OURS22", "GONE22", "THERE2", "NEWNEW")] == [True, False, True, True]
    assert published == []


async def test_who_stays_for_one_game_is_told_of_no_other() -> None:
    async with open_house() as house:
        ann, eve = house.ear(ANN), house.ear(EVE)
        await eve.ask("rooms", game="draw", subscribe=True)

        await open_table(ann, game="block")

        assert await pushed(house, eve) == []


async def test_what_does_not_change_the_list_is_not_pushed() -> None:
    async with open_house() as house:
        ann, eve = house.ear(ANN), house.ear(EVE)
        room = await open_table(ann)
        await eve.ask("rooms", subscribe=True)

        await ann.ask("react", room=room, key="wow")
        await ann.ask("next", room=room)

        assert await pushed(house, eve) == []


@pytest.mark.parametrize("ending", ["subscribe", "hang up"])
async def test_who_wants_no_more_is_told_no_more(ending: str) -> None:
    async with open_house() as house:
        ann, eve = house.ear(ANN), house.ear(EVE)
        await eve.ask("rooms", subscribe=True)
        if ending == "subscribe":
            await eve.ask("rooms", subscribe=False)
        else:
            house.registry.open_tables.forget(eve)

        await open_table(ann)

        assert await pushed(house, eve) == []


async def test_nobody_is_told_of_a_table_that_is_not_durable() -> None:
    store = FailingStore()
    async with open_house(store) as house:
        ann, eve = house.ear(ANN), house.ear(EVE)
        await eve.ask("rooms", subscribe=True)
        store.gate.clear()
        ann.say("create", settings=PUBLIC)
        await house.settle()

        before = (await listed(eve), await pushed(house, eve))
        store.gate.set()
        await house.settle()
        (after,) = await pushed(house, eve)

        assert before == ([], [])
        assert len(after["rooms"]) == 1


async def test_a_long_list_is_cut_and_free_seats_come_first() -> None:
    async with open_house(limits=Limits(rooms_per_player=0)) as house:
        ann, eve = house.ear(ANN), house.ear(EVE)
        free = await open_table(ann)
        for _ in range(MAX_LISTED):
            await open_table(ann, seats=2, local=2)

        found = await listed(eve)

        assert len(found) == MAX_LISTED
        assert found[0]["room"] == free
        assert all(shown["free"] == 0 for shown in found[1:])


async def test_only_the_newest_tables_are_looked_through(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.open_tables.MAX_SEARCHED", 2)
    async with open_house() as house:
        ann, eve = house.ear(ANN), house.ear(EVE)
        rooms = [await open_table(ann, game=game) for game in ("draw", "block", "block")]

        assert await listed(eve, game="draw") == []
        assert {shown["room"] for shown in await listed(eve, game="block")} == set(rooms[1:])
