"""A store that forgets everything when the process ends: for tests, and for tables that need not last."""

from __future__ import annotations

from collections.abc import Sequence

from server.store.base import Outcome, Step, StoreError
from server.store.index import Index


class MemoryStore:
    """Keeps open rooms, the rooms closed last, and players."""

    def __init__(self) -> None:
        self._index: Index[Step] = Index(list)
        self._players: dict[bytes, str] = {}
        self._is_open = True

    async def append(self, steps: Sequence[Step]) -> Sequence[Outcome]:
        """See `Store`."""
        await self.ping()
        outcomes = self._index.sort_out(steps, lambda step: step)
        for step, outcome in zip(steps, outcomes, strict=True):
            if outcome is Outcome.WRITTEN:
                self._index.add(step.room, step)
                if step.closes:
                    self._index.close(step.room)
        return outcomes

    async def load(self, room: str) -> Sequence[Step]:
        """See `Store`."""
        await self.ping()
        return tuple(self._index.rows(room))

    async def open_rooms(self) -> Sequence[Sequence[Step]]:
        """See `Store`."""
        await self.ping()
        return [tuple(self._index.rows(room)) for room in self._index.open_rooms()]

    async def add_player(self, token_hash: bytes, player: str) -> None:
        """See `Store`."""
        await self.ping()
        self._players[token_hash] = player

    async def find_player(self, token_hash: bytes) -> str | None:
        """See `Store`."""
        await self.ping()
        return self._players.get(token_hash)

    async def ping(self) -> None:
        """See `Store`."""
        if not self._is_open:
            raise StoreError("the store is closed")

    async def close(self) -> None:
        """See `Store`."""
        self._is_open = False
