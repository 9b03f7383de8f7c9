"""What is told to who comes back to a room: the missed steps, or a snapshot."""

from __future__ import annotations

import pytest

from engine import match as matches
from protocol.convert import choice_to_wire
from tests.fakes import FailingStore
from tests.server.rooms import SETTINGS, in_turn, open_house, two_at_a_table
from tests.server.tables import ANN, BOB, EVE


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


@pytest.mark.parametrize("cursor", [{"after": 10_000}, {"after": 3, "epoch": 1}, {"after": 3, "epoch": 2**40}])
async def test_a_cursor_that_the_log_does_not_hold_gets_a_snapshot_marked_reset(cursor: dict[str, int]) -> None:
    async with open_house() as house:
        ann, _, room = await two_at_a_table(house)

        answer = await ann.ask("sync", room=room, **cursor)

        assert answer["type"] == "snapshot"
        assert answer["reset"] is True


async def test_a_cursor_without_an_epoch_is_told_what_followed() -> None:
    async with open_house() as house:
        ann, bob, room = await two_at_a_table(house)
        await bob.ask("react", room=room, key="nice")
        missed_from = ann.updates()[-1]["seq"] - 1

        answer = await ann.ask("sync", room=room, after=missed_from)

        assert answer["type"] == "ok"


async def test_who_missed_more_than_is_kept_gets_a_snapshot() -> None:
    async with open_house() as house:
        ann, bob, room = await two_at_a_table(house)
        for _ in range(300):
            await ann.ask("react", room=room, key="wow")
            house.clock.advance(15)

        answer = await bob.ask("sync", room=room, after=2)

        assert answer["type"] == "snapshot"
        assert "reset" not in answer


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


async def test_an_older_connection_that_is_lost_late_takes_nothing_from_the_newer_one() -> None:
    async with open_house() as house:
        ann, bob, room = await two_at_a_table(house)
        again = house.ear(BOB)
        await again.ask("sync", room=room)

        bob.hang_up()
        await ann.ask("react", room=room, key="wow")

        assert again.updates()[-1]["events"] == [{"type": "reacted", "seat": 0, "key": "wow"}]


async def test_who_is_lost_before_the_answer_to_a_join_is_away() -> None:
    async with open_house() as house:
        ann, bob = house.ear(ANN), house.ear(BOB)
        room = (await ann.ask("create", settings=SETTINGS))["room"]
        house.store.gate.clear()
        bob.say("join", room=room)
        await house.settle()
        bob.hang_up()

        house.store.gate.set()
        await house.settle()

        assert [update["events"][0]["type"] for update in ann.updates()] == ["seated", "away"]


async def test_who_was_lost_between_an_undo_and_the_snapshot_that_follows_it_gets_a_snapshot() -> None:
    async with open_house() as house:
        ann = house.ear(ANN)
        room = (await ann.ask("create", settings=SETTINGS | {"lead": 0}))["room"]
        await ann.ask("start", room=room)
        table = house.registry.find(room).table
        assert table.match is not None
        action = choice_to_wire(matches.choices(table.match)[0])["action"]
        await ann.ask("act", room=room, seq=table.seq, action=action)
        await ann.ask("undo", room=room)
        undone = ann.updates()[-1]
        ann.hang_up()
        await house.settle()
        again = house.ear(ANN)

        answer = await again.ask("sync", room=room, epoch=undone["epoch"], after=undone["seq"])
        later = await again.ask("sync", room=room, epoch=answer["epoch"], after=answer["seq"])

        assert [event["type"] for event in undone["events"]] == ["undone"]
        assert answer["type"] == "snapshot"
        assert later["type"] == "ok"


async def test_who_leaves_in_the_step_that_moves_the_match_is_shown_nothing_of_it() -> None:
    async with open_house() as house:
        ann, bob = house.ear(ANN), house.ear(BOB)
        room = (await ann.ask("create", settings=SETTINGS | {"seats": 3, "spectators": False}))["room"]
        await bob.ask("join", room=room)
        await ann.ask("start", room=room)
        await ann.ask("restart", room=room)
        bob.heard.clear()

        await bob.ask("leave", room=room)

        assert [event["type"] for event in bob.updates()[-1]["events"]][-1] == "restarted"
        assert [message["type"] for message in bob.heard] == ["update", "ok"]
        assert "snapshot" in [message["type"] for message in ann.heard[-3:]]
