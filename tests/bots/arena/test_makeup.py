from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from bots.arena import makeup as makeups
from bots.arena.makeup import makeup
from bots.equity import table
from bots.policy import weights
from bots.search.levels import WORK
from bots.weights import CLUB


def test_players_of_other_weights_are_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = makeup("trained", "club")
    (tmp_path / "weights.json").write_text(weights.FILE.read_text().replace("0.1", "0.2"))
    monkeypatch.setattr(weights, "FILE", tmp_path / "weights.json")

    assert makeup("trained", "club") != before


def test_club_with_other_weights_is_another(monkeypatch: pytest.MonkeyPatch) -> None:
    before = makeup("club", "beginner")
    monkeypatch.setattr(makeups, "CLUB", {**CLUB, "draw": CLUB["block"]})

    assert makeup("club", "beginner") != before


def test_players_with_other_chances_to_win_are_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = makeup("expert", "club")
    shutil.copytree(table.FOLDER, tmp_path / "tables")
    shutil.copy(table.FOLDER / "block-2.json", tmp_path / "tables" / "draw-2.json")
    monkeypatch.setattr(table, "FOLDER", tmp_path / "tables")

    assert makeup("expert", "club") != before


def test_a_level_that_does_other_work_is_another_and_the_rest_are_as_they_were(monkeypatch: pytest.MonkeyPatch) -> None:
    before, rest = makeup("expert", "club"), makeup("strong", "club")
    monkeypatch.setattr(makeups, "WORK", {**WORK, "expert": WORK["master"]})

    assert makeup("expert", "club") != before
    assert makeup("strong", "club") == rest
