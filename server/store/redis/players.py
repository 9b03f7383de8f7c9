"""Players in Redis: who knows which token, and when they were here."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from server.store.base import SEEN_WITHIN, StoreError
from server.store.redis import keys
from server.store.redis.client import Client


class Players:
    """A player and the hash of the token lead to each other; `keys.SEEN` knows all that there are.

    They lie in different slots of a cluster, so nothing binds them together but the order in which they are written.
    """

    def __init__(self, client: Client) -> None:
        self._client = client

    async def add(self, token_hash: bytes, player: str, at: float) -> None:
        """Keep a player. Whom a token leads to can be forgotten later, since all else is written before."""
        await self._client.call("ZADD", keys.SEEN, at, player)
        await self._client.call("SET", keys.player(player), token_hash.hex())
        await self._client.call("SET", keys.token(token_hash), player)

    async def find(self, token_hash: bytes, at: float) -> str | None:
        """The player of a token's hash. Now and then it is noted that the player was seen, if that is possible."""
        found = await self._client.call("GET", keys.token(token_hash))
        if found is None:
            return None
        player = str(found.decode())
        with suppress(StoreError):
            last_seen = await self._client.call("ZSCORE", keys.SEEN, player)
            if last_seen is not None and at - last_seen >= SEEN_WITHIN:
                await self.seen([player], at)
        return player

    async def seen(self, players: Sequence[str], at: float) -> None:
        """Note when ``players`` were seen; who was forgotten stays so."""
        if players:
            await self._client.call("ZADD", keys.SEEN, "XX", *(value for player in players for value in (at, player)))

    async def forget(self, before: float, limit: int) -> int:
        """Forget up to ``limit`` players who were last seen before that; returns how many."""
        command = ("ZRANGEBYSCORE", keys.SEEN, "-inf", f"({before!r}", "LIMIT", 0, limit)
        players = [player.decode() for player in await self._client.call(*command)]
        if players:
            hashes = await self._client.call_all([("GET", keys.player(player)) for player in players])
            tokens = [keys.token(bytes.fromhex(value.decode())) for value in hashes if value is not None]
            gone = [*tokens, *map(keys.player, players), *map(keys.seats, players)]
            await self._client.call_all([("DEL", key) for key in gone])
            await self._client.call("ZREM", keys.SEEN, *players)
        return len(players)
