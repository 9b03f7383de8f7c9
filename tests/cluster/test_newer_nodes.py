"""What nodes of another version say."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from server.cluster.exchange import Item, NodeId
from tests.cluster.houses import Cluster, at_two_nodes, open_cluster


@pytest.fixture
async def cluster() -> AsyncIterator[Cluster]:
    async with open_cluster() as cluster:
        yield cluster


async def test_a_message_that_the_owner_of_the_room_does_not_know_is_answered(cluster: Cluster) -> None:
    _, bob, room = await at_two_nodes(cluster)
    _, second = cluster.nodes
    say = second.exchange.post

    def post_newer(node: NodeId, item: Item) -> None:
        if item["kind"] == "say":
            item = {**item, "message": {**item["message"], "type": "teleport"}}
        say(node, item)

    second.exchange.post = post_newer  # type: ignore[method-assign]  # a node of a newer version
    answer = await bob.ask("react", room=room, key="nice")

    assert (answer["type"], answer["code"]) == ("error", "unsupported")


@pytest.mark.parametrize("item", [{"kind": "future"}, {"no": "kind"}, {"kind": "moved", "room": "ABCDEF", "new": 1}])
async def test_what_a_newer_node_says_is_passed_over(cluster: Cluster, item: Item) -> None:
    ann, bob, room = await at_two_nodes(cluster)
    first, second = cluster.nodes

    second.exchange.post(first.exchange.me, item)
    await cluster.settle()
    await bob.ask("react", room=room, key="nice")

    assert bob.seqs[-1] == ann.seqs[-1]
