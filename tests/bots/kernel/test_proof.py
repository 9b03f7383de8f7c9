"""`make kernel-proof`, in small."""

from __future__ import annotations

import re
import sys

import pytest

from tests.bots.kernel import proof
from tests.bots.positions import EVERY_TABLE


def proved(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], steps: int) -> list[int]:
    """How many steps there were at each table, of so many asked for in all."""
    monkeypatch.setattr(sys, "argv", ["proof", "--steps", str(steps)])
    assert proof.main() == 0
    return [int(told) for told in re.findall(r": (\d+) steps;", capsys.readouterr().out)]


def test_no_proof_is_so_short_that_a_table_is_left_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    steps = proved(monkeypatch, capsys, 1)

    assert len(steps) == len(EVERY_TABLE)
    assert min(steps) > 0


def test_the_steps_asked_for_are_shared_evenly(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    steps = proved(monkeypatch, capsys, 3000)

    assert min(steps) >= 3000 / len(EVERY_TABLE)
    assert max(steps) < 2 * min(steps)
