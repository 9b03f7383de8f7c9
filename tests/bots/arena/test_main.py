"""`python -m bots.arena`."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bots.arena.__main__ import main


def ladder(monkeypatch: pytest.MonkeyPatch, logs: Path, *options: str) -> None:
    """A small one, with ``options``."""
    small = ("--games", "block", "--seats", "2", "--levels", "novice", "beginner", "--matches", "2")
    monkeypatch.setattr(sys, "argv", ["arena", "--logs", str(logs), *small, *options])
    main()


def test_the_tables_of_what_was_played_are_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    ladder(monkeypatch, tmp_path)

    said = capsys.readouterr()
    assert "| game | seats | beginner / novice |" in said.out
    assert "block for 2: beginner over novice" in said.err


@pytest.mark.parametrize(
    "options", [("--gain", "0"), ("--gain", "nan"), ("--gain", "0.5"), ("--matches", "1"), ("--far", "1")]
)
def test_what_says_nothing_is_refused_before_anything_is_played(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, options: tuple[str, str]
) -> None:
    with pytest.raises(SystemExit) as refused:
        ladder(monkeypatch, tmp_path, *options)

    assert refused.value.code == 2
    assert options[0] in capsys.readouterr().err
    assert not [*tmp_path.iterdir()]


def test_a_rung_of_other_players_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    ladder(monkeypatch, tmp_path)
    monkeypatch.setattr("bots.arena.log.makeup", lambda *_levels: "others")

    with pytest.raises(SystemExit, match=r"block-2-beginner-novice.jsonl is of another run"):
        ladder(monkeypatch, tmp_path)
