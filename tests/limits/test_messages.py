"""What one message may be: its size, its fragments, its levels, and a name in it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from websockets.frames import Frame, Opcode

from protocol.names import MAX_MARKS
from server.connection import MAX_FRAGMENTS
from tests.limits.lines import player
from tests.system.client import JSON, MSGPACK
from tests.system.servers import serving


def framed(message: dict[str, Any], size: int) -> str:
    """``message`` with spaces behind it up to ``size`` bytes."""
    return json.dumps(message).ljust(size)


async def test_a_frame_may_be_as_large_as_the_limit_and_no_larger() -> None:
    async with player(frame_bytes=1000) as (_, ann):
        await ann.send_frame(framed({"type": "ping", "id": "fits"}, 1000))
        answer = await ann.answer("fits")
        await ann.send_frame(framed({"type": "ping", "id": "too large"}, 1001))

        assert answer["type"] == "pong"
        assert await ann.close_code() == 1009


async def test_fragments_together_may_be_as_large_as_one_frame() -> None:
    async with player(frame_bytes=1000) as (_, ann):
        whole = framed({"type": "ping", "id": "fits"}, 1000)
        await ann.send_frame([whole[:900], whole[900:]])
        answer = await ann.answer("fits")
        await ann.send_frame([whole[:900], whole[900:] + " "])

        assert answer["type"] == "pong"
        assert await ann.close_code() == 1009


async def test_without_a_limit_a_frame_may_be_large() -> None:
    async with player(frame_bytes=0) as (_, ann):
        await ann.send_frame(framed({"type": "ping", "id": "large"}, 3_000_000))

        assert (await ann.answer("large"))["type"] == "pong"


def fragments(count: int) -> bytes:
    """A message in ``count`` fragments: all but the first are empty."""
    first = Frame(Opcode.TEXT, b'{"type":"ping","id":"whole"}', fin=count == 1).serialize(mask=True)
    middle = Frame(Opcode.CONT, b"", fin=False).serialize(mask=True)
    return first + middle * (count - 2) + Frame(Opcode.CONT, b"", fin=True).serialize(mask=True)


async def test_a_message_has_so_many_fragments_even_if_they_are_empty() -> None:
    async with player() as (_, ann):
        ann.socket.transport.write(fragments(MAX_FRAGMENTS))
        answer = await ann.answer("whole")
        ann.socket.transport.write(fragments(MAX_FRAGMENTS + 1))

        assert answer["type"] == "pong"
        assert await ann.close_code() == 1009


@pytest.mark.parametrize("subprotocol", [JSON, MSGPACK])
async def test_a_message_has_so_many_levels(subprotocol: str) -> None:
    async with serving(limits={"nesting": 3}) as server:
        ann = await server.client("Ann", subprotocol)

        fits = await ann.refused("ping", extra={"a": []})
        too_deep = await ann.refused("ping", extra={"a": [[]]})

        assert fits["code"] == "bad_message"
        assert (too_deep["code"], too_deep["path"]) == ("too_large", "extra.a.0")


@pytest.mark.parametrize("subprotocol", [JSON, MSGPACK])
@pytest.mark.parametrize("depth", [8, 9, 500, 5000])
async def test_without_a_limit_a_message_is_only_as_deep_as_it_can_be_read(subprotocol: str, depth: int) -> None:
    async with serving(limits={"nesting": 0}) as server:
        ann = await server.client("Ann", subprotocol)
        nested = b'{"type":"ping","id":"d","extra":' + b"[" * depth + b"]" * depth + b"}"
        packed = b"\x83\xa4type\xa4ping\xa2id\xa1d\xa5extra" + b"\x91" * (depth - 1) + b"\x90"

        await ann.send_frame(nested.decode() if subprotocol == JSON else packed)
        answer = await ann.receive()

        assert answer["code"] in {"bad_message", "too_large"}
        assert (await ann.say("ping"))["type"] == "pong"


@pytest.mark.parametrize(
    "name",
    ["", " ", "x" * 21, "x" * 10_000, "A\x00n", "A\u202en", "Z" + "\u0337" * 5, "\u0301", "q\u0303" * 11, "A\nn"],
    ids=ascii,
)
async def test_a_name_that_nobody_could_read_is_refused_and_a_better_one_taken(name: str) -> None:
    async with serving() as server:
        zoe = server.stranger("Zoe")
        await zoe.open()

        refusal = await zoe.refused("hello", name=name)
        welcome = await zoe.say("hello", name="x" * 20)

        assert (refusal["code"], refusal["path"]) == ("bad_message", "name")
        assert welcome["player"]


async def test_so_many_combining_marks_may_follow_each_other_in_a_name() -> None:
    async with serving() as server:
        zoe = server.stranger("Zoe")
        await zoe.open()

        assert (await zoe.say("hello", name="Z" + "\u0337" * MAX_MARKS))["player"]


async def test_half_a_surrogate_pair_is_no_name() -> None:
    async with serving() as server:
        zoe = server.stranger("Zoe")
        await zoe.open()

        await zoe.send_frame('{"type":"hello","id":"h","name":"\\ud800"}')

        assert (await zoe.answer("h"))["code"] == "bad_message"


@pytest.mark.parametrize(("limit", "longest"), [(5, 5), (30, 30), (0, 4000)])
async def test_the_length_of_a_name_can_be_chosen(limit: int, longest: int) -> None:
    async with serving(limits={"name_characters": limit}) as server:
        ann, bob = server.stranger("Ann"), server.stranger("Bob")
        for client in (ann, bob):
            await client.open()

        await ann.say("hello", name="x" * longest)
        answer = await bob.ask("hello", name="x" * (longest + 1))

        assert answer.get("code") == (None if limit == 0 else "bad_message")
