from __future__ import annotations

import json
from typing import Any

import msgpack
import pytest

from tests.system.client import JSON, MSGPACK
from tests.system.scenes import Scene, SceneMaker, in_turn, unknown
from tests.system.servers import Server

PING = {"type": "ping", "id": "p"}
DEEP_IN_A_MESSAGE = {**PING, "extra": [[[[[[[[]]]]]]]]}

NO_MESSAGES: tuple[object, ...] = (None, [], 0, 1.5, True, "x", b"x", {}, {1: 2})
NO_TYPES: tuple[object, ...] = (None, {}, [], 1, b"ping", "")
ANSWERED: list[tuple[str | bytes, str]] = [
    *((text, "bad_message") for text in ("null", "[]", "0", "1e309", "true", '"x"', "{}", "NaN")),
    *((f'{{"type":{value}}}', "bad_message") for value in ("null", "{}", "[]", "1", '""', '"no such type"')),
    ('{"type":"ping","a":' * 7 + "[[]]" + "}" * 7, "too_large"),
    ("[" * 8000 + "]" * 8000, "too_large"),
    ("[" * 10_000, "too_large"),
    (json.dumps(DEEP_IN_A_MESSAGE), "too_large"),
    ('{"type":"ping","id":"\\ud800"}', "bad_message"),
    ('{"type":"ping","\\ud800":1}', "bad_message"),
    *((msgpack.packb(value), "bad_message") for value in NO_MESSAGES),
    *((msgpack.packb({"type": value}), "bad_message") for value in NO_TYPES),
    (msgpack.packb(msgpack.ExtType(5, b"x")), "bad_message"),
    (b"\x91" * 10_000 + b"\xc0", "too_large"),
    (msgpack.packb(DEEP_IN_A_MESSAGE), "too_large"),
]
"""Frames that decode, as text for JSON and bytes for MessagePack, and the code that answers them."""

CLOSED: list[tuple[str, str | bytes, int]] = [
    *((JSON, text, 1007) for text in ("", " ", "]", "{", "nul", "{'type':1}", "{}{}", "\ufeff{}", "\x00", "]" * 9000)),
    *((JSON, data, 1007) for data in (b"{}", b"", msgpack.packb(PING))),
    (JSON, "x" * 1_000_000, 1009),
    (JSON, json.dumps({**PING, "name": "x" * 1_000_000}), 1009),
    *((MSGPACK, data, 1007) for data in (b"", b"\xc1", b"\x81", b"\xc0\xc0", b"\xa1\xff", b"\xdf\xff\xff\xff\xff")),
    *((MSGPACK, text, 1007) for text in ("{}", "", json.dumps(PING))),
    (MSGPACK, b"x" * 1_000_000, 1009),
]
"""Frames that close the connection, and with what code."""


def short(value: object) -> str | None:
    """A test's name for a frame of any length."""
    return repr(value)[:24] if isinstance(value, str | bytes) else None


async def assert_still_served(scene: Scene) -> None:
    """The sender's connection works on, and nobody has noticed anything."""
    assert (await scene.sender.say("ping"))["type"] == "pong"
    await scene.assert_nothing_happened()


@pytest.mark.parametrize("scene_of", [unknown, in_turn], ids=["a stranger", "a player"])
@pytest.mark.parametrize(("frame", "code"), ANSWERED, ids=short)
async def test_what_decodes_but_is_no_message_is_answered(
    server: Server, scene_of: SceneMaker, frame: str | bytes, code: str
) -> None:
    scene = await scene_of(server, JSON if isinstance(frame, str) else MSGPACK)

    await scene.sender.send_frame(frame)

    answer = await scene.sender.receive()
    assert (answer["type"], answer["code"]) == ("error", code)
    assert len(json.dumps(answer)) < 500
    await assert_still_served(scene)


@pytest.mark.parametrize(("subprotocol", "frame", "code"), CLOSED, ids=short)
async def test_what_cannot_be_decoded_closes_a_stranger_s_connection(
    server: Server, subprotocol: str, frame: str | bytes, code: int
) -> None:
    scene = await unknown(server, subprotocol)

    await scene.sender.send_frame(frame)

    assert await scene.sender.close_code() == code
    await scene.assert_nothing_happened()


@pytest.mark.parametrize(("subprotocol", "frame", "code"), CLOSED, ids=short)
async def test_what_cannot_be_decoded_closes_a_player_s_connection_and_the_player_comes_back(
    server: Server, subprotocol: str, frame: str | bytes, code: int
) -> None:
    scene = await in_turn(server, subprotocol)

    await scene.sender.send_frame(frame)

    assert await scene.sender.close_code() == code
    assert await scene.bystander.hear(scene.room, "away") == {"type": "away", "seat": 0}
    await scene.sender.come_back()
    await scene.sender.resume(scene.room)
    assert await scene.bystander.hear(scene.room, "back") == {"type": "back", "seat": 0}
    await scene.sender.look(scene.room)


@pytest.mark.parametrize("scene_of", [unknown, in_turn], ids=["a stranger", "a player"])
async def test_a_text_frame_that_is_no_text_closes_the_connection(server: Server, scene_of: SceneMaker) -> None:
    scene = await scene_of(server)

    await scene.sender.socket.send(b'{"type":"ping","id":"\xff"}', text=True)

    assert await scene.sender.close_code() == 1007


@pytest.mark.parametrize("subprotocol", [JSON, MSGPACK])
async def test_a_message_may_come_in_fragments(server: Server, subprotocol: str) -> None:
    scene = await in_turn(server, subprotocol)
    whole: Any = scene.sender.encode(PING)

    await scene.sender.send_frame([whole[place : place + 1] for place in range(len(whole))])

    assert await scene.sender.answer("p") == {"type": "pong", "re": "p"}
    await assert_still_served(scene)


async def test_fragments_that_add_up_to_more_than_a_frame_may_hold_close_the_connection(server: Server) -> None:
    scene = await in_turn(server)

    await scene.sender.send_frame(["x" * 1000] * 100)

    assert await scene.sender.close_code() == 1009


async def test_the_largest_frame_is_read(server: Server) -> None:
    scene = await in_turn(server)
    frame = json.dumps(PING)

    await scene.sender.send_frame(frame + " " * (16 * 1024 - len(frame)))

    assert await scene.sender.answer("p") == {"type": "pong", "re": "p"}


async def test_an_error_carries_the_id_and_nothing_else_of_what_was_sent(server: Server) -> None:
    scene = await in_turn(server)

    await scene.sender.send_frame(json.dumps({**DEEP_IN_A_MESSAGE, "id": "mine", "secret": "word"}))

    answer = await scene.sender.receive()
    assert answer["re"] == "mine"
    assert "word" not in json.dumps(answer)
