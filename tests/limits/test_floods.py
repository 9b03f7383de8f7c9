"""How often one connection, and one address, may say something: messages, refusals, guesses."""

from __future__ import annotations

import asyncio

import pytest

from server.addresses import NEW_PLAYERS
from tests.limits.lines import player
from tests.system.client import JSON, PATIENCE, Client, close_code, socket_to
from tests.system.servers import Server, serving


async def test_messages_beyond_the_burst_are_refused_until_there_was_time_for_them() -> None:
    async with player(messages_per_second=20, burst=5) as (server, ann):
        answers = [await ann.ask("ping") for _ in range(4)]  # the fifth message was `hello`

        refusal = await ann.refused("ping")
        server.let_pass(refusal["retry_after"])

        assert {answer["type"] for answer in answers} == {"pong"}
        assert (refusal["code"], refusal["retry_after"]) == ("rate_limited", 0.051)
        assert (await ann.ask("ping"))["type"] == "pong"
        assert (await ann.ask("ping"))["code"] == "rate_limited"


@pytest.mark.parametrize("message", ['{"type":"ping","id":"it"}', '{"type":"nonsense","id":"it"}', '{"id":"it"}'])
async def test_a_message_beyond_the_burst_is_answered_under_its_id_whatever_it_is(message: str) -> None:
    async with player(messages_per_second=1, burst=1) as (_, ann):
        await ann.send_frame(message)

        assert (await ann.answer("it"))["code"] == "rate_limited"


async def test_refusals_up_to_the_limit_are_borne_and_one_more_is_not() -> None:
    async with player(refusals_per_minute=3) as (server, ann):
        for _ in range(2):
            await ann.refused("nonsense")
        server.let_pass(61)
        for _ in range(2):
            await ann.refused("nonsense")
        answer = await ann.say("ping")
        await ann.refused("nonsense")

        assert answer["type"] == "pong"
        assert await ann.close_code() == 1008


async def test_close_codes_are_told_before_the_line_is_closed() -> None:
    async with serving(limits={"refusals_per_minute": 1}) as server, socket_to(server.url, JSON) as bare:
        await bare.send("{}")

        assert await close_code(bare) == 1008


@pytest.mark.parametrize("wrong", ["AAAAAA", "ABC234"])
async def test_a_connection_guesses_so_many_codes_a_minute_and_its_own_room_is_always_found(wrong: str) -> None:
    async with serving(limits={"wrong_codes": 3}) as server:
        ann, bob = await server.client("Ann"), await server.client("Bob")
        room = await ann.create(game="draw", seats=3)
        strange = await bob.create(game="draw", seats=2)
        guesses = [(await ann.refused("join", room=wrong))["code"] for _ in range(3)]

        past = await ann.refused("watch", room=strange)
        own = await ann.say("sync", room=room)
        of_another = await bob.say("watch", room=room)
        server.let_pass(past["retry_after"])
        later = await ann.say("watch", room=strange)

        assert guesses == ["no_such_room"] * 3
        assert (past["code"], 59 < past["retry_after"] <= 60.001) == ("rate_limited", True)
        assert {answer["type"] for answer in (own, of_another, later)} == {"snapshot"}


async def test_an_address_guesses_so_many_codes_a_minute_over_all_its_connections() -> None:
    async with serving(limits={"wrong_codes": 2, "wrong_codes_per_address": 3}) as server:
        clients = [await server.client(name) for name in ("Ann", "Bob", "Cat")]
        codes = [(await client.refused("join", room="AAAAAA"))["code"] for client in clients]

        await clients[0].drop()
        new = await server.client("Dan")

        assert codes == ["no_such_room"] * 3
        assert (await new.refused("join", room="AAAAAA"))["code"] == "rate_limited"


async def gone(server: Server, client: Client) -> None:
    """``client`` has hung up, and the server knows."""
    connections = list(server.app._connections)
    await client.drop()
    async with asyncio.timeout(PATIENCE):
        await asyncio.gather(*(connection.wait_closed() for connection in connections))


async def test_an_address_makes_so_many_new_players_a_minute_and_who_has_a_token_comes_in() -> None:
    async with serving(limits={"connections_per_address": 1, "hello": 0}) as server:
        ann = await server.client("Ann")
        await gone(server, ann)
        for number in range(NEW_PLAYERS - 1):
            await gone(server, await server.client(f"Bob {number}"))

        back = await ann.come_back()
        await gone(server, ann)
        zoe = server.stranger("Zoe")
        await zoe.open()
        past = await zoe.refused("hello", name="Zoe")
        server.let_pass(past["retry_after"])

        assert back["player"] == ann.player
        assert (past["code"], 59 < past["retry_after"] <= 60.001) == ("rate_limited", True)
        assert (await zoe.say("hello", name="Zoe"))["player"]


async def test_who_asks_for_the_records_of_rooms_guesses_too() -> None:
    async with serving(limits={"wrong_codes": 3}) as server:
        ann = await server.client("Ann")

        answers = [(await ann.refused("record", room="AAAAAA"))["code"] for _ in range(4)]

        assert answers == ["no_such_room"] * 3 + ["rate_limited"]
