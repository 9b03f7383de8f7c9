"""What a room does by itself when time passes."""

from __future__ import annotations

import pytest

from tests.server.rooms import SETTINGS, in_turn, open_house, two_at_a_table
from tests.server.tables import ANN


async def test_a_bot_acts_its_delay_after_its_turn_began() -> None:
    async with open_house() as house:
        ann = house.ear(ANN)
        room = (await ann.ask("create", settings=SETTINGS | {"lead": 1}))["room"]
        await ann.ask("start", room=room)
        seq = ann.updates()[-1]["seq"]

        await house.pass_time(0.9)
        assert ann.updates()[-1]["seq"] == seq
        await house.pass_time(0.2)

        assert ann.updates()[-1]["events"][0]["type"] == "played"
        assert ann.updates()[-1]["events"][0]["seat"] == 1


async def test_when_the_time_for_a_choice_runs_out_a_bot_makes_that_one_choice_in_the_same_step() -> None:
    async with open_house() as house:
        ann, bob, room = await two_at_a_table(house, turn_timer=10)
        ear, seen = in_turn(ann, bob)
        assert seen["turn"]["left"] == 10
        seat = seen["turn"]["seat"]

        await house.pass_time(9.9)
        assert ear.updates()[-1]["seq"] == seen["seq"]
        assert (await ear.ask("sync", room=room))["turn"]["left"] == pytest.approx(0.1)
        await house.pass_time(0.2)

        kinds = [(event["type"], event["seat"]) for event in ear.updates()[-1]["events"]]
        assert kinds == [("timed_out", seat), ("played", seat)]
        assert ear.updates()[-1]["turn"]["left"] == pytest.approx(9.9)


async def test_a_play_in_time_and_the_end_of_the_time_never_both_apply() -> None:
    async with open_house() as house:
        ann, bob, room = await two_at_a_table(house, turn_timer=10)
        for _ in range(4):
            ear, seen = in_turn(ann, bob)
            house.clock.advance(10)
            ear.say("act", room=room, seq=seen["seq"], action=seen["turn"]["legal"][0]["action"])
            await house.settle()

            new = [update for update in ann.updates() if update["seq"] > seen["seq"]]
            assert [event["type"] for update in new for event in update["events"]] == ["timed_out", "played"]
            answer = ear.heard[-1]
            assert answer["code"] in ("not_your_turn", "unavailable")


async def test_time_that_passes_while_nobody_is_connected_is_given_back() -> None:
    async with open_house() as house:
        ann, bob, room = await two_at_a_table(house, turn_timer=10)
        ear, _ = in_turn(ann, bob)
        await house.pass_time(9)
        ann.hang_up()
        bob.hang_up()
        await house.pass_time(3600)
        again = house.ear(ear.actor)

        snapshot = await again.ask("sync", room=room)

        assert snapshot["deal"]["events"][-1]["type"] == "deal_started"
        assert snapshot["turn"]["left"] == 10


async def test_a_bot_takes_its_delay_anew_when_somebody_comes_back_to_an_empty_table() -> None:
    async with open_house() as house:
        ann = house.ear(ANN)
        room = (await ann.ask("create", settings=SETTINGS | {"lead": 1}))["room"]
        await ann.ask("start", room=room)
        await house.pass_time(0.9)
        ann.hang_up()
        await house.pass_time(3600)
        again = house.ear(ANN)
        await again.ask("sync", room=room)
        seq = house.registry.find(room).table.seq

        await house.pass_time(0.9)
        assert house.registry.find(room).table.seq == seq
        await house.pass_time(0.2)

        assert again.updates()[-1]["events"][0]["type"] == "played"
