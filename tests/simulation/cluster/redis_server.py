"""A Redis server without a server: the few commands that ours use, on virtual time.

What scripts do to rooms is `RedisModel`'s; what the others do is held to real servers by
`tests/server/test_redis_model_places.py`. The rest is as the manual of Redis says.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

import msgpack

from server.store.base import Step
from server.store.redis import keys, scripts
from server.store.redis.client import Command
from server.store.redis.rooms import KEPT_CLOSED
from tests.simulation.redis_model import RedisModel, Room
from tests.simulation.setting import UNIX

Word: TypeAlias = str | bytes | int | float
Do: TypeAlias = Callable[..., Any]


class RedisServer:
    """Every command happens at once. ``now`` gives seconds; ``written`` takes each step that becomes durable."""

    def __init__(self, now: Callable[[], float], written: Callable[[Step], None]) -> None:
        self.rooms = RedisModel()
        self.losing = 0
        """So many of the next batches for an inbox are lost, as if it had been full: of those that say something."""
        self._now = now
        self._written = written
        self._values: dict[str, Any] = {keys.FORMAT: b"1"}
        self._ends: dict[str, float] = {}
        self._entries = 0
        self._waiting: dict[str, list[asyncio.Event]] = {}
        self._scripts: dict[str, Do] = {
            scripts.APPEND.sha: self._append, scripts.CLAIM.sha: self._claim, scripts.RELEASE.sha: self._release,
            scripts.LOAD.sha: self._load, scripts.TRIM.sha: self._trim, scripts.NOTE_LAST.sha: self._note_last,
            scripts.ARRIVE.sha: self._arrive, scripts.DEPART.sha: self._depart, scripts.KEEP.sha: self._keep,
            scripts.MEET.sha: self._meet, scripts.DROP.sha: self._drop,
        }  # fmt: skip

    def do(self, command: Command) -> Any:
        """Do ``command``, and answer as redis-py does."""
        name, *words = command
        return getattr(self, f"_do_{str(name).lower()}")(*words)

    def holds(self, key: str) -> Any:
        """What there is under ``key``; None if there is nothing."""
        self._forget_what_has_ended(key)
        return self._values.get(key)

    def wakes(self, key: str, event: asyncio.Event) -> None:
        """Set ``event`` when there is a new entry in that stream."""
        self._waiting.setdefault(key, []).append(event)

    # Keys

    def _forget_what_has_ended(self, key: str) -> None:
        if self._ends.get(key, self._now() + 1) <= self._now():
            self._remove(key)

    def _remove(self, key: str) -> bool:
        self._ends.pop(key, None)
        return self._values.pop(key, None) is not None

    def _made(self, key: str, kind: type[Any]) -> Any:
        self._forget_what_has_ended(key)
        return self._values.setdefault(key, kind())

    def _tidy(self, key: str) -> None:
        """There is nothing like an empty set."""
        if not self._values.get(key):
            self._remove(key)

    def _do_get(self, key: str) -> bytes | None:
        if key.endswith("}:last"):
            last = self._room(key).last_record
            return None if last is None else last.encode()
        value: bytes | None = self.holds(key)
        return value

    def _do_set(self, key: str, value: Word, *options: Word) -> bool | None:
        if "NX" in options and self.holds(key) is not None:
            return None
        self._remove(key)
        self._values[key] = _bytes(value)
        for unit, seconds in (("PX", 0.001), ("EX", 1.0)):
            if unit in options:
                self._ends[key] = self._now() + seconds * float(options[options.index(unit) + 1])
        return True

    def _do_del(self, *names: str) -> int:
        return sum(self._remove(key) for key in names)

    def _do_exists(self, key: str) -> int:
        return int(self.holds(key) is not None)

    def _do_expire(self, key: str, seconds: Word) -> int:
        if self.holds(key) is not None:
            self._ends[key] = self._now() + float(seconds)
        return int(key in self._ends)

    def _do_pttl(self, key: str) -> int:
        if self.holds(key) is None:
            return -2
        return round(1000 * (self._ends[key] - self._now())) if key in self._ends else -1

    def _do_time(self) -> tuple[int, int]:
        return int(UNIX + self._now()), 0

    def _do_ping(self) -> bool:
        return True

    # Sets, hashes, sorted sets. Redis has no order in the first two; here it is that of what happened.

    def _do_sadd(self, key: str, *members: Word) -> int:
        return _added(self._made(key, dict), members)

    def _do_srem(self, key: str, *members: Word) -> int:
        removed = sum(self._made(key, dict).pop(_bytes(member), 0) is None for member in members)
        self._tidy(key)
        return removed

    def _do_smembers(self, key: str) -> list[bytes]:
        return list(self.holds(key) or ())

    def _do_hset(self, key: str, field: Word, value: Word) -> int:
        self._made(key, dict)[_bytes(field)] = _bytes(value)
        return 1

    def _do_hdel(self, key: str, field: Word) -> int:
        removed = self._made(key, dict).pop(_bytes(field), None) is not None
        self._tidy(key)
        return int(removed)

    def _do_hgetall(self, key: str) -> dict[bytes, bytes]:
        return dict(self.holds(key) or {})

    def _do_hmget(self, key: str, *_: Word) -> list[bytes | None]:
        room = self._room(key)
        return [room.owner.encode(), str(room.epoch).encode()] if room.epoch else [None, None]

    def _do_hget(self, key: str, _: Word) -> bytes | None:
        room = self._room(key)
        return room.owner.encode() if room.epoch else None

    def _do_zadd(self, key: str, *words: Word) -> int:
        scores = [word for word in words if word not in ("NX", "XX")]
        members = self._made(key, dict)
        for score, member in zip(scores[::2], scores[1::2], strict=True):
            is_there = _bytes(member) in members
            if not (("NX" in words and is_there) or ("XX" in words and not is_there)):
                members[_bytes(member)] = float(score)
        self._tidy(key)
        return len(scores) // 2

    def _do_zrem(self, key: str, *members: Word) -> int:
        removed = sum(self._made(key, dict).pop(_bytes(member), None) is not None for member in members)
        self._tidy(key)
        return removed

    def _do_zscore(self, key: str, member: Word) -> float | None:
        score: float | None = (self.holds(key) or {}).get(_bytes(member))
        return score

    def _do_zrange(self, key: str, first: int, last: int) -> list[bytes]:
        assert (first, last) == (0, -1)
        return [member for _, member in self._by_score(key)]

    def _do_zrangebyscore(self, key: str, _: Word, below: str, __: Word, first: int, count: int) -> list[bytes]:
        most = float(below.removeprefix("("))
        return [member for score, member in self._by_score(key) if score < most][first : first + count]

    def _by_score(self, key: str) -> list[tuple[float, bytes]]:
        return sorted((score, member) for member, score in (self.holds(key) or {}).items())

    # Lists

    def _do_lpush(self, key: str, *values: Word) -> int:
        values_there = self._made(key, list)
        values_there[:0] = [_bytes(value) for value in reversed(values)]
        return len(values_there)

    def _do_rpop(self, key: str, count: int) -> list[bytes]:
        values_there = self._made(key, list)
        popped = [values_there.pop() for _ in range(min(count, len(values_there)))]
        self._tidy(key)
        return popped

    def _do_lrange(self, key: str, first: int, last: int) -> list[bytes]:
        assert (first, last) == (0, -1)
        return list(self.holds(key) or ())

    # Streams

    def _do_xadd(self, key: str, *words: Word) -> bytes:
        fields = words[words.index("*") + 1 :]
        self._entries += 1
        number = f"{self._entries}-0"
        if self.losing and _says_something(fields):
            self.losing -= 1
            return number.encode()
        pairs = zip(fields[::2], fields[1::2], strict=True)
        self._made(key, list).append((number.encode(), {_bytes(name): _bytes(value) for name, value in pairs}))
        for event in self._waiting.pop(key, ()):
            event.set()
        return number.encode()

    def _do_xread(self, *words: Word) -> list[list[Any]]:
        place = words.index("STREAMS")
        key, last = str(words[place + 1]), _number(words[place + 2])
        most = int(words[words.index("COUNT") + 1])
        found = [entry for entry in self.holds(key) or () if _number(entry[0]) > last]
        return [[key.encode(), found[:most]]] if found else []

    def _do_xtrim(self, key: str, _: Word, first: Word) -> int:
        entries = self.holds(key) or []
        kept = [entry for entry in entries if _number(entry[0]) >= _number(first)]
        removed = len(entries) - len(kept)
        entries[:] = kept
        self._tidy(key)
        return removed

    def _do_xrange(self, key: str, first: str, _: Word, *most: Word) -> list[tuple[bytes, list[Word]]]:
        steps = [step for step in self._room(key).log if step.seq >= _number(first)]
        return [_entry(step) for step in (steps[: int(most[1])] if most else steps)]

    def _do_xrevrange(self, key: str, *_: Word) -> Sequence[Any]:
        if "{" not in key:
            return (self.holds(key) or ())[-1:]  # of an inbox, that of no room
        return [_entry(step) for step in self._room(key).log[-1:]]

    # Scripts

    def _do_evalsha(self, sha: str, count: int, *words: Word) -> Any:
        return self._scripts[sha](words[:count], words[count:])

    def _room(self, key: str) -> Room:
        code = _code(key)
        if self._ends.get(code, self._now() + 1) <= self._now():
            del self._ends[code]
            self.rooms.expire(code)
        return self.rooms.room(code)

    def _append(self, names: Sequence[str], words: Sequence[Word]) -> list[bytes]:
        room = self._room(names[0])
        steps = list(_steps(_code(names[0]), words[2:]))
        head = room.head
        outcomes = self.rooms.append(str(words[0]), _code(names[0]), steps)
        for step in room.log:
            if step.seq > head:
                self._written(step)
        if room.log and not room.is_open:
            self._ends.setdefault(_code(names[0]), self._now() + KEPT_CLOSED)
        return [outcome.name.encode() for outcome in outcomes]

    def _claim(self, names: Sequence[str], words: Sequence[Word]) -> list[bytes]:
        me, owner, epoch, now = words
        self._room(names[0])
        said = self.rooms.claim(str(me), _code(names[0]), (str(owner), int(_bytes(epoch))), int(now))
        return [word.encode() for word in said]

    def _release(self, names: Sequence[str], words: Sequence[Word]) -> int:
        return int(self.rooms.release(str(words[0]), _code(names[0])))

    def _load(self, names: Sequence[str], words: Sequence[Word]) -> list[tuple[bytes, list[Word]]]:
        return [_entry(step) for step in self.rooms.load(_code(names[0]), int(words[0]))]

    def _trim(self, names: Sequence[str], words: Sequence[Word]) -> int:
        return self.rooms.trim(_code(names[0]), int(words[0]), int(words[1]))

    def _note_last(self, names: Sequence[str], words: Sequence[Word]) -> None:
        self.rooms.note_last(_code(names[0]), str(words[0]))

    def _arrive(self, names: Sequence[str], words: Sequence[Word]) -> tuple[bytes | None, int]:
        before = self._do_get(names[0])
        known = 0 if before is None else int(before.rpartition(b" ")[2])
        since = max(known + 1, int(self._now() * 1_000_000))
        self._do_set(names[0], _bytes(words[0]) + b" %d" % since, "EX", words[1])
        return before, since

    def _depart(self, names: Sequence[str], words: Sequence[Word]) -> int:
        noted = self._do_get(names[0])
        is_there = noted is not None and noted.rpartition(b" ")[0] == _bytes(words[0])
        return self._do_del(names[0]) if is_there else 0

    def _keep(self, names: Sequence[str], words: Sequence[Word]) -> bytes:
        message, code, instead_of, most, seconds = map(_bytes, words)
        kept: list[bytes] = self._made(names[0], list)
        for known, _, said in [entry.partition(b" ") for entry in kept]:
            if said == message and known != instead_of:
                return known
            if said == message:
                kept.remove(known + b" " + said)
        kept.insert(0, code + b" " + message)
        del kept[int(most) :]
        self._do_expire(names[0], float(seconds))
        return code

    def _drop(self, names: Sequence[str], _: Sequence[Word]) -> int:
        self._room(names[0])
        dropped = self.rooms.drop(_code(names[0]))
        if dropped:
            self._ends.pop(_code(names[0]), None)
        return dropped

    def _meet(self, names: Sequence[str], words: Sequence[Word]) -> bytes:
        named = self._do_get(names[0])
        if named and named != _bytes(words[1]):
            return named
        self._do_set(names[0], words[0], "EX", words[2])
        return _bytes(words[0])

    # For who looks on

    def open_rooms(self) -> dict[str, Room]:
        """The rooms that were not closed, by their codes."""
        return {code: room for code, room in self.rooms.rooms.items() if room.is_open}

    def unread(self, incarnation: str, last: str) -> bool:
        """Whether there is something in the inbox of that process after the entry ``last``."""
        return any(_number(number) > _number(last) for number, _ in self.holds(keys.inbox(incarnation)) or ())

    def keys(self, beginning: str) -> list[str]:
        """The names of what is kept that begin in this way."""
        return [key for key in list(self._values) if key.startswith(beginning) and self.holds(key) is not None]


def _bytes(word: Word) -> bytes:
    return word if isinstance(word, bytes) else str(word).encode()


def _added(members: dict[bytes, None], added: Sequence[Word]) -> int:
    before = len(members)
    members.update(dict.fromkeys(map(_bytes, added)))
    return len(members) - before


def _number(entry: Word) -> int:
    return int(_bytes(entry).partition(b"-")[0])


def _code(key: str) -> str:
    """The room that a key belongs to."""
    return key[key.index("{") + 1 : key.index("}")]


def _steps(room: str, words: Sequence[Word]) -> Iterator[Step]:
    """The steps among the arguments of append.lua."""
    place = 0
    while place < len(words):
        seq, size = int(words[place]), int(words[place + 1])
        named = words[place + 2 : place + 2 + size]
        fields = dict(zip(named[::2], named[1::2], strict=True))
        payload, checkpoint = fields["p"], fields.get("k")
        assert isinstance(payload, bytes)
        assert checkpoint is None or isinstance(checkpoint, bytes)
        yield Step(room, seq, int(fields["e"]), payload, "x" in fields, checkpoint)
        place += 2 + size


def _entry(step: Step) -> tuple[bytes, list[Word]]:
    fields: list[Word] = [b"e", str(step.epoch).encode(), b"p", step.payload]
    if step.checkpoint is not None:
        fields += [b"k", step.checkpoint]
    if step.closes:
        fields += [b"x", b"1"]
    return f"{step.seq}-0".encode(), fields


def _says_something(fields: Sequence[Word]) -> bool:
    """Whether there is more in a batch than that its sender is alive, which nobody would miss."""
    said = msgpack.unpackb(_bytes(fields[fields.index("d") + 1]))
    return any(item["kind"] != "here" for item in said)
