"""What is answered to a message that comes again."""

from __future__ import annotations

from server.answers import MAX_PLAYERS, Answers
from server.table import log
from server.table.state import PlayerId
from tests.fakes import FailingStore
from tests.server.rooms import SETTINGS, Ear, in_turn, open_house, two_at_a_table
from tests.server.tables import ANN, BOB


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


async def test_an_accepted_message_that_changed_nothing_is_known_after_the_room_was_read_again() -> None:
    async with open_house() as house:
        ann, bob, room = await two_at_a_table(house, target=1)
        first = await ann.ask("next", room=room, id="early")
        house.store.is_failing = True
        await bob.ask("react", room=room, key="wow")
        house.store.is_failing = False
        await _to_the_end_of_the_deal(ann, bob, room)
        ann.heard.clear()

        assert await ann.ask("next", room=room, id="early") == first
        assert not any(seat["ready"] for seat in (await ann.ask("sync", room=room))["seats"])


async def test_an_accepted_message_that_changed_nothing_is_written_once() -> None:
    async with open_house() as house:
        ann, bob, room = await two_at_a_table(house)
        await ann.ask("next", room=room, id="early")
        await ann.ask("react", room=room, key="wow")
        await bob.ask("react", room=room, key="wow")

        written = [log.unpack_all(step.seq, step.epoch, step.payload)[2] for step in await house.store.load(room)]

        assert [[cause.id for cause in also] for also in written[-2:]] == [["early"], []]


def test_of_players_without_a_seat_who_was_heard_longest_ago_is_forgotten_first() -> None:
    answers = Answers(32)
    for number in range(MAX_PLAYERS):
        answers.remember(log.Cause(f"p{number}", "first", "ok"), 1, [])
    answers.remember(log.Cause("p0", "second", "ok"), 2, [])

    answers.remember(log.Cause("new", "first", "ok"), 3, [])

    assert answers.find(PlayerId("p0"), "first") is not None
    assert answers.find(PlayerId("p1"), "first") is None
