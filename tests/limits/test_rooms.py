"""How many rooms and spectators there may be, and how long a room waits."""

from __future__ import annotations

from typing import Any

import pytest

from protocol.errors import RefusalReason
from server.limits import Limits
from server.table.decide import Lost
from server.table.events import Closed
from server.table.state import Phase, PlayerId
from server.table.timers import deadlines
from tests.server.tables import ANN, BOB, EVE, Driver, actor, kinds, refused
from tests.system.client import Client
from tests.system.servers import serving

LOBBY: dict[str, Any] = {"game": "draw", "seats": 3}
MINUTE, DAY = 60.0, 24 * 60 * 60.0


def reason_for_the_end(driver: Driver, seconds: float) -> str | None:
    """Why the room has ended ``seconds`` later, if it has."""
    step = driver.wait(seconds)
    assert driver.table.closed == (step is not None)
    if step is None:
        return None
    (closed,) = step.events
    assert isinstance(closed, Closed)
    return closed.reason


def in_a_match(**settings: Any) -> Driver:
    driver = Driver(seats=2, game="draw", bot="novice", **settings)
    driver.say(ANN, "start")
    return driver


def play_match(driver: Driver) -> None:
    while driver.table.phase is not Phase.MATCH_OVER:
        driver.play_deal()
        if driver.table.phase is Phase.DEAL_OVER:
            driver.say(ANN, "next")


def test_a_lobby_in_which_nothing_happens_ends_after_half_an_hour() -> None:
    driver = Driver(seats=3)

    assert reason_for_the_end(driver, 30 * MINUTE - 1) is None
    assert reason_for_the_end(driver, 1) == "idle"


@pytest.mark.parametrize(("steps", "reason"), [(19, None), (20, "too_long")])
def test_a_room_ends_whose_match_does_not(steps: int, reason: str | None) -> None:
    driver = in_a_match(target=1_000_000)
    driver.limits = Limits(steps_per_match=20)
    began = driver.table.seq

    while driver.table.seq < began + steps:
        if driver.table.turn is None:
            driver.say(ANN, "next")
        else:
            driver.act()

    assert reason_for_the_end(driver, 0) == reason


def test_nobody_ends_a_match_by_what_does_not_move_it() -> None:
    driver = in_a_match(target=1_000_000)
    driver.say(EVE, "watch")
    driver.limits = Limits(steps_per_match=2 * (driver.table.seq - driver.table.match_seq))
    entropy = "ab" * 32

    refusals = [
        refused(driver, BOB, "watch"),
        refused(driver, ANN, "react", key="wow"),
        refused(driver, ANN, "pause"),
        refused(driver, ANN, "next", entropy=entropy),
    ]

    assert {refusal.reason for refusal in refusals} == {RefusalReason.LONG_MATCH}
    assert kinds(driver.say(EVE, "leave")) == ["Watchers"]
    driver.act()
    assert kinds(driver.lose(ANN)) == ["Away"]


def test_each_match_of_a_room_has_its_own_steps() -> None:
    driver = in_a_match(target=1)
    driver.limits = Limits(steps_per_match=200)

    while driver.table.seq < 400:
        play_match(driver)
        driver.say(ANN, "next")

    assert reason_for_the_end(driver, 0) is None


def test_a_lobby_in_which_something_happens_stays() -> None:
    driver = Driver(seats=3)
    driver.now += 30 * MINUTE - 1

    driver.say(BOB, "join")

    assert reason_for_the_end(driver, 30 * MINUTE - 1) is None
    assert reason_for_the_end(driver, 1) == "idle"


def test_a_room_ends_ten_minutes_after_its_match() -> None:
    driver = in_a_match(target=1)
    play_match(driver)

    assert reason_for_the_end(driver, 10 * MINUTE - 1) is None
    assert reason_for_the_end(driver, 1) == "finished"


def test_a_match_that_nobody_is_connected_to_stands_still_and_ends_after_a_day() -> None:
    driver = in_a_match()
    driver.serve(Lost(ANN.player))
    table = driver.table

    assert table.is_deserted
    assert reason_for_the_end(driver, DAY - 1) is None
    assert driver.table is table
    assert reason_for_the_end(driver, 1) == "abandoned"


def test_a_match_that_somebody_is_connected_to_never_ends_by_itself() -> None:
    driver = in_a_match()

    assert reason_for_the_end(driver, 100 * DAY) is None


def test_a_bot_over_the_network_counts_as_connected() -> None:
    driver = Driver(seats=2, game="draw")
    driver.say(actor("Robot", headless=True), "join")
    driver.say(ANN, "start")

    driver.serve(Lost(ANN.player))

    assert not driver.table.is_deserted
    assert [deadline for deadline in deadlines(driver.table, driver.limits) if deadline.due >= driver.now + DAY] == []


@pytest.mark.parametrize("phase", [Phase.LOBBY, Phase.PLAYING, Phase.MATCH_OVER])
def test_watchers_do_not_keep_a_room_that_its_players_have_left(phase: Phase) -> None:
    driver = Driver(seats=2, game="draw", target=1) if phase is Phase.LOBBY else in_a_match(target=1)
    if phase is Phase.MATCH_OVER:
        play_match(driver)
    driver.serve(Lost(ANN.player))
    ends = {Phase.LOBBY: 30 * MINUTE, Phase.PLAYING: DAY, Phase.MATCH_OVER: 10 * MINUTE}[phase]
    driver.now += ends - 1

    driver.say(EVE, "watch")

    assert reason_for_the_end(driver, 1) is not None


@pytest.mark.parametrize("limit", ["idle_lobby", "finished_room", "abandoned_room"])
def test_without_a_limit_a_room_waits_for_ever(limit: str) -> None:
    driver = Driver(seats=2, game="draw", target=1) if limit == "idle_lobby" else in_a_match(target=1)
    driver.limits = driver.limits.model_copy(update={limit: 0})
    if limit == "finished_room":
        play_match(driver)
    driver.serve(Lost(ANN.player))

    assert reason_for_the_end(driver, 1000 * DAY) is None


def test_a_room_has_so_many_spectators_and_one_who_leaves_makes_room() -> None:
    driver = Driver(seats=2)
    watchers = [actor(f"W{number}") for number in range(51)]
    for watcher in watchers[:50]:
        driver.say(watcher, "watch")

    past = refused(driver, watchers[50], "watch")
    again = driver.say(watchers[0], "watch")
    driver.say(watchers[0], "leave")

    assert (past.code, past.reason) == ("refused", "too_many_spectators")
    assert again is None
    assert driver.say(watchers[50], "watch") is not None


def test_without_a_limit_a_room_has_any_number_of_spectators() -> None:
    driver = Driver(seats=2)
    driver.limits = driver.limits.model_copy(update={"spectators": 0})

    for number in range(200):
        driver.say(actor(f"W{number}"), "watch")

    assert len(driver.table.watchers) == 200


async def seats_in(player: Client, rooms: int) -> list[str]:
    """``player`` opens so many rooms."""
    return [await player.create(**LOBBY) for _ in range(rooms)]


async def test_a_player_has_seats_in_so_many_rooms_and_one_left_makes_room() -> None:
    async with serving(limits={"rooms_per_player": 3}) as server:
        ann, bob = await server.client("Ann"), await server.client("Bob")
        mine = await seats_in(ann, 3)
        (other,) = await seats_in(bob, 1)

        past = [
            await ann.refused("create", settings=LOBBY),
            await ann.refused("join", room=other),
            await ann.refused("quick", game="block", seats=4),
        ]
        own = await ann.say("join", room=mine[0], seat=2)
        watching = await ann.say("watch", room=other)
        await ann.say("leave", room=mine[0])

        assert {(refusal["code"], refusal["reason"]) for refusal in past} == {("refused", "too_many_rooms")}
        assert {own["type"], watching["type"]} == {"snapshot"}
        assert (await ann.say("join", room=other))["type"] == "snapshot"


async def test_a_server_has_so_many_rooms_and_one_that_ends_makes_room() -> None:
    async with serving(limits={"rooms": 2}) as server:
        ann, bob = await server.client("Ann"), await server.client("Bob")
        first, _ = await seats_in(ann, 2)

        past = [await bob.refused("create", settings=LOBBY), await bob.refused("quick", game="block", seats=4)]
        joined = await bob.say("join", room=first)
        server.let_pass(30 * MINUTE)
        await bob.hear(first, "closed")

        assert {(refusal["code"], refusal["reason"]) for refusal in past} == {("refused", "server_full")}
        assert joined["type"] == "snapshot"
        assert await seats_in(bob, 1)


async def match_of(host: Client) -> str:
    room = await host.create(game="block", seats=2, bot_delay=60)
    await host.say("start", room=room)
    return room


async def test_a_seat_that_a_player_waits_for_counts_as_one() -> None:
    async with serving(limits={"rooms_per_player": 2}) as server:
        zoe = await server.client("Zoe")
        matches = [await match_of(await server.client(name)) for name in ("Ann", "Bob", "Cat")]
        for room in matches[:2]:
            await zoe.say("join", room=room)

        past = await zoe.refused("join", room=matches[2])
        await zoe.say("leave", room=matches[0])

        assert past["reason"] == "too_many_rooms"
        assert (await zoe.say("join", room=matches[2]))["type"] == "snapshot"


async def test_a_room_that_ends_by_itself_makes_room_and_its_people_are_told() -> None:
    async with serving(limits={"rooms_per_player": 1}) as server:
        ann = await server.client("Ann")
        (room,) = await seats_in(ann, 1)

        server.let_pass(30 * MINUTE)

        assert (await ann.hear(room, "closed"))["reason"] == "idle"
        assert (await ann.refused("sync", room=room))["code"] == "no_such_room"
        assert await seats_in(ann, 1)


async def test_rooms_that_nobody_has_joined_are_all_gone_after_their_time() -> None:
    async with serving(limits={"rooms_per_player": 0}) as server:
        ann = await server.client("Ann")
        rooms = await seats_in(ann, 100)
        await ann.drop()
        bob = await server.client("Bob")

        server.let_pass(30 * MINUTE)
        while len(server.app.registry):
            await bob.say("ping")

        assert len(set(rooms)) == 100
        assert server.app.registry.rooms_of(PlayerId(ann.player)) == []


async def test_a_server_about_to_stop_answers_again_what_it_has_answered() -> None:
    async with serving() as server:
        ann, bob = await server.client("Ann"), await server.client("Bob")
        room = await ann.create(**LOBBY)
        await bob.say("join", room=room, id="once")
        server.app.registry.drain()

        again = await bob.ask("join", room=room, id="once")

        assert (again["type"], again["room"]) == ("snapshot", room)


@pytest.mark.parametrize("kind", ["create", "quick", "join", "start"])
async def test_a_server_about_to_stop_begins_nothing_new_but_play_goes_on(kind: str) -> None:
    async with serving() as server:
        ann, bob = await server.client("Ann"), await server.client("Bob")
        lobby = await ann.create(**LOBBY)
        running = await match_of(bob)
        asked: dict[str, dict[str, Any]] = {
            "create": {"settings": LOBBY},
            "quick": {"game": "draw", "seats": 2},
            "join": {"room": running},
            "start": {"room": lobby},
        }
        server.app.registry.drain()

        refusal = await ann.refused(kind, **asked[kind])

        assert refusal["code"] == "draining"
        assert server.table(lobby).phase is Phase.LOBBY
        assert (await ann.say("react", room=lobby, key="wow"))["type"] == "ok"


async def test_what_was_answered_is_answered_again_by_a_server_about_to_stop() -> None:
    async with serving(limits={"rooms_per_player": 1}) as server:
        ann, bob = await server.client("Ann"), await server.client("Bob")
        room = (await ann.say("create", id="c", settings={**LOBBY, "seats": 2}))["room"]
        await bob.say("join", id="j", room=room)
        await ann.say("start", id="s", room=room)
        server.app.registry.drain()

        again = [
            await ann.ask("create", id="c", settings=LOBBY),
            await bob.ask("join", id="j", room=room),
            await ann.ask("start", id="s", room=room),
        ]

        assert [answer["type"] for answer in again] == ["snapshot", "snapshot", "ok"]
