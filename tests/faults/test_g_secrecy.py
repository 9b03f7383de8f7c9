"""Section G of docs/faults.md: hidden information. What a screen reader hears is in browser/test_faults.py."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from engine.events import DealEnded, DealStarted
from engine.games import GAMES
from engine.seats import Seat
from protocol.convert import Wire
from server import views
from server.table.events import Event, MatchStarted
from tests.faults.recording import Recording
from tests.protocol.examples import EXAMPLES
from tests.server.tables import ANN, BOB, EVE, Driver
from tests.system.bad_messages import bad_messages
from tests.system.client import Client
from tests.system.scenes import in_turn
from tests.system.secrecy import TILE, leaks, read_log
from tests.system.servers import Server

TABLES = 14
DEALS = 6
"""Of each table; for each game and number of seats there are so many `TABLES`: 1,008 deals in all."""
HOW_TILES_ARE_WRITTEN = "action.tile"
"""What is said to be wrong in this field is the pattern of all tiles, the same for everybody."""


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("game", GAMES)
def test_of_all_bytes_that_are_sent_none_tells_a_hidden_tile_or_a_seed(game: str, seats: int) -> None:
    """G1, G2, G8: to each player, to who watches all the time, and to who comes to watch late."""
    for seed in range(TABLES):
        recording = Recording(seed, game=game, seats=seats, target=1_000_000)

        recording.play(DEALS)

        assert recording.leaks == []
        assert recording.frames > 50 * DEALS


def test_a_hand_that_is_shown_to_who_watches_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """G1: the recording has teeth."""
    honest = views.event_for

    def leaky(event: Event, eye: Seat | None) -> dict[str, Any] | None:
        shown = honest(event, eye)
        if isinstance(event, DealStarted) and eye is None and shown is not None and event.hands[0] is not None:
            return {**shown, "hand": [str(tile) for tile in event.hands[0]]}
        return shown

    monkeypatch.setattr(views, "event_for", leaky)
    recording = Recording(1, game="block", seats=3, target=1_000_000)

    recording.play(1)

    assert recording.leaks != []
    assert {leak.split(":")[0] for leak in recording.leaks} <= {"Eve", "a late Eve"}


def questions(room: str) -> Iterator[Wire]:
    """One message of each type about ``room`` that does not make the sender go."""
    for example in EXAMPLES:
        if example.type not in ("create", "hello", "leave", "quick"):
            yield example.message | ({"room": room} if "room" in example.fields else {})
    yield {"type": "sync", "room": room}
    yield {"type": "act", "room": room, "seq": 0, "action": {"type": "draw"}}


async def ask_everything(client: Client, room: str) -> None:
    """Say everything there is to say, right and wrong, and take in the answers."""
    for message in (*questions(room), *(bad.message for bad in bad_messages(room))):
        await client.ask(**{"kind" if name == "type" else name: value for name, value in message.items()})


async def test_who_asks_for_everything_is_told_of_no_tile_that_is_hidden(server: Server) -> None:
    """G4, G5, G13: in turn, out of turn, watching and as a stranger; no error holds more than the own input."""
    scene = await in_turn(server)
    eve, zoe = await server.client("Eve"), await server.client("Zoe")
    await eve.say("watch", room=scene.room)
    asked: list[tuple[Client, Seat | None]] = [
        (scene.sender, Seat(0)), (scene.bystander, Seat(1)), (eve, None), (zoe, None)
    ]  # fmt: skip

    for client, _ in asked:
        await ask_everything(client, scene.room)

    log = await read_log(server.store, scene.room)
    for client, seat in asked:
        assert sum(message["type"] == "error" for message in client.heard) > 500
        client.heard = [message for message in client.heard if message.get("path") != HOW_TILES_ARE_WRITTEN]
        assert leaks(client, scene.room, log, seat) == []


def rematches(game: str, reasons: set[str]) -> Iterator[tuple[str, Driver]]:
    """Tables that have just begun another match, by how the last one ended, until each way was seen."""
    for seed in range(2000):
        driver = Driver(seed=seed, game=game, seats=2, target=12 if game == "fives-threes" else 40)
        driver.say(BOB, "join")
        driver.say(ANN, "start")
        while driver.table.match is None or driver.table.match.winner is None:
            if driver.table.turn is not None:
                driver.act(seed)
            else:
                driver.wait(20)
        ended = next(event for event in driver.table.deal_events if isinstance(event, DealEnded))
        if ended.reason.value in reasons:
            reasons.discard(ended.reason.value)
            driver.say(EVE, "watch")
            driver.say(ANN, "next")
            driver.say(BOB, "next")
            yield ended.reason.value, driver
        if not reasons:
            return
    raise AssertionError(f"no match ended by {reasons}")


@pytest.mark.parametrize(
    ("game", "reasons"), [("fives-threes", {"target"}), ("block", {"out", "blocked"}), ("all-fives", {"target", "out"})]
)
def test_the_first_message_of_another_match_shows_the_own_new_hand_alone(game: str, reasons: set[str]) -> None:
    """G7: after each way in which a match can end."""
    for _, driver in rematches(game, set(reasons)):
        step = driver.log[-1]
        assert any(isinstance(event, MatchStarted) for event in step.events)
        dealt = next(event for event in step.events if isinstance(event, DealStarted))
        for who, seat in ((ANN, Seat(0)), (BOB, Seat(1)), (EVE, None)):
            own = set() if seat is None else {str(tile) for tile in dealt.hands[seat] or ()}
            update = str(views.events_for(step.events, seat))
            assert set(TILE.findall(update)) == own
            assert set(TILE.findall(str(driver.snapshot(who)["deal"]))) == own
            assert driver.table.next_seed.hex() not in update


@pytest.mark.parametrize("acts", [1, 3])
def test_the_hands_that_are_shown_at_the_end_are_those_of_their_seats(acts: int) -> None:
    """G10: after the match went back to the beginning of the deal, and then another way."""
    driver = Driver(game="block", seats=3, lead=0, target=1_000_000)
    driver.say(ANN, "start")
    driver.say(EVE, "watch")
    dealt = driver.snapshot(ANN)["deal"]
    for _ in range(acts):
        while driver.table.turn != 0:
            driver.act()
        driver.choose(ANN)
    for _ in range(acts):
        driver.say(ANN, "undo")
    back = driver.snapshot(ANN)["deal"]
    driver.choose(ANN, 1)
    driver.play_deal()

    assert back == dealt
    assert driver.table.match is not None
    assert driver.table.match.deal is not None
    held = [[str(tile) for tile in hand] for hand in driver.table.match.deal.hands]
    played = [
        event["tile"] for event in driver.snapshot(ANN)["deal"]["events"] if event.get("seat") == 0 and "tile" in event
    ]
    assert sorted(held[0] + played) == sorted(dealt["hands"]["0"])
    for who in (ANN, EVE):
        assert driver.snapshot(who)["deal"]["events"][-1]["hands"] == held
