"""Hints over real connections, in both codecs."""

from __future__ import annotations

from typing import Any

import pytest

from protocol.convert import Wire
from tests.system.client import JSON, MSGPACK, Client
from tests.system.servers import Server, serving

SETTINGS: dict[str, Any] = {"game": "all-fives", "seats": 2, "lead": 0, "bot_delay": 0, "target": 1000}


async def two_seated(server: Server, subprotocol: str, **settings: Any) -> tuple[Client, Client, str]:
    """Ann, in turn, who speaks ``subprotocol``, and Bob."""
    ann, bob = await server.client("Ann", subprotocol), await server.client("Bob")
    room = await ann.create(**SETTINGS | settings)
    await bob.say("join", room=room)
    await ann.say("start", room=room)
    await bob.hear(room, "deal_started")
    return ann, bob, room


def actions(entries: list[Wire]) -> list[Wire]:
    """What the entries are about, whatever their order."""
    return sorted((entry["action"] for entry in entries), key=str)


@pytest.mark.parametrize("subprotocol", [JSON, MSGPACK])
async def test_hints_judge_each_legal_action_and_everybody_is_told(server: Server, subprotocol: str) -> None:
    ann, bob, room = await two_seated(server, subprotocol)
    legal = ann.tables[room]["turn"]["legal"]

    hint = await ann.say("hint", room=room)

    values = [entry["value"] for entry in hint["actions"]]
    assert (hint["seat"], hint["seq"]) == (0, ann.tables[room]["seq"])
    assert actions(hint["actions"]) == actions(legal)
    assert values == sorted(values, reverse=True)
    assert await bob.hear(room, "hinted") == {"type": "hinted", "seat": 0}
    for player in (ann, bob):
        await player.look(room)


async def test_both_codecs_carry_the_same_hints(server: Server) -> None:
    ann, _, room = await two_seated(server, JSON)
    said = await ann.say("hint", room=room)
    await ann.drop()
    ann.subprotocol = MSGPACK
    await ann.come_back()
    await ann.resume(room)

    packed = await ann.say("hint", room=room)

    assert packed["actions"] == said["actions"]


async def test_odds_and_reviews_are_found_in_a_process_of_their_own() -> None:
    async with serving(bot_workers=1) as server:
        ann = await server.client("Ann")
        room = await ann.create(game="block", seats=2, lead=0, bot_delay=0, target=1000)
        await ann.say("start", room=room)

        hint = await ann.say("hint", room=room)
        while ann.tables[room]["phase"] == "playing":
            if "legal" not in ann.tables[room]["turn"]:
                server.let_pass()
                await ann.receive()
                continue
            table = ann.tables[room]
            await ann.say("act", room=room, seq=table["seq"], action=table["turn"]["legal"][0]["action"])
        review = await ann.say("review", room=room)

        chances = [entry["chance"] for entry in hint["actions"]]
        first = review["plays"][0]
        assert chances == sorted(chances, reverse=True)
        assert (first["chance"], first["regret"]) == (
            next(entry["chance"] for entry in hint["actions"] if entry["action"] == first["action"]),
            pytest.approx(chances[0] - first["chance"], abs=2e-4),
        )


@pytest.mark.parametrize("subprotocol", [JSON, MSGPACK])
async def test_who_follows_the_hints_plays_a_whole_deal_by_the_rules(server: Server, subprotocol: str) -> None:
    ann = await server.client("Ann", subprotocol)
    room = await ann.create(**SETTINGS)
    await ann.say("start", room=room)

    while ann.tables[room]["phase"] == "playing":
        if "legal" not in ann.tables[room]["turn"]:
            server.let_pass()
            await ann.receive()
            continue
        hint = await ann.say("hint", room=room)
        await ann.say("act", room=room, seq=hint["seq"], action=hint["actions"][0]["action"])

    assert ann.tables[room]["deal"]["events"][-1]["type"] == "deal_ended"
    await ann.look(room)


async def test_a_table_without_hints_has_none_but_for_who_sits_there_alone(server: Server) -> None:
    ann, _, room = await two_seated(server, JSON, hints=False)
    alone = await ann.create(**SETTINGS, hints=False)
    await ann.say("start", room=alone)

    refusal = await ann.refused("hint", room=room)

    assert (refusal["code"], refusal["reason"]) == ("refused", "hints_off")
    assert (await ann.say("hint", room=alone))["actions"]
