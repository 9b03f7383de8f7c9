"""In which rooms a player counts as seated while the log is behind, and when a step turns out not to count."""

from __future__ import annotations

from server.limits import Limits
from server.places import Places
from server.rereading import RELOAD_AFTER
from server.table.state import PlayerId
from tests.fakes import LostStore
from tests.server.rooms import SETTINGS, Ear, House, open_house
from tests.server.tables import ANN, BOB, EVE

LOBBY = {"game": "draw", "seats": 3, "public": True}


async def left_in_vain(house: House) -> tuple[Ear, str]:
    """Ann, who has opened a room with her message "once", and whose leaving it could not be written."""
    ann, bob = house.ear(ANN), house.ear(BOB)
    room = (await ann.ask("create", settings=SETTINGS, id="once"))["room"]
    await bob.ask("join", room=room)
    house.store.is_failing = True
    ann.say("leave", room=room)
    await house.settle()
    house.store.is_failing = False
    return ann, room


async def test_a_create_that_comes_again_opens_no_second_room_when_leaving_the_first_did_not_count() -> None:
    async with open_house(LostStore()) as house:
        ann, room = await left_in_vain(house)
        ann.heard.clear()

        ann.say("create", settings=SETTINGS, id="once")
        await house.pass_time(RELOAD_AFTER)

        assert ann.answer("once")["room"] == room
        assert len(house.registry) == 1


async def test_leaving_makes_room_for_another_seat_only_if_it_counts() -> None:
    async with open_house(LostStore(), limits=Limits(rooms_per_player=1)) as house:
        ann, room = await left_in_vain(house)

        early = await ann.ask("create", settings=SETTINGS)
        await house.pass_time(RELOAD_AFTER)
        await ann.ask("leave", room=room)
        late = await ann.ask("create", settings=SETTINGS)

        assert early["reason"] == "too_many_rooms"
        assert late["type"] == "snapshot"


async def test_a_room_is_among_those_of_a_player_until_leaving_it_is_durable() -> None:
    async with open_house() as house:
        ann, bob = house.ear(ANN), house.ear(BOB)
        room = (await ann.ask("create", settings=SETTINGS))["room"]
        await bob.ask("join", room=room)
        house.store.gate.clear()

        ann.say("leave", room=room)
        await house.settle()
        before = house.registry.rooms_of(ANN.player)
        house.store.gate.set()
        await house.settle()

        assert before == [room]
        assert house.registry.rooms_of(ANN.player) == []


async def test_quick_match_does_not_lead_back_to_the_table_that_was_just_left() -> None:
    async with open_house() as house:
        ann, bob, eve = house.ear(ANN), house.ear(BOB), house.ear(EVE)
        other = await eve.ask("create", settings=LOBBY)
        own = await ann.ask("create", settings=LOBBY)
        await bob.ask("join", room=own["room"])
        house.store.gate.clear()
        ann.say("leave", room=own["room"])

        found = ann.say("quick", game="draw", seats=3)
        house.store.gate.set()
        await house.settle()

        assert ann.answer(found)["room"] == other["room"]


def test_who_goes_comes_and_goes_has_a_place_until_the_last_of_it_is_past() -> None:
    places, ann = Places(), PlayerId("ann")
    tables = [[ann], [], [ann], []]
    for players in tables:
        places.take("ROOM", players)

    held = []
    for players in tables[:-1]:
        places.leave("ROOM", players)
        held.append(bool(places.rooms_of(ann)))

    assert held == [True, True, False]
    assert not places.by_player


def test_a_room_that_is_forgotten_takes_no_place_of_anybody() -> None:
    places, ann, bob = Places(), PlayerId("ann"), PlayerId("bob")
    places.take("GONE", [ann, bob, bob])
    places.take("OPEN", [ann])

    places.forget("GONE")

    assert dict(places.by_player) == {ann: {"OPEN"}}
