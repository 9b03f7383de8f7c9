"""Whoever pauses, and whatever answer is lost: a room has one history."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from server.store.base import Step
from tests.redis_cluster import redis_cluster
from tests.redis_contest import ROOM, Contest, faults, hold
from tests.redis_line import line_to
from tests.redis_servers import RedisServer

WANTED = 100
"""Steps; more of them where pauses and losses are still to come."""


async def test_five_owners_make_one_history_on_a_line_that_loses_answers(each_redis: RedisServer) -> None:
    rng = random.Random(7)
    async with line_to(each_redis) as line:
        line.loses = lambda said: b"EVALSHA" in said and rng.random() < 0.05

        contest, log = await hold(line.url, 1, WANTED)

    assert faults(contest, log) == []


async def test_five_owners_make_one_history_in_a_cluster(tmp_path: Path) -> None:
    with redis_cluster(tmp_path) as cluster:
        contest, log = await hold(cluster.url, 2, WANTED, loses=0.05)

    assert faults(contest, log) == []


GOOD = [Step(ROOM, 1, 1, b"the first"), Step(ROOM, 2, 1, b"one"), Step(ROOM, 3, 2, b"two"), Step(ROOM, 4, 2, b"three")]


@pytest.mark.parametrize(
    ("log", "fault"),
    [
        ([GOOD[0], GOOD[1], GOOD[3]], "hole"),
        ([*GOOD[:3], replace(GOOD[3], epoch=1)], "goes down"),
        ([*GOOD[:3], replace(GOOD[3], payload=b"two")], "2 times"),
        ([*GOOD[:3], replace(GOOD[3], payload=b"other")], "not there"),
        (GOOD[:3], "not there"),
        ([*GOOD, Step(ROOM, 5, 2, b"nobody's")], "4 steps are there, 3 were accepted"),
    ],
)
def test_a_history_with_a_fault_is_found(log: list[Step], fault: str) -> None:
    contest = Contest(3, random.Random(), accepted=GOOD[1:])

    assert faults(contest, GOOD) == []
    assert any(fault in found for found in faults(contest, log))
