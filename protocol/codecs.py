"""JSON and MessagePack: the same maps, picked by WebSocket subprotocol.

What cannot be decoded raises ``UndecodableError`` and closes the connection; what decodes but cannot be a message is
a ``ProtocolError`` and is answered. Messages hold null, booleans, numbers of 64 bits, text, lists and maps with text as
keys: what both codecs can carry.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Sequence
from typing import Any, ClassVar, Protocol

import msgpack
from pydantic_core import to_json

from protocol.errors import ErrorCode, ProtocolError, UndecodableError
from protocol.messages.parse import MAX_PATH, message_id, sendable
from protocol.messages.parts import MAX_UINT64

MAX_NESTING = 8
"""Maps and lists within each other, the message itself included."""
MIN_INT64 = -(2**63)
_LONGEST_INT = len(str(MAX_UINT64))


class Codec(Protocol):
    """One way to write messages down."""

    subprotocol: ClassVar[str]
    binary: ClassVar[bool]
    """Whether it travels in binary frames, else in text frames."""

    def decode(self, frame: str | bytes, nesting: int = MAX_NESTING) -> dict[str, Any]:
        """The map in ``frame``: text of a text frame, or bytes of a binary one; at most ``nesting`` levels (0: any).

        Raises:
            UndecodableError: it is of the other kind, or cannot be decoded.
            ProtocolError: ``too_large`` or ``bad_message``, with the path of what is wrong; ``re`` is set where the map
                has a valid ``id``.
        """
        ...

    def encode(self, message: dict[str, Any]) -> bytes:
        """``message`` as the bytes of one frame."""
        ...

    def fill(self, encoded: bytes, items: Sequence[bytes]) -> bytes:
        """``encoded`` with these encoded ``items`` in the empty list that is the last value in it.

        A message of thousands of parts can so be encoded a part at a time.
        """
        ...


class JsonCodec:
    """Text frames, as compact as JSON gets."""

    subprotocol: ClassVar[str] = "doublesix.v1.json"
    binary: ClassVar[bool] = False

    def decode(self, frame: str | bytes, nesting: int = MAX_NESTING) -> dict[str, Any]:
        """See ``Codec``."""
        if not isinstance(frame, str):
            raise UndecodableError("a binary frame where text was agreed on")
        try:
            value = _JSON.decode(frame)
        except RecursionError:
            raise ProtocolError(ErrorCode.TOO_LARGE) from None
        except ValueError as error:
            raise UndecodableError(f"no JSON: {error}") from None
        return _checked(value, nesting)

    def encode(self, message: dict[str, Any]) -> bytes:
        """See ``Codec``."""
        return to_json(message)

    def fill(self, encoded: bytes, items: Sequence[bytes]) -> bytes:
        """See ``Codec``."""
        before, _, after = encoded.rpartition(b"[]")
        return b"".join((before, b"[", b",".join(items), b"]", after))


class MsgpackCodec:
    """Binary frames. Packs with one reused packer, so it is for one thread."""

    subprotocol: ClassVar[str] = "doublesix.v1.msgpack"
    binary: ClassVar[bool] = True

    def __init__(self) -> None:
        self._packer = msgpack.Packer()

    def decode(self, frame: str | bytes, nesting: int = MAX_NESTING) -> dict[str, Any]:
        """See ``Codec``."""
        if isinstance(frame, str):
            raise UndecodableError("a text frame where binary was agreed on")
        try:
            value = msgpack.unpackb(frame, raw=False, strict_map_key=False)
        except msgpack.StackError:
            raise ProtocolError(ErrorCode.TOO_LARGE) from None
        except TypeError:
            raise ProtocolError(ErrorCode.BAD_MESSAGE, "The keys of a map must be text.") from None
        except (ValueError, msgpack.UnpackException) as error:
            raise UndecodableError(f"no MessagePack: {error}") from None
        return _checked(value, nesting)

    def encode(self, message: dict[str, Any]) -> bytes:
        """See ``Codec``."""
        packed: bytes = self._packer.pack(message)
        return packed

    def fill(self, encoded: bytes, items: Sequence[bytes]) -> bytes:
        """See ``Codec``."""
        length: bytes = self._packer.pack_array_header(len(items))
        return b"".join((encoded[:-1], length, *items))


CODECS: tuple[Codec, ...] = (MsgpackCodec(), JsonCodec())
"""In the server's order of preference."""


def codec_for(subprotocol: str) -> Codec:
    """The codec called ``subprotocol``. KeyError if there is none."""
    return {codec.subprotocol: codec for codec in CODECS}[subprotocol]


def select_codec(offered: Sequence[str]) -> Codec | None:
    """The codec for a client that offers these subprotocols: JSON if none, None if only unknown ones."""
    if not offered:
        return codec_for(JsonCodec.subprotocol)
    return next((codec for codec in CODECS if codec.subprotocol in offered), None)


def text_of(data: bytes) -> str:
    """The text of a text frame that arrived as raw bytes.

    Raises:
        UndecodableError: it is no UTF-8.
    """
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise UndecodableError("no UTF-8") from None


def _json_integer(digits: str) -> int | float:
    """Integers that no message can hold become infinite, and are refused as such: Python reads them in square time."""
    return int(digits) if len(digits) <= _LONGEST_INT else math.inf


_JSON = json.JSONDecoder(parse_int=_json_integer)


def _checked(value: object, nesting: int) -> dict[str, Any]:
    """``value`` as a message, if it is one and holds nothing that a message cannot."""
    try:
        return _message(value, nesting)
    except RecursionError:
        raise ProtocolError(ErrorCode.TOO_LARGE, re=message_id(value)) from None
    except ProtocolError as error:
        error.re = message_id(value)
        error.path = error.path and error.path[:MAX_PATH]
        raise


def _message(value: object, nesting: int) -> dict[str, Any]:
    _check(value, nesting or sys.maxsize)
    if not isinstance(value, dict):
        raise ProtocolError(ErrorCode.BAD_MESSAGE, "A message is a map.")
    return value


def _check(value: object, levels: int) -> None:
    """Refuse what is nested more than ``levels`` deep, and values outside of what both codecs can carry."""
    if isinstance(value, str):
        _check_text(value)
    elif isinstance(value, dict):
        _check_map(value, levels)
    elif isinstance(value, list):
        _check_level(levels)
        for place, item in enumerate(value):
            _check_inside(place, item, levels)
    elif isinstance(value, int):
        if not MIN_INT64 <= value <= MAX_UINT64:
            raise ProtocolError(ErrorCode.BAD_MESSAGE, "An integer has more than 64 bits.")
    elif isinstance(value, float):
        if not math.isfinite(value):
            raise ProtocolError(ErrorCode.BAD_MESSAGE, "A number is infinite, too large or none at all.")
    elif value is not None:
        raise ProtocolError(ErrorCode.BAD_MESSAGE, "Binary and extension values have no place in a message.")


def _check_map(value: dict[object, object], levels: int) -> None:
    _check_level(levels)
    for key, item in value.items():
        if not isinstance(key, str):
            raise ProtocolError(ErrorCode.BAD_MESSAGE, "The keys of a map must be text.")
        _check_text(key)
        _check_inside(key, item, levels)


def _check_inside(name: str | int, item: object, levels: int) -> None:
    """Check ``item`` of a map or list; ``name`` begins the path of what is wrong with it."""
    try:
        _check(item, levels - 1)
    except ProtocolError as error:
        error.path = str(name) if error.path is None else f"{name}.{error.path}"
        raise


def _check_level(levels: int) -> None:
    if levels == 0:
        raise ProtocolError(ErrorCode.TOO_LARGE)


def _check_text(text: str) -> None:
    if not sendable(text):
        raise ProtocolError(ErrorCode.BAD_MESSAGE, "A text holds half of a surrogate pair.")
