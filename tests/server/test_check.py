from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from server.commands.check import run
from tests.engine.transcripts import FILES, by_id

RECORD = by_id("worked-f-example-15")
STEPS = len(RECORD["deals"][0]["steps"])


def written(path: Path, *records: object) -> Path:
    """``path``, with a record a line."""
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="ascii")
    return path


def damaged() -> dict[str, Any]:
    record: dict[str, Any] = json.loads(json.dumps(RECORD))
    record["deals"][0]["steps"][0]["total"] += 1
    return record


def test_all_recorded_matches_are_agreed_with(capsys: pytest.CaptureFixture[str]) -> None:
    code = run(FILES)

    assert capsys.readouterr().out == "522 transcripts, 12038 steps, 0 differences\n"
    assert code == 0


def test_a_difference_is_told_with_its_file_its_transcript_and_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path / "one.jsonl", damaged())

    code = run([file])

    assert capsys.readouterr().out.splitlines() == [
        f"{file}: worked-f-example-15: deal 1, step 1: total: expected 9, got 10",
        f"1 transcripts, {STEPS} steps, 1 differences",
    ]
    assert code == 1


def test_a_packed_file_is_read_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "one.jsonl.gz"
    file.write_bytes(gzip.compress(json.dumps(RECORD).encode()))

    assert run([file]) == 0
    assert capsys.readouterr().out == f"1 transcripts, {STEPS} steps, 0 differences\n"


def test_files_are_summed_and_one_that_fails_hides_no_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [
        tmp_path / "none.jsonl",
        written(tmp_path / "good.jsonl", RECORD),
        written(tmp_path / "bad.jsonl", damaged()),
    ]

    assert run(files) == 1
    assert capsys.readouterr().out.splitlines()[-1] == f"2 transcripts, {2 * STEPS} steps, 2 differences"


def test_a_transcript_that_is_there_twice_is_a_difference(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = run([written(tmp_path / "twice.jsonl", RECORD, RECORD)])

    assert "id worked-f-example-15 is used twice" in capsys.readouterr().out
    assert code == 1


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n",
        b"{",
        b"nothing",
        b"null",
        b"[]",
        b"\xff\xfe",
        b'{"id": "\\ud800"}',
        b'{"seats": ' + b"9" * 5000 + b"}",
        b"[" * 100_000,
        b'{"format": ' + b"[" * 900 + b"]" * 900 + b"}",
    ],
)
def test_what_is_no_transcript_is_one_difference_and_no_traceback(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_bytes(content)

    assert run([file]) == 1
    assert capsys.readouterr().out.splitlines()[-1].endswith("0 steps, 1 differences")


@pytest.mark.parametrize("content", [b"", b"not packed", gzip.compress(json.dumps(RECORD).encode())[:-9]])
def test_a_packed_file_that_is_damaged_is_a_difference(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "bad.jsonl.gz"
    file.write_bytes(content)

    assert run([file]) == 1
    assert str(file) in capsys.readouterr().out


def test_a_folder_is_no_file_of_transcripts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([tmp_path]) == 1
    assert "cannot be read" in capsys.readouterr().out
