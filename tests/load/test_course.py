"""What can happen next at a table. Three play Draw, with five tiles each: Ann has opened with 0-1, now Bob acts."""

from __future__ import annotations

from typing import Any

import pytest

from bots.load.course import objection
from bots.load.history import picture_of
from protocol.convert import Wire
from tests.load.histories import Play


def opened() -> Wire:
    """The table after the first play."""
    play = Play("draw")
    play.act(0)
    return picture_of(play.scenes[-1].shown)


def over() -> Wire:
    """The table after the first deal, in which each of them has played or drawn."""
    play = Play("draw")
    while play.table.turn is not None:
        play.act(0)
    return picture_of(play.scenes[-1].shown)


def ends(left: int, right: int) -> list[Wire]:
    return [{"end": "left", "value": left, "counts": left}, {"end": "right", "value": right, "counts": right}]


def played(tile: str = "1-4", end: str | None = "right", left: int = 0, right: int = 4, **fields: Any) -> Wire:
    scores = {"points": 0, "scores": [0, 0, 0]}
    return {"type": "played", "seat": 1, "tile": tile, "end": end, "ends": ends(left, right), **scores, **fields}


@pytest.mark.parametrize(
    "event",
    [
        played(),
        played(tile="0-5", end="left", left=5, right=1),
        played(tile="1-1", end="right", left=0, right=1),
        played(points=5, scores=[0, 5, 0]),
        {"type": "drew", "seat": 1, "stock": 12},
        {"type": "knocked", "seat": 1},
        {"type": "deal_ended", "hands": [["6-6"] * 4, ["6-6"] * 5, ["6-6"] * 5]},
        {"type": "seated", "seat": 2, "player": "dan"},
        {"type": "away", "seat": 2},
        {"type": "ready", "seat": 2},
        {"type": "reacted", "seat": 0, "key": "nice"},
        {"type": "something new"},
    ],
)
def test_what_can_follow_is_taken(event: Wire) -> None:
    assert objection(opened(), event) is None


@pytest.mark.parametrize(
    ("event", "why"),
    [
        (played(seat=2), "seat 2 acts where seat 1 is in turn"),
        ({"type": "drew", "seat": 0, "stock": 12}, "seat 0 acts where seat 1 is in turn"),
        ({"type": "knocked", "seat": 0}, "seat 0 acts where seat 1 is in turn"),
        ({"type": "drew", "seat": 1, "stock": 11}, "the stock is 11 after the draw where it should be 12"),
        (played(tile="0-1", left=1, right=1, end="left"), "0-1 lies on the table already"),
        (played(tile="2-4"), "2-4 does not fit at the right end of {'left': 0, 'right': 1}"),
        (played(end="up"), "1-4 does not fit at the up end of {'left': 0, 'right': 1}"),
        (played(end=None), "1-4 does not fit at the None end of {'left': 0, 'right': 1}"),
        (played(right=1), "1-4 at the right end makes {'left': 0, 'right': 1} of {'left': 0, 'right': 1}"),
        (played(left=3), "1-4 at the right end makes {'left': 3, 'right': 4} of {'left': 0, 'right': 1}"),
        (played(points=5), "the scores are [0, 0, 0] where they should be [0, 5, 0]"),
        (played(points=5, scores=[5, 0, 0]), "the scores are [5, 0, 0] where they should be [0, 5, 0]"),
        (
            {"type": "deal_ended", "hands": [["6-6"] * 4, ["6-6"] * 4, ["6-6"] * 5]},
            "the hands have [4, 4, 5] tiles where they should have [4, 5, 5]",
        ),
        ({"type": "deal_started", "number": 2}, "a deal starts in the middle of another one"),
        ({"type": "seated", "seat": 2, "player": "cat"}, "cat sits down at seat 2 and sits there already"),
        ({"type": "back", "seat": 0}, "seat 0 comes back and was not away"),
    ],
)
def test_what_cannot_follow_is_objected_to(event: Wire, why: str) -> None:
    assert objection(opened(), event) == why


@pytest.mark.parametrize(
    ("event", "why"),
    [
        (played(), "seat 1 acts where seat None is in turn"),
        ({"type": "deal_ended", "hands": []}, "a deal ends where none runs"),
        ({"type": "deal_started", "number": 3}, "deal 3 starts where deal 2 is due"),
        ({"type": "deal_started", "number": 1}, "deal 1 starts where deal 2 is due"),
    ],
)
def test_what_cannot_follow_on_the_end_of_a_deal_is_objected_to(event: Wire, why: str) -> None:
    assert objection(over(), event) == why


def test_the_first_tile_has_no_end_to_join() -> None:
    table = picture_of(Play("draw").scenes[-1].shown)

    assert objection(table, played(seat=0, end=None)) is None
    assert objection(table, played(seat=0)) == "1-4 opens at the right end"


def test_who_has_drawn_is_still_in_turn() -> None:
    table = opened()
    table["deal"]["events"].append({"type": "drew", "seat": 1, "stock": 12})

    assert objection(table, played()) is None
    assert objection(table, played(seat=2)) == "seat 2 acts where seat 1 is in turn"


def test_a_seat_without_tiles_is_passed_over() -> None:
    table = opened()
    table["seats"][1]["tiles"] = 0

    assert objection(table, played(seat=2)) is None


def test_nobody_goes_away_or_is_ready_twice() -> None:
    table = opened()
    table["seats"][2].update(state="away", ready=True)

    assert objection(table, {"type": "away", "seat": 2}) == "seat 2 goes away and is away"
    assert objection(table, {"type": "ready", "seat": 2}) == "seat 2 is ready a second time"
    assert objection(table, {"type": "back", "seat": 2}) is None
