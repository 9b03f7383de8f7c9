"""Frames to be sent: valid messages with one thing changed, messages as they should be, and rubbish."""

from __future__ import annotations

import copy
import json
import math
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import msgpack
from websockets.frames import Opcode

from engine.tiles import full_set
from protocol.codecs import Codec
from protocol.convert import Wire
from tests.protocol.examples import EXAMPLES

Place: TypeAlias = tuple[Any, Any]
"""A map or list, and a key of it."""

NUMBERS: tuple[int | float, ...] = (
    0, 1, -1, 2, 3, 4, 28, 255, 2**31, 2**32, 2**53 + 1, 2**63, 2**64 - 1, 2**64, -(2**63), -(2**63) - 1, 2**70, 0.5,
    1.0, -0.0, 1e-320, 1e308, math.inf, -math.inf, math.nan,
)  # fmt: skip
TEXTS = (
    "", " ", "0", "1", "null", "\x00", "\n", "Ann\x00", "\u202eAnn", "\u200b", "e\u0301", "\u0301", "Z" + "\u0337" * 40,
    "\ud800", "\U0001f43a", "\ufeff", "ABC234", "abc234", "AAAAAA", "\u00df" * 6, "6-6", "7-7", "4-1", "0-0 ", "left",
    "x" * 64, "x" * 65, "x" * 300, "x" * 10_000, "../../etc/passwd", "__proto__", "%s%n", "{}", "club", "lot",
    "draw", "play",
)  # fmt: skip
OTHERS: tuple[Any, ...] = (
    None, True, False, [], {}, [[]], [None], {"type": "play"}, {"": ""}, [0, 1], [1, 0], ["x"] * 50,
)  # fmt: skip
PLAUSIBLE: Mapping[Any, tuple[Any, ...]] = {
    "room": ("AAAAAA", "ABC234", "abc234"),
    "seat": (0, 1, 2, 3),
    "seats": ([0, 1], [1, 2], [2, 2], [0, 3], 2, 4),
    "seq": (0, 1, 2, 5, 10, 1000),
    "after": (0, 1, 2, 5, 10, 1000),
    "epoch": (0, 1, 1_790_000_000, 1_790_000_001, 2_000_000_000),
    "tile": tuple(str(tile) for tile in full_set()),
    "end": ("left", "right", "up", "down", None),
    "action": ({"type": "draw"}, {"type": "knock"}, {"type": "play", "tile": "0-0", "end": None}),
    "level": ("novice", "beginner", "club", "trained", "strong", "expert", "master"),
    "key": ("hello", "nice", "again"),
    "name": ("Ann", "Bob", "Zoe"),
    "game": ("draw", "block", "all-fives", "fives-threes"),
    "target": (1, 61, 1_000_000, 1_000_001),
    "lead": ("lot", 0, 3),
    "local": (1, 2, 4),
    "names": ([], ["Bo"], ["Bo", "Bo", "Bo", "Bo"]),
}
"""Values of fields that may be right, or right somewhere else."""
PACKED_RUBBISH = (
    b"\x81\x01\x02",
    b"\x82\xa2id\xa1b\xa1a\xc4\x01a",
    b"\x82\xa2id\xa1b\xa1a\xd4\x05\x00",
    b"\x82\xa2id\xa1b\xa1a\xd6\xff\x00\x00\x00\x00",
    b"\x81\x90\x02",
    b"\xdf\xff\xff\xff\xff",
)
WRITTEN_RUBBISH = (
    b'{"type":"ping","type":"hello"}',
    b'{"id":"b","a":1e999}',
    b'{"id":"b","a":NaN}',
    b'{"id":"b","id":"c","type":"ping"}',
    b'{"id":"\\ud800","type":"ping"}',
    b'{"seq":' + b"9" * 9_000 + b"}",
    b"\xef\xbb\xbf{}",
)
TYPES = tuple(example.type for example in EXAMPLES)
FIELDS = tuple({name for example in EXAMPLES for name in example.fields} | {"id", "type", "re", "token", "__class__"})


@dataclass(frozen=True, slots=True)
class Sent:
    """One frame."""

    opcode: Opcode
    data: bytes
    is_near: bool
    """It is a valid message with one thing changed."""


def frame_near(rng: random.Random, codec: Codec, message: Wire) -> Sent:
    """A frame for somebody who speaks ``codec``, from a ``message`` that is valid."""
    dice = rng.random()
    if dice < 0.6:
        return Sent(_opcode(codec), _packed(rng, codec, _changed(rng, message)), is_near=True)
    if dice < 0.75:
        return Sent(_opcode(codec), _garbled(rng, _encoded(codec, message)), is_near=True)
    if dice < 0.85:
        several = message
        for _ in range(rng.randint(2, 6)):
            several = _changed(rng, several)
        return Sent(_opcode(codec), _packed(rng, codec, several), is_near=False)
    if dice < 0.95:
        return frame_as_it_is(codec, message)
    return _rubbish(rng, codec)


def frame_as_it_is(codec: Codec, message: Wire) -> Sent:
    """A frame with a message that is not changed."""
    return Sent(_opcode(codec), _encoded(codec, message), is_near=False)


def _opcode(codec: Codec) -> Opcode:
    return Opcode.BINARY if codec.binary else Opcode.TEXT


def _encoded(codec: Codec, message: object) -> bytes:
    if codec.binary:
        packed: bytes = msgpack.packb(message, unicode_errors="surrogatepass")
        return packed
    return json.dumps(message).encode()


def _packed(rng: random.Random, codec: Codec, message: object) -> bytes:
    """``message`` in bytes; where the codec has no way to write a value down, another one stands in its place."""
    try:
        return _encoded(codec, message)
    except OverflowError:
        return _encoded(codec, {"type": rng.choice(TYPES), "id": "too large", "seq": 2**64 - 1})


def _changed(rng: random.Random, message: Wire) -> Wire:
    """A copy of ``message`` with one thing changed."""
    changed = copy.deepcopy(message)
    changed = changed or {"type": None}
    places = list(_places(changed))
    changes: tuple[Callable[[random.Random, Wire, Place], None], ...] = (
        _replace, _replace, _nudge, _nudge, _make_plausible, _make_plausible, _make_plausible, _remove, _add, _rename,
        _retype, _deepen, _wrap,
    )  # fmt: skip
    rng.choice(changes)(rng, changed, rng.choice(places))
    return changed


def _places(value: Any) -> Iterator[Place]:
    """Every value inside of ``value``."""
    keys: Iterator[Any] = iter(())
    if isinstance(value, dict):
        keys = iter(value)
    elif isinstance(value, list):
        keys = iter(range(len(value)))
    for key in keys:
        yield value, key
        yield from _places(value[key])


def _any_value(rng: random.Random) -> Any:
    return copy.deepcopy(rng.choice((rng.choice(NUMBERS), rng.choice(TEXTS), rng.choice(OTHERS))))


def _replace(rng: random.Random, _message: Wire, place: Place) -> None:
    """Any value where another one was."""
    inside, key = place
    inside[key] = _any_value(rng)


def _nudge(rng: random.Random, _message: Wire, place: Place) -> None:
    """A value close to the one that was there."""
    inside, key = place
    value = inside[key]
    match value:
        case bool():
            inside[key] = rng.choice((not value, int(value), str(value), None))
        case int() | float():
            changes = (value + 1, value - 1, -value, float(value), str(value), bool(value), value + 0.5)
            inside[key] = rng.choice(changes)
        case str():
            texts = (value + "x", value[:-1], value[1:], value.swapcase(), value * 20, f" {value}")
            inside[key] = rng.choice((*texts, [value]))
        case _:
            inside[key] = None


def _make_plausible(rng: random.Random, _message: Wire, place: Place) -> None:
    """Another value that the field might have, or any value where there is none."""
    inside, key = place
    inside[key] = rng.choice(PLAUSIBLE.get(key, NUMBERS))


def _remove(_rng: random.Random, _message: Wire, place: Place) -> None:
    inside, key = place
    del inside[key]


def _add(rng: random.Random, message: Wire, place: Place) -> None:
    inside, _ = place
    if isinstance(inside, list):
        inside.append(_any_value(rng))
    else:
        inside[rng.choice((*FIELDS, *TEXTS))] = _any_value(rng)


def _rename(rng: random.Random, _message: Wire, place: Place) -> None:
    inside, key = place
    value = inside.pop(key)
    if isinstance(inside, dict):
        inside[rng.choice((key.upper(), f"{key} ", *FIELDS))] = value
    else:
        inside.insert(0, value)


def _retype(rng: random.Random, message: Wire, _place: Place) -> None:
    message["type"] = rng.choice(TYPES)


def _deepen(rng: random.Random, _message: Wire, place: Place) -> None:
    """Lists in lists, around what was there."""
    inside, key = place
    for _ in range(rng.choice((1, 5, 6, 7, 8, 9, 60))):
        inside[key] = [inside[key]]


def _wrap(rng: random.Random, _message: Wire, place: Place) -> None:
    inside, key = place
    inside[key] = {rng.choice(FIELDS): inside[key]}


def _garbled(rng: random.Random, data: bytes) -> bytes:
    """``data`` with one change that knows nothing of what it means."""
    at = rng.randrange(len(data))
    length = rng.randint(1, 4)
    return rng.choice(
        (
            data[:at],
            data[at:],
            data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :],
            data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :],
            data[:at] + data[at + length :],
            data[:at] + rng.randbytes(length) + data[at:],
            data + data,
            data + b" ",
            data[:at] + data[at : at + length] * 3 + data[at + length :],
        )
    )


def _rubbish(rng: random.Random, codec: Codec) -> Sent:
    """What is no message at all."""
    opcode = _opcode(codec)
    other = Opcode.TEXT if codec.binary else Opcode.BINARY
    values: tuple[Any, ...] = (None, 0, 1.5, True, "", "ping", [], {}, [{}], {"type": None}, {"type": {}}, {"type": []})
    ping = {"type": "ping", "id": "p"}
    if rng.random() < 0.15:
        return Sent(other, _encoded(codec, ping), is_near=False)
    rubbish = (
        rng.randbytes(rng.randint(0, 60)),
        _encoded(codec, rng.choice(values)),
        rng.choice((b"[", b"\x91")) * rng.choice((9, 1500, 16_000)),
        _encoded(codec, {**ping, "x": "x" * 20_000}),
        *(PACKED_RUBBISH if codec.binary else WRITTEN_RUBBISH),
    )
    return Sent(opcode, rng.choice(rubbish), is_near=False)
