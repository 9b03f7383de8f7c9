"""Taking back over real connections: what is told in which order, after a lost connection and after a restart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from protocol.convert import Wire
from tests.system.client import JSON, MSGPACK, Client
from tests.system.servers import server_process, serving

SETTINGS: dict[str, Any] = {"game": "block", "seats": 2, "lead": 0, "bot_delay": 0, "target": 1000}


async def act(client: Client, room: str) -> Wire:
    """Take the first legal action; returns the answer. Others may act before it comes."""
    table = client.tables[room]
    return await client.say("act", room=room, seq=table["seq"], action=table["turn"]["legal"][0]["action"])


async def until_own_turn(client: Client, room: str) -> Wire:
    while "legal" not in (client.tables[room]["turn"] or {}):
        await client.receive()
    return client.tables[room]


def standing(table: Wire) -> Wire:
    """What of a table goes back and forth."""
    return {name: table[name] for name in ("deal", "deals", "scores", "phase", "seats")}


def kinds(messages: list[Wire]) -> list[str]:
    return [message["type"] for message in messages]


@pytest.mark.parametrize("subprotocol", [JSON, MSGPACK])
async def test_an_undo_is_told_as_an_update_then_a_snapshot_then_ok(subprotocol: str) -> None:
    async with serving() as server:
        ann = await server.client("Ann", subprotocol)
        room = await ann.create(**SETTINGS)
        await ann.say("start", room=room)
        before = standing(ann.tables[room])
        await act(ann, room)
        server.let_pass(1)
        await until_own_turn(ann, room)
        acted = standing(ann.tables[room])
        ann.heard.clear()

        await ann.say("undo", room=room)

        assert kinds(ann.heard) == ["update", "snapshot", "ok"]
        assert ann.heard[0]["events"][0]["type"] == "undone"
        assert "re" not in ann.heard[1]
        assert standing(ann.tables[room]) == before
        await ann.look(room)
        await ann.say("redo", room=room)
        assert standing(ann.tables[room]) == acted
        await ann.look(room)


async def test_everybody_sees_what_was_taken_back_and_who_was_away_gets_a_snapshot() -> None:
    async with serving() as server:
        ann, bob, eve = [await server.client(name) for name in ("Ann", "Bob", "Eve")]
        room = await ann.create(**SETTINGS)
        await bob.say("join", room=room)
        await eve.say("watch", room=room)
        await ann.say("start", room=room)
        hand = ann.tables[room]["deal"]["hands"]["0"]
        await act(ann, room)
        await eve.reach(room, ann.tables[room]["seq"])
        asked = await ann.say("undo", room=room)
        await bob.hear(room, "asked")
        await eve.drop()

        await bob.say("consent", room=room, ask=asked["ask"], yes=True)

        assert asked["type"] == "consent_asked"
        assert bob.tables[room]["deal"]["events"][1:] == []
        while ann.tables[room]["deal"]["hands"]["0"] != hand:
            await ann.receive()
        await eve.come_back()
        assert (await eve.say("watch", room=room))["deal"]["layout"]["ends"] == []
        for player in (ann, bob):
            while player.tables[room]["seq"] < eve.tables[room]["seq"]:
                await player.receive()
            await player.look(room)


async def test_a_request_sent_again_is_answered_as_before() -> None:
    async with serving() as server:
        ann, bob = [await server.client(name) for name in ("Ann", "Bob")]
        room = await ann.create(**SETTINGS)
        await bob.say("join", room=room)
        await ann.say("start", room=room)
        asked = await ann.say("restart", room=room, id="again")
        seq = server.table(room).seq

        assert await ann.say("restart", room=room, id="again") == asked
        assert server.table(room).seq == seq


async def test_what_was_taken_back_can_be_brought_again_after_the_server_was_killed(tmp_path: Path) -> None:
    async with server_process(tmp_path) as server:
        ann = await server.client("Ann")
        room = await ann.create(**SETTINGS | {"game": "draw"})  # no deal of it ends within four turns
        await ann.say("start", room=room)
        for _ in range(3):
            await until_own_turn(ann, room)
            await act(ann, room)
        await until_own_turn(ann, room)
        acted = standing(ann.tables[room])
        await ann.say("undo", room=room)
        undone = standing(ann.tables[room])
        seen = ann.tables[room]

        await server.kill()
        await server.start()
        await ann.come_back(server.url)
        answer = await ann.resume(room)

        assert answer["type"] == "snapshot"  # nobody knows whether the one that followed the undo had arrived
        assert standing(ann.tables[room]) == undone
        assert ann.tables[room]["redo"] == seen["redo"] > 0
        await ann.say("redo", room=room)
        assert standing(ann.tables[room]) == acted
