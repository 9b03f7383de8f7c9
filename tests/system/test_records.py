"""A finished match as it is shown: to whom, by room and by id, and to nobody while it runs."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from protocol.convert import Wire
from server.housekeeping import PAUSE
from server.questions import MAX_OPEN
from server.records.form import read
from server.records.line import OF_THE_RULES
from server.records.verify import verify
from tests.faults.waiting import until
from tests.server.test_records_verify import run
from tests.system.client import JSON, MSGPACK, Client
from tests.system.party import Party, gather
from tests.system.servers import Server, server_process, serving

UNKNOWN = "0123456789abcdef"
DAY = 24 * 60 * 60.0


async def finished(server: Server, people: int = 2, **settings: object) -> tuple[Party, str]:
    """A party that has played a match to its end, and the id of the record that all have been told."""
    party = await gather(server, people, **{"game": "block", "seats": 2, "target": 20, **settings})
    await party.play_match()
    ended = party.view["deal"]["events"][-1]
    return party, ended["record"]


@pytest.mark.parametrize("subprotocol", [JSON, MSGPACK])
async def test_the_record_of_a_match_is_shown_by_its_id_and_by_its_room(server: Server, subprotocol: str) -> None:
    party, record_id = await finished(server)
    stranger = await server.client("Zoe", subprotocol)

    by_id = await stranger.say("record", id=record_id)
    by_room = await party.players[0].say("record", room=party.room)

    assert by_id == {"type": "record", "re": record_id, "id": record_id, "record": by_room["record"]}
    assert by_room["id"] == record_id
    assert verify(read(by_id["record"])).faults == ()


async def test_a_record_holds_what_everybody_was_told_and_the_hands_beside_it(server: Server) -> None:
    party, _ = await finished(server, game="draw")

    record = (await party.watcher.say("record", room=party.room))["record"]

    told = {update["seq"]: update["events"] for update in party.watcher.updates(party.room)}
    for step in record["steps"]:
        assert [hidden(event) for event in step["events"]] == told[step["seq"]][: len(step["events"])]
    assert {event["type"] for step in record["steps"] for event in step["events"]} > OF_THE_RULES - {"knocked", "lot"}


def hidden(event: Wire) -> Wire:
    """``event`` of a record as somebody who watched was told it."""
    secret = {"deal_started": {"hands", "stock_tiles"}, "drew": {"tile"}}.get(event["type"], set())
    return {name: value for name, value in event.items() if name not in secret}


async def test_a_match_that_is_running_has_no_record_whoever_asks(server: Server) -> None:
    """H1."""
    party = await gather(server, 2, game="block", seats=2, target=20)

    before = await party.players[0].refused("record", room=party.room)
    await party.start()
    running = [await who.refused("record", room=party.room) for who in party.everyone]

    assert [(refusal["code"], refusal["reason"]) for refusal in (before, *running)] == [("refused", "no_record")] * 4


async def test_while_the_next_match_runs_the_record_of_the_last_one_is_shown(server: Server) -> None:
    party, record_id = await finished(server)
    for player in party.players:
        await player.say("next", room=party.room)
    await party.settle()
    assert party.view["phase"] == "playing"

    shown = await party.players[1].say("record", room=party.room)

    table = server.table(party.room)
    assert shown["id"] == record_id
    assert table.seed.hex() not in json.dumps(shown)
    assert table.next_seed.hex() not in json.dumps(shown)


async def test_where_nobody_may_watch_only_who_sits_there_is_shown_the_record_by_its_room(server: Server) -> None:
    open_party, _ = await finished(server, people=1)
    ann, zoe = await server.client("Ann"), await server.client("Zoe")
    room = await ann.create(game="block", seats=2, target=1, spectators=False, bot_delay=0)
    await ann.say("start", room=room)
    while ann.tables[room]["phase"] != "match_over":
        await go_on(server, ann, room)

    refusal = await zoe.refused("record", room=room)
    own = await ann.say("record", room=room)
    by_id = await zoe.say("record", id=own["id"])

    assert refusal["code"] == "not_seated"
    assert by_id["record"] == own["record"]
    assert (await zoe.say("record", room=open_party.room))["type"] == "record"


async def go_on(server: Server, player: Client, room: str) -> None:
    """Whatever is next at a table for one person and bots."""
    table = player.tables[room]
    if table["phase"] == "deal_over":
        await player.say("next", room=room)
    elif table["turn"]["seat"] == 0:
        await player.say("act", room=room, seq=table["seq"], action=table["turn"]["legal"][0]["action"])
    else:
        server.let_pass()
    await player.reach(room, server.table(room).seq)


async def test_a_room_that_does_not_exist_and_a_record_that_does_not_are_refused(server: Server) -> None:
    ann = await server.client("Ann")

    no_room = await ann.refused("record", room="AAAAAA")
    no_record = await ann.refused("record", id=UNKNOWN)

    assert no_room["code"] == "no_such_room"
    assert (no_record["code"], no_record["reason"]) == ("refused", "no_record")


async def test_a_record_outlives_its_room_and_is_forgotten_after_three_months(server: Server) -> None:
    party, record_id = await finished(server, people=1)
    ann = party.players[0]
    server.let_pass(11 * 60)
    await ann.hear(party.room, "closed")

    closed = await ann.refused("record", room=party.room)
    await let_days_pass(server, 89)
    kept = await ann.say("record", id=record_id)
    await let_days_pass(server, 2)
    gone = await ann.refused("record", id=record_id)

    assert closed["code"] == "no_such_room"
    assert kept["id"] == record_id
    assert gone["reason"] == "no_record"


async def let_days_pass(server: Server, days: float) -> None:
    """Time passes, and the server clears away what is due."""
    await asyncio.sleep(0)
    server.let_pass(days * DAY)
    for _ in range(50):
        await asyncio.sleep(0)
        server.let_pass(PAUSE)


async def test_without_a_limit_a_record_is_kept_for_ever() -> None:
    async with serving(limits={"records": 0}) as server:
        party, record_id = await finished(server, people=1)
        await let_days_pass(server, 1000)

        assert (await party.players[0].say("record", id=record_id))["id"] == record_id


async def test_ids_of_records_cannot_be_found_by_trying() -> None:
    async with serving(limits={"wrong_codes": 3}) as server:
        _, record_id = await finished(server)
        zoe = await server.client("Zoe")

        refusals = [await zoe.refused("record", id=f"{number:016x}") for number in range(5)]
        limited = await zoe.refused("record", id=record_id)
        room = await zoe.refused("join", room="AAAAAA")

        assert [refusal["code"] for refusal in refusals] == ["refused"] * 3 + ["rate_limited"] * 2
        assert (limited["code"], room["code"]) == ("rate_limited", "rate_limited")
        assert limited["retry_after"] > 0
        server.let_pass(60)
        assert (await zoe.say("record", id=record_id))["id"] == record_id


async def test_more_questions_than_a_few_at_once_are_to_be_asked_again(server: Server) -> None:
    party, record_id = await finished(server)
    zoe = await server.client("Zoe")
    many = [{"type": "record", "id": f"q-{number}", "room": party.room} for number in range(3 * MAX_OPEN)]
    await asyncio.gather(*(zoe.send_frame(zoe.encode(question)) for question in many))

    answers = [await zoe.answer(str(question["id"])) for question in many]

    shown = [answer for answer in answers if answer["type"] == "record"]
    refused = [answer for answer in answers if answer["type"] == "error"]
    assert len(shown) >= MAX_OPEN
    assert {answer["id"] for answer in shown} == {record_id}
    assert {(answer["code"], answer["retry_after"]) for answer in refused} <= {("rate_limited", 1.0)}
    assert (await zoe.say("record", id=record_id))["id"] == record_id


async def test_who_hangs_up_before_the_answer_leaves_nothing_behind(server: Server) -> None:
    party, record_id = await finished(server)
    zoe = await server.client("Zoe")
    await zoe.send("record", id=record_id)
    await zoe.drop()

    again = await party.players[0].say("record", id=record_id)

    assert again["id"] == record_id
    await until(lambda: not [task for task in asyncio.all_tasks() if "Questions" in repr(task.get_coro())])


async def test_a_server_that_is_killed_at_the_end_of_a_match_shows_its_record_when_it_is_back(tmp_path: Path) -> None:
    async with server_process(tmp_path) as server:
        ann = await server.client("Ann")
        room = await ann.create(game="block", seats=2, target=1, bot="novice", bot_delay=0)
        await ann.say("start", room=room, entropy="ab" * 32)
        while ann.tables[room]["phase"] != "match_over":
            table = ann.tables[room]
            if table["phase"] == "deal_over":
                await ann.say("next", room=room)
            elif table["turn"]["seat"] == 0:
                await ann.say("act", room=room, seq=table["seq"], action=table["turn"]["legal"][0]["action"])
            else:
                await ann.receive()
        record_id = ann.tables[room]["deal"]["events"][-1]["record"]
        await server.kill()
        await server.start()
        await ann.come_back(server.url)

        message = await ann.say("record", id=record_id)

    file = tmp_path / "match.json"
    file.write_text(json.dumps(message["record"]))
    assert run(str(file))[0] == 0
