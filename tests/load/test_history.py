from __future__ import annotations

from typing import Any

import pytest

from bots.load.history import deed, told

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
