"""How rooms are opened, found and forgotten."""

from __future__ import annotations

from collections import Counter
from math import sqrt

from protocol.messages import CODE_LENGTH, CODE_SIGNS
from server.limits import Limits
from server.registry import Nobody
from server.table.state import Table
from tests.server.rooms import SETTINGS, open_house
from tests.server.tables import ANN, BOB, EVE


async def test_a_room_whose_creation_failed_is_forgotten() -> None:
    async with open_house() as house:
        ann = house.ear(ANN)
        house.store.is_failing = True

        assert (await ann.ask("create", settings=SETTINGS))["code"] == "unavailable"
        assert len(house.registry) == 0
        assert house.registry.rooms_of(ANN.player) == []


async def test_a_closed_room_is_told_of_its_end_and_is_not_found_again() -> None:
    async with open_house(limits=Limits(idle_lobby=60)) as house:
        ann = house.ear(ANN)
        room = (await ann.ask("create", settings=SETTINGS))["room"]

        await house.pass_time(61)

        assert ann.updates()[-1]["events"] == [{"type": "closed", "reason": "idle"}]
        assert (await ann.ask("sync", room=room))["code"] == "no_such_room"
        assert len(house.registry) == 0


async def test_a_player_has_a_limit_of_open_rooms() -> None:
    async with open_house(limits=Limits(rooms_per_player=2)) as house:
        ann = house.ear(ANN)
        await ann.ask("create", settings=SETTINGS)
        await ann.ask("quick", game="draw", seats=3)

        refusal = await ann.ask("create", settings=SETTINGS)

        assert (refusal["code"], refusal["reason"]) == ("refused", "too_many_rooms")


async def test_quick_match_brings_those_together_who_want_the_same() -> None:
    async with open_house() as house:
        ann, bob, eve = house.ear(ANN), house.ear(BOB), house.ear(EVE)

        first = await ann.ask("quick", game="draw", seats=2)
        other = await eve.ask("quick", game="block", seats=2)
        second = await bob.ask("quick", game="draw", seats=2)

        assert first["room"] == second["room"] != other["room"]
        assert first["waiting"] is True
        assert second["phase"] == "playing"


async def test_a_private_table_is_not_offered_by_quick_match() -> None:
    async with open_house() as house:
        own = await house.ear(ANN).ask("create", settings=SETTINGS)

        found = await house.ear(BOB).ask("quick", game="fives-threes", seats=2)

        assert found["room"] != own["room"]


class Listening(Nobody):
    """Another node, as far as it hears of seats."""

    def __init__(self) -> None:
        self.heard: list[tuple[int | None, int]] = []
        """How many sat at a table before, None where it is new to this process, and how many after."""
        self.read: list[tuple[int, int]] = []
        """The same of tables that were read again."""

    def told(self, before: Table | None, after: Table) -> None:
        self.heard.append((None if before is None else _seated(before), _seated(after)))

    def read_again(self, before: Table, after: Table) -> None:
        self.read.append((_seated(before), _seated(after)))


def _seated(table: Table) -> int:
    return sum(place.player is not None for place in table.places)


async def test_other_nodes_hear_who_sits_in_a_new_room_and_who_comes() -> None:
    async with open_house() as house:
        house.registry.neighbours = node = Listening()
        room = (await house.ear(ANN).ask("create", settings=SETTINGS))["room"]

        await house.ear(BOB).ask("join", room=room)

        assert node.heard[0] == (None, 1)
        assert (1, 2) in node.heard[1:]


async def test_other_nodes_hear_once_of_a_room_that_is_read_again() -> None:
    async with open_house() as house:
        ann, bob = house.ear(ANN), house.ear(BOB)
        room = (await ann.ask("create", settings=SETTINGS))["room"]
        await bob.ask("join", room=room)
        house.registry.neighbours = node = Listening()
        house.store.is_failing = house.store.writes_before_failing = True
        bob.say("leave", room=room)
        await house.settle()
        house.store.is_failing = False

        await house.pass_time(2)

        assert node.read == [(2, 1)]
        assert (None, 1) not in node.heard


async def test_every_sign_of_a_code_is_equally_likely() -> None:
    async with open_house() as house:
        codes = [house.registry.new_code() for _ in range(40_000)]

    counts = Counter("".join(codes))
    expected = 40_000 * CODE_LENGTH / len(CODE_SIGNS)
    assert counts.keys() == set(CODE_SIGNS)
    assert max(abs(found - expected) for found in counts.values()) < 5 * sqrt(expected)
