"""A Redis Cluster of three primary servers, none of which knows what the others hold."""

from __future__ import annotations

import random
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from redis import Redis

from tests.redis_servers import NEWEST, RedisServer, redis_server

SLOTS = 16384
BUS = 10_000
"""A server of a cluster listens on a second port, so far above its first."""
PATIENCE = 30.0
"""Seconds in which the servers must have found each other."""


class RedisCluster:
    """Three servers that share the slots."""

    def __init__(self, servers: list[RedisServer]) -> None:
        self.servers = servers

    @property
    def url(self) -> str:
        """The address of one of them."""
        return f"redis://127.0.0.1:{self.servers[0].port}"

    def clients(self) -> Iterator[Redis]:
        """A way to look at what each holds."""
        for server in self.servers:
            with server.client() as client:
                yield client

    def join(self) -> None:
        """Share the slots out, and return when each server knows all of them."""
        share = -(-SLOTS // len(self.servers))
        for number, client in enumerate(self.clients()):
            _cluster(client, "ADDSLOTS", *range(number * share, min(SLOTS, (number + 1) * share)))
            _cluster(client, "MEET", "127.0.0.1", self.servers[0].port)
        self.wait()

    def wait(self) -> None:
        """Return when each server can be asked for all that is there."""
        deadline = time.monotonic() + PATIENCE
        while not all(_is_whole(client, len(self.servers)) for client in self.clients()):
            if time.monotonic() > deadline:
                raise RuntimeError("the servers of the cluster have not found each other")
            time.sleep(0.05)


def _is_whole(client: Redis, servers: int) -> bool:
    info = _cluster(client, "INFO")
    return info["cluster_state"] == "ok" and int(info["cluster_known_nodes"]) == servers


def _cluster(client: Redis, command: str, *values: str | int) -> Any:
    return client.execute_command(f"CLUSTER {command}", *values)  # type: ignore[no-untyped-call]


def free_port() -> int:
    """A port that is free, and the one for the bus too. Another process may be faster: then the server says so."""
    while True:
        port = random.randint(20_000, 30_000)
        try:
            for number in (port, port + BUS):
                with socket.socket() as probe:
                    probe.bind(("127.0.0.1", number))
        except OSError:
            continue
        return port


@contextmanager
def redis_cluster(folder: Path, version: str = NEWEST) -> Iterator[RedisCluster]:
    """A started cluster."""
    with ExitStack() as running:
        servers = []
        for name in ("one", "two", "three"):
            (folder / name).mkdir()
            settings = ("--cluster-enabled", "yes", "--cluster-config-file", "nodes.conf")
            servers.append(running.enter_context(redis_server(folder / name, version, *settings, port=free_port())))
        cluster = RedisCluster(servers)
        cluster.join()
        yield cluster
