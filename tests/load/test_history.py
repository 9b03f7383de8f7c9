from __future__ import annotations

from typing import Any

import pytest

from bots.load.history import deed, events_of, is_next, name_of, picture_of, shown, told
from tests.load.histories import PLAYERS, Play
from tests.server.tables import Driver

PLAYED: dict[str, Any] = {"type": "played", "seat": 2, "tile": "1-4", "end": "left", "total": 5, "scores": [0, 2.5]}


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ({"type": "play", "tile": "1-4", "end": "left"}, "2 play 1-4 left"),
        ({"type": "play", "tile": "6-6", "end": None}, "2 play 6-6 None"),
        ({"type": "draw"}, "2 draw"),
        ({"type": "knock"}, "2 knock"),
    ],
)
def test_an_action_and_what_is_told_of_it_read_alike(action: dict[str, Any], words: str) -> None:
    event = {"play": "played", "draw": "drew", "knock": "knocked"}[action["type"]]

    update = told(1, 7, [{"type": "lot", "seat": 1}, {**action, "type": event, "seat": 2}])

    assert deed(2, action) == words
    assert update.deed == words


def test_two_deeds_in_one_step_are_no_action_of_anybody() -> None:
    update = told(1, 7, [{"type": "drew", "seat": 2}, {"type": "knocked", "seat": 2}])

    assert update.deed == "2 draw, 2 knock"


@pytest.mark.parametrize(
    ("event", "private"),
    [
        ({"type": "deal_started", "number": 1, "tiles": [5, 5]}, {"hand": ["1-4"]}),
        ({"type": "drew", "seat": 2, "stock": 4}, {"tile": "1-4"}),
    ],
)
def test_what_only_the_holder_of_a_hand_is_told_makes_no_difference(event: Any, private: dict[str, Any]) -> None:
    assert told(1, 7, [{**event, **private}]) == told(1, 7, [event])


def test_the_order_of_the_fields_makes_no_difference() -> None:
    assert told(1, 7, [PLAYED]) == told(1, 7, [dict(reversed(PLAYED.items()))])


@pytest.mark.parametrize("changed", [{"total": 6}, {"scores": [0, 2]}, {"tile": "1-5"}, {"surprise": True}])
def test_every_other_field_makes_a_difference(changed: dict[str, Any]) -> None:
    assert told(1, 7, [{**PLAYED, **changed}]).content != told(1, 7, [PLAYED]).content


def test_the_order_of_the_events_makes_a_difference() -> None:
    away, back = {"type": "away", "seat": 1}, {"type": "back", "seat": 1}

    assert told(1, 7, [away, back]) != told(1, 7, [back, away])


def test_an_update_can_be_read_again_without_what_only_one_was_told() -> None:
    update = told(1, 7, [{"type": "drew", "seat": 2, "stock": 4, "tile": "1-4"}, PLAYED])

    assert events_of(update) == [{"type": "drew", "seat": 2, "stock": 4}, PLAYED]


@pytest.mark.parametrize(("what", "expected"), [("2 next", True), ("2 knock", False), ("2 play 1-4 left", False)])
def test_next_is_no_act_in_a_deal(what: str, expected: bool) -> None:
    assert is_next(what) is expected


def test_who_is_ready_has_said_next() -> None:
    assert told(1, 7, [{"type": "ready", "seat": 2}]).deed == deed(2, {"type": "next"})


def test_what_no_seat_has_done_has_the_name_of_its_event() -> None:
    assert name_of({"type": "deal_ended"}) == "deal_ended"


# What is shown.


def a_deal() -> Driver:
    """A deal in which tiles have been drawn."""
    play = Play("draw")
    while not any(event["type"] == "drew" for event in play.snapshot(None)["deal"]["events"]):
        play.act(0)
    return play


def test_everybody_who_looks_at_a_room_is_shown_the_same() -> None:
    driver = a_deal()

    looks = {shown(driver.snapshot(who)) for who in (*PLAYERS, None)}

    assert len(looks) == 1


def test_a_snapshot_can_be_read_again_without_what_belongs_to_one_receiver() -> None:
    driver = a_deal()
    snapshot = driver.snapshot(None)

    picture = picture_of(shown(driver.snapshot(PLAYERS[0])))

    assert picture["deal"] == snapshot["deal"]
    assert picture["seats"] == snapshot["seats"]
    assert snapshot.keys() - picture.keys() == {"type", "room", "epoch", "seq", "you", "turn"}


def test_a_reset_is_noted() -> None:
    snapshot = a_deal().snapshot(None)

    assert shown({**snapshot, "reset": True}) == shown(snapshot)._replace(is_reset=True)


def test_what_a_newer_server_adds_to_a_snapshot_makes_no_difference() -> None:
    snapshot = a_deal().snapshot(None)

    assert shown({**snapshot, "surprise": True}) == shown(snapshot)
