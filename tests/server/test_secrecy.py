"""Non-interference: what a receiver is sent does not depend on tiles that are hidden from it (H1, H4).

Two worlds have the same people, seed, commitment and history; they differ only in tiles that one receiver cannot see.
Every frame that it is sent, hints among them, must be the same to the byte until the deal is over.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Any

import pytest

from engine.games import GAMES
from engine.match import Match
from engine.seats import Seat
from protocol.convert import action_to_wire
from protocol.hints import Advice
from server import audience, views
from server.house_players import Found, HousePlayers
from server.table import play
from server.table.events import Event
from tests.fakes import InlineSearchers
from tests.server.rooms import open_house
from tests.server.two_worlds import PEOPLE, Dealt, Worlds, consent, same_future, two_deals


async def differing_frames(
    game: str, seats: int, receiver: int | None, seed: int, *, local: int = 1, rematch: bool = False
) -> tuple[int, int]:
    """How many of the receiver's frames differ, of how many, while both worlds have the same public history.

    Of a device with ``local`` seats only the hand of ``receiver`` is ever uncovered.
    """
    rng = random.Random(seed)
    async with AsyncExitStack() as stack:
        houses = [await stack.enter_async_context(open_house(searchers=InlineSearchers())) for _ in range(2)]
        worlds = Worlds(houses, two_deals(GAMES[game].hand_size(seats), () if receiver is None else (receiver,), rng))
        await _open(worlds, game, seats, local)
        if rematch:
            await _play_anew(worlds)
        name = "Eve" if receiver is None else worlds.holders[receiver]
        await _play_on(worlds, receiver, rng)
        first, second = worlds.heard(name)
        return sum(one != two for one, two in zip(first, second, strict=True)), len(first)


async def _open(worlds: Worlds, game: str, seats: int, local: int) -> None:
    await worlds.say("Ann", "create", settings={"game": game, "seats": seats, "local": local})
    worlds.room = worlds.ears[0]["Ann"].heard[-1]["room"]
    worlds.holders = ["Ann"] * local + [who.name for who in PEOPLE[1 : seats - local + 1]]
    for who in worlds.holders[local:]:
        await worlds.say(who, "join", room=worlds.room)
    await worlds.say("Eve", "watch", room=worlds.room)
    await worlds.say("Ann", "start", room=worlds.room)


async def _play_anew(worlds: Worlds) -> None:
    """Everybody consents to another match before any hand has been shown."""
    await worlds.say("Ann", "new_game", room=worlds.room)
    await consent(worlds, yes=True)
    assert worlds.table.match_seq == worlds.table.seq


async def _play_on(worlds: Worlds, receiver: int | None, rng: random.Random) -> None:
    """The same actions in both worlds, with questions and refusals of all kinds in between."""
    while all(match.deal is not None and match.deal.turn is not None for match in worlds.matches()):
        turns = {match.deal.turn for match in worlds.matches() if match.deal is not None}
        choices = worlds.shared_choices()
        if len(turns) != 1 or not choices:
            return
        turn = turns.pop() or Seat(0)
        who = worlds.holders[turn]
        await _ask_everything(worlds, receiver, rng)
        if rng.random() < 0.5:
            await worlds.say(who, "hint", room=worlds.room)
        if rng.random() < 0.1:
            await worlds.say(rng.choice(worlds.holders), rng.choice(["undo", "redo", "restart"]), room=worlds.room)
            await consent(worlds, yes=rng.random() < 0.8)
            continue
        action = rng.choice(choices)
        if not same_future(worlds, action, () if receiver is None else (receiver,)):
            return
        if worlds.holders.count(who) > 1 and turn != receiver:
            await worlds.let_time_run_out(turn, action)  # a hand that is covered at a device is not played from there
        else:
            await worlds.say(who, "act", room=worlds.room, seq=worlds.table.seq, action=action_to_wire(action))


async def _ask_everything(worlds: Worlds, receiver: int | None, rng: random.Random) -> None:
    room, seats = worlds.room, len(worlds.holders)
    who = rng.choice([*worlds.holders, "Eve"])
    shown = receiver if receiver is not None and worlds.holders[receiver] == "Ann" else rng.randrange(seats)
    asked: list[tuple[str, dict[str, Any]]] = [
        ("sync", {"room": room}),
        ("sync", {"room": room, "after": rng.randint(1, 6)}),
        ("act", {"room": room, "seq": 0, "action": {"type": "knock"}}),
        ("act", {"room": room, "seq": 0, "seat": rng.randrange(seats), "action": {"type": "draw"}}),
        ("next", {"room": room}),
        ("watch", {"room": room}),
        ("join", {"room": room}),
        ("start", {"room": room}),
        ("add_bot", {"room": room, "seat": 1}),
        ("remove", {"room": room, "seat": 1}),
        ("hint", {"room": room}),
        ("review", {"room": room, "seat": rng.randrange(seats)}),
        ("show", {"room": room, "seat": shown}),
        ("cover", {"room": room, "seat": rng.randrange(seats)}),
        ("pause", {"room": room}),
        ("continue", {"room": room}),
    ]
    kind, fields = rng.choice(asked)
    if not (who == "Eve" and kind == "join"):
        await worlds.say(who, kind, **fields)


@pytest.fixture(autouse=True)
def _dealt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "Shuffle", Dealt)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seats", [2, 3, 4])
async def test_hidden_tiles_change_no_frame_that_a_receiver_is_sent(game: str, seats: int) -> None:
    frames = 0
    for seed in range(4):
        for receiver in (None, *range(seats)):
            differing, compared = await differing_frames(game, seats, receiver, seed)

            assert differing == 0, (seed, receiver)
            frames += compared

    assert frames > 300


@pytest.mark.parametrize("game", GAMES)
async def test_nor_do_they_in_a_match_that_follows_another(game: str) -> None:
    for seed in range(2):
        for receiver in (None, 0, 1):
            differing, compared = await differing_frames(game, 2, receiver, seed, rematch=True)

            assert differing == 0, (seed, receiver)
            assert compared > 10


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("receiver", [0, 1, 2, None])
async def test_nor_do_they_where_several_sit_at_one_device_also_what_lies_covered_at_it(
    game: str, receiver: int | None
) -> None:
    frames = 0
    for seed in range(3):
        differing, compared = await differing_frames(game, 3, receiver, seed, local=2)

        assert differing == 0, seed
        frames += compared

    assert frames > 30


async def test_a_hand_that_stays_uncovered_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audience, "only_eye", lambda eyes, player: (eyes.get(player) or (None,))[-1])

    found = [await differing_frames("draw", 3, 0, seed, local=2) for seed in range(10)]

    assert any(differing for differing, _ in found)


def _leak_draws(event: Event, eye: Seat | None) -> dict[str, Any] | None:
    shown = HONEST(event, eye)
    if shown is not None and shown["type"] == "drew":
        shown = {**shown, "tile": str(event.tile)}  # type: ignore[union-attr]
    return shown


def _leak_first_tile(event: Event, eye: Seat | None) -> dict[str, Any] | None:
    shown = HONEST(event, eye)
    if shown is not None and shown["type"] == "deal_started" and eye is None:
        shown = {**shown, "hand": [str(event.hands[0][0])]}  # type: ignore[union-attr, index]
    return shown


HONEST = views.event_for


def _advice_of_a_peeper(house: HousePlayers, match: Match, seat: Seat, _asker: str) -> Found[Advice]:
    assert match.deal is not None
    weight = sum(tile.pips for other, hand in enumerate(match.deal.hands) if other != seat for tile in hand)
    advice = house.hints(match, seat)
    found: Found[Advice] = asyncio.get_running_loop().create_future()
    found.set_result(replace(advice, hints=tuple(replace(hint, value=hint.value + weight) for hint in advice.hints)))
    return found


def _map_of_a_peeper(house: HousePlayers, match: Match, seat: Seat) -> Advice:
    assert match.deal is not None
    advice = HONEST_HINTS(house, match, seat)
    hidden = [tile for other, hand in enumerate(match.deal.hands) if other != seat for tile in hand]
    return replace(advice, map=replace(advice.map, tiles=tuple(e for e in advice.map.tiles if e.tile in hidden)))


HONEST_HINTS = HousePlayers.hints


async def test_a_hint_that_hangs_on_hidden_tiles_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HousePlayers, "advise", _advice_of_a_peeper)

    found = [await differing_frames("block", 2, 0, seed) for seed in range(10)]

    assert any(differing for differing, _ in found)


async def test_a_map_that_shows_where_the_tiles_are_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HousePlayers, "advise", lambda *_: None)
    monkeypatch.setattr(HousePlayers, "hints", _map_of_a_peeper)

    found = [await differing_frames("block", 2, 0, seed) for seed in range(10)]

    assert any(differing for differing, _ in found)


@pytest.mark.parametrize(("leak", "game"), [(_leak_draws, "draw"), (_leak_first_tile, "block")])
async def test_a_leak_on_purpose_is_caught(
    leak: Callable[[Event, Seat | None], dict[str, Any] | None], game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "event_for", leak)

    found = [await differing_frames(game, 2, None, seed) for seed in range(30)]

    assert any(differing for differing, _ in found)
