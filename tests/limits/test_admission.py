"""Who gets in: connections of an address, origins, and what is said first."""

from __future__ import annotations

import asyncio

import pytest
from websockets.exceptions import InvalidStatus

from server.addresses import WAITING
from tests.system.client import JSON, PATIENCE, socket_to
from tests.system.servers import Server, serving


async def handshake(server: Server, **headers: str) -> int:
    """The status of a handshake; the connection is given up at once."""
    try:
        async with socket_to(server.url, JSON, additional_headers=headers):
            return 101
    except InvalidStatus as refused:
        return refused.response.status_code


async def test_an_address_has_so_many_connections() -> None:
    async with serving(limits={"connections_per_address": 3}) as server:
        ann, _bob, _cat = [await server.client(name) for name in ("Ann", "Bob", "Cat")]

        past = await handshake(server)
        await ann.drop()
        after = await handshake(server)

        assert (past, after) == (503, 101)


async def test_a_connection_that_says_nothing_counts_too() -> None:
    async with serving(limits={"connections_per_address": 1}) as server:
        silent = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(WAITING + 1)]
        async with asyncio.timeout(PATIENCE):
            cut = await silent[-1][0].read()
        silent[0][1].close()
        await silent[0][1].wait_closed()

        assert cut == b""
        assert not silent[1][0].at_eof()
        assert await handshake(server) == 101
        for _, writer in silent[1:]:
            writer.close()


async def test_clients_behind_a_proxy_of_ours_are_counted_each_for_itself() -> None:
    async with (
        serving(limits={"connections_per_address": 1}, proxies=("127.0.0.0/8",)) as server,
        socket_to(server.url, JSON, additional_headers={"X-Forwarded-For": "192.0.2.1"}),
    ):
        same = await handshake(server, **{"X-Forwarded-For": "192.0.2.1"})
        invented = await handshake(server, **{"X-Forwarded-For": "198.51.100.1, 192.0.2.1"})
        other = await handshake(server, **{"X-Forwarded-For": "192.0.2.2"})

    assert (same, invented, other) == (503, 503, 101)


async def test_nobody_else_is_believed_where_a_connection_comes_from() -> None:
    async with (
        serving(limits={"connections_per_address": 1}, proxies=("10.0.0.0/8",)) as server,
        socket_to(server.url, JSON, additional_headers={"X-Forwarded-For": "192.0.2.1"}),
    ):
        other = await handshake(server, **{"X-Forwarded-For": "192.0.2.2"})

    assert other == 503


async def test_hello_is_said_in_time_or_never() -> None:
    async with serving(limits={"hello": 5}) as server:
        in_time, late = server.stranger("Ann"), server.stranger("Bob")
        for client in (in_time, late):
            await client.open()
            await client.say("ping")
        server.let_pass(4.9)
        await in_time.hello()
        await late.refused("hello", name="Bob", token="wrong")
        server.let_pass(0.1)

        assert await late.close_code() == 4008
        assert (await in_time.say("ping"))["type"] == "pong"


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("https://play.example", 101),
        ("https://play.example:444", 403),
        ("http://play.example", 403),
        ("https://play.example.evil.example", 403),
        ("null", 403),
        ("", 403),
    ],
)
async def test_a_browser_comes_from_a_page_that_is_admitted(origin: str, status: int) -> None:
    async with serving(origins=("https://play.example",)) as server:
        assert await handshake(server, Origin=origin) == status


@pytest.mark.parametrize(("scheme", "status"), [("http", 101), ("https", 101), ("ftp", 403), ("", 403), ("file", 403)])
async def test_a_page_of_the_server_itself_was_loaded_over_http(scheme: str, status: int) -> None:
    async with serving() as server:
        assert await handshake(server, Origin=f"{scheme}://127.0.0.1:{server.port}") == status


async def test_two_origins_are_none() -> None:
    async with serving(origins=("https://play.example",)) as server:
        headers = [("Origin", "https://play.example"), ("Origin", "https://play.example")]

        with pytest.raises(InvalidStatus) as refused:
            async with socket_to(server.url, JSON, additional_headers=headers):
                pass

    assert refused.value.response.status_code == 403
