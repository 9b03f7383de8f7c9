"""What `doublesix verify` proves, and that whatever was changed in a record is found (L2, L3)."""

from __future__ import annotations

import copy
import gzip
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from engine.shuffle import commitment
from server import __main__ as command
from server.records.form import read
from server.records.replay import OF_THE_RULES
from server.records.verify import verify
from tests.server.recorded import KINDS, Scribe, Wire, played, played_short, played_with_take_backs, record_of
from tests.server.tables import ANN, BOB, Driver
from tests.server.verify_matches import main as verify_matches

Path_ = tuple[str | int, ...]


def faults(record: Wire, told: str | None = None) -> list[str]:
    """What is found to be wrong with ``record``, unreadable parts among it."""
    try:
        return list(verify(read(record), told).faults)
    except ValueError as problem:
        return [str(problem)]


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
        f"side {record.winner} has won; the scores are {record.scores[0]}, {record.scores[1]}",
    ]


# Whatever is changed is found.


def leaves(value: Any, path: Path_ = ()) -> Iterator[tuple[Path_, Any]]:
    """Every value in ``value`` that has no parts, with the way to it."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if parts is None:
        yield path, value
        return
    for name, part in parts:
        yield from leaves(part, (*path, name))


def proves(record: Wire, path: Path_) -> bool:
    """Whether the value there belongs to seed, entropy, order, action or result."""
    match path:
        case ("steps", int(step), "events", int(event), name, *_):
            kind = record["steps"][step]["events"][event]["type"]
            return kind in {*OF_THE_RULES, "match_started", "match_ended"} and name != "next_commitment"
        case ("steps", _, name):
            return name == "seq"
        case (str(head), *_):
            return head in {"id", "game", "seats", "commitment", "seed", "entropy", "winner", "scores"}
    return False


def flipped(value: object) -> Iterator[object]:
    """``value`` with one bit flipped, for each of its bits; of a number the lowest."""
    if isinstance(value, str):
        for place, sign in enumerate(value):
            for bit in range(7):
                yield value[:place] + chr(ord(sign) ^ 1 << bit) + value[place + 1 :]
    elif isinstance(value, int):
        for bit in range(7):
            yield value ^ 1 << bit


def changed(record: Wire, path: Path_, value: object) -> Wire:
    """``record`` with another value there. Nothing else is copied."""
    *way, last = path
    whole: Any = copy.copy(record)
    here = whole
    for name in way:
        here[name] = copy.copy(here[name])
        here = here[name]
    here[last] = value
    result: Wire = whole
    return result


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


def first(record: Wire, kind: str) -> Wire:
    """The first event of that kind."""
    found: Wire = next(event for step in record["steps"] for event in step["events"] if event["type"] == kind)
    return found


def swap_entropy(record: Wire) -> None:
    record["entropy"].reverse()
    first(record, "match_started")["entropy"].reverse()


def forget_entropy(record: Wire) -> None:
    del record["entropy"][0]
    del first(record, "match_started")["entropy"][0]


def invent_entropy(record: Wire) -> None:
    for entropy in (record["entropy"], first(record, "match_started")["entropy"]):
        entropy.append({"player": "zoe", "value": "00" * 32})


def leave_out_the_lot(record: Wire) -> None:
    del record["steps"][0]["events"][1]


def add_a_lot(record: Wire) -> None:
    *_, events = (step["events"] for step in record["steps"] if step["events"][-1]["type"] == "deal_started")
    events.insert(-1, {"type": "lot", "purpose": "lead", "seat": events[-1]["lead"]})


def swap_hands(record: Wire) -> None:
    first(record, "deal_started")["hands"].reverse()


def leave_out_a_step(record: Wire) -> None:
    del record["steps"][4]


def leave_out_a_step_and_count_on(record: Wire) -> None:
    leave_out_a_step(record)
    for seq, step in enumerate(record["steps"], record["steps"][0]["seq"]):
        step["seq"] = seq


def cut_off_the_end(record: Wire) -> None:
    del record["steps"][-1]


def have_no_steps(record: Wire) -> None:
    record["steps"] = []


def play_twice(record: Wire) -> None:
    step = next(step for step in record["steps"] if step["events"][0]["type"] == "played")
    step["events"] *= 2


def knock_instead(record: Wire) -> None:
    step = next(step for step in record["steps"] if step["events"][0]["type"] == "played")
    step["events"] = [{"type": "knocked", "seat": step["events"][0]["seat"]}]


def hide_a_drop(record: Wire) -> None:
    """F11."""
    dropped = next(e for step in record["steps"] for e in step["events"] if e["type"] == "played" and e["dropped"])
    dropped["dropped"] = 0


def say_nothing_of_the_end_of_a_deal(record: Wire) -> None:
    step = next(step for step in record["steps"] if len(step["events"]) > 1 and step is not record["steps"][0])
    del step["events"][1:]


def go_on_after_the_end(record: Wire) -> None:
    record["steps"][-1]["events"].append({"type": "knocked", "seat": 0})


def begin_twice(record: Wire) -> None:
    record["steps"][3]["events"].insert(0, record["steps"][0]["events"][0])


def break_off_earlier(record: Wire) -> None:
    del record["steps"][6:]
    ended = {"type": "match_ended", "winner": 0, "scores": [0, 0, 0], "seed": record["seed"], "record": record["id"]}
    record["steps"].append({"seq": record["steps"][-1]["seq"] + 1, "at": 9.0, "events": [ended]})


def add_what_is_unknown(record: Wire) -> None:
    record["steps"][3]["events"].insert(0, {"type": "peeked", "seat": 0})


def add_an_unknown_field(record: Wire) -> None:
    first(record, "played")["luck"] = 1


def have_one_player_more(record: Wire) -> None:
    record["players"].append({"player": None, "bot": "club", "name": "Zoe"})


def name_another_winner(record: Wire) -> None:
    record["winner"] = (record["winner"] + 1) % 3


def take_back_what_has_not_happened(record: Wire) -> None:
    record["steps"][3]["events"].insert(0, {"type": "undone", "to": record["steps"][5]["seq"]})


def say_a_truth_for_a_number(record: Wire) -> None:
    record["steps"][0]["events"][2]["number"] = True


def say_what_makes_no_sense(record: Wire) -> None:
    first(record, "played")["tile"] = None


CHANGES: list[tuple[Callable[[Wire], None], str]] = [
    (swap_entropy, "entropy: not in the order of the seats"),
    (forget_entropy, "by seed and rules"),
    (invent_entropy, "entropy: not in the order of the seats, or of somebody who has none"),
    (leave_out_the_lot, "deal_started: lot must come here"),
    (add_a_lot, "lot: deal_started must come here"),
    (swap_hands, "deal_started.hands: "),
    (leave_out_a_step, "where step"),
    (leave_out_a_step_and_count_on, "not your turn"),
    (cut_off_the_end, "steps: the match does not end"),
    (have_no_steps, "steps: the match does not end"),
    (play_twice, "against the rules"),
    (knock_instead, "knocked: against the rules: can play"),
    (hide_a_drop, "played.dropped: 0 in the record"),
    (say_nothing_of_the_end_of_a_deal, ": deal_ended is missing"),
    (go_on_after_the_end, "knocked: after the end of the match"),
    (begin_twice, "match_started: in the middle of the match"),
    (break_off_earlier, "match_ended: nothing leads to it"),
    (add_what_is_unknown, "does not match any of the expected tags"),
    (add_an_unknown_field, 'played.luck: 1 in the record, nothing by seed and rules'),
    (have_one_player_more, "players: 4 for 3 seats"),
    (name_another_winner, "in match_ended"),
    (take_back_what_has_not_happened, "is no earlier step of this match"),
    (say_a_truth_for_a_number, "deal_started.number: true in the record, 1 by seed and rules"),
    (say_what_makes_no_sense, "it makes no sense"),
]  # fmt: skip


def match_of_two_people() -> Wire:
    """A match for three: two people, who have both added entropy, and a bot. Some events are dropped by the target."""
    driver = Driver(game="fives-threes", seats=3, seed=0, target=20)
    driver.say(BOB, "join")
    driver.say(BOB, "next", entropy="b0" * 32)
    driver.say(ANN, "start", entropy="a0" * 32)
    rng = random.Random(4)
    while driver.table.match is None or not driver.table.match.over:
        if driver.table.turn is None:
            driver.say(ANN, "next")
            driver.say(BOB, "next")
        else:
            driver.act(rng.randrange(5))
    return record_of(driver).to_wire()


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
    assert all(line.startswith("  proved: ") for line in lines[1:-1])
    assert len(lines) == 7
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
    "content", [b"", b"{", b"[]", b"[" * 100_000, b"\x1f\x8bno", b"\xff\xfe", b'{"format": 1}', b"null"]
)
def test_the_command_fails_at_what_is_no_record(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "none.json"
    path.write_bytes(content)

    status, lines = run(str(path))

    assert status == 1
    assert lines[0].startswith(f"{path}: not a record: ")


def test_the_command_fails_where_there_is_no_file(tmp_path: Path) -> None:
    assert run(str(tmp_path / "missing.json"))[0] == 1
