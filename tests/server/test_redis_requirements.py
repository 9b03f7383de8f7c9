"""Which Redis servers are taken, and what is said of the others."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs
from typer.testing import CliRunner

from server.__main__ import app
from server.clock import SystemClock
from server.store.base import DatabaseRefused
from server.store.redis import keys
from server.store.redis.requirements import check_clock, check_server
from server.store.redis.store import RedisStore
from tests.redis_servers import NEWEST, RedisServer, every_version, redis_server

GOOD = {"redis_version": "7.0.15", "role": "master", "maxmemory": 0, "maxmemory_policy": "noeviction"}


@pytest.mark.parametrize(
    "said",
    [
        {"redis_version": "6.2.0"},
        {"redis_version": "10.0.1"},
        {"maxmemory": 10**9},
    ],
)
def test_a_server_that_loses_nothing_is_taken(said: dict[str, Any]) -> None:
    check_server(GOOD | said)


@pytest.mark.parametrize(
    ("said", "advice"),
    [
        ({"redis_version": "6.0.16"}, "6.2 or later"),
        ({"redis_version": "5.0"}, "6.2 or later"),
        ({"role": "slave"}, "primary"),
        ({"maxmemory": 10**9, "maxmemory_policy": "allkeys-lru"}, "noeviction"),
        ({"maxmemory": 0, "maxmemory_policy": "allkeys-lru"}, "noeviction"),
        ({"maxmemory": 10**9, "maxmemory_policy": "volatile-ttl"}, "noeviction"),
    ],
)
def test_a_server_that_would_lose_something_is_refused_with_what_to_change(said: dict[str, Any], advice: str) -> None:
    with pytest.raises(DatabaseRefused, match=advice):
        check_server(GOOD | said)


@every_version
async def test_a_server_that_keeps_nothing_is_refused(tmp_path: Path, version: str) -> None:
    with (
        redis_server(tmp_path, version, "--appendonly", "no", "--save", "") as server,
        pytest.raises(DatabaseRefused, match="appendonly"),
    ):
        await RedisStore.open(server.url)


async def test_a_server_that_keeps_snapshots_alone_is_taken_with_a_warning(tmp_path: Path) -> None:
    with redis_server(tmp_path, NEWEST, "--appendonly", "no", "--save", "60 1") as server, capture_logs() as logs:
        await (await RedisStore.open(server.url)).close()

    assert [entry["event"] for entry in logs] == ["redis.snapshots_only"]


@pytest.mark.parametrize("policy", ["everysec", "no"])
async def test_a_server_that_syncs_too_late_is_taken_with_a_warning(tmp_path: Path, policy: str) -> None:
    settings = ("--appendonly", "yes", "--appendfsync", policy)
    with redis_server(tmp_path, NEWEST, *settings) as server, capture_logs() as logs:
        await (await RedisStore.open(server.url)).close()

    assert [entry["event"] for entry in logs] == ["redis.unsynced"]
    assert "appendfsync to always" in logs[0]["advice"]


async def test_a_server_that_does_not_say_how_it_syncs_is_taken_with_a_warning(tmp_path: Path) -> None:
    with redis_server(tmp_path, NEWEST, "--rename-command", "CONFIG", "") as server, capture_logs() as logs:
        await (await RedisStore.open(server.url)).close()

    assert [entry["event"] for entry in logs] == ["redis.unsynced"]


async def test_a_safe_server_is_taken_without_a_word(one_redis: RedisServer) -> None:
    with capture_logs() as logs:
        await (await RedisStore.open(one_redis.url)).close()

    assert logs == []


async def test_what_a_newer_version_wrote_is_left_alone(one_redis: RedisServer) -> None:
    with one_redis.client() as client:
        client.set(keys.FORMAT, 2)

        with pytest.raises(DatabaseRefused, match="version 2"):
            await RedisStore.open(one_redis.url)

        assert client.get(keys.FORMAT) == "2"


@pytest.mark.parametrize(("error", "said"), [(301.0, "301 seconds ahead of"), (-86400.0, "86400 seconds behind")])
def test_a_clock_that_is_not_that_of_redis_is_refused(error: float, said: str) -> None:
    check_clock(1000.0 + error / 300, 1000.0)

    with pytest.raises(DatabaseRefused, match=said):
        check_clock(1000.0 + error, 1000.0)


async def test_a_server_with_a_wrong_clock_does_not_begin(
    one_redis: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = SystemClock().time()
    monkeypatch.setattr(SystemClock, "time", lambda _: right + 3600.0)

    with pytest.raises(DatabaseRefused, match="ahead of that of Redis"):
        await RedisStore.open(one_redis.url)

    with one_redis.client() as client:
        assert client.keys() == []


async def test_a_server_process_says_why_it_does_not_start(tmp_path: Path) -> None:
    settings = ("--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru")
    with redis_server(tmp_path, NEWEST, *settings) as server:
        started = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "server", "serve", "--port", "0", "--store", server.url, stdout=PIPE, stderr=PIPE
        )
        _, said = await started.communicate()

    assert started.returncode == 1
    assert said.decode().startswith("doublesix: this Redis throws data away")


@pytest.mark.parametrize("store", ["postgres://here", "redis://", "redis://user:word@here?protocol=3"])
def test_a_store_that_is_none_is_refused_without_its_password(store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.logs.configure", lambda: None)  # it would outlive this test

    refused = CliRunner().invoke(app, ["serve", "--store", store])

    assert refused.exit_code == 2
    assert "doublesix: store: " in refused.output
    assert "word" not in refused.output
