"""What `doublesix verify` proves, and that whatever was changed in a record is found (L2, L3)."""

from __future__ import annotations

import copy
import gzip
import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from engine.shuffle import commitment
from protocol.convert import Wire
from server import __main__ as command
from server.records.form import read
from server.records.line import OF_THE_RULES
from server.records.verify import verify
from tests.server import record_changes as changes
from tests.server.record_changes import (
    Place,
    changed,
    faults,
    first,
    flipped,
    leaves,
    match_of_two_people,
    match_with_a_take_back,
)
from tests.server.recorded import KINDS, Scribe, played, played_short, played_with_take_backs, record_of
from tests.server.tables import ANN, Driver
from tests.server.verify_matches import main as verify_matches


@pytest.mark.parametrize(("game", "seats"), KINDS)
def test_what_bots_have_played_at_a_table_is_verified(game: str, seats: int) -> None:
    for seed in range(3):
        verdict = verify(record_of(played(game, seats, seed)))

        assert verdict.faults == ()
        assert verdict.proved


@pytest.mark.parametrize(("game", "seats"), KINDS)
def test_a_match_in_which_acts_were_taken_back_is_verified(game: str, seats: int) -> None:
    """U1, U2."""
    written, _ = Scribe(game, seats, seed=40 + seats).write()
    at_a_table = record_of(played_with_take_backs(game, seats, seed=50 + seats))

    assert verify(written).faults == verify(at_a_table).faults == ()


def test_whatever_happens_at_a_table_both_verifiers_find_the_matches_right(capsys: pytest.CaptureFixture[str]) -> None:
    """`make verify-matches` does the same with a thousand."""
    status = verify_matches(36, 5_000)

    said = capsys.readouterr().out
    assert status == 0
    assert "36 matches" in said
    assert all(f"{kind} " in said for kind in ("undone", "redone", "restarted", "broken off", "coming", "lot", "drew"))


def test_what_was_proved_is_said_in_plain_lines() -> None:
    record = record_of(played("fives-threes", 4, seed=1))
    events = [event for step in record.steps for event in step.events]
    deals = sum(event["type"] == "deal_started" for event in events)
    actions = sum(event["type"] in {"played", "knocked"} for event in events)

    assert list(verify(record).proved) == [
        f"the seed has the commitment {record.commitment}",
        "the entropy of 1 of 4 seats is mixed into it, in their order",
        f"deals and lots are those of seed and entropy, dealt again: {deals} and 1",
        f"all actions were legal, and every point, score, end and lead follows from them: {actions}",
        f"by these acts side {record.winner} has won; the scores are {record.scores[0]}, {record.scores[1]}",
    ]


# Whatever is changed is found.


def proves(record: Wire, path: Place) -> bool:
    """Whether the value there belongs to seed, entropy, order, action or result."""
    match path:
        case ("steps", int(step), "events", int(event), name, *_):
            kind = record["steps"][step]["events"][event]["type"]
            return kind in {*OF_THE_RULES, "match_started", "match_ended"} and name != "next_commitment"
        case ("steps", _, name):
            return name == "seq"
        case (str(head), *_):
            return head in {"id", "game", "seats", "practice", "commitment", "seed", "entropy", "winner", "scores"}
    return False


@pytest.mark.parametrize(("game", "seats", "seed"), [("fives-threes", 3, 2), ("draw", 2, 29), ("all-fives", 4, 5)])
def test_each_bit_of_seed_entropy_order_actions_and_results_that_is_flipped_is_found(
    game: str, seats: int, seed: int
) -> None:
    """P4."""
    record = record_of(played_short(game, seats, seed)).to_wire()
    assert faults(record) == []

    flips = 0
    for path, value in leaves(record):
        for other in flipped(value) if proves(record, path) else ():
            flips += 1
            assert faults(changed(record, path, other)), (path, value, other)

    assert flips > 3_000


CHANGES: list[tuple[Callable[[Wire], None], str]] = [
    (changes.swap_entropy, "entropy: not in the order of the seats"),
    (changes.forget_entropy, "by seed and rules"),
    (changes.invent_entropy, "entropy: not in the order of the seats, or of somebody who has none"),
    (changes.leave_out_the_lot, "deal_started: lot must come here"),
    (changes.add_a_lot, "lot: deal_started must come here"),
    (changes.draw_another_lot, "lot.seat: "),
    (changes.swap_hands, "deal_started.hands: "),
    (changes.leave_out_a_step, "where step"),
    (changes.leave_out_a_step_and_count_on, "not your turn"),
    (changes.cut_off_the_end, "steps: the match does not end"),
    (changes.have_no_steps, "steps: the match does not end"),
    (changes.play_twice, "against the rules"),
    (changes.knock_instead, "knocked: against the rules: can play"),
    (changes.hide_a_drop, "played.dropped: 0 in the record"),
    (changes.say_nothing_of_the_end_of_a_deal, ": deal_ended is missing"),
    (changes.go_on_after_the_end, "knocked: after the end of the match"),
    (changes.begin_twice, "match_started: in the middle of the match"),
    (changes.break_off_earlier, "match_ended: nothing leads to it"),
    (changes.add_what_is_unknown, "does not match any of the expected tags"),
    (changes.add_an_unknown_field, 'played.luck: 1 in the record, nothing by seed and rules'),
    (changes.add_an_unknown_field_beside_the_rules, "ready.luck: Extra inputs are not permitted"),
    (changes.have_one_player_more, "players: 4 for 3 seats"),
    (changes.name_another_winner, "in match_ended"),
    (changes.take_back_what_has_not_happened, "undone.to: "),
    (changes.say_a_truth_for_a_number, "deal_started.number: true in the record, 1 by seed and rules"),
    (changes.commit_to_another_seed, "seed: it does not have the commitment"),
    (changes.commit_to_nothing_for_the_next_match, "match_started.next_commitment: "),
    (changes.name_another_game, "settings: another game"),
    (changes.talk_between_a_play_and_what_follows, "reacted: deal_ended must come here"),
    (changes.deal_in_the_middle_of_a_deal, "deal_started: nothing leads to it"),
    (changes.say_a_truth_for_a_seat, "played.seat: true is no seat"),
    (changes.say_a_fraction_for_a_seat, "is no seat"),
    (changes.break_off_before_the_first_deal, "match_ended: lot must come here"),
    (changes.say_what_no_setting_is, "settings: undo: Input should be a valid boolean"),
    (changes.add_an_unknown_setting, "settings: luck: Extra inputs are not permitted"),
    (changes.win_with_another_target, "by seed and rules"),
    (changes.speak_another_protocol, "protocol: Input should be less than or equal to 1"),
    (changes.say_a_truth_for_the_protocol, "protocol: Input should be a valid integer"),
    (changes.call_it_practice, "practice: true, but the match was begun again 0 times"),
    (changes.say_what_makes_no_sense, "it makes no sense"),
    (changes.have_a_step_before_the_beginning, "the match does not begin"),
    (changes.have_a_step_behind_the_end, "after the end of the match"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "says"), CHANGES)
def test_a_change_is_found_and_named(change: Callable[[Wire], None], says: str) -> None:
    record = match_of_two_people()
    assert faults(record) == []

    change(record)

    assert any(says in fault for fault in faults(record)), faults(record)


def test_a_fault_names_the_step_and_the_field() -> None:
    record = match_of_two_people()
    step = next(step for step in record["steps"] if step["events"][0]["type"] == "played")
    total = step["events"][0]["total"]
    step["events"][0]["total"] = total + 1

    assert faults(record) == [
        f"step {step['seq']}, event 1, played.total: {total + 1} in the record, {total} by seed and rules"
    ]


def test_a_match_that_was_broken_off_is_verified_as_far_as_it_went() -> None:
    record = match_of_two_people()
    del record["steps"][6:]
    scores = [event["scores"] for step in record["steps"] for event in step["events"] if "scores" in event][-1]
    ended = {"type": "match_ended", "winner": None, "scores": scores, "seed": record["seed"], "record": record["id"]}
    record["steps"].append({"seq": record["steps"][-1]["seq"] + 1, "at": 9.0, "events": [ended]})
    record.update(winner=None, scores=scores)

    verdict = verify(read(record))

    assert verdict.faults == ()
    assert verdict.proved[-1] == "the match was broken off without a winner"
    assert any("broken off where it ends" in line for line in verdict.unproved)


def test_a_match_that_was_begun_again_is_practice_in_its_record() -> None:
    record = next(
        record
        for seed in range(50, 90)
        if (record := record_of(played_with_take_backs("block", 2, seed)).to_wire())["practice"]
    )

    assert faults(record) == []
    assert faults({**record, "practice": False})[0].startswith("practice: false, but the match was begun again")


def test_what_is_not_proved_is_said_as_well() -> None:
    record = record_of(played("block", 2, seed=1))

    alone, with_commitment = verify(record), verify(record, record.commitment)

    assert alone.unproved[0].startswith("that the commitment was published")
    assert alone.unproved[1:] == with_commitment.unproved
    assert not any("broken off" in line for line in alone.unproved)


@pytest.mark.parametrize(
    "change",
    [
        changes.leave_out_a_take_back,
        changes.leave_out_the_last_that_was_taken_back,
        changes.break_off_at_the_end,
        changes.put_in_an_act_and_its_take_back,
        changes.call_somebody_else,
        changes.win_more_than_was_needed,
    ],
)
def test_what_is_said_not_to_be_proved_can_be_changed_unnoticed(change: Callable[[Wire], None]) -> None:
    """docs/records.md names each of these: where one is found after all, it is to say so."""
    record = match_with_a_take_back()
    whole = copy.deepcopy(record)

    change(record)

    assert record != whole
    assert faults(record) == []


def test_a_take_back_of_which_nothing_is_left_is_found() -> None:
    record = match_with_a_take_back()

    changes.leave_out_all_that_was_taken_back(record)

    assert "undone.to: " in faults(record)[0]


# A server that chooses.


def test_a_server_that_chooses_among_seeds_after_the_entropy_was_seen_is_found_each_time() -> None:
    """L2: it must show a seed for the commitment that it has told, and has only one."""
    told = commitment(random.Random(0).randbytes(32))
    for seed in range(1, 101):
        record = record_of(played_short("draw", 2, seed)).to_wire()
        own = record["commitment"]

        silent = record_of(played_short("draw", 2, seed)).to_wire()
        silent["commitment"] = first(silent, "match_started")["commitment"] = told

        assert faults(silent) == ["seed: it does not have the commitment"]
        assert faults(record, told) == [f"commitment: {own}, but {told} was told before the match"]
        assert faults(record, own) == []


def test_whatever_entropy_players_add_the_seed_is_the_one_that_was_committed_to() -> None:
    """L2: in the lobby, and for the match after it."""
    shown = set()
    for number in range(100):
        driver = Driver(game="block", seats=2, seed=5, target=1)
        snapshot = driver.snapshot(ANN)
        for value in (number, number + 1000):
            driver.say(ANN, "start" if value == number else "next", entropy=f"{value:064x}")
            while driver.table.turn is not None or not driver.table.match or not driver.table.match.over:
                driver.act() if driver.table.turn is not None else driver.say(ANN, "next")
        shown.add((snapshot["commitment"], snapshot["next_commitment"], *seeds_of(driver)))

    ((one, two, first_seed, second_seed),) = shown
    assert (one, two) == (commitment(bytes.fromhex(first_seed)), commitment(bytes.fromhex(second_seed)))


def seeds_of(driver: Driver) -> list[str]:
    """The seeds that were shown at the end of each match."""
    events = [event for step in driver.log for event in step.events]
    return [event.seed for event in events if type(event).__name__ == "MatchOver"]  # type: ignore[union-attr]


# The command.


def run(*arguments: str, given: bytes | None = None) -> tuple[int, list[str]]:
    """The exit status of `doublesix verify`, and what it says."""
    result = CliRunner().invoke(command.app, ["verify", *arguments], input=given)
    return result.exit_code, result.output.splitlines()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "match.json"
    path.write_text(json.dumps(match_of_two_people()))
    return path


def test_the_command_says_what_was_proved(file: Path) -> None:
    status, lines = run(str(file))

    record = json.loads(file.read_text())
    assert status == 0
    assert lines[0] == f"Record {record['id']}: fives-threes for 3, {len(record['steps'])} steps"
    assert all(line.startswith("  proved: ") for line in lines[1:6])
    assert all(line.startswith("  not proved: ") for line in lines[6:-1])
    assert len(lines) == 13
    assert lines[-1] == "verified"


def test_the_command_fails_where_something_is_wrong_and_proves_nothing(file: Path) -> None:
    record = json.loads(file.read_text())
    record["seed"] = f"{int(record['seed'], 16) ^ 1:064x}"
    file.write_text(json.dumps(record))

    status, lines = run(str(file))

    assert status == 1
    assert lines[1] == "  wrong: seed: it does not have the commitment"
    assert all(line.startswith("  wrong: ") for line in lines[1:-1])
    assert lines[-1] == "not verified"


def test_the_command_reads_gzipped_files_standard_input_and_the_message_of_the_server(file: Path) -> None:
    whole = file.read_bytes()
    packed = file.with_suffix(".json.gz")
    packed.write_bytes(gzip.compress(whole))
    record = json.loads(whole)
    message = json.dumps({"type": "record", "re": "m-1", "id": record["id"], "record": record}).encode()

    assert [run(str(packed))[0], run("-", given=whole)[0], run("-", given=message)[0]] == [0, 0, 0]


def test_the_command_compares_with_the_commitment_that_was_told(file: Path) -> None:
    told = json.loads(file.read_text())["commitment"]

    assert run(str(file), "--commitment", told.upper())[0] == 0
    assert run(str(file), "--commitment", "0" * 64)[0] == 1


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"[" * 100_000,
        b"\x1f\x8bno",
        b"\xff\xfe",
        b'{"format": 1}',
        b"null",
    ],
)
def test_the_command_fails_at_what_is_no_record(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "none.json"
    path.write_bytes(content)

    status, lines = run(str(path))

    assert status == 1
    assert lines[0].startswith(f"{path}: not a record: ")


def test_the_command_takes_no_field_twice(file: Path) -> None:
    file.write_text(file.read_text().replace('"winner"', '"winner": 7, "winner"', 1))

    status, lines = run(str(file))

    assert status == 1
    assert lines == [f"{file}: not a record: two fields of one name: winner"]


def test_the_command_fails_where_there_is_no_file(tmp_path: Path) -> None:
    assert run(str(tmp_path / "missing.json"))[0] == 1
