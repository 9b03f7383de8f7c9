"""A store that forgets everything when the process ends: for tests, and for tables that need not last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from server.store.base import Claimed, Held, Outcome, Step, StoreError
from server.store.index import Index


@dataclass(slots=True)
class _Player:
    name: str
    last_seen: float


@dataclass(frozen=True, slots=True)
class _Record:
    room: str
    payload: bytes
    at: float


class MemoryStore:
    """Keeps open rooms, the rooms closed last, players and records."""

    def __init__(self) -> None:
        self._index: Index[Step] = Index(list)
        self._players: dict[bytes, _Player] = {}
        self._records: dict[str, _Record] = {}
        self._last_records: dict[str, str] = {}
        """By open room, the id of its last one."""
        self._is_open = True

    async def append(self, steps: Sequence[Step]) -> Sequence[Outcome]:
        """See `Store`."""
        await self.ping()
        outcomes = self._index.sort_out(steps, lambda step: step)
        for step, outcome in zip(steps, outcomes, strict=True):
            if outcome is Outcome.WRITTEN:
                self._index.add(step.room, step.seq, step, has_checkpoint=step.checkpoint is not None)
                if step.closes:
                    self._index.close(step.room)
                    self._last_records.pop(step.room, None)
        return outcomes

    async def load(self, room: str) -> Sequence[Step]:
        """See `Store`."""
        await self.ping()
        return tuple(self._index.tail(room))

    async def history(self, room: str, first: int = 1, limit: int | None = None) -> Sequence[Step]:
        """See `Store`."""
        await self.ping()
        return tuple(self._index.history(room, first, limit))

    async def open_rooms(self) -> Sequence[Sequence[Step]]:
        """See `Store`."""
        await self.ping()
        return [tuple(self._index.tail(room)) for room in self._index.open_rooms()]

    async def claim(self, room: str, now: float) -> Claimed | Held | None:
        """See `Store`."""
        await self.ping()
        return self._index.claim(room, now, lambda step: step)

    async def release(self, room: str) -> None:  # noqa: ARG002 - there is nobody else
        """See `Store`."""
        await self.ping()

    async def trim(self, needed: Mapping[str, int]) -> None:
        """See `Store`."""
        await self.ping()
        for room, seq in needed.items():
            self._index.trim(room, seq)

    async def clear(self, limit: int) -> int:  # noqa: ARG002 - there is nothing to limit
        """See `Store`. They have left the memory with the index."""
        await self.ping()
        return 0

    async def add_player(self, token_hash: bytes, player: str, at: float) -> None:
        """See `Store`."""
        await self.ping()
        self._players[token_hash] = _Player(player, at)

    async def find_player(self, token_hash: bytes, at: float) -> str | None:
        """See `Store`."""
        await self.ping()
        player = self._players.get(token_hash)
        if player is None:
            return None
        player.last_seen = at
        return player.name

    async def seen(self, players: Sequence[str], at: float) -> None:
        """See `Store`."""
        await self.ping()
        known = set(players)
        for player in self._players.values():
            if player.name in known:
                player.last_seen = at

    async def forget_players(self, before: float, limit: int) -> int:
        """See `Store`."""
        await self.ping()
        absent = [token_hash for token_hash, player in self._players.items() if player.last_seen < before]
        for token_hash in absent[:limit]:
            del self._players[token_hash]
        return len(absent[:limit])

    async def add_record(self, record: str, room: str, payload: bytes, at: float) -> None:
        """See `Store`."""
        await self.ping()
        if record not in self._records:
            self._records[record] = _Record(room, payload, at)
            if self._index.find(room) is not None:
                self._last_records[room] = record

    async def record(self, record: str) -> bytes | None:
        """See `Store`."""
        await self.ping()
        kept = self._records.get(record)
        return None if kept is None else kept.payload

    async def last_record(self, room: str) -> bytes | None:
        """See `Store`."""
        await self.ping()
        return await self.record(self._last_records.get(room, ""))

    async def forget_records(self, before: float, limit: int) -> int:
        """See `Store`."""
        await self.ping()
        old = [record for record, kept in self._records.items() if kept.at < before][:limit]
        for record in old:
            gone = self._records.pop(record)
            if self._last_records.get(gone.room) == record:
                del self._last_records[gone.room]
        return len(old)

    async def time(self, now: float) -> float:
        """See `Store`. Nobody shares it."""
        return now

    async def ping(self) -> None:
        """See `Store`."""
        if not self._is_open:
            raise StoreError("the store is closed")

    async def close(self) -> None:
        """See `Store`."""
        self._is_open = False
