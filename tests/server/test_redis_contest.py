"""Whoever pauses, and whatever answer is lost: a room has one history."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from server.store.base import Step
from server.store.redis import scripts
from server.store.redis.scripts import Script
from tests.redis_cluster import RedisCluster
from tests.redis_contest import ROOM, Bar, Contest, faults, hold
from tests.redis_line import line_to
from tests.redis_servers import RedisServer

ROUNDS = 300
LOSES = 0.05
ALL_KINDS = {"WRITTEN", "ALREADY_THERE", "CONFLICT", "FENCED", "lost"}


async def test_five_owners_make_one_history_on_a_line_that_loses_answers(each_redis: RedisServer) -> None:
    rng = random.Random(7)
    async with line_to(each_redis) as line:
        line.loses = lambda said: b"EVALSHA" in said and rng.random() < LOSES

        contest, log = await hold(line.url, 1, ROUNDS)

    assert faults(contest, log) == []
    assert set(contest.outcomes) == ALL_KINDS
    assert contest.releases


async def test_five_owners_make_one_history_in_a_cluster(cluster: RedisCluster) -> None:
    contest, log = await hold(cluster.url, 2, ROUNDS, LOSES)

    assert faults(contest, log) == []
    assert set(contest.outcomes) == ALL_KINDS
    assert contest.releases


FENCE = "owner ~= me or tonumber(entry[2]) < epoch"
PLANTED = {
    "the owner is not looked at": (FENCE, "tonumber(entry[2]) < epoch", "came after"),
    "the epoch is not looked at": (FENCE, "owner ~= me", "came after"),
    "there is no fence": (FENCE, "false", "came after"),
    "the number is not looked at": ("closed or seq ~= head + 1", "closed", "a hole"),
    "what stands there is not looked at": ("if stands_there(seq, entry)", "if false", "steps are there"),
}
"""What is wrong in the script, how it gets so, and what the contest has to say of it."""


@pytest.fixture(params=PLANTED)
def fault(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """What there is to find of a script in which something was removed."""
    good, bad, fault = PLANTED[request.param]
    assert scripts.APPEND.source.count(good) == 1
    planted = Script.of(scripts.APPEND.source.replace(good, bad))
    monkeypatch.setattr(scripts, "ALL", [planted if script == scripts.APPEND else script for script in scripts.ALL])
    monkeypatch.setattr(scripts, "APPEND", planted)
    return fault


async def test_the_contest_finds_what_is_missing_in_the_script(one_redis: RedisServer, fault: str) -> None:
    contest, log = await hold(one_redis.url, 3, ROUNDS, LOSES)

    assert any(fault in found for found in faults(contest, log))


async def test_the_contest_finds_what_is_missing_in_the_script_in_a_cluster(cluster: RedisCluster, fault: str) -> None:
    contest, log = await hold(cluster.url, 4, ROUNDS, LOSES)

    assert any(fault in found for found in faults(contest, log))


GOOD = [Step(ROOM, 1, 1, b"the first"), Step(ROOM, 2, 1, b"one"), Step(ROOM, 3, 2, b"two"), Step(ROOM, 4, 2, b"three")]
CLAIMS = [Bar(2, 2), Bar(5, 4)]


@pytest.mark.parametrize(
    ("log", "fault"),
    [
        ([GOOD[0], GOOD[1], GOOD[3]], "hole"),
        ([*GOOD[:3], replace(GOOD[3], epoch=1)], "goes down"),
        ([*GOOD[:2], replace(GOOD[2], epoch=1), GOOD[3]], "came after"),
        ([*GOOD, Step(ROOM, 5, 4, b"late")], "came after"),
        ([*GOOD[:3], replace(GOOD[3], payload=b"two")], "2 times"),
        ([*GOOD[:3], replace(GOOD[3], payload=b"other")], "not there"),
        (GOOD[:3], "not there"),
        ([*GOOD, Step(ROOM, 5, 5, b"nobody's")], "4 steps are there, 3 were accepted"),
    ],
)
def test_a_history_with_a_fault_is_found(log: list[Step], fault: str) -> None:
    contest = Contest(0, random.Random(), accepted=GOOD[1:], claims=CLAIMS)

    assert faults(contest, GOOD) == []
    assert any(fault in found for found in faults(contest, log))


def test_an_epoch_that_two_were_given_is_found() -> None:
    contest = Contest(0, random.Random(), accepted=GOOD[1:], claims=[*CLAIMS, CLAIMS[1]])

    assert faults(contest, GOOD) == ["an epoch was given out twice"]
