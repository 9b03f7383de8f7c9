"""What is left, and what is said, when rooms end and when the store fails in between."""

from __future__ import annotations

from server.config import Limits
from tests.server.rooms import open_house
from tests.server.tables import ANN

SETTINGS = {"game": "fives-threes", "seats": 2, "bot_delay": 1}


async def test_a_closed_room_takes_no_place_among_the_rooms_of_its_players() -> None:
    async with open_house(limits=Limits(idle_lobby=60, rooms_per_player=1)) as house:
        ann = house.ear(ANN)
        await ann.ask("create", settings=SETTINGS)
        await house.pass_time(61)

        again = await ann.ask("create", settings=SETTINGS)

        assert again["type"] == "snapshot"
        assert house.registry.rooms_of(ANN.player) == [again["room"]]
