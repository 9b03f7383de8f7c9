"""What wears a server out: connections that end at every moment, and matches one after the other."""

from __future__ import annotations

import asyncio
import json
from itertools import count
from typing import Any

from websockets.frames import Frame, Opcode

from server.housekeeping import PAUSE
from server.store.base import Store
from server.store.sqlite import SqliteStore
from server.table.state import Phase
from tests.system.client import PATIENCE, Client
from tests.system.servers import Server

REQUEST = (
    b"GET /ws HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
LOBBY: dict[str, Any] = {"game": "draw", "seats": 4, "public": True}
MATCH: dict[str, Any] = {
    "game": "block", "seats": 2, "target": 1, "bot": "novice", "bot_delay": 0, "next_deal_after": 0,
}  # fmt: skip
TOGETHER = 20
"""Connections at the same time."""
MATCHES_A_PLAYER = 20
A_MONTH = 32 * 24 * 60 * 60.0
AN_HOUR = 60 * 60.0

_numbers = count()


def framed(kind: str, **fields: Any) -> bytes:
    """One message as a browser would send it."""
    message = {"type": kind, "id": f"w{next(_numbers)}", **fields}
    return Frame(Opcode.TEXT, json.dumps(message).encode()).serialize(mask=True)


def ways_to_go(room: str) -> tuple[bytes, ...]:
    """What has been sent when a connection ends: nothing, or all up to some moment."""
    hello = REQUEST + framed("hello", name="Zoe")
    join, create = framed("join", room=room), framed("create", settings=LOBBY)
    return (
        b"",
        REQUEST[:40],
        REQUEST,
        hello,
        hello + join,
        hello + framed("watch", room=room),
        hello + create,
        hello + framed("join", room="AAAAAA"),
        hello + create[: len(create) // 2],
    )


async def come_and_go(server: Server, sent: bytes, *, politely: bool, waits: bool) -> None:
    """One connection: with a word of farewell to the system or without, and before any answer or after the first."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(sent)
    if waits and len(sent) > len(REQUEST):
        await reader.readuntil(b"\r\n\r\n")
        await reader.read(1)
    if politely:
        writer.close()
    else:
        writer.transport.abort()


async def cycles(server: Server, number: int) -> None:
    """So many connections, each ended in one of the ways; the server knows of none any more when it returns."""
    host = await server.client("Ann")
    room = await host.create(**LOBBY)
    ways = ways_to_go(room)
    for first in range(0, number, TOGETHER):
        await asyncio.gather(
            *(
                come_and_go(server, ways[one % len(ways)], politely=one % 2 == 0, waits=one % 3 == 0)
                for one in range(first, min(first + TOGETHER, number))
            )
        )
    await host.drop()
    server.clients.remove(host)
    await until_alone(server)


async def until_alone(server: Server) -> None:
    """Return when the server has noticed that all are gone."""
    async with asyncio.timeout(PATIENCE):
        while server.app._connections or server.app._connected.players:
            await turns()


async def turns() -> None:
    """Let everybody have a few turns."""
    for _ in range(10):
        await asyncio.sleep(0)


async def matches(server: Server, number: int) -> None:
    """So many matches against a bot, by people who leave or just vanish."""
    for first in range(0, number, MATCHES_A_PLAYER):
        player = await server.client("Ann")
        for one in range(first, min(first + MATCHES_A_PLAYER, number)):
            await match(server, player, leaves=one % 2 == 0)
        await player.drop()
        server.clients.remove(player)
        await pass_time(server, AN_HOUR)


async def match(server: Server, player: Client, *, leaves: bool) -> None:
    """One match to its end."""
    room = await player.create(**MATCH)
    await player.say("start", room=room)
    while server.table(room).phase is not Phase.MATCH_OVER:
        table = player.tables[room]
        if table["turn"] is not None and table["turn"]["seat"] == 0:
            await player.say("act", room=room, seq=table["seq"], action=table["turn"]["legal"][0]["action"])
        else:
            server.let_pass()
        await player.reach(room, server.table(room).seq)
    if leaves:
        await player.say("leave", room=room)


async def pass_time(server: Server, seconds: float) -> None:
    """Time passes, and what is due then happens."""
    await asyncio.sleep(0)
    server.let_pass(seconds)
    for _ in range(20):
        await asyncio.sleep(0)
        server.let_pass(PAUSE)


async def rest(server: Server) -> None:
    """All rooms end, and all players are forgotten."""
    await until_alone(server)
    for _ in range(3):
        await pass_time(server, A_MONTH)
    while server.app.registry.players or players_in(server.store):
        await pass_time(server, AN_HOUR)


def players_in(store: Store) -> int:
    """How many players the embedded store of a server has."""
    assert isinstance(store, SqliteStore)
    return store._database.count_players()
