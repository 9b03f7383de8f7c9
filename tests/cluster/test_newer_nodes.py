"""What nodes of another version say."""

from __future__ import annotations

import pytest
from structlog.testing import capture_logs

from protocol.convert import Wire
from server.cluster.directory import NodeId
from tests.cluster.houses import Houses, at_two_nodes


@pytest.mark.parametrize("newer", [{"message": {"type": "teleport", "id": "nice"}}, {"v": 2}], ids=["message", "item"])
async def test_a_message_that_the_owner_of_the_room_does_not_know_is_answered(houses: Houses, newer: Wire) -> None:
    _, bob, room = await at_two_nodes(houses)
    _, second = houses.nodes
    post = second.exchange.post_wire

    def post_newer(node: NodeId, item: Wire) -> None:
        if item["kind"] == "say":
            item = {**item, **newer}
        post(node, item)

    second.exchange.post_wire = post_newer  # type: ignore[method-assign]  # a node of a newer version
    answer = await bob.ask("react", id="nice", room=room, key="nice")

    assert (answer["type"], answer["code"]) == ("error", "unsupported")


@pytest.mark.parametrize(
    ("item", "is_known"),
    [
        ({"kind": "future"}, False),
        ({"no": "kind"}, False),
        ({"kind": "moved", "room": "ABCDEF", "v": 2}, False),
        ({"kind": "moved"}, False),
        ({"kind": "moved", "room": "ABCDEF", "new": 1}, True),
    ],
)
async def test_what_a_newer_node_says_is_passed_over(houses: Houses, item: Wire, *, is_known: bool) -> None:
    ann, bob, room = await at_two_nodes(houses)
    first, second = houses.nodes

    with capture_logs() as logs:
        second.exchange.post_wire(first.exchange.me, item)
        await houses.settle()
    await bob.ask("react", room=room, key="nice")

    assert bob.seqs[-1] == ann.seqs[-1]
    assert [entry["event"] for entry in logs] == ([] if is_known else ["items.unknown"])
