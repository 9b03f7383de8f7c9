"""Several people at one device: each hand is shown when its holder asks for it, and to nobody else (H3)."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from bots.fold import fold, uncovered
from engine import match as matches
from engine.tiles import full_set
from protocol.convert import choice_to_wire
from server.table.events import MatchStarted
from server.table.state import Phase, Presence, Table
from tests.server.rooms import Ear, House, open_house
from tests.server.tables import ANN, BOB, Driver, kinds, refused

SETTINGS: dict[str, Any] = {
    "game": "draw", "seats": 4, "local": 2, "names": ["Wei"], "lead": 0, "bot_delay": 1, "target": 100_000
}  # fmt: skip
"""Ann and Wei at one device, at seats 0 and 1; two more seats."""


class Device:
    """A client that folds what it is told, and shows hands."""

    def __init__(self, ear: Ear) -> None:
        self.ear = ear
        self.table: dict[str, Any] = {}
        self._read = 0

    def read(self) -> dict[str, Any]:
        for message in self.ear.heard[self._read :]:
            if message["type"] == "snapshot":
                self.table = {name: value for name, value in message.items() if name != "re"}
            elif message["type"] == "update":
                self.table = fold(self.table, message, self.ear.actor.player)
            elif message["type"] == "hand":
                self.table = uncovered(self.table, message)
        self._read = len(self.ear.heard)
        return self.table

    async def show(self, seat: int) -> dict[str, Any]:
        answer = await self.ear.ask("show", room=self.table["room"], seat=seat)
        self.read()
        return answer


async def begun(house: House, **settings: Any) -> tuple[Device, str]:
    device = Device(house.ear(ANN))
    room = (await device.ear.ask("create", settings=SETTINGS | settings))["room"]
    await device.ear.ask("start", room=room)
    device.read()
    return device, room


def table_of(house: House, room: str) -> Table:
    return house.registry.find(room).table


async def act(house: House, ear: Ear, room: str, choice: int = 0, **seat: int) -> dict[str, Any]:
    table = table_of(house, room)
    assert table.match is not None
    choices = matches.choices(table.match)
    action = choice_to_wire(choices[choice % len(choices)])["action"]
    return await ear.ask("act", room=room, seq=table.seq, action=action, **seat)


def hand(house: House, room: str, seat: int) -> list[str]:
    match = table_of(house, room).match
    assert match is not None
    assert match.deal is not None
    return [str(tile) for tile in match.deal.hands[seat]]


def test_the_creators_device_has_the_next_seats_clockwise_under_their_names() -> None:
    driver = Driver(seats=3, local=3, names=["Wei"], seat=2)

    assert [(place.player, place.name) for place in driver.table.places] == [
        ("ann", "Wei"), ("ann", "Ann (2)"), ("ann", "Ann")
    ]  # fmt: skip


async def test_no_hand_is_sent_before_it_is_asked_for() -> None:
    async with open_house() as house:
        device, _ = await begun(house)

        told = json.dumps(device.ear.heard)

        assert '"hand"' not in told
        assert '"legal"' not in told
        assert device.table["you"] == {"seats": [0, 1], "shown": [], "watching": False}
        assert device.table["deal"]["hands"] == {}


async def test_a_hand_that_an_older_connection_asks_for_stays_covered_on_the_newer_one() -> None:
    async with open_house() as house:
        device, room = await begun(house)
        newer = house.ear(ANN)
        await newer.ask("sync", room=room)

        await newer.ask("show", room=room, seat=0)

        await device.ear.ask("show", room=room, seat=1)
        answer = await act(house, newer, room, seat=0)

        turn = newer.updates()[-1]["turn"]
        assert answer["type"] == "ok"
        assert turn["seat"] == 1
        assert "legal" not in turn


async def test_show_uncovers_one_hand_with_its_legal_actions_and_covers_the_other() -> None:
    async with open_house() as house:
        device, room = await begun(house)

        first = await device.show(0)
        legal = device.table["turn"].get("legal")
        second = await device.show(1)

        assert first["hand"] == hand(house, room, 0)
        assert first["legal"] == legal
        assert second["hand"] == hand(house, room, 1)
        assert "legal" not in second
        assert "legal" not in device.table["turn"]
        assert device.table["you"]["shown"] == [1]
        assert device.table["deal"]["hands"] == {"1": second["hand"]}


async def test_hands_are_covered_when_the_turn_moves_to_another_person() -> None:
    async with open_house() as house:
        device, room = await begun(house)
        await device.show(0)
        await act(house, device.ear, room)
        device.read()
        await device.show(1)
        while table_of(house, room).turn == 1:
            await act(house, device.ear, room)
        with_bots = device.read()["you"]["shown"]
        while table_of(house, room).turn in (2, 3):
            await house.pass_time(1)

        assert with_bots == [1]
        assert table_of(house, room).turn == 0
        assert device.read()["you"]["shown"] == []
        assert device.table["deal"]["hands"] == {}
        assert "legal" not in device.table["turn"]


async def test_a_drawn_tile_is_told_only_to_the_device_that_shows_that_hand() -> None:
    async with open_house() as house:
        device, room = await begun(house, bot="novice", turn_timer=5)
        covered: list[dict[str, Any]] = []
        shown: list[dict[str, Any]] = []
        rng = random.Random(1)
        while not (covered and shown):
            table = table_of(house, room)
            if table.phase is Phase.DEAL_OVER:
                await device.ear.ask("next", room=room)
            elif table.turn in (0, 1):
                is_shown = rng.random() < 0.5
                if is_shown:
                    device.read()
                    await device.show(table.turn)
                    await act(house, device.ear, room)
                else:
                    await house.pass_time(5)
                drawn = [e for e in device.ear.updates()[-1]["events"] if e["type"] == "drew"]
                (shown if is_shown else covered).extend(drawn)
                await device.ear.ask("sync", room=room)
            else:
                await house.pass_time(1)

        assert all("tile" not in event for event in covered)
        assert all("tile" in event for event in shown)


@pytest.mark.parametrize("seed", range(6))
async def test_what_a_device_folds_is_the_snapshot_when_the_hands_are_covered(seed: int) -> None:
    rng = random.Random(seed)
    async with open_house() as house:
        device, room = await begun(house, game=rng.choice(["draw", "all-fives", "block"]), seats=rng.choice([3, 4]))
        for _ in range(120):
            table = table_of(house, room)
            if table.phase is Phase.DEAL_OVER:
                await device.ear.ask("next", room=room)
            elif rng.random() < 0.3:
                await device.show(rng.choice([0, 1]))
            elif rng.random() < 0.1:
                await device.ear.ask("undo", room=room)
            elif table.turn in (0, 1):
                await device.show(table.turn)
                await act(house, device.ear, room, rng.randrange(5))
            else:
                await house.pass_time(1)
            folded = device.read()

            if not folded["you"]["shown"]:
                message = await device.ear.ask("sync", room=room)
                assert folded == {name: value for name, value in message.items() if name != "re"}


async def test_hands_are_covered_on_sync_and_after_undo() -> None:
    async with open_house() as house:
        device, room = await begun(house)
        await device.show(0)
        await act(house, device.ear, room)
        device.read()
        await device.show(1)
        undone = device.ear.say("undo", room=room)
        await house.settle()
        after_undo = device.read()["you"]["shown"]
        await device.show(0)

        snapshot = await device.ear.ask("sync", room=room)

        assert device.ear.answer(undone)["type"] == "ok"
        assert after_undo == []
        assert snapshot["you"]["shown"] == []
        assert snapshot["deal"]["hands"] == {}


async def test_who_plays_over_the_network_beside_a_device_sees_the_own_hand_alone() -> None:
    async with open_house() as house:
        device, bob = Device(house.ear(ANN)), house.ear(BOB)
        room = (await device.ear.ask("create", settings=SETTINGS))["room"]
        await bob.ask("join", room=room, seat=2)
        await device.ear.ask("start", room=room)
        device.read()
        await device.show(0)
        await act(house, device.ear, room)

        refusal = await bob.ask("show", room=room, seat=0)
        own = await bob.ask("show", room=room, seat=2)
        snapshot = await bob.ask("sync", room=room)

        assert (refusal["code"], refusal["path"]) == ("not_seated", "seat")
        assert own["hand"] == hand(house, room, 2)
        assert list(snapshot["deal"]["hands"]) == ["2"]
        assert device.read()["deal"]["hands"] == {}


async def test_there_is_nothing_to_show_in_the_lobby() -> None:
    async with open_house() as house:
        device = Device(house.ear(ANN))
        room = (await device.ear.ask("create", settings=SETTINGS))["room"]

        assert (await device.ear.ask("show", room=room, seat=0))["code"] == "not_seated"


async def test_either_seat_acts_in_its_turn_and_needs_no_seat_named() -> None:
    async with open_house() as house:
        device, room = await begun(house, game="block")
        await device.show(0)

        wrong = await act(house, device.ear, room, seat=1)
        answers = [await act(house, device.ear, room)]
        await device.show(1)
        answers.append(await act(house, device.ear, room, seat=1))

        assert wrong["code"] == "not_your_turn"
        assert [answer["type"] for answer in answers] == ["ok", "ok"]


@pytest.mark.parametrize("game", ["fives-threes", "all-fives", "block", "draw"])
@pytest.mark.parametrize("covered_by", ["start", "show", "sync", "undo", "turn"])
async def test_no_answer_to_an_act_hangs_on_a_hand_that_is_covered(game: str, covered_by: str) -> None:
    async with open_house() as house:
        device, room = await begun(house, game=game)
        if covered_by != "start":
            await device.show(0)
        if covered_by in ("undo", "turn"):
            await act(house, device.ear, room)
        if covered_by == "show":
            await device.show(1)
        elif covered_by in ("sync", "undo"):
            await device.ear.ask(covered_by, room=room)
        table = table_of(house, room)
        said = [{"type": "draw"}, {"type": "knock"}, *plays_of_all_tiles()]

        answers = [await device.ear.ask("act", room=room, seq=table.seq, action=action) for action in said]

        assert {(answer["code"], answer["reason"], answer["message"]) for answer in answers} == {
            ("refused", "not_shown", "show this hand first")
        }
        assert not any("legal" in answer for answer in answers)
        assert table_of(house, room) == table


def plays_of_all_tiles() -> list[dict[str, Any]]:
    return [{"type": "play", "tile": str(tile), "end": end} for tile in full_set() for end in (None, "left")]


async def test_an_illegal_act_for_a_hand_that_is_shown_is_told_what_would_be_legal() -> None:
    async with open_house() as house:
        device, room = await begun(house)
        shown = await device.show(0)

        answer = await device.ear.ask("act", room=room, seq=table_of(house, room).seq, action={"type": "knock"})

        assert (answer["code"], answer["reason"]) == ("illegal_action", "can_play")
        assert answer["legal"] == shown["legal"]


def test_one_next_speaks_for_all_seats_of_a_device() -> None:
    driver = Driver(seats=3, local=2, game="block", target=100_000)
    driver.say(ANN, "start")
    driver.play_deal()
    waiting = driver.wait(10_000)

    step = driver.say(ANN, "next")

    assert waiting is None
    assert kinds(step) == ["Ready", "Ready", *kinds(step)[2:]]
    assert driver.table.phase is Phase.PLAYING


def test_what_people_at_one_device_did_is_taken_back_one_act_at_a_time_without_asking() -> None:
    driver = Driver(seats=3, local=2, game="block", lead=0)
    driver.say(ANN, "start")
    before = driver.table.match
    driver.choose(ANN)
    between = driver.table.match
    driver.choose(ANN)

    driver.say(ANN, "undo")
    once = driver.table.match
    driver.say(ANN, "undo")

    assert once == between
    assert driver.table.match == before


def test_with_somebody_over_the_network_both_seats_of_a_device_are_asked_by_one_answer() -> None:
    driver = Driver(seats=3, local=2, game="block", lead=2)
    driver.say(BOB, "join")
    driver.say(ANN, "start")
    driver.choose(BOB)
    asked = driver.say(BOB, "undo")
    assert asked is not None

    step = driver.say(ANN, "consent", ask=asked.seq, yes=True)

    assert kinds(step) == ["Answered", "Answered", "Undone"]


def test_a_device_that_is_lost_and_comes_back_has_all_its_seats_again() -> None:
    driver = Driver(seats=3, local=2, game="block", lead=2)
    driver.say(BOB, "join")
    driver.say(ANN, "start")
    driver.lose(ANN)
    away = [place.presence for place in driver.table.places]

    step = driver.say(ANN, "sync")

    assert away == [Presence.AWAY, Presence.AWAY, Presence.PRESENT]
    assert kinds(step) == ["Back", "Back"]


def test_who_leaves_with_all_seats_may_have_them_all_back_under_their_names() -> None:
    driver = Driver(seats=3, local=2, names=["Wei"], game="block", lead=2)
    driver.say(BOB, "join")
    driver.say(ANN, "start")
    driver.say(ANN, "leave")
    left = [place.name for place in driver.table.places]

    driver.say(ANN, "join")

    assert left == ["Computer", "Computer (2)", "Bob"]
    assert [(place.player, place.name) for place in driver.table.places] == [
        ("ann", "Ann"), ("ann", "Wei"), ("bob", "Bob")
    ]  # fmt: skip
    assert driver.table.eyes[ANN.player] == (0, 1)


def test_who_holds_several_seats_moves_none_of_them_by_joining() -> None:
    driver = Driver(seats=4, local=2)

    assert refused(driver, ANN, "join", seat=3).reason == "local_seats"


def test_entropy_of_one_device_counts_once() -> None:
    driver = Driver(seats=3, local=2)

    step = driver.say(ANN, "start", entropy="cd" * 32)

    assert step is not None
    assert [event.entropy for event in step.events if isinstance(event, MatchStarted)] == [(("ann", "cd" * 32),)]
