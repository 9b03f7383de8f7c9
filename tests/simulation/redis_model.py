"""What a Redis server makes of the store's scripts, without a server.

`tests/server/test_redis_model.py` holds it to what real ones answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from server.store.base import Outcome, Step


@dataclass
class Room:
    """What there is of one room."""

    owner: str = ""
    epoch: int = 0
    log: list[Step] = field(default_factory=list)
    """Without a gap; its beginning may have been trimmed."""
    last_record: str | None = None

    @property
    def head(self) -> int:
        """The number of the newest step."""
        return self.log[-1].seq if self.log else 0

    @property
    def is_open(self) -> bool:
        """There is a step, and none that closes."""
        return bool(self.log) and not self.log[-1].closes

    def beginning(self, seq: int) -> int:
        """The place in the log of the last step with a checkpoint up to step ``seq``; 0 if there is none."""
        places = (place for place, step in enumerate(self.log) if step.checkpoint is not None and step.seq <= seq)
        return max(places, default=0)


class RedisModel:
    """One server, or one cluster: the scripts, each of which happens at once."""

    def __init__(self) -> None:
        self.rooms: dict[str, Room] = {}

    def room(self, code: str) -> Room:
        """What there is of a room, nothing included."""
        return self.rooms.setdefault(code, Room())

    def append(self, me: str, code: str, steps: Sequence[Step]) -> list[Outcome]:
        """append.lua."""
        outcomes: list[Outcome] = []
        for step in steps:
            if outcomes and not outcomes[-1].counts:
                outcomes.append(outcomes[-1])
            else:
                outcomes.append(self._append(me, self.room(code), step))
        return outcomes

    def _append(self, me: str, room: Room, step: Step) -> Outcome:
        if step in room.log:
            return Outcome.ALREADY_THERE
        if room.log and (room.owner != me or step.epoch < room.epoch):
            return Outcome.FENCED
        if step.seq != room.head + 1 or (room.log and not room.is_open):
            return Outcome.CONFLICT
        if not room.log or step.epoch > room.epoch:
            room.owner, room.epoch = me, step.epoch
        room.log.append(step)
        if step.closes:
            room.last_record = None
        return Outcome.WRITTEN

    def claim(self, me: str, code: str, seen: tuple[str, int], now: int) -> tuple[str, ...]:
        """claim.lua; ``seen`` is who had the room and under which epoch when the caller looked."""
        room = self.room(code)
        if not room.is_open:
            return ("NONE",)
        if seen != (room.owner, room.epoch):
            return ("HELD", room.owner)
        room.owner, room.epoch = me, max(room.epoch + 1, room.log[-1].epoch + 1, now)
        return ("TAKEN", str(room.epoch), str(room.head))

    def release(self, me: str, code: str) -> bool:
        """release.lua."""
        room = self.room(code)
        if room.owner != me:
            return False
        room.owner = ""
        return True

    def load(self, code: str, tail: int) -> list[Step]:
        """load.lua."""
        room = self.room(code)
        return room.log[room.beginning(room.head - tail) :] if room.is_open else []

    def trim(self, code: str, before: int, tail: int) -> int:
        """trim.lua: how many steps it has removed."""
        room = self.room(code)
        if not room.is_open:
            return 0
        removed = room.beginning(min(before, room.head - tail))
        del room.log[:removed]
        return removed

    def note_last(self, code: str, record: str) -> None:
        """note_last.lua."""
        room = self.room(code)
        if room.is_open:
            room.last_record = record

    def drop(self, code: str) -> int:
        """drop.lua: how many keys are gone."""
        room = self.room(code)
        if not room.log or room.is_open:
            return 0
        del self.rooms[code]
        return 2 + any(step.checkpoint is not None for step in room.log)

    def expire(self, code: str) -> None:
        """A closed room's time is over."""
        if self.room(code).log and not self.room(code).is_open:
            del self.rooms[code]
