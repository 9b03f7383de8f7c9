"""What a record holds, and that nothing of the match is lost in it and nothing of the next one gets into it."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from itertools import pairwise

import pytest

from engine.events import MatchEnded
from engine.match import Match
from engine.seats import Seat
from engine.shuffle import commitment
from protocol.convert import event_to_log
from server.records import build
from server.records.build import Finder
from server.records.form import Record, read
from server.records.packed import pack, parts, unpack
from server.records.replay import replay
from server.store.base import Step as StoredStep
from server.table import checkpoint, play
from server.table.draft import Draft
from server.table.events import MatchOver, MatchStarted
from server.table.evolve import Step, apply, created, evolve, stamped
from server.table.state import Table
from server.views import settings_for_all
from tests.server.recorded import (
    KINDS,
    Scribe,
    play_on,
    played,
    played_short,
    played_with_take_backs,
    record_of,
    records_of,
    step_of,
    stored,
)
from tests.server.tables import ANN, BOB, CAT, EVE, Driver


def tables(steps: list[Step]) -> dict[int, Table]:
    """The table after each step."""
    table = created("K7QM2X", steps[0])
    after = {1: table}
    for step in steps[1:]:
        after[step.seq] = table = evolve(table, step)
    return after


def matches_of(steps: list[Step]) -> Iterator[Match]:
    """The match at the table after each event that belongs to it."""
    after = tables(steps)
    is_running = False
    for step in steps[1:]:
        table = stamped(after[step.seq - 1], step.seq, step.epoch, step.at)
        for event in step.events:
            table = apply(table, event)
            is_running |= isinstance(event, MatchStarted)
            if is_running:
                assert table.match is not None
                yield table.match
            is_running &= not isinstance(event, MatchOver)


@pytest.mark.parametrize(("game", "seats"), KINDS)
def test_a_record_played_again_is_the_match_of_the_server_after_every_event(game: str, seats: int) -> None:
    """N7: deals, layout, hands, stock and scores, in every phase."""
    assert_same_course(played(game, seats, seed=seats))


@pytest.mark.parametrize(("game", "seats"), KINDS)
def test_it_is_so_too_where_acts_were_taken_back_at_the_table(game: str, seats: int) -> None:
    """U1, U2, N7."""
    driver = played_with_take_backs(game, seats, seed=seats)

    assert_same_course(driver)
    kinds = {event["type"] for step in record_of(driver).steps for event in step.events}
    assert kinds >= {"undone", "redone", "restarted"}


def assert_same_course(driver: Driver) -> None:
    """The match at the table, and the one that is played again from its record, are the same after each event."""
    again = [match for _, _, match in replay(record_of(driver))]
    there = list(matches_of(driver.log))
    assert len(again) == len(there)
    for one, other in zip(again, there, strict=True):
        assert one.deal == other.deal
        assert (one.scores, one.winner, one.over) == (other.scores, other.winner, other.over)
    assert again[-1].over


@pytest.mark.parametrize(("game", "seats"), KINDS)
def test_a_record_is_the_same_after_it_was_kept_and_after_it_was_written_to_a_file(game: str, seats: int) -> None:
    """N7, N8."""
    (record,) = records_of(played(game, seats, seed=10 + seats))

    assert unpack(pack(record)) == record
    assert read(json.loads(json.dumps(record))).to_wire() == record


def test_half_points_are_exact_in_a_record() -> None:
    """A15."""
    (record,) = records_of(played("all-fives", 3, seed=72, target=100))

    assert 0.5 in [score % 1 for score in record["scores"]]
    assert read(json.loads(json.dumps(record))).to_wire() == unpack(pack(record)) == record


def test_the_head_of_a_record_says_who_played_what_and_how_it_ended() -> None:
    driver = Driver(game="draw", seats=3, seed=3, target=20, bot="beginner")
    driver.say(BOB, "join")
    driver.say(BOB, "next", entropy="b0" * 32)
    driver.say(ANN, "start", entropy="a0" * 32)
    began, settings = driver.now, settings_for_all(driver.table)
    while driver.table.turn is not None or driver.table.deal_events[-1].__class__ is not MatchOver:
        driver.now += 1
        driver.act() if driver.table.turn is not None else (driver.say(ANN, "next"), driver.say(BOB, "next"))

    (record,) = records_of(driver)

    ended = driver.table.deal_events[-1]
    assert isinstance(ended, MatchOver)
    assert {name: value for name, value in record.items() if name not in ("commitment", "steps")} == {
        "format": 1,
        "id": ended.record,
        "game": "draw",
        "seats": 3,
        "settings": settings,
        "practice": False,
        "players": [
            {"player": "ann", "bot": None, "name": "Ann"},
            {"player": "bob", "bot": None, "name": "Bob"},
            {"player": None, "bot": "beginner", "name": "Computer"},
        ],
        "server": "doublesix",
        "protocol": 1,
        "began": began,
        "ended": driver.now,
        "seed": driver.table.seed.hex(),
        "entropy": [{"player": "ann", "value": "a0" * 32}, {"player": "bob", "value": "b0" * 32}],
        "winner": ended.winner,
        "scores": [float(score) for score in ended.scores],
    }
    assert record["commitment"] == commitment(driver.table.seed)
    assert settings["target"] == 20


def test_every_step_of_the_match_is_in_its_record_with_all_that_happened_at_the_table() -> None:
    driver = Driver(game="block", seats=3, seed=2)
    driver.say(BOB, "join")
    driver.say(ANN, "start")
    started = driver.table.seq
    driver.say(BOB, "react", key="wow")
    driver.say(EVE, "watch")
    driver.say(BOB, "leave")
    driver.now += 2.5
    play_on(driver, random.Random(1))

    record = record_of(driver)

    assert [step.seq for step in record.steps] == list(range(started, driver.table.seq + 1))
    assert [event["type"] for event in record.steps[0].events] == ["match_started", "lot", "deal_started"]
    assert record.steps[1].events == [{"type": "reacted", "seat": 1, "key": "wow"}]
    assert record.steps[2].events == []  # who watches is no part of a match
    assert [event["type"] for event in record.steps[3].events] == ["left", "seated"]
    assert record.steps[-1].events[-1]["type"] == "match_ended"
    times = [step.at for step in record.steps]
    assert times == sorted(times)
    assert times[:4] == [0] * 4
    assert times[4] > 2.5


def test_a_record_shows_every_hand_the_stock_and_what_was_drawn() -> None:
    driver = played("draw", 2, seed=4)

    events = [event for step in record_of(driver).steps for event in step.events]

    deals = [event for event in events if event["type"] == "deal_started"]
    assert all(len({tile for hand in deal["hands"] for tile in hand} | {*deal["stock_tiles"]}) == 28 for deal in deals)
    drawn = [event["tile"] for event in events if event["type"] == "drew"]
    assert drawn
    assert all(drawn)


def broken_off(game: str, seed: int) -> tuple[Driver, Record]:
    """A match that ends without a winner in the very step in which the next one begins, and its record."""
    driver = Driver(game=game, seats=2, seed=seed)
    driver.say(ANN, "start", entropy="ab" * 32)
    for _ in range(5):
        driver.act()

    def new_game(draft: Draft) -> None:
        draft.add(play.match_over(draft, MatchEnded(None, draft.table.scores)))
        play.begin_match(draft)

    step_of(driver, new_game)
    return driver, record_of(driver)


def test_a_match_that_was_broken_off_has_a_record_that_ends_before_the_next_match_begins() -> None:
    driver, record = broken_off("draw", 1)

    assert record.winner is None
    assert [event["type"] for event in record.steps[-1].events] == ["match_ended"]
    (dealt,) = [event for step in record.steps for event in step.events if event["type"] == "deal_started"]
    assert driver.table.match is not None
    assert driver.table.match.deal is not None
    assert dealt != event_to_log(driver.table.match.deal.events[0])


def test_a_record_says_whether_its_match_was_begun_again() -> None:
    driver = Driver(game="block", seats=2, lead=0)
    driver.say(ANN, "start")
    driver.say(ANN, "restart")
    for _ in range(3):
        driver.say(ANN, "new_game")
    driver.say(ANN, "restart")
    driver.say(ANN, "new_game")

    assert [record["practice"] for record in records_of(driver)] == [True, False, False, True]


def test_a_record_of_before_does_not_say_whether_its_match_was_begun_again() -> None:
    (record,) = records_of(played("block", 2, seed=3))
    del record["practice"]

    assert read(record).practice is False
    assert read(record).to_wire() == record


def test_each_of_the_matches_in_a_log_has_its_own_record() -> None:
    driver = played("block", 2, seed=6)
    for _ in range(2):
        driver.say(ANN, "next", entropy="cd" * 32)
        play_on(driver, random.Random(1))

    records = [read(record) for record in records_of(driver)]

    assert len({record.seed for record in records}) == 3
    assert all(one.steps[-1].seq < two.steps[0].seq for one, two in pairwise(records))
    next_commitments = [record.steps[0].events[0]["next_commitment"] for record in records]
    assert next_commitments[:2] == [record.commitment for record in records[1:]]


def test_a_match_that_is_running_has_no_record() -> None:
    driver = Driver(game="block", seats=2)
    driver.say(ANN, "start")
    driver.act()

    assert records_of(driver) == []


def with_checkpoints(driver: Driver, every: int) -> list[StoredStep]:
    """The log of the table, with the table written down at every so many steps."""
    after = tables(driver.log)
    return [
        StoredStep(
            step.room,
            step.seq,
            step.epoch,
            step.payload,
            checkpoint=None if step.seq % every else checkpoint.pack(after[step.seq], []),
        )
        for step in stored(driver.log)
    ]


@pytest.mark.parametrize("every", [1, 2, 5, 16])
def test_a_log_of_which_only_the_end_is_left_gives_the_same_record(every: int) -> None:
    driver = Driver(game="all-fives", seats=4, seed=5, target=30)
    driver.say(CAT, "join", seat=2)
    driver.say(ANN, "add_bot", seat=1, level="novice")
    for _ in range(20):
        driver.now += 20
        driver.say(CAT, "react", key="nice")
    driver.say(ANN, "start")
    started = driver.table.seq
    driver.say(CAT, "leave")
    play_on(driver, random.Random(2))
    (whole,) = records_of(driver)

    rest = with_checkpoints(driver, every)
    first = max(step.seq for step in rest if step.checkpoint is not None and step.seq <= started)
    records = list(build.records([step for step in rest if step.seq >= first]))

    assert records == [whole]


def test_a_match_whose_beginning_is_lost_has_no_record_and_the_next_one_has() -> None:
    driver = played("block", 2, seed=7)
    first_end = driver.table.seq
    driver.say(ANN, "next")
    play_on(driver, random.Random(3))
    _, second = records_of(driver)

    rest = [step for step in with_checkpoints(driver, 1) if step.seq >= first_end - 3]

    assert list(build.records(rest)) == [second]


def test_a_name_that_looks_like_the_end_of_a_match_is_none() -> None:
    driver = Driver(game="block", seats=2)
    driver.say(BOB, "join")
    driver.say(ANN, "start")
    step = driver.log[-1]
    finder = Finder()
    finder._begun = 1, step
    (entry,) = stored([Step(9, 1, 0.0, (play.seated_event(Seat(0), ANN),))])

    named = StoredStep(entry.room, entry.seq, entry.epoch, entry.payload.replace(b"\xa3Ann", b"\xa9MatchOver"))

    assert b"MatchOver" in named.payload
    assert list(finder.take(named)) == []


@pytest.mark.parametrize(("game", "seats"), KINDS)
def test_nothing_of_the_next_match_is_in_any_record(game: str, seats: int) -> None:
    """H1: its seed is fixed already, and lies in the log beside what is shown."""
    driver = played(game, seats, seed=20 + seats)
    secret = driver.table.next_seed

    (record,) = records_of(driver)

    text = json.dumps(record).encode()
    packed = b"".join(repr(part).encode() for part in parts(pack(record)))
    assert any(secret.hex().encode() in step.payload for step in stored(driver.log))
    for kept in (text, packed):
        assert secret.hex().encode() not in kept
        assert repr(secret).encode() not in kept
        assert secret not in kept


def test_nothing_of_the_next_match_is_in_the_record_of_one_that_was_broken_off() -> None:
    for seed in range(10):
        driver, record = broken_off("all-fives", seed)

        text = json.dumps(record.to_wire())

        assert driver.table.seed.hex() not in text
        assert driver.table.next_seed.hex() not in text
        assert record.seed in text


@pytest.mark.parametrize(("game", "seats"), KINDS)
def test_what_is_taken_back_and_brought_again_is_so_when_a_record_is_played_again(game: str, seats: int) -> None:
    """U1, U2."""
    record, stands = Scribe(game, seats, seed=seats).write()

    after = {seq: match for seq, _, match in replay(record)}

    assert after == stands
    kinds = {event["type"] for step in record.steps for event in step.events}
    assert kinds >= {"undone", "redone", "restarted"}


def test_a_record_that_goes_back_to_a_step_of_another_match_cannot_be_played_again() -> None:
    record = record_of(played_short("block", 2, seed=1)).to_wire()
    record["steps"][2]["events"].insert(0, {"type": "undone", "to": record["steps"][0]["seq"] - 1})

    with pytest.raises(LookupError):
        list(replay(read(record)))


def test_a_payload_that_was_cut_off_is_noticed() -> None:
    payload = pack(record_of(played("block", 2, seed=8)).to_wire())

    with pytest.raises(ValueError, match="cut off"):
        unpack(payload[:-20])


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (None, "one JSON object"),
        ([], "one JSON object"),
        ({}, "its format is None"),
        ({"format": 2}, "its format is 2; this program reads 1"),
        ({"format": True}, "its format is True"),
        ({"format": "1"}, "its format is '1'"),
        ({"format": 1}, "id: Field required"),
    ],
)
def test_what_is_no_record_of_a_known_format_is_refused(value: object, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        read(value)


@pytest.mark.parametrize("name", ["seed", "commitment", "id"])
@pytest.mark.parametrize("spoil", [str.upper, lambda digits: digits[:-1], lambda digits: digits + "\n"])
def test_digits_can_be_written_in_one_way_only(name: str, spoil: object) -> None:
    record = record_of(played_short("block", 2, seed=1)).to_wire()
    assert callable(spoil)
    record[name] = spoil(record[name])

    with pytest.raises(ValueError, match=name):
        read(record)
