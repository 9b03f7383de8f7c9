from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from server.__main__ import app

FIRST = """
import json, sys
for line in sys.stdin:
    print(json.dumps({"action": json.loads(line)["legal"][0]["action"]}), flush=True)
"""


def arena(*options: str) -> Result:
    """The command with ``options``, in a small run."""
    return CliRunner().invoke(app, ["arena", "--game", "block", "--seats", "2", "--deals", "3", *options])


def reported(*options: str) -> Any:
    """What it prints as JSON."""
    result = arena(*options, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_two_levels_meet_and_the_report_says_on_what_terms() -> None:
    report = reported("--a", "club", "--b", "novice", "--seed", "7")

    assert report["settings"] | {"a": "club", "b": "novice", "seed": 7, "seats": 2} == report["settings"]
    assert report["samples"] == 3
    assert 0 <= report["won"]["mean"] <= 1
    assert report["ms"]["a"] > 0


def test_the_same_seed_gives_the_same_report() -> None:
    one, other = (reported("--a", "novice", "--b", "novice") for _ in range(2))

    assert one["points"] == other["points"]
    assert one["won"] == other["won"]


def test_a_program_can_be_entered(tmp_path: Path) -> None:
    program = tmp_path / "first.py"
    program.write_text(FIRST)

    report = reported("--a", f"cmd:{sys.executable} {program}", "--b", "novice")

    assert report["faults"] == {"a": 0, "b": 0}
    assert report["ms"]["a"] > 0


def test_what_a_program_failed_to_answer_is_counted() -> None:
    report = reported("--a", f"cmd:{sys.executable} -c pass", "--b", "novice")

    assert report["faults"]["a"] > 0


def test_people_are_told_the_same_in_words() -> None:
    result = arena("--a", "club", "--b", "beginner")

    assert result.exit_code == 0
    assert "club against beginner: block, 2 seats, 3 samples" in result.stdout
    assert "matches won" in result.stdout


def test_a_run_is_taken_up_where_it_was(tmp_path: Path) -> None:
    log = str(tmp_path / "run")
    arena("--a", "club", "--b", "novice", "--log", log)
    before = (tmp_path / "run").read_text()

    resumed = reported("--a", "club", "--b", "novice", "--log", log)

    assert resumed["samples"] == 3
    assert (tmp_path / "run").read_text() == before


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--a", "genius", "--b", "novice"), "there is no level genius"),
        (("--a", "cmd:/no/such/program", "--b", "novice"), "/no/such/program"),
        (("--a", "cmd:", "--b", "novice"), "no program is named"),
        (("--a", "novice", "--b", "cmd: "), "no program is named"),
        (("--a", "club", "--b", "novice", "--game", "chess"), "there is no game chess"),
    ],
)
def test_what_cannot_be_played_is_refused(options: tuple[str, ...], why: str) -> None:
    result = arena(*options)

    assert result.exit_code == 2
    assert why in result.stderr


@pytest.mark.parametrize("gain", ["0", "-0.1", "0.5", "2", "nan", "inf"])
def test_a_gain_that_no_share_can_have_is_refused(gain: str) -> None:
    result = arena("--a", "club", "--b", "novice", "--deals", "21", "--gain", gain)

    assert result.exit_code == 2
    assert "--gain" in result.stderr


def test_single_deals_are_not_asked_whether_a_half_of_the_matches_is_won() -> None:
    result = arena("--a", "club", "--b", "novice", "--single", "--gain", "0.1")

    assert result.exit_code == 2
    assert "--single" in result.stderr


def test_one_side_of_three_is_not_asked_whether_it_wins_a_half() -> None:
    result = arena("--seats", "3", "--a", "club", "--b", "novice", "--alone", "--gain", "0.1")

    assert result.exit_code == 2
    assert "--alone" in result.stderr
