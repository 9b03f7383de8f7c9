"""Section D of docs/faults.md: joining and seats."""

from __future__ import annotations

import os
from collections import Counter
from typing import Any

import pytest

from server.connected import Connected
from server.dispatch import Dispatcher
from server.limits import Limits
from server.sessions import Sessions
from server.table.decide import Lost
from server.table.state import Actor, Phase, PlayerId, Table
from tests.fakes import FailingStore, FakeClock
from tests.server.lines import Line, hello
from tests.server.rooms import House, open_house
from tests.server.tables import ANN, BOB, Driver, kinds, refused, seats_of
from tests.system.servers import Server

REPEATS = 500
RIVALS = 20
PLAYERS = 10_000


def rivals(count: int) -> list[Actor]:
    return [Actor(PlayerId(f"rival-{number}"), f"Rival {number}") for number in range(count)]


def holders(table: Table) -> list[str]:
    """Who sits at ``table``; each seat once, empty ones left out."""
    return [place.player or place.bot or "" for place in table.places if place.player or place.bot]


async def test_of_twenty_who_want_the_last_seat_one_has_it_and_nineteen_are_told_that_it_is_full() -> None:
    """D1: all in one turn of the loop, again and again."""
    async with open_house(limits=Limits(rooms_per_player=0)) as house:
        ann = house.ear(ANN)
        ears = [house.ear(actor) for actor in rivals(RIVALS)]
        for _ in range(REPEATS):
            room = (await ann.ask("create", settings={"game": "draw", "seats": 2}))["room"]
            sent = [ear.say("join", room=room) for ear in ears]
            await house.settle()

            answers = [ear.answer(message_id) for ear, message_id in zip(ears, sent, strict=True)]
            told = Counter(answer.get("code", answer["type"]) for answer in answers)
            assert told == {"snapshot": 1, "room_full": RIVALS - 1}
            assert len(set(holders(house.registry.find(room).table))) == 2
            for ear in (ann, *ears):
                ear.heard.clear()


async def test_two_rooms_that_fill_with_people_and_bots_at_once_have_nobody_too_many() -> None:
    """D2: everybody joins both rooms while the hosts add bots."""
    for order in range(20):
        async with open_house() as house:
            hosts = [house.ear(ANN), house.ear(BOB)]
            rooms = [(await host.ask("create", settings={"game": "draw", "seats": 4}))["room"] for host in hosts]
            guests = [house.ear(actor) for actor in rivals(5)]
            sayings = [
                *((guest, "join", {"room": room}) for guest in guests for room in rooms),
                *(
                    (host, "add_bot", {"room": room, "seat": seat})
                    for host, room in zip(hosts, rooms, strict=True)
                    for seat in (1, 2, 3)
                ),
            ]
            for ear, kind, fields in sayings[order:] + sayings[:order]:
                ear.say(kind, **fields)
            await house.settle()

            for room in rooms:
                table = house.registry.find(room).table
                people = [place.player for place in table.places if place.player is not None]
                assert len(holders(table)) == 4
                assert len(set(people)) == len(people)


def test_who_sits_stands_up_and_sits_elsewhere_while_the_table_waits_is_there_once() -> None:
    """D4."""
    driver = Driver(seats=3, fill="wait", fill_after=30)
    driver.say(BOB, "join")
    driver.say(ANN, "start")
    assert driver.table.waiting

    driver.say(BOB, "leave")
    driver.say(BOB, "join", seat=2)
    driver.say(BOB, "join", seat=1)

    assert seats_of(driver.table.places) == ["Ann", "Bob", None]
    driver.wait(30)
    assert driver.table.phase is Phase.PLAYING
    assert seats_of(driver.table.places) == ["Ann", "Bob", "Computer"]


async def test_who_opens_a_second_tab_in_another_lobby_sits_in_both_and_speaks_by_the_newer_one(
    server: Server,
) -> None:
    """D5: the seat in the first room stays, and is away until that room is looked at again."""
    ann, bob = await server.client("Ann"), await server.client("Bob")
    first = await ann.create(game="draw", seats=2)
    second = await bob.create(game="block", seats=3)
    tab = server.stranger("Ann", prefix="tab")
    tab.token = ann.token
    await tab.open()
    await tab.hello()

    await tab.say("join", room=second)

    assert await ann.close_code() == 4003
    assert [place.name for place in server.table(second).places] == ["Bob", "Ann", None]
    assert [place.presence.value for place in server.table(first).places] == ["away", "empty"]
    assert (await tab.say("sync", room=first))["you"]["seats"] == [0]
    assert [place.presence.value for place in server.table(first).places] == ["present", "empty"]


def start_with_lead(lead: int) -> Driver:
    """Ann and two bots at the first deal, which seat ``lead`` leads."""
    driver = Driver(seats=3, game="fives-threes", lead=lead, target=1_000_000)
    driver.say(ANN, "start")
    return driver


def test_who_takes_the_seat_of_a_bot_that_is_to_lead_leads_and_the_order_stays() -> None:
    """D7: between two deals."""
    driver = start_with_lead(0)
    driver.play_deal()
    driver.say(BOB, "join", seat=1)

    for actor in (ANN, BOB):
        driver.say(actor, "next")

    assert driver.table.turn == 1
    assert refused(driver, ANN, "act", seq=driver.table.seq, action={"type": "knock"}).code.value == "not_your_turn"
    turns = []
    for _ in range(6):
        turns.append(driver.table.turn)
        driver.act()
    assert turns == [1, 2, 0, 1, 2, 0]


def test_a_newcomer_before_the_first_tile_of_a_bot_that_leads_changes_nothing_in_the_running_deal() -> None:
    """D7: in the very first deal the bot opens it, and the newcomer has the seat from the next one on."""
    driver = start_with_lead(1)

    driver.say(BOB, "join", seat=1)

    assert (driver.table.turn, driver.place(1).name) == (1, "Computer")
    assert kinds(driver.act())[0] == "Played"
    assert driver.table.turn == 2
    driver.play_deal()
    assert driver.place(1).player == BOB.player


def test_who_came_back_to_a_seat_that_a_bot_has_kept_stays_when_the_host_removes_the_bots() -> None:
    """D8: the seat is never shown as a bot's."""
    driver = Driver(seats=4, game="block", target=1, grace=30)
    driver.say(BOB, "join", seat=2)
    driver.say(ANN, "start")
    driver.serve(Lost(BOB.player))
    driver.wait(30)
    shown = driver.snapshot(ANN)["seats"][2]
    driver.say(BOB, "sync")
    while driver.table.phase is not Phase.MATCH_OVER:
        driver.act() if driver.table.turn is not None else driver.wait(20)

    for seat in driver.snapshot(ANN)["seats"]:
        if seat["bot"] is not None:
            driver.say(ANN, "remove", seat=seat["seat"])

    assert (shown["state"], shown["bot"], shown["player"]) == ("bot_in", None, BOB.player)
    assert seats_of(driver.table.places) == ["Ann", None, "Bob", None]


async def test_two_of_one_name_have_two_hands_and_act_for_themselves_alone(server: Server) -> None:
    """D10."""
    one, two = await server.client("Ann"), await server.client("Ann")
    room = await one.create(game="block", seats=2, lead=0)
    await two.say("join", room=room)
    await one.say("start", room=room)
    await two.hear(room, "deal_started")

    tables = [await ann.look(room) for ann in (one, two)]

    assert [seat["name"] for seat in tables[0]["seats"]] == ["Ann", "Ann (2)"]
    assert one.player != two.player
    hands = [set(table["deal"]["hands"][str(seat)]) for seat, table in enumerate(tables)]
    assert hands[0].isdisjoint(hands[1])
    act = {"room": room, "seq": tables[0]["seq"], "action": tables[0]["turn"]["legal"][0]["action"]}
    assert (await two.refused("act", **act))["code"] == "not_your_turn"
    await one.say("act", **act)


async def test_ten_thousand_players_have_ten_thousand_ids_and_tokens() -> None:
    """D11."""
    house = House(FailingStore(), FakeClock(), Limits())
    sessions = Sessions(
        house.store, Dispatcher(house.registry), house.registry.archive, house.clock, os.urandom, Connected()
    )
    seen: set[str] = set()

    for number in range(PLAYERS):
        line = Line(number)
        session = await sessions.greet(line, hello())
        seen |= {session.actor.player, line.sent[0]["token"]}

    assert len(seen) == 2 * PLAYERS


@pytest.mark.parametrize("field", ["player", "seat", "id_of_player"])
async def test_who_somebody_is_is_never_taken_from_what_they_say(server: Server, field: str) -> None:
    """D11: there is no field for it."""
    ann, zoe = await server.client("Ann"), server.stranger("Zoe")
    await zoe.open()
    claim: dict[str, Any] = {field: ann.player}

    refusal = await zoe.refused("hello", name="Ann", **claim)
    welcome = await zoe.hello(name="Ann")

    assert (refusal["code"], refusal["path"]) == ("bad_message", field)
    assert welcome["player"] != ann.player
