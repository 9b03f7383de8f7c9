"""Two nodes as processes, at which players come and go; nothing happens to the nodes themselves."""

from __future__ import annotations

import asyncio

import pytest

from tests.cluster.nodes import BLOCK, Cluster, at_two_nodes, play, play_match, wait_for_listing

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_people_at_different_nodes_play_at_one_table(cluster: Cluster) -> None:
    room, players = await at_two_nodes(cluster)

    await play(room, players, 6)

    ann, bob = (player.tables[room] for player in players)
    assert ann["seq"] == bob["seq"]
    acts = [event for event in bob["deal"]["events"] if event["type"] in ("played", "knocked")]
    assert len(acts) == 6
    assert ann["deal"]["layout"] == bob["deal"]["layout"]


async def test_a_newer_connection_at_another_node_takes_over(cluster: Cluster) -> None:
    first, second = cluster.nodes
    ann = await first.client("Ann")
    again = second.stranger("Ann")
    again.token = ann.token

    await again.open()
    await again.hello()

    assert await ann.close_code() == 4003


async def test_a_public_table_is_listed_at_every_node(cluster: Cluster) -> None:
    first, second = cluster.nodes
    ann, bob = await first.client("Ann"), await second.client("Bob")
    room = await ann.create(**{**BLOCK, "public": True})

    await wait_for_listing(bob, room)
    await ann.say("leave", room=room)

    while room in [shown["room"] for shown in (await bob.say("rooms"))["rooms"]]:
        await bob.say("ping")


async def test_quick_match_brings_people_at_different_nodes_together(cluster: Cluster) -> None:
    first, second = cluster.nodes
    ann, bob = await first.client("Ann"), await second.client("Bob")
    opened = await ann.say("quick", game="draw", seats=2)
    await wait_for_listing(bob, opened["room"])

    found = await bob.say("quick", game="draw", seats=2)

    assert found["room"] == opened["room"]


@pytest.mark.parametrize("other", [0, 1], ids=["one node", "two nodes"])
async def test_people_who_look_for_a_match_at_the_same_moment_meet(cluster: Cluster, other: int) -> None:
    ann, bob = await cluster.nodes[0].client("Ann"), await cluster.nodes[other].client("Bob")
    pairs = []
    for _ in range(5):
        pair = await asyncio.gather(*(player.say("quick", game="block", seats=2) for player in (ann, bob)))
        pairs.append([answer["room"] for answer in pair])
        for player in (ann, bob):
            await player.say("leave", room=player.heard[-1]["room"])

    assert all(first == second for first, second in pairs)


@pytest.mark.parametrize("kind", ["create", "quick"])
async def test_a_message_sent_again_to_another_node_opens_no_second_room(cluster: Cluster, kind: str) -> None:
    first, second = cluster.nodes
    ann = await first.client("Ann")
    fields = {"settings": BLOCK} if kind == "create" else {"game": "draw", "seats": 3}
    opened = await ann.say(kind, **fields, id="Ann-once")

    await ann.come_back(second.url)
    again = await ann.say(kind, **fields, id="Ann-once")

    assert again["room"] == opened["room"]


async def test_who_watches_at_another_node_sees_the_table_and_no_hand(cluster: Cluster) -> None:
    room, players = await at_two_nodes(cluster)
    eve = await cluster.nodes[1].client("Eve")

    await eve.say("watch", room=room)
    await play(room, [*players, eve], 2)

    assert eve.tables[room]["deal"]["layout"] == players[0].tables[room]["deal"]["layout"]
    assert eve.tables[room]["you"] == {"seats": [], "shown": [], "watching": True}


async def test_a_record_is_shown_at_every_node_by_its_id_and_to_who_was_there_by_its_room(cluster: Cluster) -> None:
    room, (ann, bob) = await at_two_nodes(cluster, target=1)
    await play_match(room, [ann, bob])
    record = ann.tables[room]["deal"]["events"][-1]["record"]
    stranger = await cluster.nodes[1].client("Zoe")

    by_id = await stranger.say("record", id=record)
    by_room = await bob.say("record", room=room)

    assert (by_id["id"], by_room["id"]) == (record, record)
    assert by_id["record"] == by_room["record"]
