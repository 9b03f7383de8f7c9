"""What must follow from a frame, whatever it holds; told from the frame alone, not from the server's own reading."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

import msgpack
from websockets.frames import Opcode

from protocol.codecs import Codec
from protocol.convert import Wire
from protocol.errors import ErrorCode
from server.table.state import Table
from tests.fuzz.mutation import Sent
from tests.fuzz.scenes import Scene

CLOSED_FOR_A_REASON = frozenset({1008, 4003, 4008})
"""Codes that may follow from any frame: too many refusals, another connection, too late."""


class Due(Enum):
    """How a frame is to be answered."""

    CLOSED_AS_UNDECODABLE = 1007
    CLOSED_AS_TOO_BIG = 1009
    ANSWERED_UNDER_ITS_ID = auto()
    ANSWERED = auto()
    """Once, without an id."""
    ANSWERED_SOMEHOW = auto()
    """Once; that it was not read to its end may keep its id from being seen."""


@dataclass(frozen=True, slots=True)
class Expected:
    """How a frame is to be answered, and under which id."""

    due: Due
    id: str | None = None


def expected(sent: Sent, codec: Codec, frame_bytes: int) -> Expected:
    """What ``sent`` must lead to for somebody who speaks ``codec``."""
    if len(sent.data) > frame_bytes:
        return Expected(Due.CLOSED_AS_TOO_BIG)
    if (sent.opcode is Opcode.BINARY) != codec.binary:
        return Expected(Due.CLOSED_AS_UNDECODABLE)
    try:
        value = _read(sent.data, codec)
    except (RecursionError, msgpack.StackError, TypeError):
        return Expected(Due.ANSWERED_SOMEHOW)
    except (ValueError, msgpack.UnpackException):
        return Expected(Due.CLOSED_AS_UNDECODABLE)
    message_id = value.get("id") if isinstance(value, dict) else None
    if isinstance(message_id, str) and 1 <= len(message_id) <= 64 and _can_be_sent(message_id):
        return Expected(Due.ANSWERED_UNDER_ITS_ID, message_id)
    return Expected(Due.ANSWERED)


def _read(data: bytes, codec: Codec) -> Any:
    if codec.binary:
        return msgpack.unpackb(data, raw=False, strict_map_key=False)
    return json.loads(data.decode(), parse_int=lambda digits: int(digits) if len(digits) < 100 else 10**100)


def _can_be_sent(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def complaints(scene: Scene, expects: Expected, before: Mapping[str, Table]) -> list[str]:
    """What is wrong with what the server did; what people have heard since the frame is in their ``heard``."""
    told = scene.sender.heard
    answers = [
        message
        for number, message in enumerate(told)
        if message["type"] not in ("update", "closing") and not (number and _takes_back(told[number - 1]))
    ]
    if scene.sender.is_over:
        return _complaints_of_the_end(scene, expects, answers)
    found = complaints_of_the_answer(expects, answers)
    if not found and answers[0]["type"] == "error":
        found += _complaints_of_change(scene, before)
    if expects.id in scene.accepted and has_changed(scene, before):
        found.append("an id that was accepted before has led to another step")
    return found


def has_changed(scene: Scene, before: Mapping[str, Table]) -> bool:
    """Whether there was a step at the scene's table."""
    return scene.house.tables().get(scene.room) is not before[scene.room]


def _takes_back(message: Wire) -> bool:
    """Whether a snapshot follows ``message`` that nobody has asked for."""
    kinds = [event["type"] for event in message["events"]] if message["type"] == "update" else []
    return not {"undone", "redone", "restarted"}.isdisjoint(kinds)


def _complaints_of_the_end(scene: Scene, expects: Expected, answers: list[Wire]) -> list[str]:
    code = scene.sender.code
    if code in CLOSED_FOR_A_REASON:
        return [] if len(answers) <= 1 else [f"{len(answers)} answers before the end"]
    if code != expects.due.value:
        return [f"closed with {code}, due was {expects}"]
    return ["an answer before the end"] if answers else []


def complaints_of_the_answer(expects: Expected, answers: list[Wire]) -> list[str]:
    """What is wrong with the ``answers`` to a frame after which the connection is still open."""
    if expects.due in (Due.CLOSED_AS_TOO_BIG, Due.CLOSED_AS_UNDECODABLE):
        return [f"still open, due was {expects}; answers {answers}"]
    if len(answers) != 1:
        return [f"{len(answers)} answers: {answers}"]
    (answer,) = answers
    found = []
    if expects.due is not Due.ANSWERED_SOMEHOW and answer.get("re") != expects.id:
        found.append(f"the answer is to {answer.get('re')!r}, not to {expects.id!r}")
    if answer.get("code") == ErrorCode.INTERNAL:
        found.append(f"an error of our own: {answer}")
    return found


def _complaints_of_change(scene: Scene, before: Mapping[str, Table]) -> list[str]:
    found = []
    after = scene.house.tables()
    if after.keys() != before.keys() or any(after[room] is not before[room] for room in before):
        found.append("a refused message has changed something")
    for person in scene.house.people:
        others = [message for message in person.heard if message["type"] == "update" or person is not scene.sender]
        if others:
            found.append(f"{person.name} was told of a refused message: {others}")
    return found
