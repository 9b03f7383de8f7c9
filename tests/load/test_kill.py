from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from tests.load.kill_cycles import kill_cycles, restart_gently


@pytest.mark.parametrize(("durability", "cycles"), [("process", 5), ("power", 2)])
async def test_a_server_that_is_killed_again_and_again_loses_nothing(
    durability: str, cycles: int, tmp_path: Path
) -> None:
    told: list[str] = []

    report = await kill_cycles(tmp_path, durability, cycles, rooms=3, rng=random.Random(2), tell=told.append)

    assert report.violations == []
    assert len(told) == cycles
    assert report.reconnections >= cycles
    assert report.acknowledged >= cycles
    assert report.playing == 3


async def test_a_server_that_is_told_to_end_loses_nothing_either(tmp_path: Path) -> None:
    report = await restart_gently(tmp_path, rooms=3, rng=random.Random(3))

    assert report.violations == []
    assert report.cuts == {"1012": 12}
    assert report.reconnections == 12


async def test_a_server_that_comes_back_with_an_older_state_is_found_out(tmp_path: Path) -> None:
    store, copy = tmp_path / "store", tmp_path / "copy"

    def go_back(cycle: int) -> None:
        if cycle == 1:
            shutil.copytree(store, copy)
        else:
            shutil.rmtree(store)
            shutil.copytree(copy, store)

    report = await kill_cycles(
        tmp_path, "power", cycles=2, rooms=1, rng=random.Random(4), tell=lambda _line: None, meanwhile=go_back
    )

    assert {"reset", "altered"} <= report.by_fault.keys()
    assert report.lost > 0
