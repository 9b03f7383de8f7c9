from __future__ import annotations

from typing import Any

import pytest

from server.config import Limits
from tests.fakes import FailingStore
from tests.server.rooms import Ear, House, open_house
from tests.server.tables import ANN, BOB, EVE

SETTINGS = {"game": "fives-threes", "seats": 2, "bot_delay": 1}


async def two_at_a_table(house: House, **settings: Any) -> tuple[Ear, Ear, str]:
    """Ann, the host, and Bob in the first deal of a match."""
    ann, bob = house.ear(ANN), house.ear(BOB)
    room = (await ann.ask("create", settings=SETTINGS | settings))["room"]
    await bob.ask("join", room=room)
    await ann.ask("start", room=room)
    return ann, bob, room


def in_turn(*ears: Ear) -> tuple[Ear, dict[str, Any]]:
    """Who is to act, and the newest update with what is legal."""
    for ear in ears:
        update = ear.updates()[-1]
        if update["turn"] and "legal" in update["turn"]:
            return ear, update
    raise AssertionError("nobody is to act")


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


async def test_a_message_sent_again_is_answered_again_and_changes_nothing() -> None:
    async with open_house() as house:
        ann, bob, room = await two_at_a_table(house)
        ear, seen = in_turn(ann, bob)
        act = {"room": room, "seq": seen["seq"], "action": seen["turn"]["legal"][0]["action"], "id": "once"}

        for _ in range(50):
            ear.say("act", **act)
        await house.settle()

        answers = [message for message in ear.heard if message.get("re") == "once"]
        assert len(answers) == 50
        assert all(answer == answers[0] for answer in answers)
        assert house.registry.find(room).table.seq == seen["seq"] + 1


async def test_a_create_sent_again_gives_a_fresh_snapshot_of_the_same_room() -> None:
    async with open_house() as house:
        ann = house.ear(ANN)
        first = await ann.ask("create", settings=SETTINGS, id="c")
        await house.ear(BOB).ask("join", room=first["room"])
        ann.heard.clear()

        again = await ann.ask("create", settings=SETTINGS, id="c")

        assert again["room"] == first["room"]
        assert again["seq"] == first["seq"] + 1
        assert len(house.registry) == 1


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


async def test_a_room_whose_creation_failed_is_forgotten() -> None:
    async with open_house() as house:
        ann = house.ear(ANN)
        house.store.is_failing = True

        assert (await ann.ask("create", settings=SETTINGS))["code"] == "unavailable"
        assert len(house.registry) == 0
        assert house.registry.rooms_of(ANN.player) == []


async def test_who_comes_back_is_sent_the_missed_steps_or_a_snapshot() -> None:
    async with open_house() as house:
        ann, bob, room = await two_at_a_table(house)
        missed_from = bob.updates()[-1]["seq"]
        bob.hang_up()
        await ann.ask("react", room=room, key="wow")
        again = house.ear(BOB)

        answer = await again.ask("sync", room=room, epoch=ann.updates()[-1]["epoch"], after=missed_from)

        told = again.heard[:-1]
        assert [update["seq"] for update in told] == list(range(missed_from + 1, answer["seq"] + 1))
        assert [event["type"] for update in told for event in update["events"]] == ["away", "reacted", "back"]
        assert all(update["turn"] is None for update in told[:-1])
        assert (await again.ask("sync", room=room))["type"] == "snapshot"


async def test_who_has_a_hand_back_in_the_middle_of_a_deal_is_shown_it_whatever_the_cursor() -> None:
    async with open_house() as house:
        ann, bob, room = await two_at_a_table(house)
        await bob.ask("leave", room=room)
        await bob.ask("join", room=room)
        bob.hang_up()
        await house.settle()
        again, last = house.ear(BOB), ann.updates()[-1]

        answer = await again.ask("sync", room=room, epoch=last["epoch"], after=last["seq"])

        assert answer["type"] == "snapshot"
        assert len(answer["deal"]["hands"]["1"]) == 7
        assert "reset" not in answer


async def test_who_comes_back_before_the_answer_to_a_lost_connection_stays() -> None:
    async with open_house() as house:
        ann, bob, room = await two_at_a_table(house)
        eve = house.ear(EVE)
        house.store.gate.clear()
        eve.say("watch", room=room)
        await house.settle()
        ann.say("react", room=room, key="wow")
        eve.hang_up()
        again = house.ear(EVE)
        asked = again.say("sync", room=room, after=1)

        house.store.gate.set()
        await house.settle()
        await bob.ask("react", room=room, key="nice")

        assert again.answer(asked)["type"] == "ok"
        assert again.updates()[-1]["events"][0]["key"] == "nice"
        assert again.updates()[-1]["seq"] == ann.updates()[-1]["seq"]


@pytest.mark.parametrize("cursor", [{"after": 10_000}, {"after": 3, "epoch": 1}])
async def test_a_cursor_that_the_log_does_not_hold_gets_a_snapshot_marked_reset(cursor: dict[str, int]) -> None:
    async with open_house() as house:
        ann, _, room = await two_at_a_table(house)

        answer = await ann.ask("sync", room=room, **cursor)

        assert answer["type"] == "snapshot"
        assert answer["reset"] is True


async def test_who_missed_more_than_is_kept_gets_a_snapshot() -> None:
    async with open_house() as house:
        ann, bob, room = await two_at_a_table(house)
        for _ in range(300):
            await ann.ask("react", room=room, key="wow")
            house.clock.advance(15)

        answer = await bob.ask("sync", room=room, after=2)

        assert answer["type"] == "snapshot"
        assert "reset" not in answer


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


async def test_another_process_takes_the_rooms_under_a_new_epoch() -> None:
    store = FailingStore()
    async with open_house(store) as house:
        ann, bob, room = await two_at_a_table(house)
        ear, _ = in_turn(ann, bob)
        before = await ear.ask("sync", room=room)

    async with open_house(store) as house:
        await house.registry.load()
        await house.settle()
        again = house.ear(ear.actor)

        after = await again.ask("sync", room=room)

        assert after["deal"] == before["deal"]
        assert after["turn"] == before["turn"]
        assert after["epoch"] > before["epoch"]
        assert {seat["state"] for seat in after["seats"]} == {"present", "away"}
        old = await again.ask("sync", room=room, epoch=before["epoch"], after=before["seq"])
        assert old["type"] == "ok"


async def test_who_was_removed_by_the_host_hears_it_and_nothing_more() -> None:
    async with open_house() as house:
        ann, bob = house.ear(ANN), house.ear(BOB)
        room = (await ann.ask("create", settings=SETTINGS))["room"]
        await bob.ask("join", room=room)

        await ann.ask("remove", room=room, seat=1)
        await ann.ask("react", room=room, key="oops")

        assert [event["type"] for event in bob.updates()[-1]["events"]] == ["left"]


async def test_the_remembered_ids_of_a_player_are_bounded() -> None:
    async with open_house() as house:
        ann = house.ear(ANN)
        room = (await ann.ask("create", settings=SETTINGS, id="first"))["room"]
        for _ in range(32):
            house.clock.advance(15)
            await ann.ask("react", room=room, key="wow")

        assert not house.registry.find(room).has_answered(ANN.player, "first")


async def test_an_accepted_message_that_changed_nothing_changes_nothing_when_it_comes_again() -> None:
    store = FailingStore()
    async with open_house(store) as house:
        ann, bob, room = await two_at_a_table(house, target=1)
        first = await ann.ask("next", room=room, id="early")
        await _to_the_end_of_the_deal(ann, bob, room)
        ann.heard.clear()

        again = await ann.ask("next", room=room, id="early")

        assert again == first
        assert not any(seat["ready"] for seat in (await ann.ask("sync", room=room))["seats"])

    async with open_house(store) as house:
        await house.registry.load()
        await house.settle()
        seq = house.registry.find(room).table.seq

        assert await house.ear(ANN).ask("next", room=room, id="early") == first
        assert house.registry.find(room).table.seq == seq


async def _to_the_end_of_the_deal(ann: Ear, bob: Ear, room: str) -> None:
    while ann.updates()[-1]["turn"] is not None:
        ear, seen = in_turn(ann, bob)
        await ear.ask("act", room=room, seq=seen["seq"], action=seen["turn"]["legal"][0]["action"])


async def test_a_resent_join_of_somebody_who_was_removed_shows_nothing() -> None:
    async with open_house() as house:
        ann, bob = house.ear(ANN), house.ear(BOB)
        room = (await ann.ask("create", settings=SETTINGS | {"spectators": False}))["room"]
        await bob.ask("join", room=room, id="sit")
        await ann.ask("remove", room=room, seat=1)
        bob.heard.clear()

        assert (await bob.ask("join", room=room, id="sit"))["code"] == "not_seated"
