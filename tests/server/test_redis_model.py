"""The model of the scripts that simulations use answers what real servers answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from redis import Redis

from server.store.base import Outcome, Step
from server.store.redis import keys, scripts
from server.store.redis.client import Command
from server.store.redis.rooms import Rooms, _step
from tests.redis_servers import RedisServer
from tests.simulation.redis_model import RedisModel

ROOM, OTHER = "AAAAAA", "BBBBBB"
PROCESSES = ("ann", "bob")
OWNER = "owner"
TAIL = 3
Wish: TypeAlias = tuple[int, int, bytes, bool, bytes | None]
"""Places from the next number; epochs from that of the room; and what is in the step."""


class Both:
    """A real server and the model, asked the same and compared."""

    def __init__(self, server: Redis) -> None:
        self.model = RedisModel()
        self._server = server
        self._server.flushall()
        for script in scripts.ALL:
            self._server.script_load(script.source)

    def _do(self, command: Command) -> Any:
        return self._server.execute_command(*command)  # type: ignore[no-untyped-call]

    def append(self, me: str, code: str, wishes: list[Wish]) -> None:
        """Steps from the newest one on, or nearly so; OWNER writes them who has the room."""
        room = self.model.room(code)
        me = (room.owner or PROCESSES[0]) if me == OWNER else me
        steps: list[Step] = []
        for offset, later, payload, closes, checkpoint in wishes:
            seq = (steps[-1].seq if steps else room.head) + 1 + offset
            there = [step for step in room.log if step.seq == seq and later == 0]
            steps += there or [Step(code, seq, room.epoch + later, payload, closes, checkpoint)]
        answer = self._do(Rooms(None, None, me)._append(code, steps))  # type: ignore[arg-type]
        assert [Outcome[name.decode()] for name in answer] == self.model.append(me, code, steps)

    def claim(self, me: str, code: str, seen: tuple[str, int] | None, now: int) -> None:
        """With ``seen``, or with what there is to see."""
        room = self.model.room(code)
        seen = seen or (room.owner, room.epoch)
        answer = self._do(scripts.CLAIM.call((keys.owner(code), keys.log(code)), me, *seen, now))
        assert tuple(part.decode() for part in answer) == self.model.claim(me, code, seen, now)

    def release(self, me: str, code: str) -> None:
        answer = self._do(scripts.RELEASE.call((keys.owner(code),), me))
        assert bool(answer) == self.model.release(me, code)

    def trim(self, code: str, before: int) -> None:
        answer = self._do(scripts.TRIM.call((keys.log(code), keys.checkpoints(code)), before, TAIL))
        assert answer == self.model.trim(code, before, TAIL)

    def note_last(self, code: str, record: str) -> None:
        self._do(scripts.NOTE_LAST.call((keys.log(code), keys.last_record(code)), record))
        self.model.note_last(code, record)

    def drop(self, code: str) -> None:
        answer = self._do(scripts.DROP.call((keys.owner(code), keys.log(code), keys.checkpoints(code))))
        assert answer == self.model.drop(code)

    def expire(self, code: str) -> None:
        ends = [key for key in self._server.scan_iter(f"ds:{{{code}}}:*") if self._server.ttl(key) >= 0]
        for key in ends:
            self._server.delete(key)
        self.model.expire(code)

    def compare(self, code: str) -> None:
        """All that is there of a room."""
        room = self.model.room(code)
        entries: Any = self._server.xrange(keys.log(code))
        assert [_step(code, *entry) for entry in entries] == room.log
        loaded = self._do(scripts.LOAD.call((keys.log(code), keys.checkpoints(code)), TAIL))
        assert [_step(code, *entry) for entry in loaded] == self.model.load(code, TAIL)
        held: Any = self._server.hmget(keys.owner(code), "n", "e")
        owner, epoch = held
        assert ((owner or b"").decode(), int(epoch or 0)) == (room.owner, room.epoch)
        last: Any = self._server.get(keys.last_record(code))
        assert (last or b"").decode() == (room.last_record or "")
        marked: Any = self._server.zrange(keys.checkpoints(code), 0, -1)
        assert [int(seq) for seq in marked] == [step.seq for step in room.log if step.checkpoint is not None]


code = st.sampled_from([ROOM] * 4 + [OTHER])
process = st.sampled_from(PROCESSES)
wish = st.tuples(
    st.sampled_from([0] * 8 + [-3, -2, -1, 1]),
    st.sampled_from([0] * 8 + [-1, 1]),
    st.sampled_from([b"", b"one", b"two"]),
    st.sampled_from([False] * 19 + [True]),
    st.sampled_from([None, None, b"so far"]),
)
appended = st.tuples(
    st.just("append"), st.sampled_from([OWNER] * 4 + [*PROCESSES]), code, st.lists(wish, min_size=1, max_size=4)
)
seen = st.one_of(st.none(), st.none(), st.tuples(process, st.integers(0, 3)))
asked = st.one_of(
    appended,
    appended,
    appended,
    st.tuples(st.just("claim"), process, code, seen, st.sampled_from([0, 20])),
    st.tuples(st.just("release"), process, code),
    st.tuples(st.just("trim"), code, st.integers(0, 20)),
    st.tuples(st.just("note_last"), code, st.sampled_from(["r1", "r2"])),
    st.tuples(st.just("expire"), code),
    st.tuples(st.just("drop"), code),
)


@pytest.fixture
def server(each_redis: RedisServer) -> Iterator[Redis]:
    with Redis.from_url(each_redis.url) as client:
        yield client


@settings(max_examples=60, suppress_health_check=list(HealthCheck))
@given(course=st.lists(asked, min_size=30, max_size=60))
def test_the_model_answers_what_a_server_answers(server: Redis, course: list[tuple[Any, ...]]) -> None:
    both = Both(server)

    for kind, *values in course:
        getattr(both, kind)(*values)
        both.compare(ROOM)
    both.compare(OTHER)
