"""The replay of the browser is that of the server: every hand, score and end at every stop, take-backs included."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from functools import cache, partial
from itertools import pairwise
from pathlib import Path

import pytest

from engine.games import GAMES
from engine.match import Match
from protocol.convert import Wire, scores_to_wire
from server.records.form import Record, read
from server.records.replay import replay
from tests.server.recorded import KINDS, played, played_with_take_backs, record_of
from tests.server.test_record_seeds import FILES, content

COURSE = Path(__file__).with_name("course.mjs")
ACTS = ("played", "drew", "knocked")
TAKE_BACKS = ("undone", "redone", "restarted")
STOPS = (*ACTS, *TAKE_BACKS, "deal_started")


def courses(records: list[Wire]) -> list[list[Wire]]:
    """The stops of each record, as the browser has them."""
    run = subprocess.run(["node", COURSE], input=json.dumps(records), capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    stops: list[list[Wire]] = json.loads(run.stdout)
    return stops


def truth(record: Record) -> list[tuple[str, Match]]:
    """What the server makes of the same: the kind of each stop, and the match before the next one."""
    stops: list[tuple[str, Match]] = []
    for _, event, match in replay(record):
        if event["type"] in STOPS:
            stops.append((event["type"], match))
        elif stops:
            stops[-1] = (stops[-1][0], match)
    return stops


def assert_shows(stop: Wire, match: Match) -> None:
    assert match.deal is not None
    hands = [sorted(map(str, hand)) for hand in match.deal.hands]
    assert [sorted(stop["hands"][str(seat)]) for seat in range(match.seats)] == hands
    assert stop["tiles"] == [len(hand) for hand in hands]
    assert stop["scores"] == list(scores_to_wire(match.scores))
    assert stop["stock"] == len(match.deal.stock)
    assert [end["value"] for end in stop["ends"]] == [end.value for end in match.deal.layout.ends]


@cache
def of_seed(name: str) -> Record:
    return read(content(next(path for path in FILES if path.name == name)))


@cache
def of_match(game: str, seats: int, takes_back: bool) -> Record:
    return record_of((played_with_take_backs if takes_back else played)(game, seats, 70))


RECORDS = [
    *(pytest.param(partial(of_seed, path.name), id=path.name) for path in FILES),
    *(pytest.param(partial(of_match, game, seats, False), id=f"{game} {seats}") for game, seats in KINDS),
    *(pytest.param(partial(of_match, game, 3, True), id=f"{game} taken back") for game in GAMES),
]


@pytest.mark.parametrize("write", RECORDS)
def test_each_stop_shows_the_match_as_the_server_replays_it(write: Callable[[], Record]) -> None:
    record = write()
    (stops,) = courses([record.to_wire()])

    expected = truth(record)

    assert [stop["kind"] for stop in stops] == [kind for kind, _ in expected]
    for stop, (_, match) in zip(stops, expected, strict=True):
        assert_shows(stop, match)
    assert stops[-1]["phase"] == "match_over"


@pytest.mark.parametrize("write", RECORDS)
def test_stops_are_counted_by_acts_and_named_once_each(write: Callable[[], Record]) -> None:
    (stops,) = courses([write().to_wire()])

    acts = [stop["number"] for stop in stops if stop["kind"] in ACTS]
    names = [stop["name"] for stop in stops]

    assert acts == list(range(1, len(acts) + 1))
    assert len(set(names)) == len(names)
    assert all(stop["name"] == str(stop["number"]) for stop in stops if stop["kind"] in ACTS)


def test_what_was_taken_back_is_struck_and_what_is_brought_again_is_not() -> None:
    record = of_seed("format-1-take-backs.json.gz")

    (stops,) = courses([record.to_wire()])

    assert any(stop["struck"] for stop in stops if stop["kind"] == "undone")
    for before, stop in pairwise(stops):
        if stop["kind"] == "undone" and before["kind"] in ACTS:
            assert stop["counting"] < before["counting"] or stop["struck"] != before["struck"]
        if stop["kind"] == "redone":
            assert len(stop["struck"]) < len(before["struck"])


def test_whose_turn_it_is_is_whoever_acts_next() -> None:
    record = of_match("draw", 3, False)

    (stops,) = courses([record.to_wire()])

    seats = [event["seat"] for step in record.to_wire()["steps"] for event in step["events"] if event["type"] in ACTS]
    turns = [stop["turn"] for stop in stops if stop["turn"] is not None]
    assert turns == seats
