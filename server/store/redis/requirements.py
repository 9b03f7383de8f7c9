"""What a Redis server must be so that nothing that players were told is lost."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import structlog

from server.clock import SystemClock
from server.store.base import CLOCK_ERROR, DatabaseRefused, StoreError
from server.store.redis import keys
from server.store.redis.client import Client

OLDEST = (6, 2)
FORMAT = 1
"""The version of what is kept and under which names."""
SAFE = "set appendonly to yes and appendfsync to always"
UNFINISHED = "unfinished"
"""Stands in place of the version while another store is moved here, and after it by whom."""

logger = structlog.get_logger(__name__)


async def check(client: Client) -> None:
    """Look at every server before the first step is written to it.

    Raises:
        DatabaseRefused: it would lose steps, is too old, its clock is another one, or it holds what a newer version
            wrote, or a part of another store.
        StoreError: out of reach.
    """
    await check_servers(client)
    check_clock(SystemClock().time(), await time_of(client))
    await mark(client)
    await check_format(client)
    await _warn_unsynced(client)


async def time_of(client: Client) -> float:
    """The time by the clock of Redis, in seconds.

    Raises:
        StoreError: out of reach.
    """
    seconds, microseconds = await client.call("TIME")
    return float(int(seconds) + int(microseconds) / 1_000_000)


async def mark(client: Client) -> bool:
    """Put up the version of what is kept there. Whether there was none: then there was nothing of ours.

    Raises:
        StoreError: out of reach.
    """
    return await client.call("SET", keys.FORMAT, FORMAT, "NX") is not None


def check_clock(now: float, theirs: float) -> None:
    """Refuse to begin where clocks differ: the others would take over deadlines that are wrong by as much.

    Raises:
        DatabaseRefused: by how much ``now`` is not what Redis says.
    """
    error = now - theirs
    if abs(error) > CLOCK_ERROR:
        raise DatabaseRefused(
            f"the clock of this machine is {abs(error):.0f} seconds {'ahead of' if error > 0 else 'behind'} that of "
            "Redis: set both by a time server"
        )


async def check_servers(client: Client) -> None:
    """Refuse servers that would lose steps, or are too old.

    Raises:
        DatabaseRefused: with what to change.
        StoreError: out of reach.
    """
    infos = await client.infos()
    for info in infos:
        check_server(info)
    if not all(info.get("aof_enabled") for info in infos):
        await _check_snapshots(client)


async def check_format(client: Client) -> None:
    """Refuse what is kept there, if it is not for this version.

    Raises:
        DatabaseRefused: saying why.
        StoreError: out of reach.
    """
    found = (await client.call("GET", keys.FORMAT) or b"").decode()
    if not found:
        raise DatabaseRefused("there is nothing of ours in this Redis")
    if is_unfinished(found):
        raise DatabaseRefused("this Redis holds a part of another store: say `doublesix migrate` again, to its end")
    if found != str(FORMAT):
        raise DatabaseRefused(f"this Redis holds data of version {found}; this program knows version {FORMAT}")


def is_unfinished(mark: str) -> bool:
    """Whether another store is moved here, or was and not to its end."""
    return mark.startswith(UNFINISHED)


def check_server(info: Mapping[str, Any]) -> None:
    """Refuse a server by what it says of itself.

    Raises:
        DatabaseRefused: with what to change.
    """
    version = str(info.get("redis_version", "0"))
    if tuple(int(part) for part in re.findall(r"\d+", version)[:2]) < OLDEST:
        raise DatabaseRefused(f"Redis {version} is too old: 6.2 or later is needed")
    if info.get("role") != "master":
        raise DatabaseRefused("this Redis is a replica: give the address of the primary server")
    policy = info.get("maxmemory_policy", "noeviction")
    if policy != "noeviction":  # a limit may be set at any time
        raise DatabaseRefused(
            f"this Redis throws data away when its memory is full (maxmemory-policy {policy}): set it to noeviction"
        )


async def _check_snapshots(client: Client) -> None:
    """Without the append-only file there are at most snapshots now and then. A server may keep to itself whether."""
    if "" in await _settings(client, "save"):
        raise DatabaseRefused(f"this Redis keeps nothing over a restart: {SAFE}")
    logger.warning("redis.snapshots_only", advice=f"{SAFE}: a restart of Redis loses the last minutes")


async def _warn_unsynced(client: Client) -> None:
    is_on_disk = set(await _settings(client, "appendfsync")) == {"always"}
    if not is_on_disk and "no" not in await _settings(client, "appendonly"):
        logger.warning("redis.unsynced", advice=f"{SAFE}: a power cut of Redis may lose the last seconds")


async def _settings(client: Client, name: str) -> list[str | None]:
    """How each server is set; None where it does not say so, as those do not that others look after."""
    try:
        return await client.settings(name)
    except StoreError:
        return [None]
