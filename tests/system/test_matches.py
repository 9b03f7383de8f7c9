from __future__ import annotations

from typing import Any

import pytest

from engine.seats import Seat
from tests.system.party import Party, gather
from tests.system.secrecy import leaks, read_log
from tests.system.servers import Server

TARGETS: dict[str, dict[int, int | None]] = {
    "fives-threes": {2: 31, 3: 31, 4: None},
    "all-fives": {2: 100, 3: 100, 4: 100},
    "block": {2: 60, 3: 60, 4: 60},
    "draw": {2: 60, 3: 60, 4: 60},
}
"""By number of seats; None is the game's own."""
TABLES = [
    pytest.param(game, seats, people, target, id=f"{game}, {people} people at {seats} seats")
    for game, targets in TARGETS.items()
    for seats, people in ((2, 1), (2, 2), (3, 2), (4, 3))
    for target in (targets[seats],)
]


def last_event(party: Party) -> dict[str, Any]:
    """How the deal on the table ended, as the watcher sees it."""
    event: dict[str, Any] = party.view["deal"]["events"][-1]
    return event


def is_act(update: dict[str, Any]) -> bool:
    """Whether a seat acted in that step."""
    return any(event["type"] in {"played", "drew", "knocked"} for event in update["events"])


@pytest.mark.parametrize(("game", "seats", "people", "target"), TABLES)
async def test_a_match_is_told_alike_to_all_and_has_a_winner(
    server: Server, game: str, seats: int, people: int, target: int | None
) -> None:
    party = await gather(server, people, game=game, seats=seats, target=target)

    await party.play_match()

    scores = party.view["scores"]
    assert last_event(party)["type"] == "match_ended"
    assert scores[last_event(party)["winner"]] == max(scores) >= (target or 1)
    await party.check_what_was_told()


@pytest.mark.parametrize("with_cursor", [True, False], ids=["from the newest step seen", "from nothing"])
async def test_who_comes_back_in_the_middle_sees_what_all_others_see(server: Server, with_cursor: bool) -> None:
    party = await gather(server, 3, game="all-fives", seats=4, target=60)
    await party.start()

    for number in range(12):
        leaver = party.everyone[number % 4]
        await party.lose(leaver)
        await party.step()
        await party.bring_back(leaver, with_cursor=with_cursor)
        await party.step()

    await party.play_on()
    await party.check_what_was_told()


async def test_a_bot_plays_for_who_stays_away_and_gives_the_seat_back(server: Server) -> None:
    party = await gather(server, 2, game="fives-threes", seats=3, grace=30)
    await party.start()
    bob = party.players[1]

    await party.lose(bob)
    while party.view["seats"][1]["state"] != "bot_in":
        await party.pass_time(30)
    while not any(event["type"] == "played" and event["seat"] == 1 for event in party.view["deal"]["events"]):
        await party.step()
    await party.bring_back(bob, with_cursor=True)

    assert [seat["state"] for seat in party.view["seats"]] == ["present", "present", "present"]
    await party.play_on()
    await party.check_what_was_told()


async def test_where_nobody_chooses_in_time_bots_choose_and_it_is_told(server: Server) -> None:
    party = await gather(server, 2, game="draw", seats=2, target=30, turn_timer=20, next_deal_after=20)
    await party.start()

    while party.view["phase"] != "match_over":
        assert party.view["turn"] is None or party.players[0].heard[-1]["turn"]["left"] == 20
        await party.pass_time(20)

    acts = [update["events"][:2] for update in party.watcher.updates(party.room) if is_act(update)]
    assert {(events[0]["type"], events[0]["seat"] - events[1]["seat"]) for events in acts} == {("timed_out", 0)}
    await party.check_what_was_told()


async def test_a_choice_that_comes_as_the_time_runs_out_happens_once(server: Server) -> None:
    party = await gather(server, 2, game="fives-threes", seats=2, lead=0, turn_timer=20)
    await party.start()
    ann = party.players[0]
    table = ann.tables[party.room]
    act = {"room": party.room, "seq": table["seq"], "action": table["turn"]["legal"][0]["action"]}

    message_id = await ann.send("act", **act)
    server.let_pass(20)
    answer = await ann.answer(message_id)

    await party.settle()
    acts = party.view["deal"]["events"][1:]
    assert [act["seat"] for act in acts] == [0]
    assert answer.get("code", "ok") in {"ok", "not_your_turn"}


async def test_another_match_follows_at_the_same_table_and_shows_nothing_early(server: Server) -> None:
    party = await gather(server, 2, game="fives-threes", seats=4, target=12)
    await party.play_match()
    first = party.view["commitment"]

    await party.step()
    while party.view["phase"] != "match_over":
        await party.step()

    assert party.view["commitment"] != first
    assert party.view["watchers"] == ["Eve"]
    await party.check_what_was_told()


async def test_a_message_with_a_foreign_tile_or_a_seed_would_be_noticed(server: Server) -> None:
    party = await gather(server, 2, game="draw", seats=2)
    await party.start()
    ann, bob = party.players
    log = await read_log(server.store, party.room)
    (foreign, *_), secret = bob.tables[party.room]["deal"]["hands"]["1"], server.table(party.room).seed.hex()

    ann.heard.append({"type": "error", "code": "bad_message", "message": f"no {foreign} there"})
    ann.heard.append({"type": "update", "room": party.room, "seq": party.seq, "events": [{"value": secret}]})

    assert leaks(ann, party.room, log, Seat(0)) == [
        f"{foreign} in error of step {party.seq}",
        f"{secret} in update of step {party.seq}",
    ]
