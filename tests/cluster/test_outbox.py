from __future__ import annotations

import msgpack
import pytest

from server.cluster import outbox as module
from server.cluster.directory import NodeId
from server.cluster.items import End, Here, Tell
from server.cluster.outbox import MAX_NODES, Outbox
from server.outgoing import Outgoing

B, C = NodeId("B"), NodeId("C")


def test_what_goes_to_one_node_in_one_turn_is_one_batch_in_its_order() -> None:
    outbox = Outbox()
    outbox.post(B, End(1))
    outbox.post(C, End(2))
    outbox.post(B, End(3))

    batches = {batch.node: batch for batch in outbox.take()}

    assert [item["visit"] for item in msgpack.unpackb(batches[B].packed())] == [1, 3]
    assert [item["visit"] for item in msgpack.unpackb(batches[C].packed())] == [2]
    assert not outbox


def test_batches_are_numbered_by_the_node_that_they_go_to() -> None:
    outbox = Outbox()
    numbers = []
    for node in (B, B, C):
        outbox.post(node, Here())
        numbers += [(batch.node, batch.number) for batch in outbox.take()]

    assert numbers == [(B, 1), (B, 2), (C, 1)]


def test_what_many_visits_are_told_is_in_the_batch_once() -> None:
    outbox = Outbox()
    outgoing = Outgoing({"type": "update"})

    for visit in (1, 2, 3):
        outbox.tell(B, visit, outgoing)

    (batch,) = outbox.take()
    assert batch.items == [Tell([1, 2, 3], outgoing)]


def test_too_much_for_one_node_is_lost_and_its_number_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_WAITING", 2)
    outbox = Outbox()

    for visit in (1, 2, 3):
        outbox.post(B, End(visit))

    (batch,) = outbox.take()
    assert batch.number == 2
    assert batch.items == [End(3)]


@pytest.mark.parametrize("has_waiting", [False, True])
def test_a_node_that_only_seemed_to_be_gone_notices_that_it_was_not_told(*, has_waiting: bool) -> None:
    outbox = Outbox()
    outbox.post(B, Here())
    (before,) = outbox.take()
    if has_waiting:
        outbox.post(B, Here())
    outbox.forget(B)

    outbox.post(B, Here())

    (batch,) = outbox.take()
    assert batch.number == before.number + 2


def test_numbers_are_known_of_so_many_nodes_and_no_more() -> None:
    outbox = Outbox()
    for life in range(MAX_NODES + 10):
        outbox.post(NodeId(f"N{life}"), Here())
        outbox.post(B, Here())
        list(outbox.take())

    assert len(outbox._numbers) == MAX_NODES
    outbox.post(B, Here())
    assert [batch.number for batch in outbox.take()] == [MAX_NODES + 11]
