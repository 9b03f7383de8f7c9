"""Rooms in Redis: their logs, and who has them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from server.store.base import TAIL, Claimed, Held, Outcome, Step
from server.store.index import MAX_CLOSED
from server.store.redis import keys, scripts
from server.store.redis.client import Client, Command

KEPT_CLOSED = 600
"""Seconds for which the log of a closed room is kept at most: for steps that are sent again, and its last record."""
ABANDONED = 3600.0
"""Seconds after which a code without a log leaves the list of open rooms: its creation never became durable."""
AT_ONCE = 100
"""Rooms that are read in one round trip."""


class Rooms:
    """The rooms, as the process called ``incarnation`` writes to them through ``writer`` and reads by ``client``."""

    def __init__(self, client: Client, writer: Client, incarnation: str) -> None:
        self._client = client
        self._writer = writer
        self._me = incarnation

    async def append(self, steps: Sequence[Step]) -> list[Outcome]:
        """Write steps of any rooms, those of a room all together; one outcome each, as `Store.append` says.

        A room is in the list of open rooms before it has a log, and until its log has an end.
        """
        opened = [value for step in steps if step.seq == 1 for value in (step.epoch, step.room)]
        if opened:
            await self._writer.call("ZADD", keys.OPEN_ROOMS, "NX", *opened)
        runs: dict[str, list[Step]] = {}
        for step in steps:
            runs.setdefault(step.room, []).append(step)
        answers = await self._writer.call_all([self._append(room, run) for room, run in runs.items()])
        said = {room: iter(answer) for room, answer in zip(runs, answers, strict=True)}
        outcomes = [Outcome[next(said[step.room]).decode()] for step in steps]
        closed = [step.room for step, outcome in zip(steps, outcomes, strict=True) if step.closes and outcome.counts]
        if closed:
            await self._note_closed(closed)
        return outcomes

    async def _note_closed(self, rooms: Sequence[str]) -> None:
        """Of those that closed only the last ones are kept: who opens and closes rooms without end fills no memory."""
        noted = [("ZREM", keys.OPEN_ROOMS, *rooms), ("LPUSH", keys.CLOSED_ROOMS, *rooms)]
        _, count = await self._writer.call_all(noted)
        if count > MAX_CLOSED:
            surplus = await self._writer.call("RPOP", keys.CLOSED_ROOMS, count - MAX_CLOSED)
            await self._writer.call_all([self._drop(room.decode()) for room in surplus or ()])

    def _drop(self, room: str) -> Command:
        return scripts.DROP.call((keys.owner(room), keys.log(room), keys.checkpoints(room)))

    def _append(self, room: str, steps: Sequence[Step]) -> Command:
        arguments: list[str | bytes | int] = [self._me, KEPT_CLOSED]
        for step in steps:
            fields = fields_of(step)
            arguments += [step.seq, len(fields), *fields]
        touched = (keys.owner(room), keys.log(room), keys.checkpoints(room), keys.last_record(room))
        return scripts.APPEND.call(touched, *arguments)

    async def load(self, room: str) -> list[Step]:
        """The end of an open room's log, as `Store.load` says."""
        (log,) = await self._load([room])
        return log

    async def _load(self, rooms: Sequence[str]) -> list[list[Step]]:
        calls = [scripts.LOAD.call((keys.log(room), keys.checkpoints(room)), TAIL) for room in rooms]
        answers = await self._client.call_all(calls)
        return [[_step(room, *entry) for entry in answer] for room, answer in zip(rooms, answers, strict=True)]

    async def history(self, room: str, first: int, limit: int | None) -> list[Step]:
        """A room's log as far as it is there, as `Store.history` says."""
        most = () if limit is None else ("COUNT", limit)
        entries = await self._client.call("XRANGE", keys.log(room), f"{max(first, 1)}-0", "+", *most)
        return [_step(room, *entry) for entry in entries]

    async def codes(self) -> list[str]:
        """The codes in the list of open rooms. One may have no log yet, or have closed just now."""
        return [code.decode() for code in await self._client.call("ZRANGE", keys.OPEN_ROOMS, 0, -1)]

    async def open_rooms(self) -> list[list[Step]]:
        """The end of each open room's log. Codes without one, which a process left that was killed, are forgotten."""
        logs: list[list[Step]] = []
        for codes in _pieces(await self.codes()):
            found = await self._load(codes)
            logs += [log for log in found if log]
            await self._forget([code for code, log in zip(codes, found, strict=True) if not log])
        return logs

    async def _forget(self, codes: Sequence[str]) -> None:
        """Strike those off the list that were put there long ago: the others may be about to get their first step."""
        if not codes:
            return
        now, _ = await self._client.call("TIME")
        since = await self._client.call_all([("ZSCORE", keys.OPEN_ROOMS, code) for code in codes])
        old = [code for code, at in zip(codes, since, strict=True) if at is not None and at < int(now) - ABANDONED]
        if old:
            await self._client.call("ZREM", keys.OPEN_ROOMS, *old)

    async def trim(self, needed: Mapping[str, int]) -> None:
        """Remove the steps of open rooms that nobody needs any more, as `Store.trim` says."""
        calls = [
            scripts.TRIM.call((keys.log(room), keys.checkpoints(room)), seq, TAIL)
            for room, seq in needed.items()
            if seq > 1
        ]
        await self._client.call_all(calls)

    async def claim(self, room: str, now: float) -> Claimed | Held | None:
        """Take a room whose owner is this process, gone or nobody, as `Store.claim` says."""
        owner, epoch = await self._client.call("HMGET", keys.owner(room), "n", "e")
        by = (owner or b"").decode()
        if by not in {"", self._me} and (held := await self._held(by)):
            return held
        touched = (keys.owner(room), keys.log(room))
        claim = scripts.CLAIM.call(touched, self._me, by, epoch or "0", int(now))
        match await self._client.call(*claim):
            case [b"TAKEN", taken, head]:
                # Again, since a failover of the server that has the list may have lost it alone.
                await self._client.call("ZADD", keys.OPEN_ROOMS, "NX", int(taken), room)
                return Claimed(int(taken), int(head))
            case [b"HELD", other]:  # somebody was faster
                return await self._held(other.decode()) or Held(other.decode(), 0.0)
            case _:
                return None

    async def _held(self, incarnation: str) -> Held | None:
        """That this process has a room, if it is alive."""
        left = await self._client.call("PTTL", keys.alive(incarnation))
        return Held(incarnation, left / 1000) if left > 0 else None

    async def release(self, room: str) -> None:
        """Let another process have the room, if it is ours."""
        await self._client.call(*scripts.RELEASE.call((keys.owner(room),), self._me))

    async def owner(self, room: str) -> str | None:
        """The incarnation that has the room, alive or not."""
        by = await self._client.call("HGET", keys.owner(room), "n")
        return by.decode() if by else None

    async def owners(self) -> dict[str, str]:
        """The incarnation that has each open room, alive or not; empty where nobody has it.

        A code that nobody ever had has no log: it is left out, and forgotten as `open_rooms` does.
        """
        codes = await self.codes()
        found: dict[str, str] = {}
        for piece in _pieces(codes):
            owners = await self._client.call_all([("HGET", keys.owner(code), "n") for code in piece])
            found |= {code: by.decode() for code, by in zip(piece, owners, strict=True) if by is not None}
        await self._forget([code for code in codes if code not in found])
        return found

    async def heads(self, rooms: Sequence[str]) -> dict[str, int]:
        """The number of the newest step of each room, 0 where there is no log."""
        found: dict[str, int] = {}
        for piece in _pieces(rooms):
            asked = [("XREVRANGE", keys.log(room), "+", "-", "COUNT", 1) for room in piece]
            for room, newest in zip(piece, await self._client.call_all(asked), strict=True):
                found[room] = _step(room, *newest[0]).seq if newest else 0
        return found

    async def is_over(self, room: str) -> bool:
        """Whether there was a room of that code which has ended, not long ago."""
        newest = await self._client.call("XREVRANGE", keys.log(room), "+", "-", "COUNT", 1)
        return any(_step(room, *entry).closes for entry in newest)


def fields_of(step: Step) -> list[str | bytes]:
    """A step as an entry of a stream: epoch, payload, checkpoint and whether it is the last, in this order."""
    fields: list[str | bytes] = ["e", str(step.epoch), "p", step.payload]
    if step.checkpoint is not None:
        fields += ["k", step.checkpoint]
    if step.closes:
        fields += ["x", "1"]
    return fields


def _step(room: str, number: bytes, entry: Any) -> Step:  # noqa: ANN401 - a list from a script, a dict from redis-py
    """The step that an entry of a room's stream is."""
    fields = entry if isinstance(entry, dict) else dict(zip(entry[::2], entry[1::2], strict=True))
    seq = int(number.partition(b"-")[0])
    return Step(room, seq, int(fields[b"e"]), fields[b"p"], b"x" in fields, fields.get(b"k"))


def _pieces(codes: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(codes), AT_ONCE):
        yield codes[start : start + AT_ONCE]
