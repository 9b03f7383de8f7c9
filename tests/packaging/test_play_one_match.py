from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).with_name("play_one_match.py")


def test_what_is_installed_here_plays_a_match_too(tmp_path: Path) -> None:
    played = subprocess.run([sys.executable, SCRIPT], cwd=tmp_path, capture_output=True, text=True, check=False)

    assert played.stdout.splitlines()[-1] == "1 passed, 0 failed"
    assert played.returncode == 0


def test_a_match_that_cannot_be_played_fails(tmp_path: Path) -> None:
    broken = SCRIPT.read_text(encoding="utf-8").replace('"--store", "memory"', '"--store", "nowhere"')

    played = subprocess.run([sys.executable, "-c", broken], cwd=tmp_path, capture_output=True, text=True, check=False)

    assert played.stdout.splitlines()[-1] == "0 passed, 1 failed"
    assert played.returncode == 1
