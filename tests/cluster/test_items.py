from __future__ import annotations

from typing import Any

import msgpack
import pytest
from structlog.testing import capture_logs

from protocol.messages import parse
from server.cluster import items
from server.cluster.items import Item, Unknown, read, write
from server.outgoing import Outgoing
from server.table.state import PlayerId

ANN = PlayerId("ann")
ROOM = "K7QM2X"
ASKED = parse({"type": "react", "id": "nice", "room": ROOM, "key": "nice"})
SAY = items.Say(1, ROOM, ANN, "Ann", headless=False, message=ASKED, since=5)
ALL: list[Item] = [
    SAY,
    items.End(1),
    items.Visits([1, 2]),
    items.Listens(1, is_listening=True),
    items.Cut(1),
    items.Moved(ROOM),
    items.NoSuchRoom(ROOM),
    items.Here(),
    items.Missed(),
    items.Stopping(),
    items.Take(ROOM),
    items.Replaced(ANN, 7),
    items.Listed(ROOM, {"game": "draw"}),
    items.Listed(ROOM, None),
    items.Listing({ROOM: {"game": "draw"}}),
]


def travelled(item: Item) -> dict[str, Any]:
    """``item`` as it comes out of an inbox."""
    wire: dict[str, Any] = msgpack.unpackb(msgpack.packb(write(item)))
    return wire


@pytest.mark.parametrize("item", ALL, ids=lambda item: type(item).__name__)
def test_what_is_said_is_heard(item: Item) -> None:
    assert read(travelled(item)) == item


def test_what_a_room_says_is_heard() -> None:
    heard = read(travelled(items.Tell([1, 2], Outgoing({"type": "ok", "seq": 3}))))

    assert isinstance(heard, items.Tell)
    assert (heard.visits, heard.message.message) == ([1, 2], {"type": "ok", "seq": 3})


def test_what_an_older_version_says_without_a_version_is_heard() -> None:
    assert read({"kind": "end", "visit": 1}) == items.End(1)


def test_a_field_more_than_is_known_is_passed_over() -> None:
    assert read({**travelled(SAY), "new": 1}) == SAY


def test_a_message_that_is_not_known_here_is_to_be_answered() -> None:
    wire = travelled(SAY)

    assert read({**wire, "message": {**wire["message"], "type": "teleport"}}) == Unknown(1, "nice")


@pytest.mark.parametrize("newer", [{"v": 2}, {"v": 2, "actor": {}, "player": None}, {"headless": "perhaps"}])
def test_a_message_is_to_be_answered_too_that_is_said_in_a_way_not_known_here(newer: dict[str, Any]) -> None:
    assert read({**travelled(SAY), **newer}) == Unknown(1, "nice")


@pytest.mark.parametrize(
    "wire",
    [
        {**travelled(SAY), "message": "nice"},
        {**travelled(SAY), "message": {"type": "teleport"}},
        {**travelled(SAY), "visit": "first", "message": {"type": "teleport"}},
        {"kind": "tell", "visits": [1], "message": 5},
        {"kind": "future"},
        {"kind": "end"},
        {"kind": "end", "visit": None},
        {},
    ],
)
def test_what_cannot_be_understood_is_passed_over_with_a_line_in_the_log(wire: dict[str, Any]) -> None:
    with capture_logs() as logs:
        assert read(wire) is None

    assert [entry["event"] for entry in logs] == ["items.unknown"]
