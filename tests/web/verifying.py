"""Runs the browser's verifier under node."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

VERIFY = Path(__file__).with_name("verify.mjs")


def verified_by_the_browser(records: Sequence[dict[str, Any]]) -> list[dict[str, list[str]]]:
    """For each record what the browser finds proved, and what wrong."""
    run = subprocess.run(["node", VERIFY], input=json.dumps(records), capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    found: list[dict[str, list[str]]] = json.loads(run.stdout)
    return found
