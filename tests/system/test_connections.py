from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Coroutine
from typing import Any, TypeAlias

import pytest
from websockets.exceptions import InvalidStatus

from server.app import UNSENT_IN_SYSTEM
from server.table.state import Presence
from tests.system.client import JSON, MSGPACK, close_code, socket_to
from tests.system.scenes import in_turn
from tests.system.servers import Server, serving

HangUp: TypeAlias = Callable[[Server, str], Coroutine[Any, Any, None]]


async def refused_handshake(url: str, **options: object) -> int:
    """The HTTP status with which a WebSocket is refused."""
    with pytest.raises(InvalidStatus) as refused:
        async with socket_to(url, JSON, **options):
            pass
    return refused.value.response.status_code


@pytest.mark.parametrize(
    ("offered", "spoken"),
    [((), None), ((JSON,), JSON), ((MSGPACK,), MSGPACK), ((JSON, MSGPACK), MSGPACK), (("chat", JSON), JSON)],
)
async def test_a_codec_is_agreed_on_by_subprotocol(
    server: Server, offered: tuple[str, ...], spoken: str | None
) -> None:
    async with socket_to(server.url, *offered) as bare:
        assert bare.subprotocol == spoken


async def test_who_offers_no_subprotocol_speaks_json(server: Server) -> None:
    async with socket_to(server.url) as bare:
        await bare.send('{"type":"ping"}')

        assert await bare.recv() == '{"type":"pong"}'


async def test_who_offers_only_other_subprotocols_is_turned_away_for_good(server: Server) -> None:
    async with socket_to(server.url, "doublesix.v2.json", "chat") as bare:
        assert await close_code(bare) == 4001


async def test_the_address_may_name_a_room_for_a_load_balancer(server: Server) -> None:
    async with socket_to(f"{server.url}/ABC234") as bare:
        await bare.send('{"type":"ping"}')

        assert await bare.recv() == '{"type":"pong"}'


async def test_who_says_no_hello_in_time_is_closed(server: Server) -> None:
    zoe = server.stranger("Zoe")
    await zoe.open()
    await zoe.say("ping")

    server.let_pass(5)

    assert await zoe.close_code() == 4008


async def test_who_has_said_hello_may_be_silent(server: Server) -> None:
    ann = await server.client("Ann")

    server.let_pass(600)

    assert (await ann.say("ping"))["type"] == "pong"


async def test_hello_is_said_once(server: Server) -> None:
    ann = await server.client("Ann")

    refusal = await ann.refused("hello", name="Bob")

    assert (refusal["code"], refusal["reason"]) == ("refused", "already_greeted")


@pytest.mark.parametrize("token", ["", "wrong", "x" * 10_000, "é"])
async def test_after_a_wrong_token_the_right_one_may_follow_on_the_same_connection(server: Server, token: str) -> None:
    ann = await server.client("Ann")
    await ann.drop()
    await ann.open()

    refusal = await ann.refused("hello", name="Ann", token=token)
    welcome = await ann.say("hello", name="Ann", token=ann.token)

    assert (refusal["code"], refusal["path"]) == ("unauthorized", "token")
    assert welcome["player"] == ann.player


async def test_a_wrong_token_disturbs_nobody(server: Server) -> None:
    scene = await in_turn(server)
    stranger = server.stranger("Zoe")
    await stranger.open()

    for _ in range(5):
        await stranger.refused("hello", name="Ann", token="x" * 32)

    await scene.assert_nothing_happened()


async def test_ids_and_tokens_never_repeat(server: Server) -> None:
    clients = [await server.client("Ann") for _ in range(30)]

    assert len({client.player for client in clients} | {client.token for client in clients}) == 60


async def test_the_newest_connection_of_a_player_takes_over_and_the_table_sees_it(server: Server) -> None:
    scene = await in_turn(server)
    older = scene.sender
    newer = server.stranger("Ann", MSGPACK, prefix="newer")
    newer.token = older.token
    await newer.open()

    welcome = await newer.hello()

    assert welcome["rooms"] == [scene.room]
    assert await older.close_code() == 4003
    assert older.heard[-1] == {"type": "closing", "reason": "replaced"}
    assert await scene.bystander.hear(scene.room, "away") == {"type": "away", "seat": 0}
    table = await newer.say("sync", room=scene.room)
    assert await scene.bystander.hear(scene.room, "back") == {"type": "back", "seat": 0}
    await newer.say("act", room=scene.room, seq=table["seq"], action=table["turn"]["legal"][0]["action"])


async def test_a_flood_is_slowed_down_and_says_for_how_long(server: Server) -> None:
    async with serving(limits={"messages_per_second": 20, "burst": 40}) as limited:
        ann = await limited.client("Ann")
        accepted = [await ann.ask("ping") for _ in range(39)]

        refusal = await ann.ask("ping")
        limited.let_pass(refusal["retry_after"])
        later = await ann.ask("ping")

    assert {answer["type"] for answer in accepted} == {"pong"}
    assert (refusal["type"], refusal["code"]) == ("error", "rate_limited")
    assert 0 < refusal["retry_after"] < 0.06
    assert later["type"] == "pong"


async def test_fifty_refusals_within_a_minute_are_enough() -> None:
    async with serving(limits={"refusals_per_minute": 50}) as limited:
        ann = await limited.client("Ann")
        for _ in range(50):
            await ann.send("nonsense")

        assert await ann.close_code() == 1008
        assert len([message for message in ann.heard if message["type"] == "error"]) == 50


async def test_refusals_over_a_longer_time_are_forgiven() -> None:
    async with serving(limits={"refusals_per_minute": 50}) as limited:
        ann = await limited.client("Ann")
        for _ in range(120):
            await ann.refused("nonsense")
            limited.let_pass(2)

        assert (await ann.say("ping"))["type"] == "pong"


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1", "http://127.0.0.1.evil.example"])
async def test_a_page_from_elsewhere_may_not_connect(server: Server, origin: str) -> None:
    assert await refused_handshake(server.url, origin=origin) == 403


async def test_the_own_page_and_admitted_ones_may_connect() -> None:
    async with serving(origins=("https://play.example",)) as server:
        for origin in (f"http://127.0.0.1:{server.port}", "https://play.example"):
            async with socket_to(server.url, origin=origin) as bare:
                await bare.send('{"type":"ping"}')
                assert await bare.recv() == '{"type":"pong"}'


async def test_one_address_has_so_many_connections_and_one_that_ends_makes_room() -> None:
    async with serving(limits={"connections_per_address": 2}) as limited:
        ann, bob = await limited.client("Ann"), await limited.client("Bob")

        status = await refused_handshake(limited.url)
        await bob.drop()
        await limited.client("Cat")

        assert status == 503
        assert (await ann.say("ping"))["type"] == "pong"


async def test_a_client_that_does_not_read_is_cut_and_the_others_play_on() -> None:
    async with serving(limits={"unsent_bytes": 64 * 1024}) as limited:
        scene = await in_turn(limited)
        await scene.sender.drop()
        await scene.sender.open(receive_buffer=4096)
        await scene.sender.hello()
        await scene.sender.say("sync", room=scene.room)
        seq = limited.table(scene.room).seq
        scene.sender.socket.transport.pause_reading()

        while limited.table(scene.room).seq == seq:
            await scene.sender.send("sync", room=scene.room)
            await scene.bystander.say("ping")

        assert limited.table(scene.room).places[0].presence is Presence.AWAY
        await scene.bystander.reach(scene.room, seq + 1)
        await scene.bystander.look(scene.room)


async def hang_up_after_tcp(server: Server, _room: str) -> None:
    _reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(b"GET /ws HTTP/1.1\r\n")
    writer.close()
    await writer.wait_closed()


async def hang_up_after_the_handshake(server: Server, _room: str) -> None:
    await server.stranger("Zoe").open()


async def hang_up_after_hello(server: Server, _room: str) -> None:
    zoe = server.stranger("Zoe")
    await zoe.open()
    await zoe.send("hello", name="Zoe")


async def hang_up_after_join(server: Server, room: str) -> None:
    zoe = await server.client("Zoe")
    await zoe.send("join", room=room)


@pytest.mark.parametrize(
    "hang_up", [hang_up_after_tcp, hang_up_after_the_handshake, hang_up_after_hello, hang_up_after_join]
)
async def test_who_hangs_up_at_any_moment_leaves_nothing_behind(server: Server, hang_up: HangUp) -> None:
    ann = await server.client("Ann")
    room = await ann.create(game="draw", seats=4)
    tasks = len(asyncio.all_tasks())

    for _ in range(3):
        await hang_up(server, room)
        for client in server.clients[1:]:
            if client.is_open:
                await client.drop()

    while len(asyncio.all_tasks()) > tasks or len(server.app._connections) > 1:
        await ann.say("ping")
    assert [seat["state"] for seat in (await ann.look(room))["seats"]].count("present") == 1


async def test_what_is_sent_does_not_wait_for_more(server: Server) -> None:
    async with socket_to(server.url):
        (connection,) = server.app._connections

        options = connection.transport.get_extra_info("socket")

    assert options.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


async def test_the_system_holds_little_of_what_it_cannot_send(server: Server) -> None:
    async with socket_to(server.url):
        (connection,) = server.app._connections

        options = connection.transport.get_extra_info("socket")

    assert options.getsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT) == UNSENT_IN_SYSTEM
