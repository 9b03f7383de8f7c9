"""What simulations take for the scripts that concern no room answers what real servers answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from redis import Redis

from server.store.redis import keys, scripts
from server.store.redis.client import Command
from tests.redis_servers import RedisServer
from tests.simulation.cluster import redis_server as simulated

ANN, BOB = "ann", "bob"
PLACES = ("one 1", "one 2", "two 1")
CODES = ("AAAAAA", "BBBBBB", "CCCCCC")
MESSAGES = ("1", "2", "a b", "", "AAAAAA 1", "é\n")
KEPT = 3
LIFETIMES = (10, 30)
AHEAD = 8 * 10**15
"""Microseconds: a time that is not near."""
WAIT = 7.0
"""Seconds; no number of them is near a lifetime, so that the time which the test itself takes does not count."""
NEAR = 3000
"""Milliseconds that it may take."""


class Both:
    """A real server and the simulated one, asked the same and compared."""

    def __init__(self, server: Redis) -> None:
        self._now = 0.0
        self._simulated = simulated.RedisServer(lambda: self._now, lambda _: None)
        self._server = server
        self._server.flushall()
        for script in scripts.ALL:
            self._server.script_load(script.source)

    def _do(self, command: Command) -> tuple[Any, Any]:
        return self._server.execute_command(*command), self._simulated.do(command)  # type: ignore[no-untyped-call]

    def _do_alike(self, command: Command) -> None:
        said, simulated_said = self._do(command)
        assert said == simulated_said

    def arrive(self, player: str, place: str, seconds: int) -> None:
        """The times are those of two clocks: each goes on from what is noted."""
        noted = self._noted(player)
        answers = self._do(scripts.ARRIVE.call((keys.connected(player),), place, seconds))
        for (before, since), noted_before, noted_now in zip(answers, noted, self._noted(player), strict=True):
            assert before == noted_before
            assert noted_now == b"%s %d" % (place.encode(), since)
            assert since > (0 if before is None else _since(before))

    def be_ahead(self, player: str, place: str) -> None:
        """The clock of another server, which was noted, is ahead: by it both go on alike."""
        self._do(("SET", keys.connected(player), f"{place} {AHEAD}", "EX", LIFETIMES[0]))

    def _noted(self, player: str) -> tuple[Any, Any]:
        return self._do(("GET", keys.connected(player)))

    def depart(self, player: str, place: str) -> None:
        self._do_alike(scripts.DEPART.call((keys.connected(player),), place))

    def keep(self, player: str, message: str, code: str, instead_of: str, seconds: int) -> None:
        self._do_alike(scripts.KEEP.call((keys.made(player),), message, code, instead_of, KEPT, seconds))

    def meet(self, seats: int, code: str, instead_of: str, seconds: int) -> None:
        self._do_alike(scripts.MEET.call((keys.meeting("draw", seats),), code, instead_of, seconds))

    def wait(self) -> None:
        """A real server cannot be made to wait: what has an end is as much nearer to it."""
        self._now += WAIT
        for key in self._server.scan_iter("ds:*"):
            left: Any = self._server.pttl(key)
            if left >= 0:
                self._server.pexpire(key, int(left - WAIT * 1000))

    def compare(self) -> None:
        """All that is there, and for how long."""
        looks: list[Command] = [("LRANGE", keys.made(player), 0, -1) for player in (ANN, BOB)]
        looks += [("GET", keys.meeting("draw", seats)) for seats in (2, 3)]
        for look in looks:
            self._do_alike(look)
        for player in (ANN, BOB):
            said, simulated_said = self._noted(player)
            assert _place(said) == _place(simulated_said)
        for key in (*(look[1] for look in looks), keys.connected(ANN), keys.connected(BOB)):
            left, simulated_left = self._do(("PTTL", key))
            assert left == simulated_left or 0 <= simulated_left - left < NEAR


def _place(noted: bytes | None) -> bytes | None:
    return noted and noted.rpartition(b" ")[0]


def _since(noted: bytes) -> int:
    return int(noted.rpartition(b" ")[2])


player = st.sampled_from([ANN, ANN, BOB])
place = st.sampled_from(PLACES)
code = st.sampled_from(CODES)
instead_of = st.sampled_from(["", "", *CODES])
seconds = st.sampled_from(LIFETIMES)
asked = st.one_of(
    st.tuples(st.just("arrive"), player, place, seconds),
    st.tuples(st.just("depart"), player, place),
    st.tuples(st.just("be_ahead"), player, place),
    st.tuples(st.just("keep"), player, st.sampled_from(MESSAGES), code, instead_of, seconds),
    st.tuples(st.just("keep"), player, st.sampled_from(MESSAGES), code, instead_of, seconds),
    st.tuples(st.just("meet"), st.sampled_from([2, 2, 3]), code, instead_of, seconds),
    st.tuples(st.just("wait")),
)


@pytest.fixture
def server(each_redis: RedisServer) -> Iterator[Redis]:
    with Redis.from_url(each_redis.url) as client:
        yield client


@settings(max_examples=40, suppress_health_check=list(HealthCheck))
@given(course=st.lists(asked, min_size=20, max_size=40))
def test_the_simulated_server_answers_what_a_server_answers(server: Redis, course: list[tuple[Any, ...]]) -> None:
    both = Both(server)

    for kind, *values in course:
        getattr(both, kind)(*values)
        both.compare()
