"""The line to Redis: what redis-py has to be told, and what its errors mean, in one place.

redis-py repeats a command by itself whose answer is lost, and so may do it twice; it answers in shapes that depend on
the protocol; it raises when its pool is empty; and it writes commands, seeds and all, into the texts of errors.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeAlias

from redis._parsers.socket import SERVER_CLOSED_CONNECTION_ERROR
from redis.asyncio import ConnectionPool, Redis, RedisCluster
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import (
    AuthenticationError,
    NoPermissionError,
    NoScriptError,
    ReadOnlyError,
    RedisClusterException,
    RedisError,
    ResponseError,
)
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from server.store.base import StoreError
from server.store.redis import scripts
from server.store.redis.address import is_remote

Command: TypeAlias = Sequence[str | bytes | int | float]

PASSWORD = "DOUBLESIX_REDIS_PASSWORD"  # noqa: S105 - a name
"""The variable of the environment that holds the password, where an address has none: others can read arguments."""
SHUT_OUT = "(Redis on another machine takes nobody from here before it is told to, by `bind` and `requirepass`)"
"""All that Redis says to whom it does not take, by its protected mode or by where it listens, is to hang up."""
CONNECTIONS = 16
"""To one server, at most."""
WAIT = 10.0
"""Seconds that a command may wait for a free one: all players may come back at once."""
TIMEOUT = 3.0
"""Seconds that an answer may take: less than a lease, more than a busy moment of ours."""
CONNECT_TIMEOUT = 2.0
"""Seconds that a connection may take."""

_LOST = (RedisConnectionError, RedisTimeoutError, ReadOnlyError)
"""After these, and after all that is not an answer of Redis, the server may be another one, or a demoted one: its
connections are of no more use."""
_NOT_NOW = ("BUSY", "CLUSTERDOWN", "LOADING", "MASTERDOWN", "MISCONF", "NOREPLICAS", "OOM", "TRYAGAIN", "UNKILLABLE")
"""With these Redis refuses what it may do later."""


class Client:
    """Commands to a Redis server or to a Redis Cluster. Every method raises `StoreError` if there is no answer."""

    def __init__(self, redis: Redis | RedisCluster, connections: int) -> None:
        self._redis = redis
        self._free = asyncio.Semaphore(connections)
        """No command asks for a connection that the pool does not have."""
        self._is_closed = False

    @classmethod
    async def connect(cls, url: str, connections: int = CONNECTIONS, answer_within: float | None = None) -> Client:
        """A line to the server at ``url``, and to all of its cluster if it is part of one.

        An answer may take ``answer_within`` seconds, or `TIMEOUT`.

        Raises:
            StoreError: there is no answer.
        """
        client = cls(
            Redis.from_pool(ConnectionPool.from_url(url, **_settings(connections, answer_within))), connections
        )
        try:
            (info,) = await client.infos()
        except StoreError as error:
            await client.close()
            if _is_shut_out(error.__cause__, url):
                raise StoreError(f"{error} {SHUT_OUT}") from error
            raise
        if not info.get("cluster_enabled"):
            return client
        await client.close()
        return await cls._connect_cluster(url, connections, answer_within)

    @classmethod
    async def _connect_cluster(cls, url: str, connections: int, answer_within: float | None) -> Client:
        try:
            redis = RedisCluster.from_url(url, **_settings(connections, answer_within))
            await redis.initialize()
        except RedisClusterException as error:  # of no command, so that its text can be told
            raise StoreError(f"the Redis Cluster cannot be used: {error}") from error
        except Exception as error:
            raise StoreError(_text(error)) from error
        return cls(redis, connections)

    async def infos(self) -> list[dict[str, Any]]:
        """What each primary server says of itself."""
        return await self._ask_each("INFO")

    async def run_ids(self) -> frozenset[str]:
        """One life of each primary server: another one where a server was started anew, or a replica has taken over."""
        return frozenset(str(info["run_id"]) for info in await self._ask_each("INFO", "server"))

    async def settings(self, name: str) -> list[str | None]:
        """How each primary server is set; None where there is no such setting.

        Raises:
            StoreError: no answer, or they keep it to themselves.
        """
        return [settings.get(name) for settings in await self._ask_each("CONFIG GET", name)]

    async def _ask_each(self, *command: str) -> list[Any]:
        """What each primary server answers to ``command``."""
        async with self._connection():
            if not isinstance(self._redis, RedisCluster):
                return [await self._redis.execute_command(*command)]  # type: ignore[no-untyped-call]
            await self._redis.initialize()
            servers = self._redis.get_primaries()
            return [await self._redis.execute_command(*command, target_nodes=[server]) for server in servers]

    async def call(self, *command: str | bytes | int | float) -> Any:  # noqa: ANN401 - whatever the command answers
        """Do ``command``."""
        (answer,) = await self.call_all([command])
        return answer

    async def call_all(self, commands: Sequence[Command]) -> list[Any]:
        """Do ``commands``, in one round trip to each server that they are for. They are not one transaction.

        A script that a server does not know, because it was started anew, is sent to it first. Who is cancelled waits
        no more; the commands are done all the same, so that no connection is left with an answer that nobody reads.
        """
        return await self._shielded(commands, lambda _: False)

    async def post_all(self, commands: Sequence[Command]) -> list[str]:
        """Do ``commands`` as `call_all` does, but those that Redis refuses for good: what it says to them is given."""
        answers = await self._shielded(commands, _is_final)
        return [_text(answer) for answer in answers if isinstance(answer, Exception)]

    async def _shielded(self, commands: Sequence[Command], may_be: Callable[[Exception], bool]) -> list[Any]:
        if not commands:
            return []
        doing = asyncio.ensure_future(self._call_all(commands, may_be))
        doing.add_done_callback(_is_known)
        return await asyncio.shield(doing)

    async def _call_all(self, commands: Sequence[Command], may_be: Callable[[Exception], bool]) -> list[Any]:
        """The answers, among them those errors that ``may_be``."""
        async with self._connection():
            answers = await self._pipeline(commands)
            missing = [place for place, answer in enumerate(answers) if isinstance(answer, NoScriptError)]
            if missing:
                for script in scripts.ALL:
                    await self._redis.script_load(script.source)
                again = await self._pipeline([commands[place] for place in missing])
                answers = [again.pop(0) if isinstance(answer, NoScriptError) else answer for answer in answers]
            for answer in answers:
                if isinstance(answer, Exception) and not may_be(answer):
                    raise answer
            return answers

    async def _pipeline(self, commands: Sequence[Command]) -> list[Any]:
        pipeline = self._redis.pipeline(transaction=False)
        for command in commands:
            pipeline.execute_command(*command)
        # Not raising: redis-py would write the command into the text of the error.
        return list(await pipeline.execute(raise_on_error=False))

    async def scan(self, pattern: str) -> AsyncIterator[bytes]:
        """The names of all keys like ``pattern``; one may come twice."""
        async with self._connection():
            async for key in self._redis.scan_iter(pattern, count=1000):
                yield key

    async def close(self) -> None:
        """Release everything. Closing again does nothing."""
        self._is_closed = True
        with suppress(Exception):  # as in `_drop_connections`
            await self._redis.aclose()

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[None]:
        """Around what needs a connection: one is free, and what goes wrong is a `StoreError`."""
        if self._is_closed:
            raise StoreError("the store is closed")
        try:
            async with asyncio.timeout(WAIT):
                await self._free.acquire()
        except TimeoutError as error:
            raise StoreError("too many commands wait for Redis") from error
        try:
            yield
        except Exception as error:
            # Of any kind: uvloop says RuntimeError of a connection that was closed while redis-py opened it.
            if not isinstance(error, RedisError) or isinstance(error, _LOST):
                await self._drop_connections()
            raise StoreError(_text(error)) from error
        finally:
            self._free.release()

    async def _drop_connections(self) -> None:
        """Let the next command find out anew which server is the primary one."""
        with suppress(Exception):  # of connections that are broken; they are of no more use, however they end
            if isinstance(self._redis, RedisCluster):
                await self._redis.aclose()
            else:
                await self._redis.connection_pool.disconnect(inuse_connections=False)


def _is_known(done: asyncio.Future[list[Any]]) -> None:
    """What went wrong is no news to the event loop, though who has waited was cancelled."""
    if not done.cancelled():
        done.exception()


def _is_final(error: Exception) -> bool:
    """Whether Redis would say so each time that it is asked."""
    return type(error) in (ResponseError, NoPermissionError) and str(error).partition(" ")[0] not in _NOT_NOW


def _is_shut_out(cause: BaseException | None, url: str) -> bool:
    """Whether a first attempt has failed as it does where Redis takes nobody from here."""
    if not isinstance(cause, RedisConnectionError) or isinstance(cause, AuthenticationError):
        return False
    match cause.__context__:
        case ConnectionRefusedError():
            return is_remote(url)
        case ConnectionError():
            return True
        case _:
            return SERVER_CLOSED_CONNECTION_ERROR in str(cause)


def _settings(connections: int, answer_within: float | None) -> dict[str, Any]:
    return {
        # What the address says goes before it.
        "password": os.environ.get(PASSWORD) or None,
        "max_connections": connections,
        # Replies have one shape, whatever the library would choose.
        "protocol": 2,
        # A command whose answer was lost is repeated by who knows that it may be.
        "retry": Retry(NoBackoff(), 0),
        "socket_timeout": answer_within or TIMEOUT,
        "socket_connect_timeout": CONNECT_TIMEOUT,
    }


def _text(error: Exception) -> str:
    """What went wrong, without anything of the command: it may hold seeds."""
    if isinstance(error, ResponseError):
        return str(error).partition(", with args")[0]
    if isinstance(error, RedisError | OSError):
        return f"{type(error).__name__}: {error}"
    return type(error).__name__
