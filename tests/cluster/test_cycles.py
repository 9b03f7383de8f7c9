from __future__ import annotations

import random
from pathlib import Path

from tests.cluster.cycles import Plan, cluster_cycles
from tests.cluster.standstill import distribution, longest_gap

NOTICED = 20.0
"""Seconds after which players at a frozen node must play elsewhere: nginx gives it twelve, and they come back."""


async def test_a_cluster_to_which_everything_happens_loses_nothing(tmp_path: Path) -> None:
    told: list[str] = []
    plan = Plan(kills=1, freezes=1, redis_restarts=1, drains=1)

    report, standstill = await cluster_cycles(tmp_path, plan, rooms=4, rng=random.Random(2), tell=told.append)

    assert report.violations == []
    assert len(told) == 4
    assert report.playing == 4
    assert standstill.killed
    assert standstill.frozen
    assert max(standstill.frozen_acts) < NOTICED
    assert standstill.drained


def test_the_longest_time_between_two_is_found() -> None:
    assert longest_gap([1.0, 5.0, 6.0, 8.0], since=5.5) == 2.0
    assert longest_gap([1.0, 5.0, 6.0, 8.0], since=4.0) == 4.0
    assert longest_gap([1.0], since=0.0) == 0.0


def test_a_distribution_names_the_middle_and_the_end() -> None:
    assert distribution([float(n) for n in range(1, 101)]) == "100 times, median 50.00 s, p95 95.00 s, longest 100.00 s"
