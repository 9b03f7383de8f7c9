"""What stands in the address of a Redis server, and what is said of one that is wrong or of no use."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from server import logs
from server.commands import serve
from server.store.base import StoreError
from server.store.redis.address import check_url, is_remote, shown
from server.store.redis.client import Client
from tests.redis_cluster import free_port, redis_cluster
from tests.redis_line import tcp_line_to
from tests.redis_servers import NEWEST, RedisServer, redis_server

GOOD = [
    "redis://localhost:6379",
    "redis://localhost/",
    "redis://user:word@host/3",
    "redis://:%2Fa%40b@[::1]:6379?db=15",
    "rediss://host?ssl_ca_certs=/ca.pem&ssl_check_hostname=false&db=1",
    "unix:///a@b/c.sock?db=1",
    "unix://user:word@/a",
]


@pytest.mark.parametrize("url", GOOD)
def test_an_address_says_where_the_server_is_and_who_we_are(url: str) -> None:
    check_url(url)


@pytest.mark.parametrize(
    ("url", "fault"),
    [
        ("tcp://a", "needed"),
        ("redis://", "needed"),
        ("redis://:6379", "needed"),
        ("redis://[::1", "needed"),
        ("redis://[v]", "needed"),
        ("redis://a\u2100b", "needed"),
        ("unix://", "needed"),
        ("unix://tmp/redis.sock", "needed"),
        ("redis://host:notaport", "the port is a number"),
        ("redis://host:99999", "the port is a number"),
        ("redis://host:-1", "the port is a number"),
        ("redis://host:0", "the port is a number"),
        ("redis://host/x", "a database of Redis is a number"),
        ("redis://host/-1", "a database of Redis is a number"),
        ("redis://host/1/2", "a database of Redis is a number"),
        ("redis://host?db=abc", "a database of Redis is a number"),
        ("redis://host?db=", "a database of Redis is a number"),
        ("redis://host?db=1&db=x", "a database of Redis is a number"),
        ("unix:///a?db=x", "a database of Redis is a number"),
        ("redis://host?protocol=3", "protocol cannot be set"),
        ("redis://host?retry_on_timeout=yes", "retry_on_timeout cannot be set"),
        ("redis://host?socket_timeout=9", "socket_timeout cannot be set"),
        ("redis://host?password", "password cannot be set"),
        ("redis://host?ssl_ca_certs=/ca.pem", "ssl_ca_certs cannot be set"),
        ("unix:///a?ssl_ca_certs=/ca.pem", "ssl_ca_certs cannot be set"),
        ("rediss://host?ssl_foo=1", "ssl_foo cannot be set"),
        ("redis://host#x", "are written as %2F"),
    ],
)
def test_what_is_wrong_with_an_address_is_named(url: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        check_url(url)


@pytest.mark.parametrize(
    "url",
    [
        *(f"redis://user:SECRET{sign}SECRET@host:6390" for sign in "/?#"),
        *(f"redis://:6390{sign}SECRET@host" for sign in "/?#"),
        "redis://user:6390?a=SECRET&SECRET=b@host",
        "redis://user:SECRET/SECRET",
        "redis://user:SECRET\u2100@host",
        "redis://user:SECRET@[host",
        "redis://user:SECRET@host:SECRET",
        "redis://user:SECRET@host/SECRET",
        "rediss://user:SECRET@host?ssl_password=SECRET&x=SECRET",
        "unix://user:SE/SECRET@/SECRET",
        "http://user:SECRET@host",
    ],
)
def test_no_part_of_a_password_is_repeated(
    url: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logs, "configure", lambda: None)

    assert serve.run({"store": url}) == 2

    said = capsys.readouterr().err
    assert len(said.splitlines()) == 1
    assert "SECRET" not in said


@pytest.mark.parametrize(
    ("url", "what"),
    [
        ("redis://user:word@host:1/3", "redis://host:1/3"),
        ("rediss://host?ssl_password=word&db=2", "rediss://host?db=2"),
        ("unix://user:word@/a?db=1", "unix:///a?db=1"),
    ],
)
def test_an_address_is_shown_without_what_is_secret(url: str, what: str) -> None:
    assert shown(url) == what


def test_which_machine_an_address_means_is_seen_from_it() -> None:
    remote = [url for url in ("redis://h", "redis://192.0.2.1", "rediss://[2001:db8::1]") if is_remote(url)]
    local = [url for url in ("unix:///a", "redis://localhost", "redis://127.0.1.1", "redis://[::1]") if is_remote(url)]

    assert (len(remote), local) == (3, [])


async def test_who_is_hung_up_on_at_first_is_told_what_redis_may_want(one_redis: RedisServer) -> None:
    async with tcp_line_to(one_redis) as line:
        await line.part()

        with pytest.raises(StoreError, match="requirepass"):
            await Client.connect(line.url)


async def test_nothing_is_advised_where_that_would_not_help(one_redis: RedisServer) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        port = nobody.getsockname()[1]
        urls = (
            f"redis://127.0.0.1:{port}",
            f"unix://{one_redis.folder}/nothing.sock",
            "redis://no.such.host.invalid",
            f"rediss://127.0.0.1:{port}?ssl_ca_certs=/nothing.pem",
        )
        for url in urls:
            with pytest.raises(StoreError, match="Error") as failed:
                await Client.connect(url)
            assert "requirepass" not in str(failed.value)


async def test_a_cluster_that_has_not_all_slots_is_said_to_be_so(tmp_path: Path) -> None:
    port = free_port()
    with (
        redis_server(tmp_path, NEWEST, "--cluster-enabled", "yes", port=port),
        pytest.raises(StoreError, match=r"the Redis Cluster cannot be used: .*0 of 16384"),
    ):
        await Client.connect(f"redis://127.0.0.1:{port}")


async def test_a_cluster_is_not_reached_by_a_socket_and_says_so(tmp_path: Path) -> None:
    with redis_cluster(tmp_path) as cluster, pytest.raises(StoreError, match=r"[Ss]ocket is not supported"):
        await Client.connect(cluster.servers[0].url)
