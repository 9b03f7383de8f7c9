"""What a room tells, to whom, and when."""

from __future__ import annotations

from tests.server.rooms import SETTINGS, in_turn, open_house, two_at_a_table
from tests.server.tables import ANN, BOB, EVE


async def test_the_senders_update_comes_before_its_ok() -> None:
    async with open_house() as house:
        ann, bob, room = await two_at_a_table(house)
        ear, seen = in_turn(ann, bob)

        answer = await ear.ask("act", room=room, seq=seen["seq"], action=seen["turn"]["legal"][0]["action"])

        update, ok = ear.heard[-2:]
        assert (update["type"], ok) == ("update", answer)
        assert ok["seq"] == update["seq"] == seen["seq"] + 1


async def test_nobody_hears_of_a_step_before_it_is_durable() -> None:
    async with open_house() as house:
        ann, bob, room = await two_at_a_table(house)
        ear, seen = in_turn(ann, bob)
        heard = [len(ann.heard), len(bob.heard)]
        house.store.gate.clear()

        ear.say("act", room=room, seq=seen["seq"], action=seen["turn"]["legal"][0]["action"])
        await house.settle()
        bob.say("sync", room=room)
        ann.say("act", room=room, seq=seen["seq"], action={"type": "knock"})
        await house.settle()

        assert [len(ann.heard), len(bob.heard)] == heard
        house.store.gate.set()
        await house.settle()
        assert len(ann.heard) > heard[0]
        assert len(bob.heard) > heard[1]


async def test_the_steps_of_one_turn_of_the_loop_are_written_together() -> None:
    async with open_house() as house:
        ears = [house.ear(who) for who in (ANN, BOB, EVE)]
        for ear in ears:
            ear.say("create", settings=SETTINGS)

        await house.settle()

        assert [len(batch) for batch in house.store.appended] == [3]


async def test_a_failing_store_is_unavailable_loses_nothing_and_recovers() -> None:
    async with open_house() as house:
        ann, bob, room = await two_at_a_table(house)
        ear, seen = in_turn(ann, bob)
        act = {"room": room, "seq": seen["seq"], "action": seen["turn"]["legal"][0]["action"]}
        house.store.is_failing = True
        assert (await ear.ask("act", **act))["code"] == "unavailable"
        house.store.is_failing = False

        answer = await ear.ask("act", **act)

        assert answer["type"] == "ok"
        assert answer["seq"] == seen["seq"] + 1
        assert [update["seq"] for update in bob.updates()] == list(range(2 + 1, answer["seq"] + 1))


async def test_a_step_whose_outcome_was_unknown_is_told_once_when_it_is_found_in_the_log() -> None:
    async with open_house() as house:
        ann, bob, room = await two_at_a_table(house)
        ear, seen = in_turn(ann, bob)
        house.store.is_failing = house.store.writes_before_failing = True
        act = {"room": room, "seq": seen["seq"], "action": seen["turn"]["legal"][0]["action"], "id": "once"}
        ear.say("act", **act)
        await house.settle()
        house.store.is_failing = False

        ear.say("act", **act)
        await house.settle()

        answers = [message["type"] for message in ear.heard if message.get("re") == "once"]
        assert answers == ["ok", "ok"]
        for who in (ann, bob):
            seqs = [update["seq"] for update in who.updates()]
            assert seqs == list(range(seqs[0], seen["seq"] + 2))


async def test_who_was_removed_by_the_host_hears_it_and_nothing_more() -> None:
    async with open_house() as house:
        ann, bob = house.ear(ANN), house.ear(BOB)
        room = (await ann.ask("create", settings=SETTINGS))["room"]
        await bob.ask("join", room=room)

        await ann.ask("remove", room=room, seat=1)
        await ann.ask("react", room=room, key="oops")

        assert [event["type"] for event in bob.updates()[-1]["events"]] == ["left"]
