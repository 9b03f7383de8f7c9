"""Faults of many nodes, each put into the servers by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from server.cluster.asked import Asked
from server.cluster.directory import NodeId
from server.cluster.edge import Edge
from server.cluster.inbox import Inbox
from server.cluster.items import Item, Missed, Unknown
from server.cluster.people import People
from server.cluster.redis_exchange import RedisExchange
from server.cluster.visit import Visit
from server.store.base import Outcome, Step
from tests.simulation.redis_model import RedisModel, Room

Plant = Callable[[pytest.MonkeyPatch], None]


def no_fence(patch: pytest.MonkeyPatch) -> None:
    """A step is written whoever has the room."""
    append = RedisModel._append

    def append_of_anybody(model: RedisModel, me: str, room: Room, step: Step) -> Outcome:
        has_room = replace(room, owner=me, epoch=min(room.epoch, step.epoch), log=room.log)
        outcome = append(model, me, has_room, step)
        room.last_record = has_room.last_record
        if not room.epoch:
            room.owner, room.epoch = me, step.epoch
        return outcome

    patch.setattr(RedisModel, "_append", append_of_anybody)


def epoch_not_raised(patch: pytest.MonkeyPatch) -> None:
    """Who takes a room goes on under the epoch of its last step."""

    def claim(model: RedisModel, me: str, code: str, seen: tuple[str, int], _now: int) -> tuple[str, ...]:
        room = model.room(code)
        if not room.is_open:
            return ("NONE",)
        if seen != (room.owner, room.epoch):
            return ("HELD", room.owner)
        room.owner = me
        return ("TAKEN", str(room.epoch), str(room.head))

    patch.setattr(RedisModel, "claim", claim)


def moved_rooms_visits_are_not_resumed(patch: pytest.MonkeyPatch) -> None:
    """Who listens to a room is not told what it says at its new node."""
    patch.setattr(Edge, "_resume", _nothing)


def a_gap_between_batches_is_ignored(patch: pytest.MonkeyPatch) -> None:
    """What a node has said in vain is not made good."""
    heard = Inbox.heard

    def hear(inbox: Inbox, node: NodeId, item: Item | Unknown | None) -> None:
        if item is not None and not isinstance(item, Missed):
            heard(inbox, node, item)

    patch.setattr(Inbox, "heard", hear)
    patch.setattr(RedisExchange, "_make_good", _nothing_in_time)


def updates_are_passed_on_as_they_come(patch: pytest.MonkeyPatch) -> None:
    """Steps that are missing, or come twice, make no difference to an edge."""

    def take_update(visit: Visit, outgoing: Any) -> bool:
        visit._told = (outgoing.message["epoch"], outgoing.message["seq"])
        visit.visitor.send(outgoing)
        return True

    patch.setattr(Visit, "_take_update", take_update)


def what_may_have_counted_is_refused(patch: pytest.MonkeyPatch) -> None:
    """A message that its owner has had is refused when nobody knows where the room is."""
    patch.setattr(Asked, "refusable", lambda asked: list(asked.pending))


def who_is_connected_elsewhere_stays(patch: pytest.MonkeyPatch) -> None:
    """Of two connections at two nodes both are kept."""
    patch.setattr(People, "is_elsewhere", _nothing)


def _nothing(*_: Any) -> None:
    """Instead of something that had to be done."""


async def _nothing_in_time(*_: Any) -> None:
    """Instead of something that had to be done, and took time."""


PLANTS: Mapping[str, Plant] = {
    plant.__name__: plant
    for plant in (
        no_fence, epoch_not_raised, moved_rooms_visits_are_not_resumed, a_gap_between_batches_is_ignored,
        updates_are_passed_on_as_they_come, what_may_have_counted_is_refused, who_is_connected_elsewhere_stays,
    )
}  # fmt: skip
