"""Every message of the protocol with one thing wrong with it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from protocol.convert import Wire
from tests.protocol.examples import EXAMPLES, Example

Path: TypeAlias = tuple[str, ...]

OF_ANOTHER_TYPE: tuple[object, ...] = ("1", 1, 1.5, True, [], {}, {"type": 1})
NEVER_VALID: tuple[object, ...] = ("\ud800", -1, 2**70, math.nan, math.inf, [[]])
EMPTY_OR_UNSEEN = ("", "\x00")
"""No field takes these texts but `token`, which takes every text."""
DURATIONS = {"fill_after", "bot_delay", "turn_timer", "grace", "next_deal_after"}


@dataclass(frozen=True)
class BadMessage:
    """A message whose field ``path`` is what is wrong."""

    message: Wire
    path: str
    what: str


def bad_messages(room: str) -> Iterator[BadMessage]:
    """Each message with each field missing, null and wrong, and with one field too many."""
    for example in EXAMPLES:
        message = example.message | ({"room": room} if "room" in example.fields else {})
        message.pop("id", None)
        yield BadMessage({**message, "surprise": 1}, "surprise", f"{example.type} with a field too many")
        for path, valid in _fields(message):
            name = ".".join(path)
            for wrong in _wrong_values(path[-1], valid):
                yield BadMessage(_with(message, path, wrong), name, f"{example.type} with {name} {wrong!r}")
            if _is_required(example, path):
                yield BadMessage(_with(message, path, None), name, f"{example.type} with {name} null")
                yield BadMessage(_without(message, path), name, f"{example.type} without {name}")


def _fields(fields: Mapping[str, Any], *above: str) -> Iterator[tuple[Path, Any]]:
    """Every field with its valid value, those of maps inside too; the type of a message has tests of its own."""
    for name, value in fields.items():
        if (*above, name) != ("type",):
            yield (*above, name), value
        if isinstance(value, dict):
            yield from _fields(value, *above, name)


def _is_required(example: Example, path: Path) -> bool:
    if path[0] in example.optional or path == ("action", "end"):
        return False
    return path[0] != "settings" or path[1:] in {(), ("game",), ("seats",)}


def _wrong_values(name: str, valid: object) -> Iterator[object]:
    yield from NEVER_VALID
    for value in OF_ANOTHER_TYPE:
        if type(value) is not type(valid) and not (name in DURATIONS and type(value) in {int, float}):
            yield value
    if name != "token":
        yield from EMPTY_OR_UNSEEN


def _with(message: Wire, path: Path, value: object) -> Wire:
    name, *below = path
    return {**message, name: _with(message[name], tuple(below), value) if below else value}


def _without(message: Wire, path: Path) -> Wire:
    name, *below = path
    if below:
        return {**message, name: _without(message[name], tuple(below))}
    return {other: value for other, value in message.items() if other != name}
