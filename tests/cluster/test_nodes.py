from __future__ import annotations

from typing import Any

import pytest

from tests.cluster.nodes import Cluster, play, wait_for_listing
from tests.system.client import Client

BLOCK: dict[str, Any] = {"game": "block", "seats": 2, "lead": 0, "target": 1_000_000}


async def at_two_nodes(cluster: Cluster, **settings: Any) -> tuple[str, list[Client]]:
    """A match of two whose connections are at different nodes; its room is at the first."""
    first, second = cluster.nodes
    ann, bob = await first.client("Ann"), await second.client("Bob")
    room = await ann.create(**{**BLOCK, **settings})
    await bob.say("join", room=room)
    await ann.say("start", room=room)
    await bob.hear(room, "deal_started")
    return room, [ann, bob]


async def test_people_at_different_nodes_play_at_one_table(cluster: Cluster) -> None:
    room, players = await at_two_nodes(cluster)

    await play(room, players, 6)

    ann, bob = (player.tables[room] for player in players)
    assert ann["seq"] == bob["seq"]
    acts = [event for event in bob["deal"]["events"] if event["type"] in ("played", "knocked")]
    assert len(acts) == 6
    assert ann["deal"]["layout"] == bob["deal"]["layout"]


async def test_a_table_goes_on_where_its_node_was_stopped(cluster: Cluster) -> None:
    room, (ann, bob) = await at_two_nodes(cluster)
    await play(room, [ann, bob], 2)

    assert await cluster.nodes[0].terminate() == 0

    await ann.close_code()
    await ann.come_back(cluster.nodes[1].url)
    await ann.say("sync", room=room)
    await bob.hear(room, "back")
    await play(room, [ann, bob], 2)


async def test_a_table_goes_on_where_its_node_was_killed(cluster: Cluster) -> None:
    room, (ann, bob) = await at_two_nodes(cluster)
    await play(room, [ann, bob], 2)

    await cluster.nodes[0].kill()

    seen = bob.tables[room]["seq"]
    await bob.hear(room, "away")
    assert bob.tables[room]["seq"] > seen
    await ann.come_back(cluster.nodes[1].url)
    await ann.say("sync", room=room)
    await bob.hear(room, "back")
    await play(room, [ann, bob], 2)


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

    while (await bob.say("rooms"))["rooms"]:
        await bob.say("ping")


async def test_quick_match_brings_people_at_different_nodes_together(cluster: Cluster) -> None:
    first, second = cluster.nodes
    ann, bob = await first.client("Ann"), await second.client("Bob")
    opened = await ann.say("quick", game="draw", seats=2)
    await wait_for_listing(bob, opened["room"])

    found = await bob.say("quick", game="draw", seats=2)

    assert found["room"] == opened["room"]


@pytest.mark.parametrize("kind", ["create", "quick"])
async def test_a_message_sent_again_to_another_node_opens_no_second_room(cluster: Cluster, kind: str) -> None:
    first, second = cluster.nodes
    ann = await first.client("Ann")
    fields = {"settings": BLOCK} if kind == "create" else {"game": "draw", "seats": 2}
    opened = await ann.say(kind, **fields, id="Ann-once")

    await ann.come_back(second.url)
    again = await ann.say(kind, **fields, id="Ann-once")

    assert again["room"] == opened["room"]
